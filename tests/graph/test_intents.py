"""Errands through the whole graph on the floor: each step, what is said of it, and what is left, in both languages."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from langchain_core.messages import HumanMessage

from tests.graph.errands import STORY, Tell, errands, steps, todos, trace
from veridical.graph import Context, Resources, VeridicalGraph, ask, build_graph
from veridical.graph.checkpointer import open_checkpointer
from veridical.memory.records import Answer

LANGUAGES = ("en", "zh")


def is_borne_out(answer: Answer) -> bool:
    """Whether it claims something, and everything that it claims is supported by turns that it cites."""
    cited = {one.turn_id for one in answer.citations}
    return bool(answer.claims) and all(
        claim.verdict == "supported" and cited.issuperset(claim.evidence) for claim in answer.claims
    )


@pytest.mark.requirement("INTENT-IN-TURN", "INTENT-STATE")
@pytest.mark.parametrize("language", LANGUAGES)
def test_the_story_goes_through_its_states(tell: Tell, resources: Resources, language: str):
    states = []
    for line in STORY[language]:
        tell(line)
        states.append(errands(resources)["order:12345"].state)
    assert states == ["order_query", "order_cancel", "shipping_update", "order_query", "shipping_update"]


@pytest.mark.requirement("INTENT-REPLIES")
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_reply_of_the_story_is_borne_out_by_the_turns_that_it_cites(tell: Tell, language: str):
    for line in STORY[language]:
        answer = tell(line)
        assert is_borne_out(answer), answer
        assert line.strip("。") in answer.text
        assert not answer.abstained


@pytest.mark.requirement("INTENT-REPLIES")
@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", ("order #12345", "To do: ", "SF", "[t5]")),
        ("zh", ("订单 #12345", "待办：", "顺丰", "[t5]")),
    ],
)
def test_a_step_is_confirmed_with_what_is_left_to_do(tell: Tell, language: str, said: tuple[str, ...]):
    answer = tell(*STORY[language][:3])
    assert all(words in answer.text for words in said)


@pytest.mark.requirement("INTENT-REPLIES")
@pytest.mark.parametrize(("language", "said"), [("en", "not been shipped"), ("zh", "还没有发货")])
def test_what_is_only_asked_about_is_told_its_condition_and_leaves_nothing_to_do(
    tell: Tell, resources: Resources, language: str, said: str
):
    answer = tell(*STORY[language][:2])
    assert said in answer.text
    assert todos(resources) == []
    assert errands(resources)["order:12345"].tentative


@pytest.mark.requirement("INTENT-REPLIES", "PROMPTS-GOLDEN")
@pytest.mark.parametrize(
    ("language", "more"),
    [
        (
            "en",
            ("Where are we with order #12345?", "What did I want before?", "What do I have to do?", "I've done it."),
        ),
        ("zh", ("订单12345现在到哪一步了？", "我之前想怎么发？", "我还有什么要办的？", "办好了。")),
    ],
)
def test_the_replies_of_the_story_equal_their_golden_file(
    tell: Tell, golden: Callable[[str, str], None], language: str, more: tuple[str, ...]
):
    told = [f"> {line}\n{tell(line).text}\n" for line in (*STORY[language], *more)]
    golden(f"errands.{language}.txt", "\n".join(told))


@pytest.mark.requirement("INTENT-ROLLBACK", "INTENT-REPLIES")
@pytest.mark.parametrize(
    ("language", "said"),
    [
        ("en", "The original delivery of order #12345 is restored."),
        ("zh", "已恢复订单 #12345 原来的配送方案。"),
    ],
)
def test_keeping_the_plan_says_what_is_restored_and_what_was_retracted(
    tell: Tell, resources: Resources, language: str, said: str
):
    answer = tell(*STORY[language][:4])
    assert said in answer.text
    assert {cited.turn_id for cited in answer.citations} == {"t3", "t5", "t7"}
    assert todos(resources) == []
    assert todos(resources, live=False) != []
    assert errands(resources)["order:12345"].slots["shipping_preference"] == "original"


@pytest.mark.requirement("INTENT-ROLLBACK")
@pytest.mark.parametrize("language", LANGUAGES)
def test_what_was_taken_back_can_be_wanted_again(tell: Tell, resources: Resources, language: str):
    tell(*STORY[language])
    found = errands(resources)["order:12345"]
    assert (found.state, found.slots["shipping_preference"]) == ("shipping_update", "sf")
    assert len(todos(resources)) == 1
    assert len(todos(resources, live=False)) == 2


@pytest.mark.requirement("INTENT-IN-TURN")
def test_each_step_names_the_turn_that_made_it(tell: Tell, resources: Resources):
    tell(*STORY["en"][:4])
    assert [(step.kind, step.turn) for step in steps(resources)] == [
        ("step", 1),
        ("step", 3),
        ("step", 5),
        ("undone", 7),
    ]


@pytest.mark.requirement("INTENT-GUARDS", "INTENT-REPLIES")
@pytest.mark.parametrize(
    ("lines", "said", "quoted"),
    [
        (("order #7 has shipped already", "please cancel order #7"), ("cancelled", "returned"), "has shipped already"),
        (("订单#7已经发货了", "请取消订单#7"), ("不能取消", "退货"), "已经发货了"),
    ],
)
def test_a_refusal_says_why_what_it_rests_on_and_what_is_possible(
    tell: Tell, resources: Resources, lines: tuple[str, ...], said: tuple[str, ...], quoted: str
):
    answer = tell(*lines)
    assert all(words in answer.text for words in said)
    assert quoted in answer.text
    assert "[t1]" in answer.text
    assert is_borne_out(answer)
    assert todos(resources) == []
    assert errands(resources)["order:7"].state != "order_cancel" if errands(resources) else True


@pytest.mark.requirement("INTENT-UNCLEAR")
@pytest.mark.parametrize(
    ("opening", "unclear", "asked", "answered"),
    [
        (("Track order #11.", "Track order #12."), "One of my orders has to be cancelled.", ("#11", "#12"), "#11"),
        (("查一下订单#11。", "查一下订单#12。"), "有一单我想取消。", ("#11", "#12"), "#11那个"),
    ],
)
def test_what_cannot_be_told_is_asked_with_its_candidates_and_the_answer_does_it(
    tell: Tell, resources: Resources, opening: tuple[str, ...], unclear: str, asked: tuple[str, ...], answered: str
):
    tell(*opening)
    question = tell(unclear)
    assert question.text.rstrip().endswith(("?", "？"))
    assert all(words in question.text for words in asked)
    assert todos(resources) == []
    tell(answered)
    assert errands(resources)["order:11"].state == "order_cancel"
    assert errands(resources)["order:12"].state == "order_query"


@pytest.mark.requirement("INTENT-ENTITIES")
@pytest.mark.parametrize(
    "lines",
    [
        ("Track order #11.", "Track order #12.", "Cancel order #11.", "Ship order #12 by JD."),
        ("查一下订单#11。", "查一下订单#12。", "取消订单#11。", "订单#12改成京东发。"),
    ],
)
def test_two_orders_at_once_are_kept_apart(tell: Tell, resources: Resources, lines: tuple[str, ...]):
    tell(*lines)
    found = errands(resources)
    assert (found["order:11"].state, found["order:12"].state) == ("order_cancel", "shipping_update")
    assert found["order:11"].slots["shipping_preference"] == "original"
    assert len(todos(resources)) == 2


@pytest.mark.requirement("INTENT-ENTITIES", "P6")
def test_the_errands_of_one_user_are_nothing_to_another(tell: Tell, resources: Resources):
    tell("Cancel order #11.", user="ann", session="a")
    tell("Never mind, keep the original plan.", user="bob", session="b")
    assert errands(resources)["order:11"].state == "order_cancel"
    assert errands(resources, "bob") == {}


@pytest.mark.requirement("INTENT-TODOS")
@pytest.mark.parametrize(
    ("wish", "done"),
    [
        ("Ship order #12345 by SF.", "I've done it."),
        ("Ship order #12345 by SF.", "I've called them."),
        ("Ship order #12345 by SF.", "Done."),
        ("订单#12345改成顺丰发。", "办好了。"),
        ("订单#12345改成顺丰发。", "我给他们打过电话了。"),
    ],
)
def test_what_an_errand_left_to_do_is_completed_by_saying_so(tell: Tell, resources: Resources, wish: str, done: str):
    tell(wish)
    assert len(todos(resources)) == 1
    answer = tell(done)
    assert todos(resources) == []
    assert "[t1]" in answer.text
    assert is_borne_out(answer)


@pytest.mark.requirement("INTENT-TODOS")
def test_a_call_completes_no_errand_of_its_own_accord(tell: Tell, resources: Resources):
    tell("Remind me to buy milk.", "I've called them.")
    assert todos(resources) == ["Remind me to buy milk"]


@pytest.mark.requirement("INTENT-REPLIES")
@pytest.mark.parametrize(
    ("line", "also"),
    [
        ("My budget is 300 euros. Ship order #8 by DHL.", "300 euros"),
        ("我的预算是300元。订单#8走顺丰。", "300元"),
    ],
)
def test_what_else_a_turn_says_is_noted_beside_the_step(tell: Tell, line: str, also: str):
    answer = tell(line)
    assert "#8" in answer.text
    assert answer.text.count(also) == 1
    assert is_borne_out(answer)


@pytest.mark.requirement("INTENT-REPLIES")
@pytest.mark.parametrize(
    ("told", "line", "value"),
    [
        ("My budget is 300 euros.", "Cancel order #8. And what is my budget?", "300 euros"),
        ("我的预算是300元。", "取消订单#8。我的预算是多少？", "300元"),
    ],
)
def test_a_question_beside_a_step_is_answered_from_the_memory(
    tell: Tell, resources: Resources, told: str, line: str, value: str
):
    tell(told)
    answer = tell(line)
    assert errands(resources)["order:8"].state == "order_cancel"
    assert value in answer.text
    assert {"t1", "t3"} <= {cited.turn_id for cited in answer.citations}


@pytest.mark.requirement("INTENT-IN-TURN")
@pytest.mark.parametrize("language", LANGUAGES)
def test_asking_writes_nothing_and_says_so(tell: Tell, graph: VeridicalGraph, resources: Resources, language: str):
    tell(*STORY[language][:1])
    before, state = steps(resources), resources.memory.state("ann")
    line = {"en": "cancel order #12345", "zh": "取消订单#12345"}[language]
    found = ask(graph, line, Context(user_id="ann", record=False))
    assert steps(resources) == before
    assert resources.memory.state("ann") == state
    assert found["intents"]["proposed"][0]["to_state"] == "order_cancel"
    assert {"en": "Nothing is noted here", "zh": "这里不做记录"}[language] in found["text"]


@pytest.mark.requirement("INTENT-IN-TURN")
def test_a_replayed_turn_takes_no_step_again(resources: Resources):
    graph = build_graph(resources)
    context = Context(user_id="ann", session_id="s")
    said = HumanMessage("Ship order #12345 by SF.", id="m1")
    first = graph.invoke({"messages": [said]}, context=context)
    before, waiting = steps(resources), todos(resources)
    again = graph.invoke({"messages": [said]}, context=context)
    assert steps(resources) == before
    assert todos(resources) == waiting
    assert again["answer"].text == first["answer"].text


@pytest.mark.requirement("INTENT-TRACE")
@pytest.mark.parametrize("mode", ["updates", "values"])
def test_the_streamed_updates_show_what_was_proposed_and_what_was_settled(graph: VeridicalGraph, mode: str):
    context = Context(user_id="ann", session_id="s")
    parts: list[Any] = list(
        graph.stream({"messages": [("user", "Cancel order #5.")]}, context=context, stream_mode=mode)
    )
    flat = {key: value for part in parts for key, value in (part if mode == "values" else _joined(part)).items()}
    assert flat["proposed"][0].transition == "cancel"
    assert flat["settled"][0].left is not None
    assert flat["settled_by"] == "floor"


def _joined(part: dict[str, dict[str, Any]]) -> dict[str, Any]:
    return {key: value for update in part.values() for key, value in (update or {}).items()}


@pytest.mark.requirement("INTENT-TRACE")
def test_the_trace_says_what_moved_by_whose_reading_and_what_the_guard_said(tell: Tell, resources: Resources):
    tell("order #7 has shipped already", "cancel order #7")
    document = trace(resources)["intents"]
    assert document["settled_by"] == "floor"
    (settled,) = document["settled"]
    assert (settled["kind"], settled["entity"], settled["quote"]) == ("refused", "order:7", "cancel")
    assert settled["guard"] == {"slot": "shipping_state", "value": "shipped", "holds": "no"}


@pytest.mark.requirement("INTENT-IN-TURN", "GRAPH-RESUME")
def test_outcomes_come_back_whole_from_a_checkpoint(
    resources: Resources, tmp_path: Path, caplog: pytest.LogCaptureFixture
):
    saver = open_checkpointer(tmp_path)
    graph = build_graph(resources, checkpointer=saver)
    config = {"configurable": {"thread_id": "s"}}
    context = Context(user_id="ann")
    graph.invoke({"messages": [("user", "order #7 has shipped already")]}, config, context=context)
    graph.invoke({"messages": [("user", "cancel order #7")]}, config, context=context)
    kept = graph.get_state(config).values["settled"][0]
    assert kept.guard.why.en
    graph.invoke({"messages": [("user", "Where are we with order #7?")]}, config, context=context)
    assert graph.get_state(config).values["inquiry"].kind == "state"
    assert graph.get_state(config).values["settled"] == []
    saver.conn.close()
    assert not [record for record in caplog.records if "unregistered type" in record.message]
