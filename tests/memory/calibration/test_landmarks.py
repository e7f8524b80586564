"""What was before, or after, a value that a question names."""

from dataclasses import replace

import pytest

from veridical.memory.calibration.landmarks import counted_from, landmark_in
from veridical.memory.calibration.questions import Question

from .scenes import Talk


@pytest.mark.parametrize(
    ("question", "named", "later"),
    [
        ("Where did I live before Bergen?", "bergen", False),
        ("What was the budget before it was raised to 52,000?", "it was raised to 52,000", False),
        ("Before I joined Globex, where did I work?", "i joined globex", False),
        ("Where did I live after Oslo?", "oslo", True),
        ("搬到苏州之前我住哪？", "搬到苏州", False),
        ("杭州之后我住在哪里？", "杭州", True),
    ],
)
def test_a_question_says_from_what_it_counts(question: str, named: str, later: bool):
    found = landmark_in(question)
    assert found is not None
    assert (found.words, found.later) == (named, later)


@pytest.mark.parametrize("question", ["Where did I live before?", "And before that?", "Where do I live?", "我住哪？"])
def test_a_question_that_names_nothing_counts_from_nothing(question: str):
    assert landmark_in(question) is None


def moved(*homes: str, at: str = "I live in {}.") -> Talk:
    """Somebody who moved from home to home."""
    talk = Talk()
    for home in homes:
        talk.fact(talk.say(at.format(home)), "home", home)
    return talk


def version(talk: Talk, question: str) -> Question | None:
    landmark = landmark_in(question)
    assert landmark is not None
    return counted_from(landmark, [item for items in talk.items.values() for item in items], talk.understand)


@pytest.mark.parametrize(
    ("question", "home"),
    [
        ("Where did I live before Bergen?", "Oslo"),
        ("Where did I live before I moved to Tromso?", "Bergen"),
        ("Where did I live after Oslo?", "Bergen"),
        ("Where did I live after Bergen?", "Tromso"),
    ],
)
def test_the_version_beside_the_named_one_is_meant(question: str, home: str):
    talk = moved("Oslo", "Bergen", "Tromso")
    found = version(talk, question)
    assert found is not None
    assert found.history
    assert [item.value for items in talk.items.values() for item in items if item.number == found.version] == [home]


def test_before_the_first_value_there_is_none():
    found = version(moved("Oslo", "Bergen"), "Where did I live before Oslo?")
    assert found is not None
    assert found.version == 0


@pytest.mark.parametrize("question", ["Where did I live before the concert?", "Where did I eat before Bergen?"])
def test_what_is_no_version_of_the_matter_is_left_to_the_words(question: str):
    assert version(moved("Oslo", "Bergen"), question) is None


@pytest.mark.parametrize("question", ["Where did I live before I moved?", "搬家之前我住哪？"])
def test_a_change_without_its_value_asks_for_what_was_before(question: str):
    found = version(moved("Oslo", "Bergen"), question)
    assert found is not None
    assert found.history
    assert found.version is None


def test_names_of_the_landmark_are_nothing_that_the_answer_must_hold():
    found = version(moved("Oslo", "Bergen"), "Where did I live before Bergen?")
    assert found is not None
    assert replace(found, text="").names == ()
