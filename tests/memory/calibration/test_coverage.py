"""Coverage of words, labels that tell things apart, and the kinds of value that a passage holds."""

from datetime import UTC, datetime

import pytest

from veridical.memory.calibration.coverage import NEAR, covers, names_covered, prepare
from veridical.memory.calibration.fit import fits
from veridical.memory.calibration.labels import labels
from veridical.memory.calibration.people import same_person

SAID = datetime(2026, 3, 2, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "term", "least"),
    [
        ("We settled the budgets.", "budget", 1.0),
        ("费用定为5万", "预算", NEAR),
        ("费用定为5万", "budget", NEAR),
        ("費用定為5萬", "预算", NEAR),
        ("My car is red.", "color", NEAR),
        ("It costs 50,000.", "#50000", 1.0),
        ("要价5万", "#50000", 1.0),
    ],
)
def test_a_word_is_covered_by_itself_a_synonym_or_a_member(text, term, least):
    assert covers(prepare(text), term) >= least


@pytest.mark.parametrize(
    ("text", "term"),
    [
        ("I have a son.", "daughter"),
        ("我有一个儿子", "女儿"),
        ("My dog is Rex.", "cat"),
        ("The project is late.", "budget"),
        ("苹果公司的股价", "食谱"),
        ("It costs 5,000.", "#50000"),
        ("", "budget"),
    ],
)
def test_a_relative_that_means_something_else_covers_nothing(text, term):
    assert covers(prepare(text), term) == 0


@pytest.mark.parametrize(
    ("name", "text", "named"),
    [
        ("plan a", "Plan A is cheap.", True),
        ("plan a", "We plan ahead.", False),
        ("合同a", "A合同的违约金", True),
        ("合同a", "合同B的违约金", False),
        ("apollo", "the APOLLO budget", True),
        ("new york", "I flew to New York.", True),
        ("new york", "A new hotel in York", True),
    ],
)
def test_names_are_found_as_they_are_written(name, text, named):
    assert names_covered(name, [prepare(text)]) is named


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("contract A and contract B", {"contract": {"a", "b"}}),
        ("方案B比方案A贵", {"方案": {"a", "b"}}),
        ("I like the plan a lot", {}),
        ("套餐80元", {}),
        ("option 2 of 3", {"option": {"2"}}),
    ],
)
def test_labels_are_told_from_articles_and_amounts(text, found):
    assert labels(text) == found


@pytest.mark.parametrize(
    ("expects", "text", "question", "fit"),
    [
        ("amount", "It cost 300 euros.", "How much was it?", True),
        ("amount", "It was expensive.", "How much was it?", False),
        ("amount", "It came in 2023.", "How much was it?", False),
        ("time", "We met yesterday.", "When did we meet?", True),
        ("time", "We met in the park.", "When did we meet?", False),
        ("person", "Dana leads design.", "Who leads design?", True),
        ("person", "李雷负责设计", "谁负责设计？", True),
        ("person", "小陈请客", "谁请客？", True),
        ("person", "The design is blue.", "Who leads design?", False),
        ("person", "Apollo has a budget.", "Who manages Apollo?", False),
        ("number", "She is 7.", "How old is she?", True),
        ("number", "I go every week.", "How often do I go?", True),
        ("number", "I go gladly.", "How often do I go?", False),
        ("place", "It is on Friday at 10am.", "Where is it?", False),
        ("place", "We ate at Luigi's.", "Where did we eat?", True),
        ("place", "会议室在三楼", "会议室在哪？", True),
        ("email", "Write to ana@example.com", "What is the e-mail address?", True),
        ("email", "Call 138-0013-8000", "What is the e-mail address?", False),
        (None, "Anything", "What?", True),
    ],
)
def test_a_passage_must_hold_the_kind_of_value_asked_for(expects, text, question, fit):
    assert fits(expects, text, question, SAID, "UTC") is fit


def test_a_short_form_of_a_name_means_the_same_person():
    assert same_person("melanie", "mel")
    assert not same_person("melanie", "me")
    assert not same_person("ana", "anton")
    assert not same_person("ana", None)
