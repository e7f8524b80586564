"""Questions about errands: how far one is, what was wanted before, whether something was asked for, what is to be done."""

import pytest

from tests.graph.errands import STORY, Tell, errands, trace
from tests.graph.talk import abstains
from veridical.graph import Context, Resources, VeridicalGraph, ask
from veridical.memory.records import Answer


def quoted(answer: Answer) -> set[str]:
    """The turns that it cites, where everything that it claims is supported."""
    assert all(claim.verdict == "supported" for claim in answer.claims)
    return {cited.turn_id for cited in answer.citations}


@pytest.mark.requirement("INTENT-ASKED")
@pytest.mark.parametrize(
    ("language", "question", "said"),
    [
        ("en", "Where are we with order #12345?", ("delivery", "SF", "To do: ")),
        ("en", "What's the status of my order?", ("SF", "To do: ")),
        ("zh", "订单12345现在到哪一步了？", ("配送", "顺丰", "待办：")),
        ("zh", "那个订单进展如何？", ("顺丰", "待办：")),
    ],
)
def test_how_far_an_errand_is_is_told_with_the_words_that_made_it_so(
    tell: Tell, language: str, question: str, said: tuple[str, ...]
):
    tell(*STORY[language][:3])
    answer = tell(question)
    assert all(words in answer.text for words in said)
    assert quoted(answer) == {"t5"}
    assert STORY[language][2] in answer.text


@pytest.mark.requirement("INTENT-ASKED", "INTENT-TODOS")
@pytest.mark.parametrize(
    ("language", "question"),
    [
        ("en", "Did I say I wanted to change the delivery?"),
        ("en", "Have I asked you to ship it by SF?"),
        ("zh", "我是不是说过要改配送？"),
        ("zh", "我有没有说过要发顺丰？"),
    ],
)
def test_whether_something_was_wanted_is_told_with_its_turn(tell: Tell, language: str, question: str):
    tell(*STORY[language][:3])
    answer = tell(question)
    assert quoted(answer) == {"t5"}
    assert STORY[language][2] in answer.text
    assert not answer.abstained


@pytest.mark.requirement("INTENT-ASKED", "INTENT-ROLLBACK")
@pytest.mark.parametrize(
    ("language", "question"),
    [("en", "Did I say I wanted to change the delivery?"), ("zh", "我是不是说过要改配送？")],
)
def test_what_was_taken_back_was_said_all_the_same(tell: Tell, language: str, question: str):
    tell(*STORY[language][:4])
    answer = tell(question)
    assert quoted(answer) == {"t5", "t7"}
    assert answer.text.index("[t5]") < answer.text.index("[t7]")


@pytest.mark.requirement("INTENT-ASKED")
@pytest.mark.parametrize(
    ("language", "question", "only"),
    [("en", "Did I want to cancel it?", "only asked about"), ("zh", "我是不是说过要取消订单？", "只是问到")],
)
def test_what_was_only_asked_about_is_not_told_as_wanted(tell: Tell, language: str, question: str, only: str):
    tell(*STORY[language][:2])
    answer = tell(question)
    assert only in answer.text
    assert quoted(answer) == {"t3"}


@pytest.mark.requirement("INTENT-ASKED")
@pytest.mark.parametrize(
    ("language", "question"),
    [("en", "Did I say I wanted to ship it by JD?"), ("zh", "我有没有说过要发京东？")],
)
def test_another_value_than_the_one_that_was_wanted_is_not_confirmed(tell: Tell, language: str, question: str):
    tell(*STORY[language][:3])
    answer = tell(question)
    assert not answer.text.startswith(("Yes", "说过"))


@pytest.mark.requirement("INTENT-ASKED")
@pytest.mark.parametrize(
    ("language", "question"),
    [("en", "Did I ever want to exchange it?"), ("zh", "我说过要换货吗？")],
)
def test_what_was_never_wanted_is_declined(tell: Tell, language: str, question: str):
    tell(*STORY[language][:3])
    assert abstains(tell(question).text)


@pytest.mark.requirement("INTENT-ASKED")
@pytest.mark.parametrize(
    ("language", "question"),
    [("en", "What did I want before?"), ("zh", "我之前想怎么发？"), ("zh", "之前的要求是什么？")],
)
def test_what_was_wanted_before_is_told_oldest_first(tell: Tell, language: str, question: str):
    tell(*STORY[language][:4])
    answer = tell(question)
    assert quoted(answer) == {"t3", "t5", "t7"}
    assert answer.text.index(STORY[language][1]) < answer.text.index(STORY[language][2])


@pytest.mark.requirement("INTENT-ASKED", "INTENT-TODOS")
@pytest.mark.parametrize(
    ("language", "question", "said"),
    [
        ("en", "What do I have to do?", ("order #12345", "SF")),
        ("zh", "我还有什么要办的？", ("订单 #12345", "顺丰")),
    ],
)
def test_what_is_to_be_done_is_listed_with_what_it_is_for(
    tell: Tell, language: str, question: str, said: tuple[str, ...]
):
    tell({"en": "Remind me to call the dentist.", "zh": "提醒我给牙医打电话。"}[language], *STORY[language][:3])
    answer = tell(question)
    assert all(words in answer.text for words in said)
    assert {"en": "call the dentist", "zh": "给牙医打电话"}[language] in answer.text
    assert quoted(answer) == {"t1", "t7"}


@pytest.mark.requirement("INTENT-ASKED", "INTENT-TODOS")
@pytest.mark.parametrize(
    ("lines", "question", "nothing"),
    [
        (("Ship order #5 by SF.", "I've done it."), "What do I have to do?", "Nothing is left to do."),
        (("订单#5改成顺丰发。", "办好了。"), "我还有什么要办的？", "没有要办的事了。"),
    ],
)
def test_nothing_is_left_once_it_is_done(tell: Tell, lines: tuple[str, ...], question: str, nothing: str):
    tell(*lines)
    assert tell(question).text == nothing


@pytest.mark.requirement("INTENT-ENTITIES", "INTENT-ASKED")
@pytest.mark.parametrize(
    ("lines", "questions", "marks"),
    [
        (
            ("Cancel order #11.", "Ship order #12 by JD."),
            ("Where are we with order #11?", "Where are we with order #12?"),
            ("t1", "t3"),
        ),
        (("取消订单#11。", "订单#12改成京东发。"), ("订单11到哪一步了？", "订单12到哪一步了？"), ("t1", "t3")),
    ],
)
def test_each_of_two_orders_is_told_of_by_itself(
    tell: Tell, lines: tuple[str, ...], questions: tuple[str, ...], marks: tuple[str, ...]
):
    tell(*lines)
    assert [quoted(tell(question)) for question in questions] == [{mark} for mark in marks]


@pytest.mark.requirement("INTENT-ASKED")
@pytest.mark.parametrize("question", ["Where are we with order #999?", "订单999现在到哪一步了？"])
def test_an_order_that_was_never_spoken_of_is_not_told_of_by_another(tell: Tell, question: str):
    tell("Cancel order #11.")
    answer = tell(question)
    assert "t1" not in {cited.turn_id for cited in answer.citations}
    assert "#11" not in answer.text


@pytest.mark.requirement("INTENT-ASKED", "INTENT-TRACE")
def test_an_inquiry_moves_nothing_and_is_in_the_trace(tell: Tell, resources: Resources):
    tell("Cancel order #11.")
    before = errands(resources)
    tell("Where are we with order #11?")
    assert errands(resources) == before
    assert trace(resources)["intents"]["inquiry"] == {"kind": "state", "steps": []}
    assert trace(resources)["queries"] == []


@pytest.mark.requirement("INTENT-ASKED", "INTENT-IN-TURN")
def test_asking_without_recording_is_answered_from_the_record_too(
    tell: Tell, graph: VeridicalGraph, resources: Resources
):
    tell(*STORY["en"][:3])
    found = ask(graph, "Did I say I wanted to change the delivery?", Context(user_id="ann", record=False))
    assert found["citations"][0]["turn_id"] == "t5"
    assert found["intents"]["inquiry"]["kind"] == "said"


@pytest.mark.requirement("INTENT-ASKED")
@pytest.mark.parametrize("line", ["Cancel the order.", "取消订单。"])
def test_a_wish_for_what_is_so_already_is_answered_by_how_far_it_is(tell: Tell, resources: Resources, line: str):
    tell("Cancel order #11.")
    answer = tell(line)
    assert quoted(answer) == {"t1"}
    assert "#11" in answer.text


@pytest.mark.requirement("INTENT-ASKED")
@pytest.mark.parametrize(
    ("told", "question", "value"),
    [
        ("The budget of Apollo is 5,000 euros.", "What did I say about the budget of Apollo before?", "5,000 euros"),
        ("The status of project Apollo is green.", "What is the status of project Apollo?", "green"),
        ("阿波罗项目的预算是5000元。", "我之前说阿波罗项目的预算是多少？", "5000元"),
    ],
)
def test_a_question_about_something_else_goes_to_the_memory(tell: Tell, told: str, question: str, value: str):
    tell(told, "Cancel order #11.")
    assert value in tell(question).text


@pytest.mark.requirement("INTENT-ASKED")
def test_what_the_host_noted_is_told_without_a_quotation(tell: Tell, resources: Resources):
    tell("Track order #11.")
    with resources.memory.database.write() as connection:
        resources.intents.note(
            connection, "ann", "order:11", "shipping_state", "shipped", session_id="s", now=resources.clock()
        )
    answer = tell("Cancel order #11.")
    assert "can no longer be cancelled" in answer.text
    assert not [claim for claim in answer.claims if claim.verdict != "supported"]
