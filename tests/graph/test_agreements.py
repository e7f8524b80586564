"""A user's explicit yes to a proposal makes an agreement, which cites both turns; nothing else does."""

import json
from collections.abc import Callable
from dataclasses import replace
from io import StringIO

import pytest
from langchain_core.messages import HumanMessage
from rich.console import Console
from sqlalchemy import update

from tests.fakes import ScriptedModel
from tests.graph.talk import items
from veridical.cli.contract import recall_json
from veridical.cli.rendering.recall import recall_page
from veridical.cli.rendering.state import state_page
from veridical.graph import Context, Resources, build_graph
from veridical.graph.recall import recall
from veridical.memory.doctor import examine
from veridical.memory.forgetting import What, forget
from veridical.memory.listing import item_document
from veridical.memory.models.client import Model
from veridical.memory.models.roles import Models
from veridical.memory.records import NewTurn
from veridical.memory.storage import tables

pytestmark = pytest.mark.requirement("AGREEMENTS", "P2")

CONTEXT = Context(user_id="ann", session_id="s1")
Propose = Callable[..., None]
Say = Callable[..., str]


@pytest.fixture
def propose(resources: Resources) -> Propose:
    """Let the assistant propose something, as a model would have."""

    def _propose(text: str) -> None:
        now = resources.clock()
        language = "en" if text.isascii() else "zh"
        turn = NewTurn(
            "ann", "s1", text, "assistant", "ai_generated", "assistant", text, language, now, "UTC", "statement"
        )
        resources.memory.record(turn, now=now)

    return _propose


@pytest.mark.parametrize(
    ("proposal", "yes", "quoted"),
    [
        ("I checked. Shall we ship by SF on Monday?", "Yes, please do. Thanks!", "Shall we ship by SF on Monday?"),
        ("Would you like me to book the 9:40 train?", "sounds good", "Would you like me to book the 9:40 train?"),
        ("I suggest the blue logo.", "Agreed.", "I suggest the blue logo."),
        ("运费便宜。要不要改成顺丰发货？", "好的，就这么办。", "要不要改成顺丰发货？"),
        ("我建议用MySQL做数据库。", "同意", "我建议用MySQL做数据库。"),
    ],
)
def test_a_yes_to_a_proposal_is_an_agreement_of_both_turns(
    propose: Propose, say: Say, resources: Resources, proposal: str, yes: str, quoted: str
) -> None:
    propose(proposal)
    answer = say(yes)
    (agreement,) = items(resources, kind="agreement")
    assert agreement.accepted is not None
    assert agreement.accepted.span.cut(proposal) == quoted
    assert (agreement.turn, agreement.accepted.turn, agreement.source) == (2, 1, "user_input")
    assert agreement.quote in yes
    assert "[t1]" in answer
    assert "[t2]" in answer
    state = resources.memory.state("ann")
    (shown,) = state.agreements
    assert (shown.proposal, shown.proposal_turn_id, shown.turn_id) == (quoted, "t1", "t2")
    assert shown.id not in {fact.id for fact in state.current_facts}
    assert examine(resources.memory.database, embedder="hashing:256").healthy


@pytest.mark.requirement("C8")
@pytest.mark.parametrize(
    ("assistant", "user"),
    [
        ("I'll book next week's flight.", "ok"),
        ("Shall we ship by SF on Monday?", "Yes, but only if it is free."),
        ("Shall we ship by SF on Monday?", "Yes. But not on Monday."),
        ("Shall we ship by SF on Monday?", "No, keep it."),
        ("Shall we ship by SF on Monday?", "What does it cost?"),
        ("Shall we ship by SF on Monday?", "Maybe."),
        ("要不要改成顺丰发货？", "不要"),
        ("要不要改成顺丰发货？", "好像不用吧"),
        ("The budget is 48,500 dollars.", "Yes."),
    ],
)
def test_nothing_else_makes_one(propose: Propose, say: Say, resources: Resources, assistant: str, user: str) -> None:
    propose(assistant)
    say(user)
    assert items(resources, kind="agreement") == []
    assert resources.memory.state("ann").agreements == ()


def test_a_yes_to_a_quotation_of_the_floor_is_none(say: Say, resources: Resources) -> None:
    say("Shall we meet at the office on Monday?")
    say("What did I ask?")
    say("Yes, agreed.")
    assert items(resources, kind="agreement") == []


def test_what_was_agreed_is_told_with_the_proposal_and_its_speaker(propose: Propose, say: Say) -> None:
    propose("Shall we ship by SF on Monday?")
    say("Yes, agreed.")
    answer = say("What did we agree on?")
    assert "“Shall we ship by SF on Monday?” [t1]" in answer
    assert "“Yes" in answer
    assert "I (the assistant, not you)" in answer


@pytest.mark.requirement("P8", "C35")
@pytest.mark.parametrize("forgotten", ["t1", "t2"])
def test_an_agreement_goes_with_either_of_its_turns(
    propose: Propose, say: Say, resources: Resources, forgotten: str
) -> None:
    propose("Shall we ship by Zorblax Express?")
    say("Yes, agreed.")
    report = forget(resources.memory, None, "ann", What("turn", (forgotten,)), now=resources.clock())
    assert report.residue == ()
    assert items(resources, kind="agreement") == []
    assert resources.memory.state("ann").agreements == ()


@pytest.mark.requirement("DOCTOR")
def test_an_agreement_to_nothing_is_found_by_the_doctor(propose: Propose, say: Say, resources: Resources) -> None:
    propose("Shall we ship by SF on Monday?")
    say("Yes, agreed.")
    with resources.memory.database.write() as connection:
        connection.execute(update(tables.items).values(accepted_turn=9))
    problems = examine(resources.memory.database, embedder="hashing:256").problems
    assert ("quotations", "f1") in {(problem.check, problem.subject) for problem in problems}


def test_a_proposal_of_a_model_can_be_agreed_to(resources: Resources, say: Say) -> None:
    queries = json.dumps({"queries": ["capital of France"]})
    draft = "Paris is the capital of France. Would you like me to plan a trip to Paris?"
    model = Model(ScriptedModel(script=[queries, draft]), "scripted", timeout=5, wait=lambda _: None)
    graph = build_graph(replace(resources, models=Models(answer=model, rewrite=model)))
    said = graph.invoke({"messages": [HumanMessage("What is the capital of France?")]}, context=CONTEXT)["answer"]
    assert (said.mode, "Would you like me" in said.text) == ("model", True)
    say("Yes, let's do that.")
    (agreement,) = items(resources, kind="agreement")
    document = item_document(agreement)
    assert document["accepted"]["turn_id"] == "t2"
    assert document["kind"] == "agreement"
    assert state_page(resources.memory.state("ann").model_dump(mode="json"), "ann", resources.clock().tzinfo)


@pytest.mark.requirement("C8")
@pytest.mark.parametrize(
    ("proposal", "yes", "question"),
    [
        ("I checked. Shall we ship by SF on Monday?", "Yes, please.", "Shall we ship by SF, yes please?"),
        ("运费便宜。要不要改成顺丰发货？", "好的，就这么办。", "好的，就这么办是指什么？"),
    ],
)
def test_a_recalled_yes_has_beside_it_what_it_says_yes_to(
    propose: Propose, say: Say, resources: Resources, proposal: str, yes: str, question: str
) -> None:
    propose(proposal)
    say(yes)
    say("I like tea.")
    found = recall(resources, question, CONTEXT)
    accepting = {result["turn_id"]: result["accepts"] for result in found["results"] if "accepts" in result}
    assert accepting == {"t2": {"turn_id": "t1", "text": proposal.split(". ")[-1].split("。")[-1]}}
    (result,) = (one for one in recall_json(found)["results"] if one["turn_id"] == "t2")
    assert result["accepts"] == accepting["t2"]
    page = StringIO()
    Console(file=page, width=120).print(recall_page(found, resources.clock().tzinfo))
    assert accepting["t2"]["text"] in page.getvalue().partition(yes)[0]
