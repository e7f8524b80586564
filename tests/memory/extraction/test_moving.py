"""Errands and plans that get another time."""

import pytest

from .conversation import said
from .test_plans import shanghai


@pytest.mark.parametrize(
    ("texts", "kind", "due"),
    [
        (
            (
                "Remind me to go to the dentist appointment on Thursday.",
                "The dentist appointment was moved to Friday at 11.",
            ),
            "todo",
            shanghai(17, 11),
        ),
        (("提醒我周四去看牙医。", "牙医改到周五上午十点了。"), "todo", shanghai(17, 10)),
        (("We're flying to Lisbon on May 24.", "We're flying on May 25 now."), "event", shanghai(25)),
    ],
)
def test_an_errand_or_a_plan_whose_thing_is_moved_is_due_then(texts, kind, due):
    talk = said(*texts)
    assert [item.due_at for item in talk.items(kind)] == [due]


@pytest.mark.parametrize(
    "texts",
    [
        ("Remind me to pay the rent on Thursday.", "The dentist appointment was moved to Friday."),
        ("提醒我周四交房租。", "牙医改到周五了。"),
        ("Remind me to call the dentist on Thursday.", "The dentist is nice."),
    ],
)
def test_an_errand_of_something_else_stays_where_it_is(texts):
    assert [item.due_at for item in said(*texts).items("todo")] == [shanghai(16)]
