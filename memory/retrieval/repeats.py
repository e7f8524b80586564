"""Results that only say again what another says: the floor's quotations of a turn, and a question asked once more.

Over a long conversation they would crowd out the one turn that they repeat.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ..language.folding import fold
from ..records import Candidate, Dropped, Turn, reference_number

RULE = "repeat"


@dataclass(frozen=True, slots=True)
class Distinct:
    """Candidates of which none only repeats another, best first, and those that did."""

    candidates: tuple[Candidate, ...]
    dropped: tuple[Dropped, ...]


def without_repeats(candidates: Sequence[Candidate], turns: Mapping[int, Turn]) -> Distinct:
    """Put what a quotation of the assistant's cites in its place, and keep the best of equal questions.

    Args:
        candidates: best first.
        turns: the turns of the candidates, and those that they quote.
    """
    known = {candidate.turn: candidate for candidate in candidates}
    kept: dict[int, Candidate] = {}
    dropped: list[Dropped] = []
    asked: set[str] = set()
    for candidate in candidates:
        turn = turns.get(candidate.turn)
        quoted = [number for number in quoted_by(turn) if number in turns]
        question = _question_of(turn)
        if not quoted and (question is None or question not in asked):
            kept.setdefault(candidate.turn, candidate)
        else:
            dropped.append(Dropped(candidate.id, candidate.turn, RULE))
        asked.update([question] if question is not None else [])
        for number in quoted:
            # A turn that is quoted is as much to the point as the quotation of it.
            kept.setdefault(number, replace(known.get(number, Candidate(number, 0.0)), score=candidate.score))
    return Distinct(tuple(kept.values()), tuple(dropped))


def _question_of(turn: Turn | None) -> str | None:
    return f"{turn.speaker}: {fold(turn.text)}" if turn is not None and turn.act == "question" else None


def quoted_by(turn: Turn | None) -> tuple[int, ...]:
    """The turns that a turn of the assistant's does nothing but quote."""
    if turn is None or turn.source != "ai_generated" or turn.act != "acknowledgement":
        return ()
    return tuple(reference_number(cited) for cited in turn.citations if cited.startswith("t"))
