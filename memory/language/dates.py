"""Calendar dates and clock times as they are written, without reference to a day: what values and times share."""

import calendar
import functools
import re
from typing import Any, NamedTuple

from ..records import Span
from . import resources
from .numerals import normalise_number


class WrittenDate(NamedTuple):
    """A calendar date in a text; what is not written is ``None``."""

    span: Span
    year: int | None
    month: int | None
    day: int | None

    @property
    def normal(self) -> str:
        """ISO 8601, truncated where parts are missing: ``2023-05-08``, ``2023-05``, ``2023``, ``--05-08``, ``--05``."""
        head = f"{self.year:04d}" if self.year is not None else "-"
        return head + "".join(f"-{part:02d}" for part in (self.month, self.day) if part is not None)


class WrittenClock(NamedTuple):
    """A clock time in a text, on a 24-hour clock; ``certain`` says that morning or afternoon was written."""

    span: Span
    hour: int
    minute: int
    certain: bool
    exact: bool
    """Whether minutes were written."""

    @property
    def normal(self) -> str:
        """``15:30``."""
        return f"{self.hour:02d}:{self.minute:02d}"


def lexicon() -> dict[str, Any]:
    """The tables and patterns of ``lexicons/times.yaml``."""
    return resources.load("times")


@functools.cache
def _date_patterns(table: str) -> tuple[re.Pattern[str], ...]:
    macros = lexicon()["macros"]
    return tuple(re.compile(resources.expand(pattern, macros)) for pattern in lexicon()[table])


def find_dates(folded: str) -> list[WrittenDate]:
    """The calendar dates in a folded text, left to right, not overlapping: a month with a day, a year or both."""
    return _find(folded, "dates")


def find_partial_dates(folded: str) -> list[WrittenDate]:
    """The years and the months that stand for themselves in a folded text ("in 2022", "last May")."""
    return _find(folded, "partial_dates")


def _find(folded: str, table: str) -> list[WrittenDate]:
    found: list[WrittenDate] = []
    for pattern in _date_patterns(table):
        for match in pattern.finditer(folded):
            date = _written_date(match)
            if date and not any(date.span.overlaps(other.span) for other in found):
                found.append(date)
    return sorted(found)


def _written_date(match: re.Match[str]) -> WrittenDate | None:
    parts = {name: text for name, text in match.groupdict().items() if text}
    date = WrittenDate(
        Span(_start_of(match, parts), match.end()),
        year_number(parts.get("y")),
        month_number(parts.get("m", "")),
        _small(parts.get("d")),
    )
    read = {"y": date.year, "m": date.month, "d": date.day}
    if any(read[name] is None for name in parts):
        return None
    fits = date.day is None or 1 <= date.day <= _longest(date.year, date.month or 1)
    return date if fits else None


def _start_of(match: re.Match[str], parts: dict[str, str]) -> int:
    """Where the date begins: a weekday before "8 May" is part of it, a preposition before a number is not."""
    spelled = "d" in parts and parts["m"].isascii() and parts["m"][0].isalpha()
    return match.start() if spelled else min(match.start(name) for name in parts)


def _longest(year: int | None, month: int) -> int:
    return calendar.monthrange(year or 2000, month)[1]  # 2000 is a leap year


@functools.cache
def _month_names() -> dict[str, int]:
    return {name[:3].lower(): number for number, name in enumerate(calendar.month_name) if number}


def month_number(text: str) -> int | None:
    """1 to 12 for a month's English name, its abbreviation or its number."""
    named = _month_names().get(text[:3])
    if named:
        return named
    number = _small(text)
    return number if number is not None and 1 <= number <= 12 else None


def _small(text: str | None) -> int | None:
    value = normalise_number(re.sub(r"(?:st|nd|rd|th)$", "", text)) if text else None
    return int(value) if value is not None and value == int(value) and 0 <= value < 100 else None


def year_number(text: str | None) -> int | None:
    """A year of four digits, or of two (``23`` → 2023, ``98`` → 1998), in Arabic or Chinese digits."""
    value = normalise_number(text) if text else None
    if value is None:
        return None
    year = int(value)
    if text and len(text) == 2:
        year += 2000 if year < 70 else 1900
    return year if 1 <= year <= 9999 else None


@functools.cache
def _clock_patterns() -> dict[str, re.Pattern[str]]:
    macros = lexicon()["macros"]
    return {name: re.compile(resources.expand(pattern, macros)) for name, pattern in lexicon()["clocks"].items()}


def find_clocks(folded: str) -> list[WrittenClock]:
    """The clock times in a folded text, left to right, not overlapping."""
    readers = {
        "relative": _relative_clock,
        "chinese_colon": _chinese_clock,
        "plain": _plain_clock,
        "chinese": _chinese_clock,
        "named": _named_clock,
    }
    found: list[WrittenClock] = []
    for name, read in readers.items():
        for match in _clock_patterns()[name].finditer(folded):
            clock = read(match)
            if clock and not any(clock.span.overlaps(other.span) for other in found):
                found.append(clock)
    return sorted(found)


def _plain_clock(match: re.Match[str]) -> WrittenClock | None:
    """15:30, "3 pm", "3 o'clock in the afternoon"."""
    parts = {name: text for name, text in match.groupdict().items() if text}
    hour = _small(_first(parts, "h", "h2", "h3"))
    minutes = _first(parts, "mi", "mi2")
    if hour is None:
        return None
    half = _first(parts, "ap", "ap2")[:1] or _first(parts, "part", "night")
    certain = bool(half) or "h" in parts
    return _clock(match, _in_half(hour, half), int(minutes or 0), certain=certain, exact=bool(minutes))


def _first(parts: dict[str, str], *names: str) -> str:
    return next((parts[name] for name in names if name in parts), "")


def _in_half(hour: int, half: str) -> int:
    """An hour on the 24-hour clock, by the first letter of am or pm, or by the part of the day."""
    if half in ("p", "afternoon", "evening", "night") and hour < 12:
        return hour + 12
    return 0 if half == "a" and hour == 12 else hour


def _chinese_clock(match: re.Match[str]) -> WrittenClock | None:
    parts = match.groupdict()
    hour = _small(parts["h"])
    named_minute = lexicon()["minutes"].get(parts.get("half") or parts.get("quarter"))
    minute = named_minute if named_minute is not None else _small(parts.get("mi"))
    if hour is None or (not parts["dp"] and minute is None and _counts_points(match)):
        return None
    certain = bool(parts["dp"]) or hour > 12
    return _clock(match, _hour_of(parts["dp"], hour), minute or 0, certain=certain, exact=minute is not None)


def _hour_of(part: str | None, hour: int) -> int:
    """An hour on the 24-hour clock; at night the hours 1 to 4 are those after midnight."""
    hours = {name: words.split() for name, words in lexicon()["daypart_hours"].items()}
    if part in hours["afternoon"] and hour < 12:
        return hour + 12
    if part in hours["night"]:
        return hour + 12 if 5 <= hour < 12 else hour % 24 if hour != 12 else 0
    if part in hours["noon"] and hour < 6:
        return hour + 12
    return 0 if part in hours["dawn"] and hour == 12 else hour


@functools.cache
def _not_clocks() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    table = lexicon()["not_clocks"]
    return re.compile(table["after"]), re.compile(table["before"]), re.compile(table["one_needs"])


def _counts_points(match: re.Match[str]) -> bool:
    """Whether the word for o'clock means points here, as in "three points to make" and "a little"."""
    after, before, one_needs = _not_clocks()
    text = match.string
    if normalise_number(match.group("h")) == 1 and not match.group("h").isascii():
        return not (one_needs.match(text, match.end()) or match.end() - match.end("h") > 1)
    return bool(after.match(text, match.end()) or before.search(text[max(0, match.start() - 1) : match.start()]))


def _named_clock(match: re.Match[str]) -> WrittenClock | None:
    return _clock(match, 12 if match.group("noon") else 0, 0, certain=True, exact=True)


def _relative_clock(match: re.Match[str]) -> WrittenClock | None:
    """Clock times such as "half past two" and "quarter to 5 pm"."""
    hour = _small(match.group("h"))
    if hour is None:
        return None
    hour -= match.group("rel") == "quarter to"
    half = (match.group("ap") or "")[:1]
    minute = lexicon()["minutes"][match.group("rel")]
    return _clock(match, hour % 12 + 12 if half == "p" else hour, minute, certain=bool(half), exact=True)


def _clock(match: re.Match[str], hour: int, minute: int, *, certain: bool, exact: bool) -> WrittenClock | None:
    if not 0 <= hour <= 24 or not 0 <= minute < 60 or (hour == 24 and minute):
        return None
    text = match.group().rstrip()
    if text.endswith(".") and text.count(".") == 1:
        text = text[:-1]  # the full stop after "3 pm." is the sentence's, the one of "3 p.m." is not
    start = match.start()
    return WrittenClock(Span(start, start + len(text)), hour % 24, minute, certain, exact)
