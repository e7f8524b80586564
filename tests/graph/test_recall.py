"""Recalling without answering: four channels, rules with names, and times of both kinds."""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from veridical.graph import Context, Resources, recall

ANN = Context(user_id="ann")


@pytest.mark.requirement("FOUR-CHANNELS")
def test_candidates_come_from_four_channels_and_say_which(say: Callable[..., str], resources: Resources):
    say("The budget of Apollo is 48,500 dollars.")
    say("We talked about the weather in Lisbon.")
    found = recall(resources, "What is the budget of Apollo?", ANN)
    assert {name for result in found["results"] for name in result["channels"]} == {
        "exact",
        "lexical",
        "dense",
        "recent",
    }
    best = found["results"][0]
    assert (best["kind"], best["turn_id"], best["source"]) == ("fact", "t1", "user_input")
    assert len({result["turn_id"] for result in found["results"]}) == len(found["results"])


@pytest.mark.requirement("DROPPED-BY-RULE")
def test_a_superseded_version_is_dropped_by_a_named_rule(say: Callable[..., str], resources: Resources, clock: Any):
    say("The budget of Apollo is 48,500 dollars.")
    clock.advance(days=1)
    say("The budget of Apollo is now 52,000 dollars.")
    found = recall(resources, "What is the budget of Apollo?", ANN)
    dropped = {drop["turn_id"]: drop["rule"] for drop in found["dropped"]}
    assert dropped["t1"] == "superseded"
    assert "t1" not in {result["turn_id"] for result in found["results"]}


@pytest.mark.requirement("AS-OF")
def test_valid_time_and_recorded_time_are_asked_for_apart(say: Callable[..., str], resources: Resources, clock: Any):
    clock.now = datetime(2026, 1, 10, tzinfo=UTC)
    say("The budget of Apollo is 48,500 dollars.")
    clock.now = datetime(2026, 2, 10, tzinfo=UTC)
    say("The budget of Apollo is now 52,000 dollars.")
    clock.now = datetime(2026, 3, 10, tzinfo=UTC)
    say("That's wrong, the budget of Apollo is 53,000 dollars.")

    def answer(**times: datetime) -> str:
        return say("What is the budget of Apollo?", record=False, **times)

    assert "53,000" in answer()
    assert "48,500" in answer(as_of=datetime(2026, 1, 20, tzinfo=UTC))
    assert "52,000" in answer(recorded_as_of=datetime(2026, 2, 20, tzinfo=UTC))
    assert "48,500" in answer(recorded_as_of=datetime(2026, 1, 20, tzinfo=UTC))


@pytest.mark.requirement("C13")
def test_the_first_five_of_ten_are_the_five(say: Callable[..., str], resources: Resources):
    for number in range(12):
        say(f"The code of locker {number} is {number * 7}.")
    ten, five = (
        [
            result["id"]
            for result in recall(resources, "What is the code of locker 3?", Context("ann", limit=limit))["results"]
        ]
        for limit in (10, 5)
    )
    assert ten[:5] == five


def test_a_recall_records_nothing(say: Callable[..., str], resources: Resources):
    say("The budget of Apollo is 48,500 dollars.")
    before = resources.memory.state("ann")
    recall(resources, "My new budget is 1 dollar.", Context(user_id="ann", session_id="s1"))
    assert resources.memory.state("ann") == before
    assert len(resources.memory.opening("ann", "s1", 10)) == 2


@pytest.mark.requirement("C13")
@pytest.mark.parametrize(
    ("told", "question"),
    [
        (("We use PostgreSQL as the database.", "We switched to MySQL."), "How is PostgreSQL doing these days?"),
        (("数据库用 PostgreSQL。", "改用 MySQL 了。"), "PostgreSQL 最近跑得怎么样？"),
    ],
)
def test_who_asks_by_an_old_value_is_shown_what_holds_instead(
    say: Callable[..., str], resources: Resources, clock: Any, told: tuple[str, str], question: str
):
    for text in told:
        say(text)
        clock.advance(days=1)
    found = recall(resources, question, ANN)
    assert found["results"][0]["text"] == told[1]
    assert {"turn_id": "t1", "rule": "superseded"}.items() <= next(
        d for d in found["dropped"] if d["turn_id"] == "t1"
    ).items()
