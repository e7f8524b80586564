"""Whether a text states an accepted answer, and which values a text holds, whatever form they are written in."""

import re
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from zoneinfo import ZoneInfo

from ...memory.language.folding import fold
from ...memory.language.times import TimeExpression, find_times
from ...memory.language.tokens import content_stems
from ...memory.language.values import Value, find_values
from ...memory.records import Span


@dataclass(frozen=True, slots=True)
class Said:
    """A text with the moment and the zone from which its relative times count."""

    text: str
    moment: datetime
    time_zone: str


@dataclass(frozen=True, slots=True)
class Values:
    """The values of a text in the forms in which they compare."""

    normals: frozenset[str]
    """Numbers, amounts, identifiers, clock times and the like, with their units where they have some."""
    periods: frozenset[tuple[datetime, datetime]]
    """The times that it names, resolved, by the clocks where it was said: a day is the same day after they change."""
    spans: tuple[Span, ...]

    @property
    def bare(self) -> frozenset[str]:
        """The same with and without units: what these are found among."""
        return self.normals | {normal.partition(" ")[0] for normal in self.normals}

    def among(self, others: Iterable["Values"]) -> bool:
        """Whether each of the values is one of the others; a time counts within a longer one that is looked for."""
        found = list(others)
        normals = {normal for one in found for normal in one.bare}
        periods = [period for one in found for period in one.periods]
        return self.normals <= normals and all(any(_within(one, wanted) for one in periods) for wanted in self.periods)


def states(said: Sequence[Said], accepted: Said) -> bool:
    """Whether the texts together state an accepted answer.

    Either one of them holds it literally, or each of its values is among theirs (a time counts within the time that is
    accepted: the 7th is in May) and so is each of its remaining content words.
    """
    if any(_holds(fold(one.text), fold(accepted.text).strip(" .。!！")) for one in said):
        return True
    wanted = values_of(accepted)
    rest = content_stems(without(accepted.text, wanted.spans))
    if not (wanted.normals or wanted.periods or rest):
        return False
    stems = set(content_stems("\n".join(one.text for one in said)))
    return stems.issuperset(rest) and wanted.among(map(values_of, said))


def values_of(said: Said) -> Values:
    """The numbers, amounts, identifiers and times of a text."""
    zone = ZoneInfo(said.time_zone)
    values = find_values(said.text)
    clocks = frozenset(value.span for value in values if value.kind == "time")
    # A clock time without a day compares as one, whatever the day was.
    times = _periods(said, values, clocks)
    dated = [time.span for time in times]
    others = [value for value in values if value.kind == "time" or not _touches(value.span, dated)]
    return Values(
        normals=frozenset(map(_with_unit, others)),
        periods=frozenset((_by_the_clock(time.start, zone), _by_the_clock(time.end, zone)) for time in times),
        spans=tuple(dated + [value.span for value in others]),
    )


def _by_the_clock(moment: datetime, zone: ZoneInfo) -> datetime:
    return moment.astimezone(zone).replace(tzinfo=None)


def _with_unit(value: Value) -> str:
    return f"{value.normal} {value.unit}" if value.unit else value.normal


def _touches(span: Span, others: Sequence[Span]) -> bool:
    return any(span.overlaps(other) for other in others)


def _periods(said: Said, values: Sequence[Value], clocks: Container[Span]) -> list[TimeExpression]:
    found = find_times(said.text, said.moment, said.time_zone)
    return [time for time in found if not _is_of(time.span, values, clocks)]


def _is_of(span: Span, values: Sequence[Value], clocks: Container[Span]) -> bool:
    """Whether what reads like a time is a clock time, or a part of a value."""
    return span in clocks or any(_inside(span, value.span) for value in values)


def _holds(text: str, wanted: str) -> bool:
    """Whether a folded text holds another as whole words."""
    if not wanted:
        return False
    before = r"(?<![0-9a-z])(?<!\d[.,])" if wanted[0].isascii() and wanted[0].isalnum() else ""
    after = r"(?![0-9a-z]|[.,]\d)" if wanted[-1].isascii() and wanted[-1].isalnum() else ""
    return re.search(f"{before}{re.escape(wanted)}{after}", text) is not None


def _within(inner: tuple[datetime, datetime], outer: tuple[datetime, datetime]) -> bool:
    return outer[0] <= inner[0] and inner[1] <= outer[1]


def _inside(span: Span, other: Span) -> bool:
    """Whether a span is a proper part of another: a number in "2024 dollars" is no year."""
    return other.start <= span.start and span.end <= other.end and span != other


def without(text: str, spans: Sequence[Span]) -> str:
    """A text with blanks in the place of some spans."""
    rest = list(text)
    for span in spans:
        rest[span.start : span.end] = " " * (span.end - span.start)
    return "".join(rest)
