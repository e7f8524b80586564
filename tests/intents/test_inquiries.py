"""What is a question about errands, and about which: by the wording of both languages, and only where there are any."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from veridical.intents.following import Intents, follow
from veridical.intents.inquiries import Inquiry, asks_for_value, inquire, repeated
from veridical.intents.loading import shipped
from veridical.intents.outcomes import unrecorded
from veridical.memory.language.folding import detect_language
from veridical.memory.records import NewTurn
from veridical.memory.retrieval.embedders import open_embedder
from veridical.memory.store import Memory

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
Asked = Callable[..., Inquiry | None]


@pytest.fixture
def asked(tmp_path: Path) -> Iterator[Asked]:
    """What a line asks of errands, after others were followed."""
    intents = Intents(shipped())
    with Memory(tmp_path / "data", open_embedder("hashing:64")) as memory:

        def _asked(line: str, *told: str, again: bool = False) -> Inquiry | None:
            for place, text in enumerate(told):
                now = NOW + timedelta(minutes=place)
                new = NewTurn(
                    "ann",
                    "s",
                    f"m{place}",
                    "user",
                    "user_input",
                    "user",
                    text,
                    detect_language(text),
                    now,
                    "UTC",
                    "statement",
                )
                follow(intents, memory, memory.record(new, now=now).turn, now=now)
            said = unrecorded("ann", "s", line, detect_language(line), NOW, "UTC")
            with memory.database.read() as connection:
                return (repeated if again else inquire)(connection, intents.vocabularies, said)

        yield _asked


def kind(inquiry: Inquiry | None) -> str | None:
    return None if inquiry is None else inquiry.kind


@pytest.mark.requirement("INTENT-ASKED")
@pytest.mark.parametrize(
    ("line", "wanted"),
    [
        ("Where are we with order #12345?", "state"),
        ("What's the status of my order?", "state"),
        ("How far are we with it?", "state"),
        ("订单12345现在到哪一步了？", "state"),
        ("那个订单进展如何", "state"),
        ("现在什么情况？", "state"),
        ("What did I want before?", "past"),
        ("What was my original plan?", "past"),
        ("我之前想怎么发？", "past"),
        ("最初的要求是什么", "past"),
        ("Did I say I wanted to ship it by SF?", "said"),
        ("Have I asked you to change the delivery?", "said"),
        ("我是不是说过要改配送？", "said"),
        ("我之前有没有说要换成顺丰？", "said"),
        ("What do I have to do?", "todos"),
        ("What's still left to do?", "todos"),
        ("我还有什么要办的？", "todos"),
        ("还要办什么？", "todos"),
    ],
)
def test_a_question_about_an_errand_is_known_by_its_wording(asked: Asked, line: str, wanted: str):
    assert kind(asked(line, "Ship order #12345 by SF.")) == wanted


@pytest.mark.requirement("INTENT-ASKED")
@pytest.mark.parametrize(
    "line",
    [
        "What is the status of project Apollo?",
        "How is your day going?",
        "How is it going?",
        "What did I say about the budget before?",
        "What did I want for my birthday?",
        "What did I want before May?",
        "What do I have to do about the budget?",
        "Did I say I wanted a new bike?",
        "Where are we with order #777?",
        "阿波罗项目进展如何？",
        "我是不是说过要买自行车？",
        "我明天要做什么？",
        "订单777到哪一步了？",
        "Ship order #12345 by JD.",
    ],
)
def test_a_question_about_something_else_is_none(asked: Asked, line: str):
    assert asked(line, "Ship order #12345 by SF.") is None


@pytest.mark.requirement("INTENT-ASKED")
@pytest.mark.parametrize("line", ["What did I want before?", "What have I changed?", "我之前想怎么安排？"])
def test_what_was_wanted_before_is_no_errand_that_was_only_looked_at(asked: Asked, line: str):
    assert asked(line, "Track my order #12345.") is None


@pytest.mark.parametrize(
    ("line", "value"),
    [
        ("what did i get under order number 12345?", True),
        ("how much was order 12345?", True),
        ("订单12345买的是什么?", True),
        ("what if i cancel it?", False),
        ("can i still change it?", False),
        ("订单12345什么时候到?", False),
    ],
)
def test_who_asks_for_a_value_wishes_for_no_step(line: str, value: bool):
    assert asks_for_value(line) == value


@pytest.mark.requirement("INTENT-ASKED")
@pytest.mark.parametrize("line", ["Where are we with it?", "What do I have to do?", "我是不是说过要改配送？"])
def test_nothing_is_asked_of_errands_where_there_are_none(asked: Asked, line: str):
    assert asked(line) is None


@pytest.mark.requirement("INTENT-ASKED")
def test_the_step_of_the_value_that_is_named_is_meant(asked: Asked):
    told = ("Ship order #12345 by SF.", "No, ship order #12345 by JD.")
    first, second = asked("Did I say I wanted it by SF?", *told), asked("Did I say I wanted it by JD?")
    assert first is not None
    assert second is not None
    assert first.steps < second.steps


@pytest.mark.requirement("INTENT-ASKED")
@pytest.mark.parametrize(
    ("line", "same"),
    [("Ship it by SF.", True), ("改成顺丰发。", True), ("Ship it by JD.", False), ("Ship order #9 by SF.", False)],
)
def test_a_wish_for_what_is_so_already_asks_how_far_it_is(asked: Asked, line: str, same: bool):
    assert (asked(line, "Ship order #12345 by SF.", again=True) is not None) == same
