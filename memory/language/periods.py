"""The grammar of relative time: patterns of both languages and the periods they mean."""

import calendar
import functools
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal, NamedTuple

from .dates import MONTH_NAME, WrittenClock, WrittenDate, month_number, year_number
from .numerals import CHINESE_NUMERALS, normalise_number

Grain = Literal["minute", "hour", "day", "week", "month", "quarter", "year", "range"]
_WEEKDAYS = {name: index for index, names in enumerate(("mon 一", "tue 二", "wed 三", "thu 四", "fri 五", "sat 六", "sun 日 天 末")) for name in names.split()}
_DAYPARTS = {
    "凌晨": (0, 6), "清晨": (5, 9), "清早": (5, 9), "早上": (5, 12), "早晨": (5, 12), "早": (5, 12), "上午": (6, 12), "中午": (11, 14), "午后": (12, 18),
    "下午": (12, 18), "傍晚": (17, 20), "晚上": (18, 24), "晚间": (18, 24), "晚": (18, 24), "夜里": (18, 30), "夜": (18, 30), "深夜": (22, 30), "半夜": (23, 30),
    "morning": (5, 12), "afternoon": (12, 18), "evening": (17, 24), "night": (18, 30), "noon": (11, 14),
}  # fmt: skip
_DAY_WORDS = {
    "大前天": -3, "前天": -2, "前日": -2, "昨天": -1, "昨日": -1, "昨儿": -1, "昨": -1, "今天": 0, "今日": 0, "今儿": 0, "今": 0, "明天": 1, "明日": 1,
    "明儿": 1, "明": 1, "后天": 2, "大后天": 3, "前": -2,
    "the day before yesterday": -2, "day before yesterday": -2, "yesterday": -1, "today": 0, "tomorrow": 1, "tmrw": 1, "the day after tomorrow": 2,
    "day after tomorrow": 2,
}  # fmt: skip
_SHIFT = {
    "上上": -2, "上": -1, "前一": -1, "这": 0, "本": 0, "当": 0, "这个": 0, "下": 1, "下下": 2, "last": -1, "past": -1, "previous": -1, "this": 0, "the current": 0,
    "next": 1, "coming": 1, "the coming": 1,
}  # fmt: skip
_YEARS = {"前年": -2, "去年": -1, "今年": 0, "本年": 0, "明年": 1, "后年": 2, "大前年": -3}
_SEASONS = {"spring": 3, "春": 3, "summer": 6, "夏": 6, "autumn": 9, "fall": 9, "秋": 9, "winter": 12, "冬": 12}
_UNITS = {
    "minute": "minute", "min": "minute", "分钟": "minute", "hour": "hour", "小时": "hour", "钟头": "hour", "day": "day", "天": "day", "日": "day", "night": "day",
    "week": "week", "周": "week", "星期": "week", "礼拜": "week", "fortnight": "fortnight", "month": "month", "月": "month", "year": "year", "年": "year",
    "weekend": "week", "decade": "decade",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class Moment:
    """When something was said, in local time, and whether its sentence speaks of the past (-1), the future (1) or neither (0)."""

    now: datetime
    tense: int

    @property
    def midnight(self) -> datetime:
        """Midnight at which the day of speech began."""
        return self.now.replace(hour=0, minute=0, second=0, microsecond=0, fold=0)


@dataclass(frozen=True, slots=True)
class Period:
    """A half-open range of local time."""

    start: datetime
    end: datetime
    grain: Grain
    takes_clock: bool = False
    """Whether a clock time beside it belongs to it: it is one day, or a part of one."""
    form: Literal["", "weekday", "date"] = ""


class Rule(NamedTuple):
    """A pattern over folded text and the reading of its matches."""

    pattern: re.Pattern[str]
    read: Callable[[re.Match[str], Moment], Period | None]


_N = rf"(?:\d{{1,4}}(?:\.5)?|[{CHINESE_NUMERALS}半]{{1,5}})"
_EN = (
    r"(?:\d{1,4}|an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|fifteen|twenty|thirty|half an?|a couple of|couple of|a couple|"
    r"a few|few|several|some)"
)
_EN_UNIT = r"(?P<u>minute|min|hour|day|night|weekend|week|fortnight|month|year|decade)s?"
_ZH_UNIT = r"(?P<u>分钟|小时|钟头|天|日|周|星期|礼拜|月|年)"
_ZH_SHIFT = r"(?P<s>上上|下下|上|下|这|本|当)个?"
_PART = r"(?P<p>凌晨|清晨|清早|早上|早晨|上午|中午|午后|下午|傍晚|晚上|晚间|夜里|深夜|半夜)"
_WEEKDAY = r"(?P<w>mon|tues?|wed(?:nes)?|thu(?:rs?)?|fri|sat(?:ur)?|sun)(?:day)?\b(?!s)"
_EDGE = r"(?P<e>月底|月末|月初|月中|中旬|上旬|下旬|底|末|初)"


@functools.cache
def rules() -> tuple[Rule, ...]:
    """The grammar; at one place the longest match wins, whatever its rule."""
    table: tuple[tuple[str, Callable[[re.Match[str], Moment], Period | None]], ...] = (
        (rf"(?P<d>大前天|前天|前日|昨天|昨日|昨儿|今天|今日|今儿|明天|明日|明儿|大后天|后天)个?(?:的?{_PART}|(?P<p2>早|晚)(?![上晨间]))?", _day),
        (r"(?P<d>昨|今|明)(?P<p2>早|晚|夜)上?|(?P<d2>前)(?P<p3>晚)(?!上?会)", _day),
        (r"(?P<d>(?:the )?day before yesterday|(?:the )?day after tomorrow|yesterday|today|tomorrow|tmrw)\b(?!'s\s(?:world|children))(?:\s(?P<p>morning|afternoon|evening|night|noon)\b)?", _day),
        (r"\b(?P<s>this) (?P<p>morning|afternoon|evening)\b|\b(?P<t>tonight)\b|\b(?P<l>last) (?P<p2>night|evening)\b", _part_today),
        (r"\b(?P<p>morning|afternoon|evening|night) of (?P<d>yesterday|today|tomorrow)\b", _day),
        (rf"{_ZH_SHIFT}(?:周|星期|礼拜)(?P<w>[一二三四五六日天])(?:的?{_PART})?", _weekday),
        (rf"(?<![上下这本每单双一二两三四五六七八九十几\d])(?:周|星期|礼拜)(?P<w>[一二三四五六日天])(?![年岁月个])(?:的?{_PART})?", _weekday),
        (rf"(?<!every )(?<!each )(?<!\w)(?:(?P<s>last|past|previous|this past|this|next|coming|this coming)\s)?{_WEEKDAY}(?:\s(?P<p>morning|afternoon|evening|night)\b)?(?:\s(?P<ws>last|this|next) week)?", _weekday),
        (rf"\b{_WEEKDAY} (?:of )?(?P<ws>last|this|next) week\b", _weekday),
        (r"(?P<s>上上|下下|上|下|这|本)个?(?:周|星期|礼拜)末|(?<![上下这本每])周末|\b(?:(?P<s2>last|past|this past|this|next|coming)\s|the\s|over the\s)?weekend\b(?! ago)", _weekend),
        (rf"{_ZH_SHIFT}(?:周|星期|礼拜)(?![一二三四五六日天末年])", _week),
        (r"\b(?P<s>last|past|previous|this|next|the coming|coming) week\b", _week),
        (r"\b(?:the )?week (?P<x>before last|after next)\b", _week),
        (rf"(?P<s>上上|下下|上|下|这|本|当)个?月(?:{_EDGE})?(?!\d*[日号])", _month),
        (r"\b(?:(?P<e>end|beginning|start|middle|early|late|mid)[\s-](?:of\s)?)?(?P<s>last|this|next|the coming|coming|previous) month\b", _month),
        (r"\b(?P<e>end|beginning|start|middle) of (?:the|this) (?P<k>month|year|week)\b|\b(?P<k2>month|year|week)[- ]end\b", _edge),
        (r"(?<![个\d一二三四五六七八九十上下这本当])(?P<e>月底|月末|月初|月中)|(?P<y>去|今|明|前|后|本)?年(?P<e2>底|末|初|中)(?![国间学年])|(?<!\w)(?P<e3>周初)", _edge_zh),
        (rf"(?P<s>上上|下下|上|下|这|本)个?月(?P<d>\d{{1,2}}|[一二三四五六七八九十]{{1,3}})[日号]", _day_of_month),
        (rf"(?<![\d月号.:#第一二三四五六七八九十-])(?P<d>3[01]|[12]\d|[1-9]|[一二三四五六七八九十]{{1,3}})(?:号(?![楼线桌房会门店院码机馆厅位段字])|日(?![本常期用语元报志益]))(?:的?{_PART})?", _day_of_month),
        (r"\b(?:on|by|until|before|since) the (?P<d>\d{1,2})(?:st|nd|rd|th)\b(?! (?:floor|time|year|grade|place|week|of))(?: of (?P<s>last|this|next) month)?", _day_of_month),
        (r"(?P<y>大前年|前年|去年|今年|本年|明年|后年)(?:的?(?P<m>\d{1,2}|[一二三四五六七八九十]{1,2})月份?(?:(?P<d>\d{1,2}|[一二三四五六七八九十]{1,3})[日号]|(?P<e>底|末|初|中旬|上旬|下旬))?)?(?![底末初中])", _year_zh),
        (r"(?P<y>大前年|前年|去年|今年|本年|明年|后年|\d{4}年)的?(?P<season>春|夏|秋|冬)[天季]?|\b(?P<s>last|this|next|the) (?P<season2>spring|summer|autumn|fall|winter)\b(?: of (?P<y2>(?:19|20)\d\d)\b)?|\b(?P<season3>spring|summer|autumn|fall|winter) (?:of )?(?P<y3>(?:19|20)\d\d)\b", _season),
        (r"\b(?P<s>last|this|next|the coming|coming|previous) year\b", _year_en),
        (r"\b(?:(?P<e>end|beginning|start|middle|early|late|mid)[\s-](?:of\s)?)?(?:in |since |during |until |by |before |after |around |from )?(?<![\d$¥€£#,.:/-])(?P<y>(?:19|20)\d\d)(?![\d,.:/-]|\s?[%年\w])", _year_number),
        (rf"(?P<y>(?:19|20)\d\d|[〇零一二三四五六七八九]{{4}}|(?<!\d)[0-2]\d)\s?年(?!(?:前|后|级|代|龄|内|来|多|以|之|轻|纪|的?时间|经验))(?P<e>底|末|初|中)?", _year_number),
        (rf"(?:\b(?P<e>end|beginning|start|middle|early|late|mid)[\s-](?:of\s)?)?\b(?P<s>last|this|next)?\s?(?<!\w)(?P<m>{MONTH_NAME})(?! \d)(?:,? (?:of )?(?P<ys>last|this|next) year)?", _named_month),
        (r"(?<![\d一二三四五六七八九十个.年])(?P<m>1[0-2]|[1-9]|十[一二]?|[一二三四五六七八九])月(?:份|(?P<e>底|末|初|中旬|上旬|下旬))?(?![\d一二三四五六七八九十嫂球饼])", _named_month),
        (r"(?:(?P<y>(?:19|20)\d\d)年?)?的?第?(?P<q>[一二三四1234])季度|(?P<s>上|下|这|本)个?季度|\bq(?P<q2>[1-4])\b(?:(?: of)? (?P<y2>(?:19|20)\d\d))?|\b(?P<s2>last|this|next) quarter\b|\b(?P<q3>first|second|third|fourth) quarter(?: of (?P<y3>(?:19|20)\d\d))?\b", _quarter),
        (rf"\b(?P<n>{_EN})(?:\s(?:more\s)?){_EN_UNIT} (?P<dir>ago|back|later|from now|before now|earlier)\b", _shifted),
        (rf"\bwithin (?:the next )?(?P<n>{_EN})\s{_EN_UNIT}\b(?P<s>)|(?P<n2>{_N}|几)个?(?P<u2>分钟|小时|天|周|星期|礼拜|月|年)[之以]?内", _within),
        (rf"\bin (?:about |another )?(?P<n>{_EN})\s(?P<u>minute|min|hour|day|week|fortnight|month|year)s?\b(?!'? time)(?P<dir>)(?! (?:of|old|ago))", _shifted),
        (rf"\bin (?P<n>{_EN})\s(?P<u>minute|hour|day|week|month|year)s?'? time\b(?P<dir>)", _shifted),
        (rf"(?P<n>{_N}|几|好几|数)个?(?P<half>半)?{_ZH_UNIT}(?P<dir>之前|以前|前|之后|以后|后)(?![天端台面者提任期进妈])", _shifted),
        (rf"(?:过去|最近|近|这|前)(?:的)?(?P<n>{_N}|几)个?{_ZH_UNIT}(?![前后内])", _span_zh),
        (rf"(?:未来|接下来|今后|后)(?:的)?(?P<n>{_N}|几)个?{_ZH_UNIT}内?(?P<ahead>)", _span_zh),
        (rf"\b(?:(?:over|in|during|for|within)\s)?(?:the\s)?(?P<s>last|past|next|coming)\s(?P<n>{_EN})\s{_EN_UNIT}\b", _span_en),
        (r"\bthe other day\b|前几天|前些天|前两天|前阵子|前段时间", _the_other_day),
        (r"\b(?:recently|lately)\b|最近(?!的|一次|怎么样|好吗|[\d一二两三四五六七八九十半几]+[个天周月年小])|近期|这几天|这段时间|这两天", _recently),
    )  # fmt: skip
    return tuple(Rule(re.compile(pattern), read) for pattern, read in table)


def _group(match: re.Match[str], *names: str) -> str:
    """The first of the named groups that matched, or an empty string."""
    groups = match.groupdict()
    return next((groups[name] for name in names if groups.get(name)), "")


def add_months(moment: datetime, months: int) -> datetime:
    """The same day some months away, or the last day of a shorter month."""
    index = moment.year * 12 + moment.month - 1 + months
    year, month = divmod(index, 12)
    return moment.replace(year=year, month=month + 1, day=min(moment.day, calendar.monthrange(year, month + 1)[1]))


def _days(start: datetime, count: int = 1, grain: Grain = "day", form: Literal["", "weekday", "date"] = "") -> Period:
    return Period(start, start + timedelta(days=count), grain, takes_clock=count == 1, form=form)


def _months(start: datetime, count: int = 1, grain: Grain = "month") -> Period:
    first = start.replace(day=1)
    return Period(first, add_months(first, count), grain)


def _year(moment: Moment, year: int) -> Period:
    return _months(moment.midnight.replace(month=1, day=1, year=year), 12, "year")


def _part_of(day: Period, part: str) -> Period:
    """A part of a day; the night reaches into the next morning."""
    if not part:
        return day
    first, last = _DAYPARTS[part]
    start = day.start.replace(hour=first)
    end = day.start + timedelta(days=last // 24)
    return Period(start, end.replace(hour=last % 24), "hour", takes_clock=True, form=day.form)


def _day(match: re.Match[str], moment: Moment) -> Period:
    offset = _DAY_WORDS[_group(match, "d", "d2")]
    return _part_of(_days(moment.midnight + timedelta(days=offset)), _group(match, "p", "p2", "p3"))


def _part_today(match: re.Match[str], moment: Moment) -> Period:
    if match.group("l"):
        return _part_of(_days(moment.midnight - timedelta(days=1)), match.group("p2"))
    return _part_of(_days(moment.midnight), match.group("p") or "night")


def _monday(moment: Moment, weeks: int = 0) -> datetime:
    return moment.midnight - timedelta(days=moment.midnight.weekday()) + timedelta(weeks=weeks)


def _weekday(match: re.Match[str], moment: Moment) -> Period | None:
    if not _means_weekday(match):
        return None
    wanted = _WEEKDAYS[match.group("w")[:3]]
    shift = _group(match, "ws", "s").removesuffix("个")
    today = moment.midnight.weekday()
    if _group(match, "ws") or (shift in _SHIFT and not shift.isascii()):
        day = _monday(moment, _SHIFT[shift]) + timedelta(days=wanted)
    elif shift in ("last", "past", "previous", "this past"):
        day = moment.midnight - timedelta(days=(today - wanted - 1) % 7 + 1)
    elif shift == "next":
        day = _monday(moment, 1) + timedelta(days=wanted)
    elif shift == "this":
        day = _monday(moment) + timedelta(days=wanted)
    elif moment.tense < 0 and not shift:
        day = moment.midnight - timedelta(days=(today - wanted) % 7)
    else:
        day = moment.midnight + timedelta(days=(wanted - today) % 7)
    return _part_of(_days(day, form="weekday"), _group(match, "p"))


def _means_weekday(match: re.Match[str]) -> bool:
    """Whether a short form (sat, sun, wed, mon ...) is a weekday and not a word of its own."""
    if "day" in match.group() or not match.group("w").isascii() or match.groupdict().get("s") or match.groupdict().get("ws"):
        return True
    before = match.string[max(0, match.start() - 9) : match.start()].split()
    return bool(before) and before[-1] in ("on", "by", "until", "till", "since", "from", "to", "before", "after", "and", "or")


def _weekend(match: re.Match[str], moment: Moment) -> Period:
    shift = _group(match, "s", "s2").removesuffix("个")
    if shift == "this past":
        shift = "last"
    weeks = _SHIFT.get(shift, -1 if moment.tense < 0 and moment.midnight.weekday() < 5 else 0)
    return Period((start := _monday(moment, weeks) + timedelta(days=5)), start + timedelta(days=2), "range")


def _week(match: re.Match[str], moment: Moment) -> Period:
    beyond = {"before last": -2, "after next": 2}.get(_group(match, "x"))
    weeks = _SHIFT[_group(match, "s").removesuffix("个")] if beyond is None else beyond
    return _days(_monday(moment, weeks), 7, "week")


def _edge_of_month(first: datetime, edge: str) -> Period:
    """The beginning, middle or end of the month that starts at ``first``."""
    month = _months(first)
    tenth, twentieth = first.replace(day=11), first.replace(day=21)
    if edge.endswith("初") or edge in ("beginning", "start", "early", "上旬"):
        return Period(month.start, tenth, "range")
    if edge.endswith("中") or edge in ("middle", "mid", "中旬"):
        return Period(tenth, twentieth, "range")
    if edge in ("late", "下旬"):
        return Period(twentieth, month.end, "range")
    return Period(first.replace(day=25), month.end, "range")


def _edge_of_year(first: datetime, edge: str) -> Period:
    if edge.endswith("初") or edge in ("beginning", "start", "early"):
        return _months(first, 2, "range")
    if edge.endswith("中") or edge in ("middle", "mid"):
        return _months(first.replace(month=6), 2, "range")
    return _months(first.replace(month=12), 1, "range")


def _month(match: re.Match[str], moment: Moment) -> Period:
    month = _months(add_months(moment.midnight.replace(day=1), _SHIFT[_group(match, "s").removesuffix("个")]))
    edge = _group(match, "e")
    return _edge_of_month(month.start, edge) if edge else month


def _edge(match: re.Match[str], moment: Moment) -> Period:
    unit, edge = _group(match, "k", "k2"), _group(match, "e") or "end"
    if unit == "month":
        return _edge_of_month(moment.midnight.replace(day=1), edge)
    if unit == "year":
        return _edge_of_year(moment.midnight.replace(month=1, day=1), edge)
    offset = {"end": 4, "middle": 2}.get(edge, 0)
    return Period((start := _monday(moment) + timedelta(days=offset)), start + timedelta(days=3 if edge == "end" else 2), "range")


def _edge_zh(match: re.Match[str], moment: Moment) -> Period:
    if match.group("e3"):
        return Period(_monday(moment), _monday(moment) + timedelta(days=2), "range")
    if match.group("e"):
        return _edge_of_month(moment.midnight.replace(day=1), match.group("e"))
    years = _YEARS[f"{match.group('y') or '今'}年"]
    return _edge_of_year(moment.midnight.replace(month=1, day=1, year=moment.now.year + years), match.group("e2"))


def _day_of_month(match: re.Match[str], moment: Moment) -> Period | None:
    day = int(normalise_number(match.group("d")) or 0)
    shift = _group(match, "s").removesuffix("个")
    first = add_months(moment.midnight.replace(day=1), _SHIFT.get(shift, 0))
    if not shift and day < moment.now.day and moment.tense > 0:
        first = add_months(first, 1)
    if not shift and day > moment.now.day and moment.tense < 0:
        first = add_months(first, -1)
    return _part_of(_days(first.replace(day=day), form="date"), _group(match, "p"))


def _year_zh(match: re.Match[str], moment: Moment) -> Period | None:
    year = moment.now.year + _YEARS[match.group("y")]
    if not match.group("m"):
        return _year(moment, year)
    month, day = month_number(match.group("m")), normalise_number(match.group("d") or "")
    if month is None:
        return None
    first = moment.midnight.replace(year=year, month=month, day=1)
    if match.group("e"):
        return _edge_of_month(first, match.group("e"))
    return _days(first.replace(day=int(day)), form="date") if day else _months(first)


def _season(match: re.Match[str], moment: Moment) -> Period | None:
    month = _SEASONS[_group(match, "season", "season2", "season3")]
    written, shift = _group(match, "y", "y2", "y3"), _group(match, "s")
    year = moment.now.year + _YEARS[written] if written in _YEARS else year_number(written.rstrip("年")) or moment.now.year
    start = moment.midnight.replace(year=year, month=month, day=1)
    if not written and shift == "last" and add_months(start, 3) > moment.now:
        start = add_months(start, -12)
    elif not written and shift == "next" and start <= moment.now:
        start = add_months(start, 12)
    return _months(start, 3, "range")


def _year_en(match: re.Match[str], moment: Moment) -> Period:
    return _year(moment, moment.now.year + _SHIFT[match.group("s")])


def _year_number(match: re.Match[str], moment: Moment) -> Period | None:
    year = year_number(match.group("y"))
    if year is None:
        return None
    edge = _group(match, "e")
    whole = _year(moment, year)
    return _edge_of_year(whole.start, edge) if edge else whole


def _named_month(match: re.Match[str], moment: Moment) -> Period | None:
    """A month by its name: "may" and "march" are words of their own too, so without a hint they do not count."""
    text = match.group("m")
    month = month_number(text)
    shift = _group(match, "s", "ys")
    if month is None or (text.strip(". ") in ("may", "march", "mar", "sep", "dec", "jan", "oct") and not shift and not _month_hint(match)):
        return None
    first = _nearest_year(moment, moment.midnight.replace(month=month, day=1))
    if _group(match, "ys"):
        first = first.replace(year=moment.now.year + _SHIFT[shift])
    elif shift in ("last", "next"):
        first = _next_or_last(moment, first.replace(year=moment.now.year), shift)
    edge = _group(match, "e")
    return _edge_of_month(first, edge) if edge else _months(first)


def _month_hint(match: re.Match[str]) -> bool:
    before = match.string[max(0, match.start() - 9) : match.start()].split()
    return bool(match.groupdict().get("e")) or bool(before and before[-1] in _MONTH_PREPOSITIONS)


_MONTH_PREPOSITIONS = frozenset("in since by until till during before after from of to last next this around for through".split())


def _next_or_last(moment: Moment, first: datetime, shift: str) -> datetime:
    if shift == "last" and first >= moment.midnight.replace(day=1):
        return add_months(first, -12)
    if shift == "next" and first <= moment.midnight:
        return add_months(first, 12)
    return first


def _nearest_year(moment: Moment, start: datetime) -> datetime:
    """A date without a year: this year's, unless the tense says that it must be the last or the coming one."""
    this_month = moment.midnight.replace(day=1)
    if moment.tense < 0 and start > moment.now:
        return add_months(start, -12)
    if moment.tense > 0 and start < (this_month if start.day == 1 else moment.midnight):
        return add_months(start, 12)
    return start


def _quarter(match: re.Match[str], moment: Moment) -> Period:
    names = {"first": 1, "second": 2, "third": 3, "fourth": 4, "一": 1, "二": 2, "三": 3, "四": 4}
    written = _group(match, "q", "q2", "q3")
    year = year_number(_group(match, "y", "y2", "y3")) or moment.now.year
    if written:
        number = names.get(written) or int(written)
        return _months(moment.midnight.replace(year=year, month=number * 3 - 2, day=1), 3, "quarter")
    shift = _SHIFT[_group(match, "s", "s2").removesuffix("个")]
    start = moment.midnight.replace(month=(moment.now.month - 1) // 3 * 3 + 1, day=1)
    return _months(add_months(start, shift * 3), 3, "quarter")


def _count(text: str) -> float | None:
    """How many: ``None`` for "a few"."""
    if text in ("几", "好几", "数", "a few", "few", "several", "some"):
        return None
    if "couple" in text:
        return 2
    number = normalise_number("one" if text in ("a", "an") else text.replace("half an", "half a")) if not text.startswith("half") else normalise_number("半")
    return float(number) if number is not None else 0


def _shifted(match: re.Match[str], moment: Moment) -> Period | None:
    """So many units ago or ahead; "a few" makes a range."""
    unit = _UNITS[match.group("u")]
    ahead = not re.match(r"ago|back|before|earlier|之前|以前|前", match.group("dir"))
    sign = 1 if ahead else -1
    count = _count(match.group("n").removesuffix("个"))
    if count is None:
        near, far = _step(moment, unit, 2 * sign), _step(moment, unit, 7 * sign)
        return Period(min(near, far), max(near, far) + timedelta(days=1), "range")
    if match.groupdict().get("half"):
        count += 0.5
    if not count:
        return None
    exact = count % 1 != 0 or (ahead and unit in ("week", "fortnight"))
    return _around(_step(moment, unit, count * sign), unit, exact=exact)


def _step(moment: Moment, unit: str, count: float) -> datetime:
    if unit in ("minute", "hour"):
        return moment.now + timedelta(**{f"{unit}s": count})
    if unit in ("month", "year", "decade"):
        return add_months(moment.midnight, round(count * {"month": 1, "year": 12, "decade": 120}[unit])) + timedelta(days=15 if unit == "month" and count % 1 else 0)
    days = count * {"day": 1, "week": 7, "fortnight": 14}[unit]
    return moment.midnight + timedelta(days=round(days))


def _around(target: datetime, unit: str, *, exact: bool) -> Period:
    """The period of the unit's own grain around a shifted moment; a coming one of weeks means that very day."""
    midnight = target.replace(hour=0, minute=0, second=0, microsecond=0)
    if unit == "minute":
        start = target.replace(second=0, microsecond=0)
        return Period(start, start + timedelta(minutes=1), "minute")
    if unit == "hour":
        start = target.replace(minute=0, second=0, microsecond=0)
        return Period(start, start + timedelta(hours=1), "hour")
    if unit in ("week", "fortnight") and not exact:
        return _days(midnight - timedelta(days=midnight.weekday()), 7, "week")
    if unit == "month" or (unit == "year" and exact):
        return _months(midnight)
    if unit in ("year", "decade"):
        return _months(midnight.replace(month=1), 12, "year")
    return _days(midnight)


def _span_zh(match: re.Match[str], moment: Moment) -> Period | None:
    return _stretch(moment, _count(match.group("n")), _UNITS[match.group("u")], ahead="ahead" in match.groupdict())


def _span_en(match: re.Match[str], moment: Moment) -> Period | None:
    return _stretch(moment, _count(match.group("n")), _UNITS[match.group("u")], ahead=match.group("s") in ("next", "coming"))


def _within(match: re.Match[str], moment: Moment) -> Period | None:
    return _stretch(moment, _count(_group(match, "n", "n2")), _UNITS[_group(match, "u", "u2")], ahead=moment.tense >= 0)


def _stretch(moment: Moment, count: float | None, unit: str, *, ahead: bool) -> Period | None:
    """The last or the coming so many units, today included."""
    count = 5 if count is None else count
    if not count:
        return None
    end = moment.midnight + timedelta(days=1)
    if unit in ("minute", "hour"):
        return Period(*sorted((moment.now, _step(moment, unit, count if ahead else -count))), "range")
    if ahead:
        return Period(moment.midnight, _step(moment, unit, count) + timedelta(days=1), "range")
    return Period(_step(moment, unit, -count), end, "range")


def _the_other_day(match: re.Match[str], moment: Moment) -> Period:
    days = 45 if match.group().endswith(("阵子", "时间")) else 8
    return Period(moment.midnight - timedelta(days=days), moment.midnight, "range")


def _recently(match: re.Match[str], moment: Moment) -> Period:
    days = 3 if match.group() in ("这几天", "这两天") else 30
    return Period(moment.midnight - timedelta(days=days), moment.midnight + timedelta(days=1), "range")


def of_date(date: WrittenDate, moment: Moment) -> Period:
    """The day or month of a written date; a missing year is chosen by tense."""
    start = moment.midnight.replace(year=date.year or 2000, month=date.month, day=date.day or 1)
    if date.year is None:
        year = moment.now.year
        while (date.month, date.day) == (2, 29) and not calendar.isleap(year):
            year -= 1
        start = _nearest_year(moment, start.replace(year=year))
    return _days(start, form="date") if date.day else _months(start)


def at_clock(period: Period | None, clock: WrittenClock, moment: Moment) -> Period | None:
    """The minute or hour of a clock time on the period's day, or on the day of speech."""
    start_day = period.start if period else moment.midnight
    day = start_day.replace(hour=0, minute=0)
    hour = clock.hour
    in_afternoon = bool(period and period.grain == "hour" and period.start.hour >= 11)
    at_night = bool(period and period.grain == "hour" and period.start.hour >= 17 and hour < 6)
    if not clock.certain and hour < 12 and not at_night and (in_afternoon or (hour < 7 and not clock.exact and not (period and period.grain == "hour"))):
        hour += 12
    start = day.replace(hour=hour % 24, minute=clock.minute)
    if at_night:
        start += timedelta(days=1)  # "last night at 2" is after midnight
    length, grain = (timedelta(minutes=1), "minute") if clock.exact else (timedelta(hours=1), "hour")
    return Period(start, start + length, "minute" if grain == "minute" else "hour")
