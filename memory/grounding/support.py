"""What a sentence rests on: the one turn that says all of it, or the turns that it names."""

from collections.abc import Sequence

from ..records import Claim, Evidence, Language, Span, Turn
from .claims import split
from .verifier import verify


def supported_claims(text: str, turns: Sequence[Turn], language: Language) -> list[Claim]:
    """The claims of a sentence, each judged against single turns first.

    A statement in the answer's own words must be borne out by one turn as a whole: a name of one turn beside a number of
    another is how false memories are made. Only a statement that names several turns may rest on several.

    Args:
        text: one sentence of an answer.
        turns: the evidence, best first.
        language: the answer's language.
    """
    by_number = {turn.number: turn for turn in turns}
    best: list[Claim] | None = None
    for group in _groups(text, turns):
        claims = verify(text, [_whole(turn) for turn in group], by_number, language)
        if all(claim.verdict == "supported" for claim in claims):
            return claims
        best = best or claims
    return best or verify(text, [], by_number, language)


def _groups(text: str, turns: Sequence[Turn]) -> list[Sequence[Turn]]:
    cited = {one for assertion in split(text) for one in assertion.cited}
    if cited:
        return [[turn for turn in turns if turn.id in cited]]
    return [[turn] for turn in turns]


def _whole(turn: Turn) -> Evidence:
    return Evidence(turn.number, Span(0, len(turn.text)), 1.0)
