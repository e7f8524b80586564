"""Checking what an answer claims against the evidence, statement by statement.

It proves what it can quote. A statement in the answer's own words is supported if one turn says all of it: every
value, time and name, every content word in the same or in like words, of the same person, affirmed or denied alike, as
sure and as far. A statement that cites several turns may rest on several, each part of it on one.
"""

from collections.abc import Mapping, Sequence

from ..language.folding import fold
from ..records import Claim, Evidence, Language, Turn, reference_id
from .assessment import Asked, Assessment
from .checks import vocabulary
from .claims import Assertion, split

__all__ = ["NOTHING_ASKED", "Asked", "verify"]

_FAR = 64
"""Turns that a claim is matched with at most, the first ones first."""


NOTHING_ASKED = Asked()
"""Nothing is known of the question."""


def verify(
    text: str,
    evidence: Sequence[Evidence],
    turns: Mapping[int, Turn],
    language: Language,
    *,
    asked: Asked = NOTHING_ASKED,
) -> list[Claim]:
    """The claims of an answer with their verdicts.

    Args:
        text: The answer.
        evidence: The quotations that it may rest on.
        turns: Their turns, by number.
        language: The answer's language.
        asked: What it answers.
    """
    numbers = list(dict.fromkeys(one.turn for one in evidence if one.turn in turns))
    known = {reference_id(number): turns[number] for number in numbers[:_FAR]}
    return [_claim(assertion, known, asked) for assertion in split(text)]


def _claim(assertion: Assertion, known: Mapping[str, Turn], asked: Asked) -> Claim:
    unknown = [cited for cited in assertion.cited if cited not in known]
    if unknown:
        return Claim(assertion.text, "unsupported", (), f"{', '.join(dict.fromkeys(unknown))} is no evidence")
    if not assertion.cited and vocabulary.pattern("no_claim").fullmatch(fold(assertion.frame).strip()):
        return Claim(assertion.text, "supported", (), "claims nothing about the past")
    turns = [known[cited] for cited in dict.fromkeys(assertion.cited)] or list(known.values())
    fits = Assessment(assertion, turns, asked).fits() if turns else []
    if not fits:
        return Claim(assertion.text, "unsupported", (), "there is no evidence")
    ids = tuple(dict.fromkeys(one.turn.id for one in fits))
    fault = next((one.fault for one in fits if one.fault is not None), None)
    if fault is None:
        return Claim(assertion.text, "supported", ids)
    return Claim(assertion.text, fault.verdict, ids, fault.reason)
