"""Cutting a text into statements, and choosing which of them may bear out a claim together."""

import functools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from ...calibration import wording
from ...language.folding import fold
from ...language.guises import dictated, posing_in
from ...language.sentences import clauses, sentences
from ...records import Span, Turn
from . import vocabulary
from .reading import Reading, read

_ENOUGH = 2
"""Elements that a piece must have to be a statement by itself."""
_LONGEST_WINDOW = 3
_LONGEST_NOUN = 3


@dataclass(frozen=True, slots=True)
class Segment:
    """One statement of a turn."""

    turn: Turn
    span: Span
    reading: Reading
    asks: bool
    """Whether its sentence is a question."""
    supposed: bool
    """Whether its sentence holds only under a condition, or perhaps."""
    sentence: int
    """Place of its sentence in the turn."""


Window = tuple[Segment, ...]
"""Consecutive statements of one turn that bear out a claim together."""


@functools.lru_cache(maxsize=256)
def segments(turn: Turn) -> tuple[Segment, ...]:
    """The statements of a turn, in order."""
    found = []
    cut, posed, told = sentences(turn.text), posing_in(turn), dictated(turn.text)
    for place, sentence in enumerate(cut):
        if any(map(sentence.overlaps, posed)):
            continue
        text = sentence.cut(turn.text)
        asks = is_question(text) or (turn.act == "question" and len(cut) == 1)
        supposed = vocabulary.pattern("conditions").search(fold(text)) is not None
        for span in _statements(turn.text, sentence, turn.observed_at, turn.time_zone):
            if any(map(span.overlaps, told)):
                continue
            reading = read(span.cut(turn.text), turn.observed_at, turn.time_zone)
            found.append(Segment(turn, span, reading, asks, supposed, place))
    return tuple(found)


def is_question(sentence: str) -> bool:
    """Whether a sentence asks."""
    bare = sentence.rstrip(" \"'”’」』)）")
    return bare.endswith(("?", "？")) or bool(wording.pattern("question_form").search(fold(sentence)))


def windows(turn: Turn) -> Iterator[Window]:
    """Every statement of a turn by itself, then neighbouring ones together, and those with one between them."""
    every = segments(turn)
    for length in range(1, _LONGEST_WINDOW + 1):
        for start in range(len(every) - length + 1):
            yield every[start : start + length]
    for last in range(_LONGEST_WINDOW - 1, len(every)):
        yield every[last - 2], every[last]


def states(turn: Turn) -> bool:
    """Whether a turn says anything that is not a question."""
    return any(not segment.asks for segment in segments(turn))


def statements(text: str, moment: datetime, time_zone: str) -> list[Span]:
    """The statements of a text, in order."""
    return [span for sentence in sentences(text) for span in _statements(text, sentence, moment, time_zone)]


def _statements(text: str, sentence: Span, moment: datetime, time_zone: str) -> list[Span]:
    if contrasts(sentence.cut(text)):
        return [sentence]
    pieces = [piece for clause in clauses(text, sentence) for piece in _halves(text, clause, moment, time_zone)]
    return _without_thin(text, pieces, moment, time_zone)


def contrasts(sentence: str) -> bool:
    """Whether a sentence says one thing for another, which only the whole of it tells: not in Lyon but in Nantes."""
    folded = fold(sentence)
    return any(vocabulary.pattern(name).search(folded) for name in ("contrasts", "overtaken"))


def _halves(text: str, clause: Span, moment: datetime, time_zone: str) -> Iterator[Span]:
    """A clause cut where it joins two statements."""
    folded = fold(text)
    for match in vocabulary.pattern("joined").finditer(folded, clause.start, clause.end):
        before, after = Span(clause.start, match.start()), Span(match.end(), clause.end)
        named = _begins_with_name(after.cut(text), moment, time_zone)
        new = named or vocabulary.pattern("new_subject").match(folded, match.start())
        least = _ENOUGH - 1 if new else _ENOUGH
        if all(_weight(half.cut(text), moment, time_zone) >= least for half in (before, after)):
            yield before
            yield from _halves(text, after, moment, time_zone)
            return
    yield clause


def _begins_with_name(text: str, moment: datetime, time_zone: str) -> bool:
    """Whether a text begins with a name and goes on: "... and Dr. Brandt takes over"."""
    reading = read(f"and {text}", moment, time_zone)
    title = vocabulary.pattern("openers_of_names").match(reading.folded)
    rest = reading.folded[title.end() :] if title else ""
    return bool(reading.names) and rest.startswith(reading.names[0]) and len(rest.split()) > 1


def _weight(text: str, moment: datetime, time_zone: str) -> int:
    reading = read(text, moment, time_zone)
    # A long run of Chinese is a noun with what is said of it.
    runs = sum(not unit.isascii() and len(unit) > _LONGEST_NOUN for unit in reading.units)
    return (
        runs + len(reading.units) + len(reading.values) + len(reading.times) + len(reading.clocks) + int(reading.ended)
    )


def _without_thin(text: str, pieces: Sequence[Span], moment: datetime, time_zone: str) -> list[Span]:
    """Pieces that are too small to state anything joined with their neighbours: members of a list, openings."""
    whole: list[Span] = []
    pending: Span | None = None
    for piece in pieces:
        span = Span(pending.start, piece.end) if pending else piece
        thin = _is_thin(span.cut(text), moment, time_zone)
        pending = None
        if thin and whole:
            whole[-1] = Span(whole[-1].start, span.end)
        elif thin:
            pending = span
        else:
            whole.append(span)
    return [*whole, pending] if pending else whole


def _is_thin(text: str, moment: datetime, time_zone: str) -> bool:
    reading = read(text, moment, time_zone)
    if reading.denies or vocabulary.pattern("contrast").match(reading.folded.lstrip()):
        return False
    own = vocabulary.pattern("own_subject").match(reading.folded) or _begins_with_name(text, moment, time_zone)
    least = _ENOUGH - 1 if own else _ENOUGH
    return _weight(text, moment, time_zone) < least
