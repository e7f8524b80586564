"""The readings of the time grammar: what each rule of ``lexicons/times.yaml`` means at the moment of speech."""

import functools
import math
import re
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import NamedTuple

from . import resources
from .dates import lexicon, month_number, year_number
from .numerals import normalise_number
from .periods import (
    Moment,
    Period,
    add_months,
    day_at,
    days_from,
    edge_of_month,
    edge_of_week,
    edge_of_year,
    months_from,
    nearest_year,
    part_of_day,
    year_of,
)

Match = re.Match[str]


class Rule(NamedTuple):
    """A pattern over folded text and the reading of its matches; a reading of ``None`` means that it is no time."""

    pattern: re.Pattern[str]
    read: Callable[[Match, Moment], Period | None]


@functools.cache
def rules() -> tuple[Rule, ...]:
    """The grammar; at one place the longest match wins, whatever its rule."""
    macros = lexicon()["macros"] | {"holidays": resources.alternatives(lexicon()["holidays"])}
    return tuple(
        Rule(re.compile(resources.expand(rule["pattern"], macros)), _READERS[rule["read"]])
        for rule in lexicon()["rules"]
    )


_BEYOND = {"before last": -2, "after next": 2}


# --- the tables -------------------------------------------------------------------------------------------------------


@functools.cache
def _words(name: str) -> frozenset[str]:
    return frozenset(resources.words(lexicon()[name]))


@functools.cache
def _joiner(name: str) -> re.Pattern[str]:
    return re.compile(lexicon()["joiners"][name])


@functools.cache
def _units() -> dict[str, str]:
    return {form: str(unit) for unit, forms in lexicon()["units"].items() for form in resources.words(forms)}


def _shift(word: str) -> int:
    """How many periods away from the current one; 0 for no word."""
    shift: int = lexicon()["shifts"].get(word.strip(), 0)
    return shift


def _count(text: str) -> float | None:
    """How many of a unit: ``None`` for "a few", 0 where it is no number."""
    if text in _words("few"):
        return None
    if "couple" in text:
        return 2
    if text.startswith("half"):
        return 0.5
    number = normalise_number("one" if text in ("a", "an") else text)
    return float(number) if number is not None else 0


def _group(match: Match, *names: str) -> str:
    """The first of the named groups that matched, or an empty string."""
    groups = match.groupdict()
    return next((groups[name] for name in names if groups.get(name)), "")


# --- days and weeks ---------------------------------------------------------------------------------------------------


def _day(match: Match, moment: Moment) -> Period:
    offset = lexicon()["day_words"][_group(match, "d", "d2")]
    return part_of_day(day_at(moment.midnight + timedelta(days=offset)), _group(match, "p", "p2", "p3"))


def _part_today(match: Match, moment: Moment) -> Period:
    if match.group("l"):
        return part_of_day(day_at(moment.midnight - timedelta(days=1)), match.group("p2"))
    return part_of_day(day_at(moment.midnight), match.group("p") or "night")


def _weekday(match: Match, moment: Moment) -> Period | None:
    if not _means_weekday(match):
        return None
    wanted = lexicon()["weekdays"][match.group("w")[:3]]
    return part_of_day(day_at(_weekday_date(match, moment, wanted), "weekday"), _group(match, "p"))


def _weekday_date(match: Match, moment: Moment, wanted: int) -> datetime:
    shift, today = _group(match, "ws", "s"), moment.midnight.weekday()
    if _group(match, "ws") or shift == "this" or (shift and not shift.isascii()):
        return moment.monday(_shift(shift)) + timedelta(days=wanted)
    if shift == "next":
        return moment.monday(1) + timedelta(days=wanted)
    if _shift(shift) < 0:
        return moment.midnight - timedelta(days=(today - wanted - 1) % 7 + 1)
    if moment.tense < 0 and not shift:
        return moment.midnight - timedelta(days=(today - wanted) % 7)
    return moment.midnight + timedelta(days=(wanted - today) % 7)


def _means_weekday(match: Match) -> bool:
    """Whether a short form (sat, sun, wed, mon ...) is a weekday and not a word of its own."""
    if "day" in match.group() or not match.group("w").isascii() or _group(match, "s", "ws"):
        return True
    return _joiner("before_short_weekday").search(match.string[max(0, match.start() - 8) : match.start()]) is not None


def _weekend(match: Match, moment: Moment) -> Period:
    shift = _group(match, "s", "s2")
    unmarked = -1 if moment.tense < 0 and moment.midnight.weekday() < 5 else 0
    return days_from(moment.monday(_shift(shift) if shift else unmarked) + timedelta(days=5), 2, "range")


def _week(match: Match, moment: Moment) -> Period:
    weeks = _BEYOND.get(_group(match, "x")) or _shift(_group(match, "s"))
    return days_from(moment.monday(weeks), 7, "week")


# --- months, quarters, seasons, years ---------------------------------------------------------------------------------


def _month(match: Match, moment: Moment) -> Period:
    first = add_months(moment.first_of_month, _shift(_group(match, "s")))
    edge = _group(match, "e")
    return edge_of_month(first, edge) if edge else months_from(first)


def _edge(match: Match, moment: Moment) -> Period:
    unit, edge = _group(match, "k", "k2"), _group(match, "e") or "end"
    if unit == "month":
        return edge_of_month(moment.first_of_month, edge)
    if unit == "year":
        return edge_of_year(moment.first_of_year, edge)
    return edge_of_week(moment.monday(), edge)


def _edge_zh(match: Match, moment: Moment) -> Period:
    if match.group("e3"):
        return edge_of_week(moment.monday(), match.group("e3"))
    if match.group("e"):
        return edge_of_month(moment.first_of_month, match.group("e"))
    years = next((shift for name, shift in lexicon()["years"].items() if name[0] == match.group("y")), 0)
    return edge_of_year(moment.first_of_year.replace(year=moment.now.year + years), match.group("e2"))


def _day_of_month(match: Match, moment: Moment) -> Period:
    day = int(normalise_number(match.group("d")) or 0)
    shift = _group(match, "s")
    first = add_months(moment.first_of_month, _shift(shift))
    if not shift and moment.tense > 0 and day < moment.now.day:
        first = add_months(first, 1)
    elif not shift and moment.tense < 0 and day > moment.now.day:
        first = add_months(first, -1)
    return part_of_day(day_at(first.replace(day=day), "date"), _group(match, "p"))


def _year_zh(match: Match, moment: Moment) -> Period | None:
    year = moment.now.year + lexicon()["years"][match.group("y")]
    if not match.group("m"):
        return year_of(moment, year)
    month, day = month_number(match.group("m")), normalise_number(match.group("d") or "")
    if month is None:
        return None
    first = moment.first_of_year.replace(year=year, month=month)
    if match.group("e"):
        return edge_of_month(first, match.group("e"))
    return day_at(first.replace(day=int(day)), "date") if day else months_from(first)


def _year_en(match: Match, moment: Moment) -> Period:
    year = year_of(moment, moment.now.year + (_BEYOND.get(_group(match, "x")) or _shift(_group(match, "s"))))
    edge = _group(match, "e")
    return edge_of_year(year.start, edge) if edge else year


def _year_number(match: Match, moment: Moment) -> Period | None:
    year = year_number(match.group("y"))
    if year is None:
        return None
    edge = _group(match, "e")
    return edge_of_year(year_of(moment, year).start, edge) if edge else year_of(moment, year)


def _season(match: Match, moment: Moment) -> Period:
    month = lexicon()["seasons"][_group(match, "season", "season2", "season3")]
    written, shift = _group(match, "y", "y2", "y3"), _group(match, "s")
    years: dict[str, int] = lexicon()["years"]
    year = moment.now.year + years[written] if written in years else year_number(written[:4]) or moment.now.year
    start = moment.first_of_year.replace(year=year, month=month)
    if not written and shift == "last" and add_months(start, 3) > moment.now:
        start = add_months(start, -12)
    elif not written and shift == "next" and start <= moment.now:
        start = add_months(start, 12)
    return months_from(start, 3, "range")


def _named_month(match: Match, moment: Moment) -> Period | None:
    """A month by its name; "may" and "march" are words of their own too, so without a hint they do not count."""
    text = match.group("m")
    month = month_number(text)
    if month is None or (_joiner("ambiguous_month").fullmatch(text) and not _month_hint(match)):
        return None
    this_year = moment.first_of_year.replace(month=month)
    first = nearest_year(moment, this_year)
    shift, year_shift = _group(match, "s"), _group(match, "ys")
    if year_shift:
        first = this_year.replace(year=moment.now.year + _shift(year_shift))
    elif shift == "last":
        first = this_year if this_year < moment.first_of_month else add_months(this_year, -12)
    elif shift == "next":
        first = this_year if this_year > moment.midnight else add_months(this_year, 12)
    edge = _group(match, "e")
    return edge_of_month(first, edge) if edge else months_from(first)


def _month_hint(match: Match) -> bool:
    before = match.string[max(0, match.start("m") - 9) : match.start("m")]
    return bool(_group(match, "e", "s", "ys")) or _joiner("before_month").search(before) is not None


def _quarter(match: Match, moment: Moment) -> Period:
    written = _group(match, "q", "q2", "q3")
    if written:
        year = year_number(_group(match, "y", "y2", "y3")) or moment.now.year
        month = lexicon()["quarters"][written] * 3 - 2
        return months_from(moment.first_of_year.replace(year=year, month=month), 3, "quarter")
    start = moment.first_of_month.replace(month=(moment.now.month - 1) // 3 * 3 + 1)
    return months_from(add_months(start, _shift(_group(match, "s", "s2")) * 3), 3, "quarter")


def _holiday(match: Match, moment: Moment) -> Period:
    month, day = lexicon()["holidays"][match.group("name")]
    start = moment.first_of_year.replace(month=month, day=day)
    shift = _group(match, "s").strip()
    years = lexicon()["years"].get(shift[:2])
    if years is not None:
        start = start.replace(year=moment.now.year + years)
    elif shift == "last":
        start = start if start < moment.midnight else add_months(start, -12)
    elif shift == "next":
        start = start if start > moment.midnight else add_months(start, 12)
    else:
        start = nearest_year(moment, start)
    return day_at(start, "date")


# --- so long ago, so long ahead ---------------------------------------------------------------------------------------


def _shifted(match: Match, moment: Moment) -> Period | None:
    """So many units ago or ahead; "a few" makes a range."""
    unit = _units()[match.group("u")]
    ahead = match.group("dir") not in _words("backward")
    sign = 1 if ahead else -1
    count = _count(match.group("n"))
    if count is None:
        near, far = _step(moment, unit, 2 * sign), _step(moment, unit, 7 * sign)
        return Period(min(near, far), max(near, far) + timedelta(days=1), "range")
    count += 0.5 if _group(match, "half") else 0
    if not count:
        return None
    return _around(_step(moment, unit, count * sign), unit, ahead=ahead, whole=count % 1 == 0)


def _step(moment: Moment, unit: str, count: float) -> datetime:
    if unit in ("minute", "hour"):
        return moment.now + timedelta(**{f"{unit}s": count})
    if unit in ("month", "year", "decade"):
        months = count * {"month": 1, "year": 12, "decade": 120}[unit]
        return add_months(moment.midnight, math.floor(months)) + timedelta(days=round(months % 1 * 30))
    return moment.midnight + timedelta(days=round(count * {"day": 1, "week": 7, "fortnight": 14}[unit]))


def _around(target: datetime, unit: str, *, ahead: bool, whole: bool) -> Period:
    """What is meant by a shifted moment: as coarse as its unit, except that "in two weeks" is that very day."""
    midnight = target.replace(hour=0, minute=0, second=0, microsecond=0)
    if unit == "minute":
        start = target.replace(second=0, microsecond=0)
        return Period(start, start + timedelta(minutes=1), "minute")
    if unit == "hour":
        start = target.replace(minute=0, second=0, microsecond=0)
        return Period(start, start + timedelta(hours=1), "hour")
    if unit in ("week", "fortnight") and not ahead:
        return days_from(midnight - timedelta(days=midnight.weekday()), 7, "week")
    if unit == "month" or (unit == "year" and not whole):
        return months_from(midnight)
    if unit in ("year", "decade"):
        return months_from(midnight.replace(month=1), 12, "year")
    return day_at(midnight)


def _stretch_back(match: Match, moment: Moment) -> Period | None:
    return _stretch(match, moment, ahead=False)


def _stretch_ahead(match: Match, moment: Moment) -> Period | None:
    return _stretch(match, moment, ahead=True)


def _stretch_en(match: Match, moment: Moment) -> Period | None:
    return _stretch(match, moment, ahead=_shift(match.group("s")) > 0)


def _within(match: Match, moment: Moment) -> Period | None:
    return _stretch(match, moment, ahead=moment.tense >= 0)


def _stretch(match: Match, moment: Moment, *, ahead: bool) -> Period | None:
    """The last or the coming so many units, today included; "a few" are five."""
    unit, counted = _units()[_group(match, "u", "u2")], _count(_group(match, "n", "n2"))
    count = 5 if counted is None else counted
    if not count:
        return None
    bound = _step(moment, unit, count if ahead else -count)
    if unit in ("minute", "hour"):
        return Period(min(moment.now, bound), max(moment.now, bound), "range")
    first, last = (moment.midnight, bound) if ahead else (bound, moment.midnight)
    return Period(first, last + timedelta(days=1), "range")


def _vague(match: Match, moment: Moment) -> Period:
    """Vague times: "the other day" is one of the last days before today; "recently" is up to today."""
    days = lexicon()["vague"].get(match.group())
    if days is None or days <= 3:
        return Period(moment.midnight - timedelta(days=days or 30), moment.midnight + timedelta(days=1), "range")
    return Period(moment.midnight - timedelta(days=days), moment.midnight, "range")


_READERS: dict[str, Callable[[Match, Moment], Period | None]] = {
    "day": _day,
    "part_today": _part_today,
    "weekday": _weekday,
    "weekend": _weekend,
    "week": _week,
    "month": _month,
    "edge": _edge,
    "edge_zh": _edge_zh,
    "day_of_month": _day_of_month,
    "year_zh": _year_zh,
    "year_en": _year_en,
    "year_number": _year_number,
    "season": _season,
    "named_month": _named_month,
    "quarter": _quarter,
    "holiday": _holiday,
    "shifted": _shifted,
    "stretch_back": _stretch_back,
    "stretch_ahead": _stretch_ahead,
    "stretch_en": _stretch_en,
    "within": _within,
    "vague": _vague,
}
