"""Answers without a model: whose thing is told, and what a turn itself takes back."""

from collections.abc import Callable

import pytest

from tests.graph.talk import abstains

Say = Callable[..., str]


@pytest.mark.requirement("C6")
@pytest.mark.parametrize(
    ("told", "question", "expected"),
    [
        (("我在出版社做编辑。", "婆婆以前在纺织厂上班，2018年退休了。"), "我在哪儿上班？", "出版社"),
        (("我住在成都。", "岳父一个人过，住在绵阳。"), "我住哪儿？", "成都"),
        (("I work at Bosch.", "My mother used to work at Philips."), "Where do I work?", "Bosch"),
    ],
)
def test_a_question_about_oneself_is_not_answered_with_what_is_told_of_a_relative(
    say: Say, told: tuple[str, ...], question: str, expected: str
):
    for line in told:
        say(line)
    answer = say(question)
    assert (expected in answer, "纺织厂" in answer, "绵阳" in answer, "Philips" in answer) == (
        True,
        False,
        False,
        False,
    )


@pytest.mark.requirement("C6")
@pytest.mark.parametrize("question", ["我弟弟做什么工作？", "我哥哥在哪儿上班？"])
def test_a_relative_who_was_never_mentioned_is_not_confused_with_another(say: Say, question: str):
    say("婆婆以前在纺织厂上班，2018年退休了。")
    assert abstains(say(question))


@pytest.mark.requirement("C17")
def test_what_a_turn_takes_back_at_once_is_quoted_with_what_it_takes_back(say: Say):
    say("We need 12 tables. Make it 14, two more people are joining.")
    assert "Make it 14" in say("How many tables do we need?")


@pytest.mark.requirement("C6")
@pytest.mark.parametrize(
    ("told", "question"),
    [
        ("我妈的药改成一天两次了，早晚各一次。", "我爸的药一天吃几次？"),
        ("我爸摔了，前天在菜市场。", "我妈是哪天摔的？"),
        ("My mother's pills are twice a day now.", "How often does my father take his pills?"),
        ("我老婆也开始跑步了，她一次跑三公里。", "我一次跑多远？"),
        ("My wife took up running, she runs three kilometres at a time.", "How far do I run at a time?"),
    ],
)
def test_what_one_relative_does_or_has_is_told_of_no_other(say: Say, told: str, question: str):
    say(told)
    assert abstains(say(question))


@pytest.mark.requirement("C6")
def test_a_pet_that_is_named_first_in_its_sentence_lends_its_weight_to_no_other(say: Say):
    say("We have two dogs, Pickle and Biscuit.")
    say("Pickle weighs 11.8 kilos. Biscuit is fine.")
    assert abstains(say("What is Biscuit's weight?"))
