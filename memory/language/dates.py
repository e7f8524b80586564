"""Calendar dates and clock times as they are written, without reference to a day: the grammar that values and times share."""

import calendar
import functools
import re
from typing import NamedTuple

from ..records import Span
from .numerals import CHINESE_NUMERALS, normalise_number

_MONTHS = "january february march april may june july august september october november december".split()
MONTH_NAME = r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
_DAY = r"(?:3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?(?![\d%]|\.\d|:\d)"
_CN = rf"[{CHINESE_NUMERALS}]"
_CN_DAY = r"(?:\d{1,2}|[一二三四五六七八九十]{1,3})"
DAYPART = r"(?:凌晨|清晨|清早|大清早|一大早|早上|早晨|早间|上午|中午|正午|午后|下午|傍晚|晚上|晚间|夜里|夜晚|深夜|半夜|午夜|早|晚)"
_PM = frozenset(["午后", "下午", "傍晚", "晚上", "晚间", "夜里", "夜晚", "深夜", "半夜", "晚"])
_NIGHT = _PM - {"午后", "下午", "傍晚"}


class WrittenDate(NamedTuple):
    """A calendar date in a text; what is not written is ``None``."""

    span: Span
    year: int | None
    month: int
    day: int | None

    @property
    def normal(self) -> str:
        """ISO 8601: ``2023-05-08``, ``2023-05``, ``--05-08`` or ``--05``."""
        head = f"{self.year:04d}" if self.year is not None else "-"
        tail = f"-{self.day:02d}" if self.day is not None else ""
        return f"{head}-{self.month:02d}{tail}"


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


@functools.cache
def _date_patterns() -> tuple[re.Pattern[str], ...]:
    year = r"(?P<y>(?:19|20)\d\d)"
    weekday = r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day,?\s+(?:the\s+)?)?"
    return (
        re.compile(rf"(?<![\d.])(?P<y>[12]\d{{3}})[-/.](?P<m>1[0-2]|0?[1-9])[-/.](?P<d>3[01]|[12]\d|0?[1-9])(?![\d]|[-./]\d)"),
        re.compile(rf"(?P<y>\d{{4}}|[〇零一二三四五六七八九]{{4}}|(?<!\d)\d{{2}})\s?年\s?(?P<m>{_CN_DAY})\s?月份?(?:\s?(?P<d>{_CN_DAY})\s?[日号])?"),
        re.compile(rf"(?<![\d{CHINESE_NUMERALS}])(?P<m>{_CN_DAY})\s?月\s?(?P<d>{_CN_DAY})(?:\s?[日号]|(?![\d{CHINESE_NUMERALS}个]))"),
        re.compile(rf"{weekday}(?<![\d.,])\b(?P<d>{_DAY})\s+(?:of\s+)?(?P<m>{MONTH_NAME})(?:,?\s+(?:of\s+)?{year}\b)?"),
        re.compile(rf"{weekday}\b(?P<m>{MONTH_NAME})\s+(?:the\s+)?(?P<d>{_DAY})\b(?:,?\s+(?:of\s+)?{year}\b)?"),
        re.compile(rf"\b(?P<m>{MONTH_NAME}),?\s+(?:of\s+)?{year}\b"),
        re.compile(r"(?<![\d/.])(?P<m>1[0-2]|0?[1-9])/(?P<d>3[01]|[12]\d|0?[1-9])/(?P<y>(?:19|20)\d\d)(?![\d/])"),
        re.compile(r"(?<![\d/.-])(?P<y>(?:19|20)\d\d)[-/](?P<m>1[0-2]|0[1-9])(?![\d/-]|\.\d)"),
        re.compile(r"(?:\b(?:on|by|before|until|since|due)\s|在|于)(?P<m>1[0-2]|0?[1-9])/(?P<d>3[01]|[12]\d|0?[1-9])(?![\d/])"),
    )


def find_dates(folded: str) -> list[WrittenDate]:
    """The calendar dates in a folded text, left to right, not overlapping: at least a month and one of year and day."""
    found: list[WrittenDate] = []
    for pattern in _date_patterns():
        for match in pattern.finditer(folded):
            date = _written_date(match)
            if date and not any(date.span.overlaps(other.span) for other in found):
                found.append(date)
    return sorted(found)


def _written_date(match: re.Match[str]) -> WrittenDate | None:
    parts = match.groupdict()
    month = month_number(parts["m"])
    day = _small(parts.get("d"))
    year = year_number(parts.get("y"))
    if month is None or (parts.get("d") and day is None):
        return None
    if day is not None and day > (calendar.monthrange(year, month)[1] if year else 31 if month != 2 else 29):
        return None
    written = [match.start(name) for name, text in parts.items() if text]
    # A preposition before 5/8 is context, a weekday before "8 May" is part of the date.
    start = min(written) if parts["m"].isdigit() else match.start()
    return WrittenDate(Span(start, match.end()), year, month, day)


def month_number(text: str) -> int | None:
    """1 to 12 for a month's name, its abbreviation or its number."""
    short = text.strip(" .")[:3]
    for number, name in enumerate(_MONTHS, start=1):
        if short.isalpha() and name.startswith(short) and short.isascii():
            return number
    number_or_none = _small(text)
    return number_or_none if number_or_none is not None and 1 <= number_or_none <= 12 else None


def _small(text: str | None) -> int | None:
    if not text:
        return None
    value = normalise_number(re.sub(r"(?:st|nd|rd|th)$", "", text))
    return int(value) if value is not None and value == int(value) and value < 100 else None


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
def _clock_patterns() -> tuple[re.Pattern[str], ...]:
    number = rf"(?:\d{{1,2}}|[{CHINESE_NUMERALS}]{{1,3}})"
    return (
        re.compile(
            r"(?<![\d:.])(?P<h>1\d|2[0-4]|0?\d):(?P<mi>[0-5]\d)(?::[0-5]\d)?\s?(?P<ap>[ap]\.?\s?m\b\.?)?(?![\d:])"
            r"|(?<![\d:.,$])\b(?P<h2>1[0-2]|0?[1-9])(?:[:.](?P<mi2>[0-5]\d))?\s?(?P<ap2>[ap]\.?\s?m\b\.?)"
            r"|\b(?P<h3>1[0-2]|[1-9]|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve) o'clock"
            r"(?:\s(?:in the (?P<part>morning|afternoon|evening)|at (?P<night>night)))?"
        ),
        re.compile(
            rf"(?:(?P<dp>{DAYPART})的?\s?)?(?<![\d.{CHINESE_NUMERALS}第])(?P<h>{number})\s?"
            rf"(?:点钟?|时(?![间候刻段期差长]))(?:\s?(?:(?P<half>半)|(?P<quarter>一刻|三刻)|(?P<mi>\d{{2}}(?![\d%万千百])|\d(?=\s?分)|[{CHINESE_NUMERALS}]{{2,3}}(?![万千百])|[{CHINESE_NUMERALS}](?=\s?分))\s?分?|整))?"
        ),
        re.compile(rf"(?P<dp>{DAYPART})的?\s?(?P<h>1\d|2[0-4]|0?\d)[:](?P<mi>[0-5]\d)"),
        re.compile(r"\b(?:at )?(?P<noon>noon|midday)\b|\b(?P<midnight>midnight)\b"),
        re.compile(r"\b(?P<rel>half past|quarter past|quarter to)\s(?P<h>1[0-2]|[1-9]|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)\b(?:\s?(?P<ap>[ap]\.?m\b\.?))?"),
    )


def find_clocks(folded: str) -> list[WrittenClock]:
    """The clock times in a folded text, left to right, not overlapping."""
    plain, chinese, colon, named, relative = _clock_patterns()
    readers = ((relative, _relative_clock), (colon, _chinese_clock), (plain, _plain_clock), (chinese, _chinese_clock), (named, _named_clock))
    found: list[WrittenClock] = []
    for pattern, read in readers:
        for match in pattern.finditer(folded):
            clock = read(match, folded)
            if clock and not any(clock.span.overlaps(other.span) for other in found):
                found.append(clock)
    return sorted(found)


def _plain_clock(match: re.Match[str], folded: str) -> WrittenClock | None:
    del folded
    parts = match.groupdict()
    hour = int(normalise_number(parts["h"] or parts["h2"] or parts["h3"]) or 0)
    minutes = parts["mi"] or parts["mi2"]
    half = (parts["ap"] or parts["ap2"] or "")[:1]
    later = half == "p" or parts["part"] in ("afternoon", "evening") or bool(parts["night"])
    certain = bool(half or parts["part"] or parts["night"] or parts["h"])
    if half and hour > 12:
        certain = True
    elif later and hour < 12:
        hour += 12
    elif half == "a" and hour == 12:
        hour = 0
    return _clock(match, hour, int(minutes or 0), certain, exact=minutes is not None)


def _chinese_clock(match: re.Match[str], folded: str) -> WrittenClock | None:
    parts = match.groupdict()
    hour = _small(parts["h"])
    written = parts.get("half") and 30 or {"一刻": 15, "三刻": 45}.get(parts.get("quarter") or "") or _small(parts.get("mi"))
    if hour is None or _is_amount_of_points(match, folded):
        return None
    part = parts["dp"]
    if part in _PM and hour < 12 and not (part in _NIGHT and 1 <= hour <= 4):
        hour += 12  # but 晚上两点 is after midnight
    elif part in ("中午", "正午") and hour < 6:
        hour += 12
    elif part in ("晚上", "夜里", "半夜", "午夜", "深夜", "凌晨") and hour in (12, 24):
        hour = 0 if part == "凌晨" else 24
    return _clock(match, hour, written or 0, bool(part) or hour > 12, exact=written is not None)


def _is_amount_of_points(match: re.Match[str], folded: str) -> bool:
    """有三点要说, 一点, 两点建议, 三点五 (a decimal) are no clock times."""
    after = folded[match.end() : match.end() + 2]
    before = folded[max(0, match.start() - 1) : match.start()]
    alone = not match.group("dp") and not (match.groupdict().get("half") or match.groupdict().get("mi") or match.groupdict().get("quarter"))
    if match.group("h") == "一" and alone:
        return not after.startswith(("钟", "开", "见")) and not match.group().endswith("钟")
    if alone and re.match(r"[%万亿]|建议|意见|原因|要求|理由|优势|不足|好处|内容|想法|问题|要说|需要|体会|感受|说明", after):
        return True
    return bool(alone and before and before in "有这那提说讲列差慢快早晚几第")


def _named_clock(match: re.Match[str], folded: str) -> WrittenClock | None:
    del folded
    return _clock(match, 12 if match.group("noon") else 24, 0, certain=True, exact=True)


def _relative_clock(match: re.Match[str], folded: str) -> WrittenClock | None:
    del folded
    hour = int(normalise_number(match.group("h")) or 0)
    minute = {"half past": 30, "quarter past": 15, "quarter to": 45}[match.group("rel")]
    hour -= match.group("rel") == "quarter to"
    half = (match.group("ap") or "")[:1]
    return _clock(match, hour % 12 + 12 if half == "p" else hour, minute, bool(half), exact=True)


def _clock(match: re.Match[str], hour: int, minute: int, certain: bool, *, exact: bool) -> WrittenClock | None:
    if not 0 <= hour <= 24 or not 0 <= minute < 60 or (hour == 24 and minute):
        return None
    start = match.start()
    text = match.group().rstrip()
    if text.endswith(".") and text.count(".") == 1:
        text = text[:-1]  # the full stop after "3 pm." is the sentence's, the one of "3 p.m." is not
    return WrittenClock(Span(start, start + len(text)), hour % 24 if hour == 24 else hour, minute, certain, exact)
