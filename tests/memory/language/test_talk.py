"""A stretch of dialogue is told from a question, and its everyday lines are about nothing in particular."""

import pytest

from veridical.memory.language.talk import commonplaces, is_talk, lines_of


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I drew a whale today!\nOh, what colour?\nBlue, with a tiny hat.", True),
        ("我今天画了一条鲸鱼！\n什么颜色的？\n蓝色的，还戴着帽子。", True),
        ("Hi!\nWhat is the budget of Apollo?", False),
        ("What is the budget of Apollo?", False),
        ("\n\nWhat is the budget?\n---\n\n", False),
    ],
)
def test_three_lines_that_say_something_are_talk(text: str, expected: bool):
    assert is_talk(text) is expected


def test_lines_come_without_blanks():
    assert lines_of("  one \n\n - \n two\r\nthree") == ["one", "two", "three"]


def test_every_language_has_its_commonplaces():
    assert len(set(commonplaces("en"))) == len(set(commonplaces("zh"))) >= 24
    assert all(line.isascii() for line in commonplaces("en"))
    assert not any(line.isascii() for line in commonplaces("zh"))
