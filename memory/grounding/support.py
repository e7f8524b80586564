"""What a sentence rests on: the one turn that says all of it, or the turns that it names."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from types import MappingProxyType

from ..calibration import wording
from ..language.folding import fold
from ..language.sentences import sentences
from ..language.tokens import content_stems
from ..records import Citation, Claim, Evidence, Language, Span, Turn
from .checks import scopes, vocabulary
from .checks.reading import read
from .claims import marks, split
from .verifier import NOTHING_ASKED, Asked, verify

_NO_TIME = datetime(2000, 1, 1, tzinfo=UTC)


def supported_claims(
    text: str,
    turns: Sequence[Turn],
    language: Language,
    *,
    asked: Asked = NOTHING_ASKED,
    outdated: Mapping[int, Sequence[Span]] = MappingProxyType({}),
) -> list[Claim]:
    """The claims of a sentence, each judged against single turns first.

    A statement in the answer's own words must be borne out by one turn as a whole: a name of one turn beside a number
    of another is how false memories are made. Only a statement that names several turns may rest on several.

    Args:
        text: one sentence of an answer.
        turns: the evidence, best first.
        language: the answer's language.
        asked: what the answer answers.
        outdated: where turns, by number, say what later ones have replaced: that is told as what was.
    """
    by_number = {turn.number: turn for turn in turns}
    unknown = next((one for one in marks(text) if one not in {turn.id for turn in turns}), None)
    if unknown is not None:
        # Who names a record that nobody showed them has made it up, whatever they say of it.
        return [Claim(text, "unsupported", (), f"{unknown} is none of the records")]
    tried: list[list[Claim]] = []
    for group in _groups(text, turns):
        claims = verify(text, [_whole(turn) for turn in group], by_number, language, asked=asked)
        claims = [_minding(claim, group, outdated) for claim in claims] if outdated else claims
        if all(claim.verdict == "supported" for claim in claims):
            return claims
        tried.append(claims)
    against = (claims for claims in tried if any(claim.verdict == "contradicted" for claim in claims))
    return next(against, tried[0] if tried else verify(text, [], by_number, language, asked=asked))


def _minding(claim: Claim, turns: Sequence[Turn], outdated: Mapping[int, Sequence[Span]]) -> Claim:
    """A claim, contradicted where it tells as what is so what a later turn has replaced."""
    past = vocabulary.pattern("tells_history").search(fold(claim.text))
    if claim.verdict != "supported" or past:
        return claim
    for turn in turns:
        spans = outdated.get(turn.number, ()) if turn.id in claim.evidence else ()
        told, said = (read(text, turn.observed_at, turn.time_zone) for text in (claim.text, turn.text))
        if any(scopes.rests_on(told, said, span) for span in spans):
            return replace(claim, verdict="contradicted", reason=f"{turn.id} says it, and a later turn replaced it")
    return claim


def in_context(asked: Asked, before: str) -> Asked:
    """What a sentence answers that stands behind another one: its "it" or "she" is what that one speaks of."""
    sentence = [span.cut(before) for span in sentences(before)][-1:]
    names = read(sentence[0], asked.at or _NO_TIME, "UTC").names if sentence else ()
    return replace(asked, spoken_of=names)


def _groups(text: str, turns: Sequence[Turn]) -> list[Sequence[Turn]]:
    cited = {one for assertion in split(text) for one in assertion.cited}
    if cited:
        return [[turn for turn in turns if turn.id in cited]]
    return [[turn] for turn in turns]


def _whole(turn: Turn) -> Evidence:
    return Evidence(turn.number, Span(0, len(turn.text)), 1.0)


def citations_of(claims: Sequence[Claim], turns: Sequence[Turn], text: str) -> list[Citation]:
    """A citation for every turn that the claims rest on, quoting the sentence of it that is nearest to the answer's."""
    rested = {identifier for claim in claims for identifier in claim.evidence}
    return [_citation(turn, text) for turn in turns if turn.id in rested]


def speaks_of_the_past(text: str) -> bool:
    """Whether a text says who said something, or names a turn: nothing that general knowledge could know."""
    folded = fold(text)
    told = any(wording.pattern(name).search(folded) for name in ("said_by_user", "said_by_assistant"))
    return told or any(assertion.cited for assertion in split(text))


def _citation(turn: Turn, text: str) -> Citation:
    words = set(content_stems(text))
    spans = sentences(turn.text) or [Span(0, len(turn.text))]
    nearest = max(spans, key=lambda span: len(words & set(content_stems(span.cut(turn.text)))))
    return Citation(
        id=turn.id,
        turn_id=turn.id,
        external_id=turn.external_id,
        quote=nearest.cut(turn.text),
        observed_at=turn.observed_at,
        speaker=turn.speaker,
        source=turn.source,
    )
