"""A later turn that takes back an earlier one answers in its place, although no item says so."""

import pytest

from .scenes import Talk, quoted

TAKEN_BACK = [
    (
        ["The tutor charges 22 euros an hour.", "The tutor raised the fee to 25 euros."],
        "How much does the tutor charge?",
    ),
    (
        ["Ella takes the pictures.", "Ella broke an arm, so Hugo is taking the pictures instead."],
        "Who takes the pictures?",
    ),
    (["补习老师一小时收220元。", "补习老师从220元涨到了250元。"], "补习老师收多少钱？"),
    (["酒席订了20桌。", "酒席从20桌减到18桌。"], "酒席订了多少桌？"),
]


@pytest.mark.parametrize(("turns", "question"), TAKEN_BACK)
def test_what_was_taken_back_is_not_told_any_more(turns, question):
    talk = Talk()
    for text in turns:
        talk.say(text)
    assert quoted(talk.ask(question)) == ["t2"]


@pytest.mark.parametrize(
    ("turns", "question"),
    [
        (
            ["The tutor charges 22 euros an hour.", "The gym raised its fee to 40 euros."],
            "How much does the tutor charge?",
        ),
        (["The tutor charges 22 euros an hour.", "We moved the sofa to the wall."], "How much does the tutor charge?"),
        (["补习老师一小时收220元。", "健身房涨到400元了。"], "补习老师收多少钱？"),
    ],
)
def test_a_change_of_something_else_takes_nothing_back(turns, question):
    talk = Talk()
    for text in turns:
        talk.say(text)
    assert "t2" not in quoted(talk.ask(question))


@pytest.mark.parametrize(
    ("turns", "question"),
    [
        (
            ["The tutor charges 22 euros an hour.", "The tutor raised the fee to 25 euros."],
            "How much did the tutor charge at first?",
        ),
        (["补习老师一小时收220元。", "补习老师从220元涨到了250元。"], "补习老师最初收多少钱？"),
    ],
)
def test_how_it_was_at_first_is_still_told(turns, question):
    talk = Talk()
    for text in turns:
        talk.say(text)
    assert quoted(talk.ask(question)) == ["t1"]
