"""What a model might say about the bundled dialogues: no lie passes the verifier, and the truth passes."""

import functools
from collections import Counter

import pytest

from veridical.memory.calibration.questions import analyse
from veridical.memory.grounding.support import supported_claims
from veridical.memory.grounding.verifier import Asked
from veridical.memory.records import Turn

from . import making, told
from .told import Truth

SEED = 2026
QUICK = 22
"""Lies of each kind in the quick run."""


@functools.cache
def truths() -> list[Truth]:
    return told.truths()


@functools.cache
def lies(each: int) -> list[making.Lie]:
    return making.lies(truths(), seed=SEED, each=each)


def passes(text: str, truth: Truth) -> bool:
    """Whether a sentence would be released with all that people said in its dialogue as evidence."""
    dialogue = truth.dialogue
    evidence: list[Turn] = list(dialogue.turns)
    at = max(turn.observed_at for turn in evidence)
    asked = Asked(at=at)
    if truth.question:
        question = analyse(truth.question, dialogue.language, at, truth.turn.time_zone)
        asked = Asked(at, question.names, question.terms)
    claims = supported_claims(text, evidence, dialogue.language, asked=asked)
    return all(claim.verdict == "supported" for claim in claims)


def test_the_truths_are_many_and_in_both_languages():
    known = Counter(truth.dialogue.language for truth in truths())
    assert sum(known.values()) >= 300
    assert min(known.values()) >= 150
    assert len({truth.dialogue.name for truth in truths()}) >= 24


def test_the_lies_are_of_ten_kinds_half_of_them_chinese_and_made_of_what_is_stored():
    made = lies(QUICK)
    assert Counter(lie.kind for lie in made) == dict.fromkeys(making.MAKERS, QUICK)
    assert making.languages(made) == {"en": len(made) // 2, "zh": len(made) // 2}
    assert sum(lie.elsewhere for lie in made) >= 0.3 * len(made)


def test_the_same_seed_makes_the_same_lies():
    texts = [lie.text for lie in making.lies(truths()[:60], seed=3, each=4)]
    assert texts == [lie.text for lie in making.lies(truths()[:60], seed=3, each=4)]


def test_every_lie_is_one():
    true = {truth.text for truth in truths()}
    assert [lie.text for lie in lies(QUICK) if lie.text in true or not making.is_false(lie)] == []


@pytest.mark.requirement("P4", "NO-LIE-RELEASED")
@pytest.mark.parametrize("kind", sorted(making.MAKERS))
def test_no_lie_about_the_bundled_dialogues_is_released(kind: str):
    assert [lie.text for lie in lies(QUICK) if lie.kind == kind and passes(lie.text, lie.truth)] == []


@pytest.mark.requirement("P4", "TRUTH-IS-RELEASED")
def test_hardly_a_truth_about_the_bundled_dialogues_is_held_back():
    held = [truth.text for truth in truths() if not passes(truth.text, truth)]
    assert len(held) <= 0.02 * len(truths()), held


@pytest.mark.long
@pytest.mark.requirement("P4", "NO-LIE-RELEASED")
def test_none_of_two_thousand_lies_is_released():
    made = lies(making.EACH)
    assert len(made) == 2000
    assert [f"{lie.kind}: {lie.text}" for lie in made if passes(lie.text, lie.truth)] == []
