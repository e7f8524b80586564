"""What a model might say of the evidence: no lie passes, and the truth passes in other words."""

import random
from collections.abc import Sequence

import pytest

from veridical.memory.grounding.support import supported_claims
from veridical.memory.records import Turn

from .corpus import EVIDENCE, talk, truths
from .lies import MAKERS, Lie, lies

SEED = 2026
MOST = 28
"""Lies of each kind and language."""
POOL = 8
"""Turns of evidence beside each statement."""

TURNS = list(talk().turns.values())
TRUTHS = truths(TURNS)
LIES = lies(TRUTHS, seed=SEED, most=MOST)


def evidence(turn: Turn, *, seed: int) -> list[Turn]:
    """A turn among others, as a retrieval might give them."""
    chance = random.Random(seed)
    others = [one for one in TURNS if one is not turn]
    pool = [turn, *chance.sample(others, POOL - 1)]
    chance.shuffle(pool)
    return pool


def passes(text: str, turns: Sequence[Turn], language: str) -> bool:
    claims = supported_claims(text, turns, language)
    return all(claim.verdict == "supported" for claim in claims)


def test_the_evidence_and_the_lies_are_many_and_various():
    assert len(EVIDENCE) >= 40
    assert len(TRUTHS) >= 120
    assert len(LIES) >= 400
    assert {lie.kind for lie in LIES} == set(MAKERS)
    for language in ("en", "zh"):
        assert sum(lie.turn.language == language for lie in LIES) >= 0.4 * len(LIES)
    assert sum(lie.elsewhere for lie in LIES) >= 0.3 * len(LIES)


@pytest.mark.requirement("P4", "NO-LIE-RELEASED")
@pytest.mark.parametrize("kind", sorted(MAKERS))
def test_no_lie_is_released(kind: str):
    told: list[Lie] = [lie for lie in LIES if lie.kind == kind]
    released = [
        lie.text
        for number, lie in enumerate(told)
        if passes(lie.text, evidence(lie.turn, seed=number), lie.turn.language)
    ]
    assert released == []


@pytest.mark.requirement("P4", "TRUTH-IS-RELEASED")
def test_hardly_a_true_paraphrase_is_held_back():
    held = [
        text
        for number, (text, _, turn) in enumerate(TRUTHS)
        if not passes(text, evidence(turn, seed=number), turn.language)
    ]
    assert len(held) <= 0.02 * len(TRUTHS), held


@pytest.mark.requirement("P4")
def test_a_true_paraphrase_rests_on_the_turn_that_says_it():
    for text, _, turn in TRUTHS:
        claims = supported_claims(f"{text} [{turn.id}]", TURNS, turn.language)
        assert [claim.verdict for claim in claims] == ["supported"] * len(claims), text
        assert {identifier for claim in claims for identifier in claim.evidence} == {turn.id}
