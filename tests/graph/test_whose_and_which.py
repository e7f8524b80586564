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
