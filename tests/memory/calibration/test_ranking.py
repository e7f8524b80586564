"""Which of several passages is the evidence: kind of value, time, what was planned and what happened."""

from datetime import UTC, datetime

import pytest

from veridical.memory.calibration.ranking import WEIGHTS, standings
from veridical.memory.records import Candidate

from .scenes import Talk, quoted


@pytest.mark.parametrize(
    ("turns", "question", "answer"),
    [
        (
            ["We might take the red sofa or the grey one.", "We took the grey sofa in the end."],
            "Which sofa did we take in the end?",
            "t2",
        ),
        (["沙发想买红的，还是灰的没想好。", "沙发最后买了灰的。"], "最后买了哪种沙发？", "t2"),
    ],
)
def test_how_it_ended_is_told_by_what_happened_and_not_by_what_was_planned(turns, question, answer):
    talk = Talk()
    for text in turns:
        talk.say(text)
    assert quoted(talk.ask(question)) == [answer]


@pytest.mark.parametrize(
    ("turns", "now", "first"),
    [
        (
            ["The class meets in room 12.", "The class was moved to room 40 instead."],
            "Where does the class meet now?",
            "Where did the class meet to begin with?",
        ),
        (["课在12教室上。", "课改到40教室上。"], "课现在在哪里上？", "课最初在哪里上？"),
    ],
)
def test_the_present_is_told_by_the_later_turn_and_the_beginning_by_the_earlier(turns, now, first):
    talk = Talk()
    for text in turns:
        talk.say(text)
    assert quoted(talk.ask(now)) == ["t2"]
    assert quoted(talk.ask(first)) == ["t1"]


def test_a_turn_stands_by_its_vector_and_by_its_rank():
    cosines = {1: 0.9, 2: 0.8, 3: 0.9, 4: 0.8}
    kept = [Candidate(turn, 10.0 - turn, {"dense": cosine}) for turn, cosine in cosines.items()]
    found = standings([*kept, Candidate(5, 0.0)])
    assert [found[turn].near for turn in (1, 2, 3, 4)] == pytest.approx([1.0, -1.0, 1.0, -1.0])
    assert found[5].near == found[2].near, "what has no vector stands with the farthest"
    assert [found[turn].behind for turn in (1, 2, 5)] == [0.0, 1.0, 8.0]


def test_of_two_vectors_nothing_is_made():
    assert {
        one.near for one in standings([Candidate(1, 3.0, {"dense": 0.9}), Candidate(2, 1.0, {"dense": 0.8})]).values()
    } == {0.0}


def test_without_vectors_only_the_rank_tells():
    assert {one.near for one in standings([Candidate(1, 3.0), Candidate(2, 1.0)]).values()} == {0.0}


def test_each_sign_counts_in_its_direction():
    assert WEIGHTS.covered > 0 > WEIGHTS.missing
    assert WEIGHTS.kind > 0 > WEIGHTS.behind


def test_the_speaker_asked_about_is_believed_before_another():
    talk = Talk()
    talk.topic = talk.topic.__class__(speakers=("Mira", "Jon"))
    talk.say("I ran the lake race.", by="Jon", at=datetime(2026, 3, 3, 9, tzinfo=UTC))
    talk.say("I ran the lake race.", by="Mira", at=datetime(2026, 3, 3, 10, tzinfo=UTC))
    assert quoted(talk.ask("Did Jon run the lake race?")) == ["t1"]


def test_the_bare_name_of_a_place_answers_where():
    talk = Talk()
    talk.say("聚会也定了，莫干山，五月的第二个周末。")
    talk.say("今天走了很多路。")
    assert quoted(talk.ask("聚会定在哪里？")) == ["t1"]
