"""Summaries quote, come when they should, and a failed one leaves the turns for the next attempt."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from langchain_core.messages import HumanMessage

from tests.fakes import ScriptedModel, StatusError
from veridical.graph import Context, Resources, VeridicalGraph, build_graph
from veridical.memory.models.client import Model
from veridical.memory.models.roles import Models
from veridical.memory.records import NewTurn
from veridical.memory.storage.summaries import list_summaries

CONTEXT = Context(user_id="ann", session_id="s")
BUDGET = "The budget of Apollo is 48,500 dollars."


def summaries(resources: Resources) -> list[dict[str, Any]]:
    with resources.memory.database.read() as connection:
        return list(list_summaries(connection, "ann"))


def quotes(document: dict[str, Any]) -> list[tuple[str, str]]:
    entries = [entry for section in document.values() if isinstance(section, list) for entry in section]
    return [(entry["turn_id"], entry["text"]) for entry in entries if isinstance(entry, dict)]


@pytest.fixture
def talk(resources: Resources) -> Callable[..., VeridicalGraph]:
    """Say things to a graph whose summariser speaks from a script."""

    def _talk(*texts: str, script: list[Any]) -> VeridicalGraph:
        model = Model(ScriptedModel(script=script), "scripted", timeout=5, wait=lambda _: None)
        graph = build_graph(replace(resources, models=Models(answer=model, rewrite=model)))
        for text in texts:
            graph.invoke({"messages": [HumanMessage(text)]}, context=CONTEXT)
        return graph

    return _talk


@pytest.mark.parametrize(
    ("farewell", "trigger"),
    [
        ("Thanks, bye!", "leave"),
        ("谢谢，再见", "leave"),
        ("We agreed on the blue logo.", "decision"),
        ("Please summarise what we said.", "requested"),
    ],
)
def test_a_session_is_summarised_when_there_is_a_reason(
    say: Callable[..., str], resources: Resources, farewell: str, trigger: str
):
    say(BUDGET)
    assert summaries(resources) == []
    say(farewell)
    (summary,) = summaries(resources)
    assert summary["trigger"] == trigger
    turns = {turn.id: turn for turn in resources.memory.opening("ann", "s1", 10)}
    assert all(quote in turns[turn_id].text for turn_id, quote in quotes(summary["document"]))
    assert ("t1", "The budget of Apollo is 48,500 dollars") in quotes(summary["document"])


def test_what_was_summarised_is_not_summarised_again(say: Callable[..., str], resources: Resources):
    say(BUDGET)
    say("Thanks, bye!")
    say("The deadline of Apollo is May 8.")
    say("Thanks, bye!")
    later, earlier = summaries(resources)
    assert later["first_turn"] == earlier["last_turn"] + 1


@pytest.mark.requirement("C28")
@pytest.mark.parametrize("question", ["What is the budget of Apollo?", "阿波罗的预算是多少？"])
def test_a_question_that_crosses_the_threshold_is_answered_and_not_summarised_away(resources: Resources, question: str):
    graph = build_graph(replace(resources, summary_after=4))
    said = BUDGET if question.isascii() else "阿波罗的预算是48,500美元。"
    for text in (said, "The code of room 1 is 11.", question):
        result = graph.invoke({"messages": [HumanMessage(text)]}, context=CONTEXT)
    assert "48,500" in result["messages"][-1].text
    covered = [summary["last_turn"] for summary in summaries(resources)]
    assert all(last < 5 for last in covered)


@pytest.mark.requirement("C25", "C26", "C27")
@pytest.mark.parametrize(
    "bad",
    [
        ["No data.", "No data."],
        ['{"user_stated": [', "{{{"],
        [StatusError(500), StatusError(500)],
        [ValueError("boom")],
        [TimeoutError()],
    ],
)
def test_a_summariser_that_fails_leaves_the_turns_and_is_tried_again(
    talk: Callable[..., VeridicalGraph], resources: Resources, bad: list[Any]
):
    good = json.dumps({"core_topic": "budget of Apollo", "user_stated": [{"turn_id": "t1", "quote": "48,500 dollars"}]})
    graph = talk(BUDGET, "Thanks, bye!", script=[*bad, good])
    assert summaries(resources) == []
    assert str((resources.memory.answer("ann") or {})["summary"]).startswith("failed")
    log = resources.memory.opening("ann", "s", 20)
    assert [turn.text for turn in log if turn.role == "user"] == [BUDGET, "Thanks, bye!"]
    assert not [turn for turn in log if any(word in turn.text for word in ("No data", "boom", "failed", "Error"))]
    graph.invoke({"messages": [HumanMessage("The code of room 1 is 11.")]}, context=CONTEXT)
    (summary,) = summaries(resources)
    assert summary["trigger"] == "retry"
    assert summary["first_turn"] == 1


@pytest.mark.requirement("C26")
def test_a_summary_that_keeps_failing_is_tried_ever_more_seldom_and_at_leave_taking(
    talk: Callable[..., VeridicalGraph], resources: Resources
):
    failing = [StatusError(401)] * 6
    facts = [f"The code of room {number} is {number * 11}." for number in range(1, 21)]
    graph = talk("We decided on the blue logo.", script=failing)
    tried = []
    for place, text in enumerate([*facts, "Thanks, bye!"], start=1):
        graph.invoke({"messages": [HumanMessage(text)]}, context=CONTEXT)
        if (resources.memory.answer("ann") or {}).get("summary"):
            tried.append(place)
    assert tried == [1, 3, 7, 15, 21]
    assert summaries(resources) == []


@pytest.mark.requirement("C28")
def test_a_question_is_not_summarised_away_when_what_failed_is_tried_again(
    talk: Callable[..., VeridicalGraph], resources: Resources
):
    graph = talk("We decided on the blue logo.", script=[StatusError(401), '{"queries": ["logo"]}', "NONE", "{}"])
    graph.invoke({"messages": [HumanMessage("Which logo did we decide on?")]}, context=CONTEXT)
    assert (resources.memory.answer("ann") or {}).get("summary") is None


@pytest.mark.requirement("P1", "P2")
def test_an_entry_is_kept_if_it_quotes_a_turn_of_the_right_speaker(
    talk: Callable[..., VeridicalGraph], resources: Resources
):
    proposed = {
        "core_topic": "the moon landing",
        "user_stated": [
            {"turn_id": "t1", "quote": "budget of Apollo is 48,500 dollars"},
            {"turn_id": "t1", "quote": "budget of Apollo is 52,000 dollars"},
            {"turn_id": "t2", "quote": "Noted"},
            {"turn_id": "t9", "quote": "anything"},
        ],
        "assistant_said": [{"turn_id": "t1", "quote": "The budget"}],
    }
    talk(BUDGET, "Thanks, bye!", script=[json.dumps(proposed)])
    (summary,) = summaries(resources)
    found = quotes(summary["document"])
    assert not [quote for _, quote in found if "52,000" in quote or quote == "anything"]
    assert ("t2", "Noted") not in [(entry["turn_id"], entry["text"]) for entry in summary["document"]["user_stated"]]
    assert all(entry["turn_id"] != "t1" for entry in summary["document"]["assistant_said"])
    assert "moon" not in str(summary["document"]["core_topic"])
    assert [prompt["name"] for prompt in summary["prompts"]] == ["summarize"]


def test_an_agreement_cites_the_proposal_and_the_yes(talk: Callable[..., VeridicalGraph], resources: Resources):
    now = resources.clock()
    proposal = NewTurn(
        "ann",
        "s",
        "p",
        "assistant",
        "ai_generated",
        "assistant",
        "Shall we ship by SF on Monday?",
        "en",
        now,
        "UTC",
        "statement",
    )
    resources.memory.record(proposal, now=now)
    good = json.dumps(
        {"agreements": [{"turn_id": "t2", "quote": "Yes, agreed"}, {"turn_id": "t1", "quote": "ship by SF"}]}
    )
    talk("Yes, agreed.", script=[good])
    (summary,) = summaries(resources)
    (agreement,) = [entry for entry in summary["document"]["agreements"] if "proposal" in entry]
    assert (agreement["turn_id"], agreement["proposal"]) == ("t2", "t1")
