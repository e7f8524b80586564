"""Time expressions of both languages, resolved against the moment at which they were said."""

import functools
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from ..errors import BadInput
from ..records import Span
from . import dates, periods, readings, resources
from .folding import fold
from .periods import Moment, Period

Grain = Literal["minute", "hour", "day", "week", "month", "quarter", "year", "range"]


@dataclass(frozen=True, slots=True)
class TimeExpression:
    """A time expression and the half-open range ``[start, end)`` that it means: aware, in the speaker's zone."""

    text: str
    span: Span
    start: datetime
    end: datetime
    grain: Grain


@dataclass(frozen=True, slots=True)
class _Found:
    """A part of an expression before its neighbours are looked at: a period, a clock time or both."""

    span: Span
    period: Period | None = None
    clock: dates.WrittenClock | None = None
    until: dates.WrittenClock | None = None

    @property
    def is_open_day(self) -> bool:
        """Whether it is a day, or a part of one, that a clock time could make exact."""
        return self.period is not None and self.period.takes_clock and self.clock is None

    @property
    def is_clock(self) -> bool:
        """Whether it is a clock time without a day."""
        return self.clock is not None and self.period is None

    @property
    def form(self) -> str:
        """The form of its period, where it has no clock time yet."""
        return self.period.form if self.period is not None and self.clock is None else ""


def find_times(text: str, reference: datetime, time_zone: str) -> list[TimeExpression]:
    """The time expressions in ``text``, left to right, not overlapping.

    Args:
        text: What was said, in Chinese or English.
        reference: When it was said; an aware datetime.
        time_zone: IANA name of the zone whose midnights bound the days.

    Weeks begin on Monday. "last Tuesday" is the latest Tuesday that is over, "next Friday" that of the coming week (in
    Chinese, "last" and "next" always count weeks); a weekday without more lies ahead unless its sentence speaks of
    the past, and a date without a year is this year's unless the tense forbids it. A date and a clock time beside each
    other are one expression.

    Raises:
        BadInput: when the reference is naive or the zone is unknown.
    """
    if reference.tzinfo is None:
        raise BadInput("The reference time has no time zone: pass an aware datetime.")
    local = reference.astimezone(zone(time_zone))
    folded = fold(text)
    if not _hint().search(folded):
        return []
    moment_of = functools.partial(_moment, folded, local)
    parts = _merge(folded, _merge(folded, _parts(folded, moment_of), _join_weekday), _join_clock)
    parts = _merge(folded, [_with_bare_hour(folded, part) for part in parts], _join_range)
    found = []
    for part in parts:
        expression = _resolve(text, part, moment_of(part.span.start))
        if expression:
            found.append(expression)
    return found


def zone(name: str) -> ZoneInfo:
    """The time zone of an IANA name.

    Raises:
        BadInput: when there is no such zone.
    """
    try:
        return ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError) as error:
        raise BadInput(
            f"There is no time zone {name!r}: use an IANA name such as Asia/Shanghai or Europe/London."
        ) from error


@functools.cache
def _hint() -> re.Pattern[str]:
    return resources.compiled(dates.lexicon(), "hint")


@functools.cache
def _pattern(table: str, name: str) -> re.Pattern[str]:
    return re.compile(dates.lexicon()[table][name])


def _moment(folded: str, local: datetime, position: int) -> Moment:
    """The moment of speech, with the tense of the sentence around ``position``."""
    stop = _pattern("tense", "stop")
    start = max(
        (m.end() for m in stop.finditer(folded, max(0, position - 200), position)), default=max(0, position - 200)
    )
    ending = stop.search(folded, position)
    sentence = folded[start : ending.start() if ending else min(len(folded), position + 200)]
    if _pattern("tense", "future").search(sentence):
        return Moment(local, 1)
    return Moment(local, -1 if _pattern("tense", "past").search(sentence) else 0)


def _parts(folded: str, moment_of: Callable[[int], Moment]) -> list[_Found]:
    """Every period and every clock time; where readings of one sort overlap the longest wins, then the earliest.

    A clock time may begin within a period ("tomorrow afternoon three o'clock" in Chinese): both are kept, to be merged.
    """
    kept: list[_Found] = []
    for candidate in sorted(
        _periods(folded, moment_of), key=lambda part: (part.span.start - part.span.end, part.span.start)
    ):
        if not any(candidate.span.overlaps(other.span) for other in kept):
            kept.append(candidate)
    for clock in dates.find_clocks(folded):
        touched = [part for part in kept if part.span.overlaps(clock.span)]
        if any(part.span.start > clock.span.start or part.span.end >= clock.span.end for part in touched):
            continue
        kept.append(_Found(clock.span, clock=clock))
    return sorted(kept, key=lambda part: part.span)


def _periods(folded: str, moment_of: Callable[[int], Moment]) -> list[_Found]:
    found: list[_Found] = []
    for rule in readings.rules():
        for match in rule.pattern.finditer(folded):
            span = Span(match.end() - len(match.group().lstrip()), match.end())
            _add(found, span, functools.partial(rule.read, match), moment_of)
    for date in dates.find_dates(folded):
        _add(found, date.span, functools.partial(periods.of_date, date), moment_of)
    return found


def _add(
    found: list[_Found], span: Span, read: Callable[[Moment], Period | None], moment_of: Callable[[int], Moment]
) -> None:
    try:
        period = read(moment_of(span.start))
    except (OverflowError, ValueError):
        return  # a date beyond the calendar is no date
    if period:
        found.append(_Found(span, period))


def _merge(folded: str, parts: list[_Found], join: Callable[[str, _Found, _Found], _Found | None]) -> list[_Found]:
    """The parts with every two neighbours joined that ``join`` makes one of."""
    merged: list[_Found] = []
    for part in parts:
        joined = join(folded, merged[-1], part) if merged else None
        if joined:
            merged[-1] = joined
        else:
            merged.append(part)
    return merged


def _gap(folded: str, first: _Found, second: _Found) -> str:
    return folded[first.span.end : second.span.start]


def _across(first: _Found, second: _Found) -> Span:
    return Span(first.span.start, second.span.end)


def _join_weekday(folded: str, first: _Found, second: _Found) -> _Found | None:
    """In "8 May (Monday)" the weekday says nothing new and joins the span of the date."""
    gap = _gap(folded, first, second)
    if {first.form, second.form} != {"weekday", "date"} or not re.fullmatch(r"[\s,(]*(?:the\s)?", gap):
        return None
    closed = "(" in gap and folded.startswith(")", second.span.end)
    main = first if first.form == "date" else second
    return _Found(Span(first.span.start, second.span.end + closed), main.period)


def _join_clock(folded: str, first: _Found, second: _Found) -> _Found | None:
    """A day with the clock time beside it ("tomorrow at 3pm", "3pm on Friday") is one expression."""
    gap = _gap(folded, first, second)
    if first.is_open_day and second.is_clock and _pattern("joiners", "day_clock").fullmatch(gap):
        return _Found(_across(first, second), first.period, second.clock)
    if first.is_clock and second.is_open_day and _pattern("joiners", "clock_day").fullmatch(gap):
        return _Found(_across(first, second), second.period, first.clock)
    return None


def _with_bare_hour(folded: str, part: _Found) -> _Found:
    """In "Friday at 3", an hour that only its date makes recognisable."""
    match = _pattern("joiners", "bare_hour").match(folded, part.span.end) if part.is_open_day else None
    if not match:
        return part
    clock = dates.WrittenClock(Span(*match.span()), int(match.group("h")), 0, certain=False, exact=False)
    return _Found(Span(part.span.start, match.end()), part.period, clock)


def _join_range(folded: str, first: _Found, second: _Found) -> _Found | None:
    """Two periods of one grain, or two clock times, with a connector ("May 3 to May 8", "9 to 11 am") are one range."""
    gap = _gap(folded, first, second)
    if not _pattern("joiners", "range").fullmatch(gap) or not _connects(folded, first.span.start, gap):
        return None
    if first.clock and not first.until and second.is_clock:
        return _Found(_across(first, second), first.period, first.clock, second.clock)
    if first.clock or second.clock or not first.period or not second.period:
        return None
    last = _last_of(first.period, second.period)
    if first.period.grain != last.grain or first.period.start >= last.end:
        return None
    return _Found(_across(first, second), Period(first.period.start, last.end, "range"))


def _last_of(first: Period, second: Period) -> Period:
    """The end of a range, moved behind its beginning: "Friday to Monday", or "October 1 to 7" as Chinese writes it."""
    if second.start >= first.start:
        return second
    if second.form == "weekday":
        return Period(second.start + timedelta(weeks=1), second.end + timedelta(weeks=1), second.grain)
    if first.form == second.form == "date" and second.start.day > first.start.day:
        start = first.start + timedelta(days=second.start.day - first.start.day)
        return Period(start, start + timedelta(days=1), second.grain)
    return second


def _connects(folded: str, start: int, gap: str) -> bool:
    """Whether the connector joins: "and" makes a range only after "between"."""
    return gap.strip() != "and" or folded.find("between", max(0, start - 9), start + 9) >= 0


def _resolve(text: str, part: _Found, moment: Moment) -> TimeExpression | None:
    try:
        period = _period_of(part, moment)
    except (OverflowError, ValueError):
        return None
    if period is None or period.start >= period.end:
        return None
    return TimeExpression(part.span.cut(text), part.span, period.start, period.end, period.grain)


def _period_of(part: _Found, moment: Moment) -> Period | None:
    if not part.clock:
        return part.period
    first = periods.at_clock(part.period, part.clock, moment)
    if not part.until:
        return first
    end = periods.at_clock(part.period, part.until, moment).start
    if end <= first.start:
        end += timedelta(hours=12 if end + timedelta(hours=12) > first.start and not part.until.certain else 24)
    return Period(first.start, end, "range")


def local_day(moment: datetime, time_zone: str) -> tuple[datetime, datetime]:
    """The day ``[midnight, next midnight)`` of ``time_zone`` in which an aware ``moment`` lies."""
    midnight = moment.astimezone(zone(time_zone)).replace(hour=0, minute=0, second=0, microsecond=0)
    return midnight, midnight + timedelta(days=1)
