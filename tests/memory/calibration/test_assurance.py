"""Answering only where one passage leads: a close second turn means that nothing is said."""

import pytest

from .scenes import Talk, quoted


@pytest.mark.parametrize(
    ("turns", "question", "answer"),
    [
        (["The dentist costs 90 euros.", "We painted the fence."], "What does the dentist cost?", ["t1"]),
        (["看牙医花了90块。", "我们刷了围栏。"], "看牙医花了多少钱？", ["t1"]),
    ],
)
def test_a_passage_that_no_other_comes_near_answers(turns, question, answer):
    talk = Talk()
    for text in turns:
        talk.say(text)
    assert quoted(talk.ask(question)) == answer


@pytest.mark.parametrize(
    ("turns", "question"),
    [
        (["The blue tent costs 90 euros.", "The green tent costs 120 euros."], "What does the tent cost?"),
        (["蓝色帐篷要90块。", "绿色帐篷要120块。"], "帐篷要多少钱？"),
    ],
)
def test_two_turns_that_answer_alike_and_differ_are_not_guessed_between(turns, question):
    talk = Talk()
    for text in turns:
        talk.say(text)
    assert talk.ask(question).abstained


def test_what_was_said_twice_is_no_rival_of_itself():
    talk = Talk()
    talk.say("The tent costs 90 euros.")
    talk.say("The tent costs 90 euros.")
    assert len(talk.ask("What does the tent cost?").citations) == 1


def test_a_second_quotation_stands_there_only_for_what_has_several_values():
    talk = Talk()
    talk.fact(talk.say("I like plums."), "likes", "plums", single_valued=False)
    talk.fact(talk.say("I like figs."), "likes", "figs", single_valued=False)
    talk.say("The plums cost 4 euros.")
    assert set(quoted(talk.ask("What do I like?"))) == {"t1", "t2"}
    assert quoted(talk.ask("How much are the plums?")) == ["t3"]


@pytest.mark.parametrize("text", ["What did the roof cost?", "屋顶花了多少钱？"])
def test_a_passage_that_covers_little_does_not_answer_in_a_small_store(text):
    talk = Talk()
    talk.say("The gutter cost 300 euros.")
    talk.say("水槽花了300块。")
    assert talk.ask(text).abstained


@pytest.mark.parametrize(
    ("other", "noted", "attribute", "value", "question"),
    [
        (
            "My budget for the kitchen is 31,000 dollars.",
            "My budget is 34,500 dollars.",
            "budget",
            "34,500 dollars",
            "What is my budget?",
        ),
        ("厨房的预算是三万元。", "我的预算是五万元。", "budget", "五万元", "我的预算是多少？"),
    ],
)
def test_what_was_noted_under_the_name_that_is_asked_for_has_no_rival_in_what_resembles_it(
    other, noted, attribute, value, question
):
    talk = Talk()
    talk.say(other)
    talk.fact(talk.say(noted), attribute, value)
    assert quoted(talk.ask(question)) == ["t2"]
