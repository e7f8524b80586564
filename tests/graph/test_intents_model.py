"""Errands with a model: one structured call rewrites and settles, and what it gets wrong falls to the floor's proposal."""

import json
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import pytest
from langchain_core.messages import HumanMessage
from langchain_core.outputs import ChatGenerationChunk

from tests.fakes import ScriptedModel, StatusError
from tests.graph.errands import STORY, errands, steps, todos, trace
from veridical.graph import Context, Resources, VeridicalGraph, build_graph
from veridical.memory.models.client import Model
from veridical.memory.models.roles import Models
from veridical.memory.records import Answer

CONTEXT = Context(user_id="ann", session_id="s")

Talk = Callable[..., tuple[Callable[[str], Answer], ScriptedModel]]


@pytest.fixture
def talk(resources: Resources, graph: VeridicalGraph) -> Talk:
    """Tell the floor some lines; then speak to a model that says what its script has."""

    def _talk(*script: Any, told: tuple[str, ...] = ()) -> tuple[Callable[[str], Answer], ScriptedModel]:
        for line in told:
            graph.invoke({"messages": [HumanMessage(line)]}, context=CONTEXT)
        chat = ScriptedModel(script=list(script))
        model = Model(chat, "scripted", timeout=5, wait=lambda _: None)
        with_model = build_graph(replace(resources, models=Models(answer=model, rewrite=model)))

        def _say(line: str) -> Answer:
            answer: Answer = with_model.invoke({"messages": [HumanMessage(line)]}, context=CONTEXT)["answer"]
            return answer

        return _say, chat

    return _talk


def read(transition: str, entity: str = "", *slots: tuple[str, str, str]) -> str:
    """What a model says of a turn."""
    quoted = [{"name": name, "value": value, "quote": quote} for name, value, quote in slots]
    return json.dumps({"queries": [], "intent": {"transition": transition, "entity": entity, "slots": quoted}})


@pytest.mark.requirement("INTENT-MODEL", "C38")
@pytest.mark.parametrize(
    ("told", "line", "quote"),
    [
        ("track my order (#12345)", "the parcel had better go with the black-and-yellow ones", "black-and-yellow"),
        ("查一下我的订单（#12345）", "还是让黑色车的那家送吧", "黑色车的那家"),
    ],
)
def test_a_step_in_words_that_the_floor_does_not_know_is_read_by_the_model_in_one_call(
    talk: Talk, resources: Resources, told: str, line: str, quote: str
):
    say, chat = talk(read("orders.cancel", "order:12345"), told=(told,))
    answer = say(line)
    assert errands(resources)["order:12345"].state == "order_cancel"
    assert (len(chat.calls), answer.model_calls, answer.mode) == (1, 1, "floor")
    assert trace(resources)["intents"]["settled_by"] == "model"
    assert quote in answer.text


@pytest.mark.requirement("INTENT-MODEL")
def test_the_slots_of_a_reading_are_those_that_somebody_said(talk: Talk, resources: Resources):
    said = read(
        "orders.change_shipping",
        "order:12345",
        ("shipping_preference", "sf", "SF"),
        ("shipping_state", "unshipped", "it has not left yet"),
    )
    say, _ = talk(said, told=("track my order (#12345)",))
    say("SF would suit me better for that one")
    found = errands(resources)["order:12345"]
    assert (found.state, found.slots["shipping_preference"]) == ("shipping_update", "sf")
    assert "shipping_state" not in found.slots


@pytest.mark.requirement("INTENT-MODEL")
@pytest.mark.parametrize(
    "failure",
    [
        read("orders.refund_everything", "order:12345"),
        json.dumps({"queries": ["order 12345"]}),
        json.dumps({"queries": ["order 12345"], "intent": None}),
    ],
)
def test_a_reading_that_is_not_allowed_or_missing_leaves_the_floors(talk: Talk, resources: Resources, failure: str):
    say, _ = talk(failure, told=("track my order (#12345)",))
    say("cancel it")
    assert errands(resources)["order:12345"].state == "order_cancel"
    assert trace(resources)["intents"]["settled_by"] == "floor"


@pytest.mark.requirement("INTENT-MODEL", "P5")
@pytest.mark.parametrize("failure", [StatusError(401), TimeoutError(), "no JSON", json.dumps({"intent": "cancel"})])
def test_a_failed_call_leaves_the_floors_proposal_and_stands_in_the_ledger(
    talk: Talk, resources: Resources, failure: Any
):
    say, _ = talk(failure, failure, told=("track my order (#12345)",))
    say("cancel it")
    assert errands(resources)["order:12345"].state == "order_cancel"
    found = trace(resources)
    assert found["intents"]["settled_by"] == "floor"
    assert {call["outcome"] for call in found["calls"]} - {"ok"}


@pytest.mark.requirement("INTENT-MODEL", "INTENT-NO-WISH")
def test_a_model_that_reads_no_step_keeps_the_floors_from_being_taken(talk: Talk, resources: Resources):
    say, _ = talk(read("none"), told=("track my order (#12345)",))
    say("My sister says one should cancel and order anew")
    assert errands(resources)["order:12345"].state == "order_query"


@pytest.mark.requirement("INTENT-MODEL")
def test_how_things_are_is_noted_whatever_step_a_model_reads(talk: Talk, resources: Resources):
    say, _ = talk(read("none"), told=("track my order (#12345)",))
    say("order #12345 has shipped already")
    assert errands(resources)["order:12345"].slots["shipping_state"] == "shipped"


@pytest.mark.requirement("INTENT-MODEL", "INTENT-UNCLEAR")
def test_an_unclear_reading_asks_with_the_candidates_and_moves_nothing(talk: Talk, resources: Resources):
    say, _ = talk(read("unclear"), told=("Track order #11.", "Track order #12."))
    answer = say("cancel that one please")
    assert answer.text.rstrip().endswith("?")
    assert "#11" in answer.text
    assert "#12" in answer.text
    assert {found.state for found in errands(resources).values()} == {"order_query"}
    assert todos(resources) == []


@pytest.mark.requirement("INTENT-MODEL", "INTENT-ROLLBACK")
@pytest.mark.parametrize(
    ("language", "line"), [("en", "hmm, I liked it better as it was at first"), ("zh", "唉，我想想，原本那样就挺好的")]
)
def test_a_model_may_read_that_the_plan_is_to_be_restored(talk: Talk, resources: Resources, language: str, line: str):
    say, _ = talk(read("restore", "order:12345"), told=STORY[language][:3])
    answer = say(line)
    assert errands(resources)["order:12345"].state == "order_query"
    assert todos(resources) == []
    assert line in answer.text


@pytest.mark.requirement("INTENT-MODEL", "INTENT-GUARDS")
def test_a_guard_refuses_what_a_model_reads_as_well(talk: Talk, resources: Resources):
    say, _ = talk(read("orders.cancel", "order:7"), told=("order #7 has shipped already",))
    answer = say("get rid of order #7 for me")
    assert todos(resources) == []
    assert "has shipped already" in answer.text


@pytest.mark.requirement("C38")
def test_small_talk_costs_no_call_while_nothing_is_open(talk: Talk):
    say, chat = talk(told=("The budget of Apollo is 48,500 dollars.",))
    say("Nice weather today!")
    say("The deadline of Apollo is May 8.")
    assert chat.calls == []


@pytest.mark.requirement("C38", "INTENT-IN-TURN")
def test_what_is_open_or_sounds_like_a_change_goes_through_one_call(talk: Talk):
    say, chat = talk(read("none"), read("none"))
    say("Instead of tea I had coffee.")
    assert len(chat.calls) == 1
    say("Cancel order #12345.")
    assert len(chat.calls) == 2


@pytest.mark.requirement("C38", "INTENT-ASKED")
def test_a_question_about_an_errand_costs_no_call(talk: Talk):
    say, chat = talk(told=STORY["en"][:3])
    answer = say("Where are we with order #12345?")
    assert "SF" in answer.text
    assert chat.calls == []


@pytest.mark.requirement("C38", "INTENT-MODEL")
def test_a_step_with_a_question_beside_it_costs_two_calls(talk: Talk, resources: Resources):
    draft = "Apollo's budget is 48,500 dollars. [t1]"
    say, chat = talk(
        read("orders.cancel", "order:12345"),
        draft,
        told=("The budget of Apollo is 48,500 dollars.", "track my order (#12345)"),
    )
    answer = say("Cancel order #12345. And what is the budget of Apollo?")
    assert errands(resources)["order:12345"].state == "order_cancel"
    assert (len(chat.calls), answer.mode) == (2, "model")
    assert answer.text.endswith(draft)
    assert "To do: " in answer.text


@pytest.mark.requirement("INTENT-MODEL", "INTENT-STATE")
def test_the_prompt_lists_what_is_open_and_what_is_allowed(talk: Talk):
    say, chat = talk(read("none"), told=("track my order (#12345)",))
    say("cancel it")
    system, user = (message.text for message in chat.calls[0])
    opened = user.split("OPEN_INTENTS")[1].split("/OPEN_INTENTS")[0]
    allowed = user.split("ALLOWED_TRANSITIONS")[1].split("/ALLOWED_TRANSITIONS")[0]
    assert "orders order:12345: order_query" in opened
    assert "orders.cancel [order:12345]" in allowed
    assert '"transition"' in system
    assert '"entity":"order:12345"' in user.split("MEMORY_STATE")[1]


@pytest.mark.requirement("INTENT-MODEL")
def test_a_plain_question_is_asked_without_errands(talk: Talk):
    say, chat = talk(json.dumps({"queries": []}), "NONE", told=("The budget of Apollo is 48,500 dollars.",))
    say("What is the budget of Apollo?")
    system, user = (message.text for message in chat.calls[0])
    assert "OPEN_INTENTS" not in user
    assert "transition" not in system


@pytest.mark.requirement("INTENT-MODEL")
def test_a_pinned_older_prompt_rewrites_and_leaves_settling_to_the_floor(resources: Resources):
    chat = ScriptedModel(script=[json.dumps({"queries": []})] * 2)
    model = Model(chat, "scripted", timeout=5, wait=lambda _: None)
    pinned = replace(resources, models=Models(answer=model, rewrite=model), prompts={"rewrite": 1})
    graph = build_graph(pinned)
    graph.invoke({"messages": [HumanMessage("Cancel order #12345.")]}, context=CONTEXT)
    assert errands(resources)["order:12345"].state == "order_cancel"
    assert trace(resources)["intents"]["settled_by"] == "floor"


class Looking(ScriptedModel):
    """Looks at the memory when it is called."""

    look: Callable[[], Any]
    seen: list[Any] = []  # noqa: RUF012 - a field of the model

    def _stream(self, *given: Any, **options: Any) -> Iterator[ChatGenerationChunk]:
        self.seen.append(self.look())
        yield from super()._stream(*given, **options)


@pytest.mark.requirement("INTENT-IN-TURN", "P3")
def test_the_turn_is_durable_and_nothing_settled_when_the_model_is_called(resources: Resources):
    def look() -> tuple[list[str], list[str]]:
        log = resources.memory.opening("ann", "s", 10)
        return [turn.text for turn in log], [step.kind for step in steps(resources)]

    chat = Looking(script=[read("none")], look=look)
    model = Model(chat, "scripted", timeout=5, wait=lambda _: None)
    graph = build_graph(replace(resources, models=Models(answer=model, rewrite=model)))
    graph.invoke({"messages": [HumanMessage("Cancel order #12345.")]}, context=CONTEXT)
    assert chat.seen == [(["Cancel order #12345."], [])]
