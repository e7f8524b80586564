"""Periods of local time: days, weeks, months and their parts, reckoned from the moment of speech."""

import calendar
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from .dates import WrittenClock, WrittenDate, lexicon

Grain = Literal["minute", "hour", "day", "week", "month", "quarter", "year", "range"]


@dataclass(frozen=True, slots=True)
class Moment:
    """When something was said, in local time, and the tense of its sentence: past (-1), future (1) or neither (0)."""

    now: datetime
    tense: int

    @property
    def midnight(self) -> datetime:
        """Midnight at which the day of speech began."""
        return self.now.replace(hour=0, minute=0, second=0, microsecond=0, fold=0)

    @property
    def first_of_month(self) -> datetime:
        """Midnight at which the month of speech began."""
        return self.midnight.replace(day=1)

    @property
    def first_of_year(self) -> datetime:
        """Midnight at which the year of speech began."""
        return self.midnight.replace(month=1, day=1)

    def monday(self, weeks: int = 0) -> datetime:
        """The Monday of the week of speech, or of one some weeks away."""
        return self.midnight - timedelta(days=self.midnight.weekday()) + timedelta(weeks=weeks)


@dataclass(frozen=True, slots=True)
class Period:
    """A half-open range of local time."""

    start: datetime
    end: datetime
    grain: Grain
    takes_clock: bool = False
    """Whether a clock time beside it belongs to it: it is one day, or a part of one."""
    form: Literal["", "weekday", "date"] = ""


def add_months(moment: datetime, months: int) -> datetime:
    """The same day some months away, or the last day of a shorter month."""
    year, month = divmod(moment.year * 12 + moment.month - 1 + months, 12)
    return moment.replace(year=year, month=month + 1, day=min(moment.day, calendar.monthrange(year, month + 1)[1]))


def day_at(start: datetime, form: Literal["", "weekday", "date"] = "") -> Period:
    """The day that begins at ``start``."""
    return Period(start, start + timedelta(days=1), "day", takes_clock=True, form=form)


def days_from(start: datetime, count: int, grain: Grain) -> Period:
    """So many days from ``start``."""
    return Period(start, start + timedelta(days=count), grain)


def months_from(start: datetime, count: int = 1, grain: Grain = "month") -> Period:
    """So many whole months, from the one in which ``start`` lies."""
    first = start.replace(day=1)
    return Period(first, add_months(first, count), grain)


def year_of(moment: Moment, year: int) -> Period:
    """A calendar year."""
    return months_from(moment.first_of_year.replace(year=year), 12, "year")


def part_of_day(day: Period, part: str) -> Period:
    """A named part of a day, or the whole day for no name; the night reaches into the next morning."""
    if not part:
        return day
    first, last = lexicon()["dayparts"][part]
    end = day.start + timedelta(days=last // 24)
    return Period(day.start.replace(hour=first), end.replace(hour=last % 24), "hour", takes_clock=True, form=day.form)


def _edge_name(edge: str) -> str:
    """Which edge a word means: ``first``, ``middle``, ``last`` or ``end``."""
    return next((str(name) for name, words in lexicon()["edges"].items() if edge in words.split()), "end")


def edge_of_month(first: datetime, edge: str) -> Period:
    """The beginning, middle or end of the month that starts at ``first``."""
    end = add_months(first, 1)
    bounds = {"first": (1, 11), "middle": (11, 21), "last": (21, None), "end": (25, None)}
    start_day, end_day = bounds[_edge_name(edge)]
    return Period(first.replace(day=start_day), first.replace(day=end_day) if end_day else end, "range")


def edge_of_year(first: datetime, edge: str) -> Period:
    """The beginning (two months), middle (June and July) or end (December; "late": from October) of a year."""
    month, count = {"first": (1, 2), "middle": (6, 2), "last": (10, 3), "end": (12, 1)}[_edge_name(edge)]
    return months_from(first.replace(month=month), count, "range")


def edge_of_week(monday: datetime, edge: str) -> Period:
    """Monday and Tuesday, Wednesday and Thursday, or Friday to Sunday."""
    day, count = {"first": (0, 2), "middle": (2, 2), "last": (4, 3), "end": (4, 3)}[_edge_name(edge)]
    return days_from(monday + timedelta(days=day), count, "range")


def nearest_year(moment: Moment, start: datetime) -> datetime:
    """A date without a year: this year's, unless the tense says that it must be the last or the coming one."""
    bound = moment.first_of_month if start.day == 1 else moment.midnight
    if moment.tense < 0 and start > moment.now:
        return add_months(start, -12)
    if moment.tense > 0 and start < bound:
        return add_months(start, 12)
    return start


def of_date(date: WrittenDate, moment: Moment) -> Period:
    """The day or month of a written date; a missing year is chosen by tense."""
    start = moment.midnight.replace(year=date.year or 2000, month=date.month or 1, day=date.day or 1)
    if date.year is None:
        year = moment.now.year
        while (date.month, date.day) == (2, 29) and not calendar.isleap(year):
            year -= 1
        start = nearest_year(moment, start.replace(year=year))
    return day_at(start, "date") if date.day else months_from(start)


def at_clock(period: Period | None, clock: WrittenClock, moment: Moment) -> Period:
    """The minute or hour of a clock time on the period's day, or on the day of speech.

    An hour that nothing else tells apart is the one of the day's part beside it; from 1 to 6 it is in the afternoon, as
    people speak of meetings, unless the night was named, which puts it after midnight.
    """
    day, hour = _day_and_hour(period, clock, moment)
    start = day.replace(hour=hour, minute=clock.minute)
    if clock.exact:
        return Period(start, start + timedelta(minutes=1), "minute")
    return Period(start, start + timedelta(hours=1), "hour")


def _day_and_hour(period: Period | None, clock: WrittenClock, moment: Moment) -> tuple[datetime, int]:
    day, hour = period.start if period else moment.midnight, clock.hour
    part_begins = period.start.hour if period and period.grain == "hour" else None
    if part_begins is not None and part_begins >= 17 and hour < 5:
        return day + timedelta(days=1), hour
    if clock.certain or hour >= 12:
        return day, hour
    if part_begins is None:
        return day, hour + 12 if 1 <= hour < 7 and not clock.exact else hour
    return day, hour + 12 if part_begins >= 11 else hour
