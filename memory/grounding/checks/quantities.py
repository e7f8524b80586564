"""Whether numbers, amounts, identifiers, days and times of day are the same, however they are written."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from decimal import Decimal, InvalidOperation
from zoneinfo import ZoneInfo

from ...language.folding import fold
from ...language.times import TimeExpression
from ...language.values import Value
from ...records import Span, Turn
from . import vocabulary
from .reading import Reading

_NUMBERS = frozenset({"number", "amount", "quantity"})
_LONG = 5
_EXACT = frozenset({"hour", "minute"})
_NONE, _NIGHT = timedelta(), timedelta(hours=12)
_RELATIVE_WEIGHT = Decimal("0.000001")


def same_value(one: Value, other: Value, evidence: Reading) -> bool:
    """Whether a value of a claim (``one``) is a value of the evidence (``other``).

    The unit must be the same, or one of the same measure with the number to match. A claim may leave the unit out; it
    may add none, but for yuan where Chinese evidence speaks of money, and words that only count.
    """
    if one.kind in _NUMBERS and other.kind in _NUMBERS:
        return _same_measure(one, other, evidence)
    # A long number is an identifier only where a word says so: "order 820153", "820153 is the kettle".
    numbered = {one.kind, other.kind} == {"identifier", "number"} and len(one.normal) >= _LONG
    return (one.kind == other.kind or numbered) and one.normal == other.normal


def _same_measure(one: Value, other: Value, evidence: Reading) -> bool:
    counting = {None, *vocabulary.words("counting_units")}
    if one.unit == other.unit or one.unit is None or {one.unit, other.unit} <= counting:
        return one.normal == other.normal
    if other.unit is None:
        return one.normal == other.normal and one.unit == "CNY" and _is_money(other, evidence)
    left, right = _base(one), _base(other)
    return left is not None and right is not None and left[0] == right[0] and _close(left[1], right[1])


def _is_money(value: Value, evidence: Reading) -> bool:
    """Whether a bare number of Chinese evidence is a sum: it speaks of money, and nothing is counted by the number."""
    following = evidence.folded[value.span.end : value.span.end + 1]
    spoken = vocabulary.pattern("money_words").search(evidence.folded)
    return bool(spoken) and not vocabulary.pattern("counted").match(following)


def _base(value: Value) -> tuple[str, Decimal] | None:
    """A quantity in the base unit of its measure."""
    measures = vocabulary.table()["measures"]
    try:
        number = Decimal(value.normal)
    except InvalidOperation:
        return None
    base, factor = measures.get(value.unit, (value.unit, "1"))
    return base, number * Decimal(factor)


def _close(one: Decimal, other: Decimal) -> bool:
    return abs(one - other) <= _RELATIVE_WEIGHT * max(abs(one), abs(other))


def bound_of(reading: Reading, value: Value) -> str:
    """From which side a value is bounded: ``least``, ``most`` or not at all."""
    before, after = reading.folded[: value.span.start], reading.folded[value.span.end :]
    if vocabulary.pattern("moved_up").search(before):
        return ""
    for side in ("least", "most"):
        ahead = vocabulary.pattern("bounds", side).search(before)
        if ahead or vocabulary.pattern("bounds", f"{side}_after").search(after):
            return side
    return ""


def counted(reading: Reading) -> list[str]:
    """Chinese counts that are read as no value: 一个人, 两位. They are compared as they are written."""
    matches = vocabulary.pattern("counts").finditer(reading.folded)
    taken = [value.span for value in reading.values] + [time.span for time in reading.times]
    return [match.group() for match in matches if not any(Span(*match.span()).overlaps(span) for span in taken)]


def is_time_of(time: TimeExpression, evidence: Sequence[TimeExpression]) -> bool:
    """Whether a time of a claim is one of the evidence, or a longer period that holds one ("in March" for March 5)."""
    return any(_is_same(time, other) or _holds(time, other) for other in evidence)


def _is_same(time: TimeExpression, other: TimeExpression) -> bool:
    if _weekday(time) and _weekday(time) == _weekday(other):
        return True  # which Friday is meant the tense alone tells, and it may differ
    return _in_year_of(time, other).start == other.start and {time.grain, other.grain} <= _EXACT


def _weekday(time: TimeExpression) -> str:
    """The weekday that a time names without saying which week's."""
    match = vocabulary.pattern("bare_weekday").fullmatch(fold(time.text).strip(" ,.，。"))
    return next((group for group in match.groups() if group), "") if match else ""


def _holds(time: TimeExpression, other: TimeExpression) -> bool:
    """Whether a period holds another; a night belongs to the day on which it begins."""
    moved = _in_year_of(time, other)
    over = other.end - moved.end
    return moved.start <= other.start < moved.end and (over <= _NONE or (other.grain == "hour" and over <= _NIGHT))


def _in_year_of(time: TimeExpression, other: TimeExpression) -> TimeExpression:
    """A time in the year of another where neither names its year, as the tense alone decides which it is."""
    if time.start.year == other.start.year or not (_is_yearless(time) and _is_yearless(other)):
        return time
    years = other.start.year - time.start.year
    try:
        return replace(
            time, start=time.start.replace(year=other.start.year), end=time.end.replace(year=time.end.year + years)
        )
    except ValueError:
        return time


def _is_yearless(time: TimeExpression) -> bool:
    return not re.search(r"\d{4}", time.text) and not depends_on_now(time)


def is_day_of(time: TimeExpression, turn: Turn) -> bool:
    """Whether a time holds the moment at which a turn was said; its day in UTC counts as well."""
    said = turn.observed_at.date()
    days = {time.start.date(), time.start.astimezone(ZoneInfo(turn.time_zone)).date()}
    return time.start <= turn.observed_at < time.end or (said in days and time.grain == "day")


def names_day(time: TimeExpression, clocks: Sequence[Value]) -> bool:
    """Whether a time expression names a day or a period, and not merely a time of day."""
    return not any(clock.span.start <= time.span.start and time.span.end <= clock.span.end for clock in clocks)


def depends_on_now(time: TimeExpression) -> bool:
    """Whether a time is told from the moment of speaking: yesterday, next week, in three days."""
    return vocabulary.pattern("deictic").search(fold(time.text)) is not None
