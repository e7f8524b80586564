"""Values in a text: amounts, percents, quantities, numbers, identifiers, contacts, versions, dates and clock times."""

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import Literal

from ..records import Span
from . import dates, identifiers, resources
from .folding import fold
from .numerals import ARABIC, CHINESE_DIGITS, CHINESE_NUMERALS, ENGLISH, SCALE, normalise_number, plain

Kind = Literal[
    "number", "amount", "percent", "date", "time", "identifier", "phone", "email", "url", "quantity", "version"
]


@dataclass(frozen=True, slots=True)
class Value:
    """A value of a text. ``normal`` is its form for comparing: 五万, 5万, 50,000 and 50k are all ``50000``."""

    kind: Kind
    text: str
    span: Span
    normal: str
    unit: str | None = None


@dataclass(frozen=True, slots=True)
class _Number:
    """A number before what stands around it has said what it is."""

    span: Span
    value: Decimal
    form: Literal["arabic", "chinese", "english"]
    written: str


_SIGNS = {"$": "USD", "us$": "USD", "hk$": "HKD", "nt$": "TWD", "a$": "AUD", "c$": "CAD", "s$": "SGD", "¥": "CNY", "€": "EUR", "£": "GBP", "₩": "KRW", "₹": "INR"}
_CURRENCIES = {
    "CNY": "rmb cny yuan 元 块钱 块 圆 人民币 元人民币 块人民币",
    "USD": "usd dollar dollars buck bucks 美元 美金 刀",
    "EUR": "eur euro euros 欧元",
    "GBP": "gbp quid sterling pound pounds 英镑",
    "JPY": "jpy yen 日元 日币",
    "HKD": "hkd 港币 港元",
    "TWD": "twd 新台币 台币",
    "KRW": "krw 韩元",
    "INR": "inr rupee rupees",
    "AUD": "aud 澳元",
    "CAD": "cad 加元",
    "SGD": "sgd 新币",
    "CHF": "chf franc francs",
    "cent": "cent cents",
}


@functools.cache
def _number_patterns() -> tuple[tuple[Literal["arabic", "chinese", "english"], re.Pattern[str]], ...]:
    tail = rf"[{CHINESE_DIGITS}](?![{CHINESE_NUMERALS}])|\d千\d?百?|\d百"
    return (
        ("arabic", re.compile(rf"(?<![\w.])(?:(?<=[,:])|(?<!\d[,:]))[-+]?{ARABIC}(?:{SCALE}(?:{tail})?)?|(?<=[^\W\d_a-z]){ARABIC}(?:{SCALE}(?:{tail})?)?")),
        ("chinese", re.compile(rf"[{CHINESE_NUMERALS}]+(?:点[{CHINESE_DIGITS}]+[万亿]?)?半?|半")),
        ("english", re.compile(rf"(?<![\w-]){ENGLISH}(?![\w-]|'\w)")),
    )


@functools.cache
def _not_numbers() -> re.Pattern[str]:
    words = " ".join(resources.load("units")["not_numbers"]).split()
    return re.compile("|".join(sorted(map(re.escape, words), key=len, reverse=True)))


@functools.cache
def _unit_forms() -> dict[str, str]:
    """Every written form of a unit with its canonical name."""
    return {
        form.replace("_", " "): name for name, forms in resources.load("units")["units"].items() for form in str(forms).split()
    }


@functools.cache
def _followers() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    """What may follow a number: a currency, a percent sign, a unit."""
    currencies = sorted((word for words in _CURRENCIES.values() for word in words.split()), key=len, reverse=True)
    units = sorted(_unit_forms(), key=len, reverse=True)
    latin = "|".join(re.escape(word) for word in currencies if word.isascii())
    chinese = "|".join(word for word in currencies if not word.isascii())
    latin_units = "|".join(re.escape(unit) for unit in units if unit.isascii() or unit[0] in "°℃℉m")
    chinese_units = "|".join(unit for unit in units if not unit.isascii() and unit[0] not in "°℃℉m")
    return (
        re.compile(rf"(?:us\s|u\.s\.\s)?\s?-?(?P<u>{latin})(?![\w])|\s?(?P<z>{chinese})(?![旦素宵件首帅音])"),
        re.compile(r"\s?(?:%|‰|percent\b|per cent\b|pct\b|percentage points?\b|个百分点)"),
        re.compile(rf"[\s-]?(?P<u>{latin_units})(?![\w/])|\s?(?P<z>{chinese_units})"),
    )


@functools.cache
def _sign_before() -> re.Pattern[str]:
    codes = "|".join(word for words in _CURRENCIES.values() for word in words.split() if word.isascii() and len(word) == 3 or word == "人民币")
    signs = "|".join(re.escape(sign) for sign in sorted(_SIGNS, key=len, reverse=True))
    return re.compile(rf"(?:(?P<sign>{signs})|(?<![a-z])(?P<code>{codes}))\s?$")


def find_values(text: str) -> list[Value]:
    """The values in ``text``, left to right, not overlapping.

    What is more specific wins where readings overlap: a phone number is not a number, a date is not three of them. ``normal`` is
    a plain decimal for numbers, amounts, percents and quantities (with ``unit``: an ISO currency or a canonical unit), an
    ISO date (``--05-08`` without a year), a 24-hour ``HH:MM``, the upper-cased identifier, the digits of a phone number.
    """
    folded = fold(text)
    found: list[Value] = []
    for value in _candidates(text, folded):
        if not any(value.span.overlaps(other.span) for other in found):
            found.append(value)
    return sorted(found, key=lambda value: value.span)


def _candidates(text: str, folded: str) -> Iterator[Value]:
    """All readings, the most specific first."""
    contacts = list(identifiers.find_contacts(folded))
    for contact in contacts:
        yield Value(contact.kind, contact.span.cut(text), contact.span, contact.normal)
    for date in dates.find_dates(folded):
        yield Value("date", date.span.cut(text), date.span, date.normal)
    for name in identifiers.find_identifiers(text, folded):
        yield Value(name.kind, name.span.cut(text), name.span, name.normal)
    numbers = [number for number in _numbers(text, folded) if number is not None]
    measured = [value for number in numbers if (value := _measured(text, folded, number))]
    clocks = [Value("time", clock.span.cut(text), clock.span, clock.normal) for clock in dates.find_clocks(folded)]
    yield from sorted([*measured, *clocks], key=lambda value: (value.span.start - value.span.end, value.span.start))
    for number in numbers:
        if _stands_alone(folded, number):
            yield Value("number", number.span.cut(text), number.span, plain(number.value))


def _numbers(text: str, folded: str) -> Iterator[_Number]:
    blocked = [match.span() for match in _not_numbers().finditer(folded)]
    for form, pattern in _number_patterns():
        for match in pattern.finditer(folded):
            start, end = match.span()
            if form == "chinese" and any(first < end and start < last for first, last in blocked):
                inner = _around_blocked(folded, start, end, blocked)
                if inner is None:
                    continue
                start, end = inner
            if form == "arabic" and any(mark in text[start:end] for mark in "，、"):
                # A full-width comma between digits separates items: 100，200 are two numbers.
                end = start + min(text[start:end].find(mark) for mark in "，、" if mark in text[start:end])
            value = normalise_number(folded[start:end])
            if value is not None:
                yield _Number(Span(start, end), value, form, folded[start:end])


def _around_blocked(folded: str, start: int, end: int, blocked: list[tuple[int, int]]) -> tuple[int, int] | None:
    """十分钟 is a number of minutes although 十分 is a word: the unit decides."""
    unit = _followers()[2].match(folded, end)
    longer = unit is not None and len(unit.group().strip()) > 1
    return (start, end) if longer or (end - start > 2 and not any(first <= start and last >= end for first, last in blocked)) else None


def _measured(text: str, folded: str, number: _Number) -> Value | None:
    """The number with its currency, percent sign or unit, or ``None`` where it has none."""
    currency, percent, unit = _followers()
    span = number.span
    before = _sign_before().search(folded, max(0, span.start - 4), span.start)
    after = currency.match(folded, span.end)
    if before or (after and _is_money(folded, number, after)):
        return _amount(text, folded, number, before, after)
    if match := percent.match(folded, span.end):
        return _value("percent", text, Span(span.start, match.end()), number.value)
    if number.form != "arabic" or not folded[: span.start].endswith("第"):
        fraction = re.search(r"(?:百分之|百分)$", folded[max(0, span.start - 3) : span.start])
        if fraction and folded[max(0, span.start - 3) : span.start].endswith("百分之"):
            return _value("percent", text, Span(span.start - 3, span.end), number.value)
    if (match := unit.match(folded, span.end)) and _counts(folded, number, match):
        return _value("quantity", text, Span(span.start, match.end()), number.value, _unit_forms()[match["u"] or match["z"]])
    return None


def _value(kind: Kind, text: str, span: Span, number: Decimal, unit: str | None = None) -> Value:
    return Value(kind, span.cut(text), span, plain(number), unit)


def _amount(text: str, folded: str, number: _Number, before: re.Match[str] | None, after: re.Match[str] | None) -> Value:
    unit = None
    start, end, value = number.span.start, number.span.end, number.value
    if before:
        start = before.start()
        unit = _SIGNS.get(before["sign"] or "") or _currency(before["code"] or "")
    if after and (word := after["u"] or after["z"]):
        unit = _currency(word) if unit is None or word not in ("元", "块") else unit
        end = after.end()
        if word in ("块", "元") and (cents := re.match(rf"([{CHINESE_DIGITS}\d])(?:毛|角)?(?![{CHINESE_NUMERALS}\d个万])", folded[end : end + 3])):
            tenth = normalise_number(cents.group(1))
            value, end = value + (tenth or 0) / 10, end + cents.end()
    if unit == "cent":
        value, unit = value / 100, "USD"
    return _value("amount", text, Span(start, end), value, unit)


def _currency(word: str) -> str | None:
    return next((code for code, words in _CURRENCIES.items() if word in words.split()), None)


@functools.cache
def _weighing() -> re.Pattern[str]:
    return re.compile(r"\b(?:weigh\w*|lost|gained?|lift\w*|heav\w+|bench\w*|overweight|deadlift\w*)\b")


def _is_money(folded: str, number: _Number, after: re.Match[str]) -> bool:
    """Whether the word after the number is a currency: pounds may be weight, 块 may count pieces, one "dollar" is a word."""
    word = after["u"] or after["z"]
    rest = folded[after.end() : after.end() + 4]
    if word in ("pound", "pounds"):
        return not (_weighing().search(folded[max(0, number.span.start - 30) : number.span.start]) or rest.startswith(" of"))
    if word == "块":
        return number.value >= 10 or not rest or re.match(rf"[\s,.!?;:，。！？、)的吧了吗呢每一左以多出{CHINESE_NUMERALS}\d]", rest) is not None
    if word == "刀":
        return number.value >= 5
    return True


def _counts(folded: str, number: _Number, match: re.Match[str]) -> bool:
    """Whether number and unit are a quantity. 一个 and "one time" count nothing; a bare 一 before a real unit does."""
    unit = _unit_forms()[match["u"] or match["z"]]
    before = folded[max(0, number.span.start - 1) : number.span.start]
    if before in ("第", "每", "初", "周", "期", "拜") and number.form != "arabic":
        return False
    if match["u"] and len(match["u"]) == 1 and match.group()[0] == " " and unit in ("m", "L", "g"):
        return False
    weak = unit in _COUNTING
    if number.written in ("一", "one", "a", "an"):
        return not weak and unit != "year" and number.written not in ("a", "an")
    if number.written == "半":
        return unit in ("hour", "year", "day", "month", "jin", "kg")
    if match["z"] == "年" and number.form == "arabic" and number.value >= 1000:
        return False
    return not (match["z"] in _OTHERWISE and folded[match.end() : match.end() + 1] in _OTHERWISE[match["z"]])


_COUNTING = frozenset(["person", "time", "piece", "page", "point", "set", "step", "fold", "star", "age"])
_OTHERWISE = {
    "家": "人", "天": "津下气空", "人": "民类", "分": "之析别享", "点": "半钟", "门": "口", "本": "来", "年": "级代", "星": "期", "楼": "上下", "对": "于不", "平": "安",
    "单": "", "度": "假", "周": "末", "升": "级", "米": "饭粥", "克": "服", "期": "间",
}  # fmt: skip


def _stands_alone(folded: str, number: _Number) -> bool:
    """Whether a number without unit counts as one: 三 in 张三, 第三 and 周三 does not, nor "one" in "the pricier one"."""
    before = folded[max(0, number.span.start - 1) : number.span.start]
    if number.form == "english":
        return number.written not in ("a", "an", "one", "half a", "half an", "zero") and not number.written.startswith(("a half",))
    if number.form == "arabic":
        return before != "第"
    if before in ("第", "周", "期", "拜", "初", "每", "十", "老", "阿", "小"):
        return False
    return len(number.written) > 1 and any(c in CHINESE_DIGITS + "十" for c in number.written) and not (len(number.written) == 2 and number.written[0] == "一" and number.written[1] in "十百千万亿" and number.written != "一百" and number.written != "一千" and number.written != "一万" and number.written != "一亿")
