"""Sentences of many styles, each with what follows from them and what does not: told differently than the generated ones,
so that the verifier does not only know the generator."""

from pathlib import Path

import pytest

from veridical.memory.grounding.support import supported_claims

from ..calibration.scenes import Talk

HELD = 0.15
"""The share of what is true that may be held back: what only follows from what was said is among it."""


def told(mark: str) -> list[tuple[str, str]]:
    """What was said with each of its true ("+") or false ("-") statements."""
    blocks = (Path(__file__).parent / "styles.txt").read_text(encoding="utf-8").split("\n\n")[1:]
    lines = [block.strip().splitlines() for block in blocks]
    return [(said, claim[2:]) for said, *claims in lines for claim in claims if claim.startswith(mark)]


TRUE, FALSE = told("+"), told("-")


def passes(said: str, claim: str) -> bool:
    turn = Talk().say(said)
    return all(one.verdict == "supported" for one in supported_claims(claim, [turn], turn.language))


def test_there_are_many_of_both_in_both_languages():
    for known in (TRUE, FALSE):
        assert len(known) >= 120
        assert sum(not claim.isascii() for _, claim in known) >= 0.4 * len(known)


@pytest.mark.requirement("P4", "NO-LIE-RELEASED")
@pytest.mark.parametrize(("said", "claim"), FALSE)
def test_what_was_not_said_is_held_back(said: str, claim: str):
    assert not passes(said, claim)


@pytest.mark.requirement("P4", "TRUTH-IS-RELEASED")
def test_most_of_what_was_said_is_released():
    held = [claim for said, claim in TRUE if not passes(said, claim)]
    assert len(held) <= HELD * len(TRUE), held
