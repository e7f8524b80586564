"""What was chosen, told in other words than what there was to choose from."""

import pytest

from .scenes import Talk, quoted


def told(*texts: str) -> Talk:
    talk = Talk()
    for text in texts:
        talk.say(text)
    return talk


@pytest.mark.parametrize(
    ("turns", "question"),
    [
        (["For the roof we have our eye on tiles, sheet metal or thatch.", "Sheet metal it is."],
         "Which roof did we decide on?"),
        (["屋顶在瓦片、彩钢和茅草之间选。", "昨天拍板了，彩钢。"], "屋顶最后选了什么？"),
    ],
)  # fmt: skip
def test_the_option_that_both_name_ties_a_choice_to_what_was_to_be_chosen(turns: list[str], question: str):
    assert quoted(told(*turns).ask(question)) == ["t2"]


@pytest.mark.parametrize(
    ("turn", "question"),
    [
        ("For the roof we have our eye on tiles, sheet metal or thatch.", "Which roof did we decide on?"),
        ("屋顶在瓦片、彩钢和茅草之间选。", "屋顶最后选了什么？"),
        ("Choosing a name for the boat. It's between Heron, Tern and Wren.", "What is the boat going to be called?"),
        ("书房要换书桌，实木的和升降的在犹豫。", "书桌买的哪种？"),
        ("I'm comparing two caterers, Bloom and Harrow.", "Which caterer did we hire?"),
        ("打算融一千万。", "最后融了多少钱？"),
        ("标签我们试了三种：二维码、手写、RFID。", "标签选定了哪一种？"),
        ("We looked at the barn, the school hall and the Corn Exchange for the concert.", "Where will the concert be?"),
    ],
)
def test_what_was_only_considered_or_planned_is_no_choice(turn: str, question: str):
    assert told(turn).ask(question).abstained


def test_a_turn_that_settles_something_else_chooses_nothing():
    talk = told("For the roof we have our eye on tiles, sheet metal or thatch.", "The flights are booked.")
    assert talk.ask("Which roof did we decide on?").abstained


def test_where_one_turn_tells_options_and_choice_no_other_one_is_taken_for_the_choice():
    talk = told("We compared tiles and thatch for the roof and decided on thatch.", "The thatch is bought.")
    assert "t2" not in quoted(talk.ask("Which roof did we decide on?"))


def test_what_is_weighed_answers_who_asks_what_there_is_to_choose_from():
    talk = told("For the name of the boat we are torn between Heron, Tern and Wren.")
    assert quoted(talk.ask("Which names for the boat are we torn between?")) == ["t1"]
