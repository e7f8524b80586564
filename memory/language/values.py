"""Values in a text: amounts, percents, quantities, numbers, identifiers, contacts, versions, dates and clock times."""

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import pairwise
from typing import Any, Literal

from ..records import Span
from . import dates, identifiers, resources
from .folding import fold
from .numerals import normalise_number, plain

__all__ = ["Kind", "Value", "find_values", "normalise_number"]

Kind = Literal[
    "number", "amount", "percent", "date", "time", "identifier", "phone", "email", "url", "quantity", "version"
]
_Form = Literal["arabic", "chinese", "english"]


@dataclass(frozen=True, slots=True)
class Value:
    """A value of a text; ``normal`` is its form for comparing: "50,000", "50k" and their Chinese kin are ``50000``."""

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
    form: _Form
    written: str


def find_values(text: str) -> list[Value]:
    """The values in ``text``, left to right, not overlapping.

    What is more specific wins where readings overlap: a phone number is not a number, a date is not three of them.
    ``normal`` is a plain decimal for numbers, amounts, percents and quantities (with ``unit``: an ISO currency or a
    canonical unit), an ISO date (``--05-08`` without a year), a 24-hour ``HH:MM``, the upper-cased identifier, the
    digits of a phone number. A "one" that counts nothing ("the pricier one") and a numeral within a word are no values.
    """
    folded = fold(text)
    if not _hint().search(folded):
        return []
    found: list[Value] = []
    taken = bytearray(len(text))
    for value in _candidates(text, folded):
        start, end = value.span
        if taken.find(1, start, end) < 0:
            taken[start:end] = b"\1" * (end - start)
            found.append(value)
    return sorted(found, key=lambda value: value.span)


@functools.cache
def _hint() -> re.Pattern[str]:
    return resources.compiled(_lexicon(), "hint", {"month": dates.lexicon()["macros"]["month"]})


def _candidates(text: str, folded: str) -> Iterator[Value]:
    """All readings, the most specific first."""
    for contact in identifiers.find_contacts(folded):
        yield Value(contact.kind, contact.span.cut(text), contact.span, contact.normal)
    for date in dates.find_dates(folded):
        yield Value("date", date.span.cut(text), date.span, date.normal)
    for name in identifiers.find_identifiers(text, folded):
        yield Value(name.kind, name.span.cut(text), name.span, name.normal)
    yield from _readings(text, folded)


def _readings(text: str, folded: str) -> Iterator[Value]:
    """What is made of numbers: measured ones, fractions, clock times and partial dates by length, then bare numbers."""
    separated = _separate_items(text, folded)
    numbers = list(_numbers(separated))
    measured = {number: _measured(text, separated, number) for number in numbers}
    inherited = _inherit(text, separated, numbers, measured)
    readings = [value for value in (*measured.values(), *inherited) if value]
    readings += [Value("time", clock.span.cut(text), clock.span, clock.normal) for clock in dates.find_clocks(folded)]
    readings += [
        Value("date", date.span.cut(text), date.span, date.normal) for date in dates.find_partial_dates(folded)
    ]
    readings += _fractions(text, folded)
    yield from sorted(readings, key=lambda value: (value.span.start - value.span.end, value.span.start))
    for number in numbers:
        if _stands_alone(separated, number):
            yield _value("number", text, number.span, number.value)


def _separate_items(text: str, folded: str) -> str:
    """The folded text with its full-width commas kept: they separate items, a plain comma may separate thousands."""
    if "\uff0c" not in text or any("\uff10" <= character <= "\uff19" for character in text):
        return folded
    return "".join("\uff0c" if original == "\uff0c" else new for original, new in zip(text, folded, strict=True))


# --- numbers ----------------------------------------------------------------------------------------------------------


@functools.cache
def _number_patterns() -> tuple[tuple[_Form, re.Pattern[str]], ...]:
    table = resources.load("numerals")
    return (
        ("arabic", resources.compiled(table, "find_arabic")),
        ("chinese", resources.compiled(table, "find_chinese")),
        ("english", resources.compiled(table, "find_english")),
    )


@functools.cache
def _not_numbers() -> re.Pattern[str]:
    return re.compile(resources.alternatives(resources.words(resources.load("numerals")["not_numbers"])))


def _numbers(folded: str) -> Iterator[_Number]:
    words = [Span(*match.span()) for match in _not_numbers().finditer(folded)]
    for form, pattern in _number_patterns():
        for match in pattern.finditer(folded):
            span = Span(*match.span())
            value = normalise_number(match.group())
            if value is not None and not (form == "chinese" and _in_word(folded, span, words)):
                yield _Number(span, value, form, match.group())


def _in_word(folded: str, span: Span, words: list[Span]) -> bool:
    """Whether a Chinese numeral belongs to a word ("together", "very"); a unit after it frees it ("ten minutes")."""
    touched = [word for word in words if word.overlaps(span)]
    if not touched:
        return False
    unit = _followers().unit.match(folded, span.end)
    if unit and len(unit.group().strip()) > 1:
        return False
    # A longer number only brushes against a word that its last digit could begin.
    return any(word.start <= span.start or word.end > span.end for word in touched) or span.end - span.start < 3


def _stands_alone(folded: str, number: _Number) -> bool:
    """Whether a number without unit counts: not a digit within a name or an ordinal, nor a bare "one"."""
    table = _lexicon()
    before = folded[max(0, number.span.start - 1) : number.span.start]
    after = folded[number.span.end : number.span.end + 1]
    if before and before in table["ordinal_before"]:
        return False
    if number.form == "english":
        return number.written not in resources.words(table["ones"]) and not number.written.startswith("half")
    if number.form == "arabic":
        return not (after.isascii() and after.isalpha())
    if before and before in table["bare_not_after"]:
        return False
    return len(number.written) > 1 and number.value >= 2


# --- what stands around a number --------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Followers:
    """Patterns of what makes a number more than a number."""

    sign: re.Pattern[str]
    currency: re.Pattern[str]
    percent: re.Pattern[str]
    unit: re.Pattern[str]
    money_after: re.Pattern[str]
    weight: re.Pattern[str]
    tenths: re.Pattern[str]
    height: re.Pattern[str]
    fraction: re.Pattern[str]
    range: re.Pattern[str]


def _lexicon() -> dict[str, Any]:
    return resources.load("values")


@functools.cache
def _units() -> dict[str, str]:
    return {form: str(unit) for unit, forms in _lexicon()["units"].items() for form in resources.words(forms)}


@functools.cache
def _currencies() -> dict[str, str]:
    return {form: str(code) for code, forms in _lexicon()["currencies"].items() for form in resources.words(forms)}


@functools.cache
def _followers() -> _Followers:
    table, doubts = _lexicon(), _lexicon()["currency_doubts"]
    about = table["approximate"]
    codes = [form for form in _currencies() if len(form) == 3]
    signs, forms = resources.alternatives(table["signs"]), resources.alternatives(codes)
    return _Followers(
        sign=re.compile(rf"(?:(?P<sign>{signs})|(?<![a-z])(?P<code>{forms}))\s?$"),
        currency=re.compile(_word_or_character(list(_currencies()), about, r"(?:\s(?:us|u\.s\.))?[\s-]?")),
        percent=re.compile(table["percent"]),
        unit=re.compile(_word_or_character(list(_units()), about, r"[\s-]?")),
        money_after=resources.compiled(doubts, "money_after"),
        weight=re.compile(doubts["weight"]),
        tenths=resources.compiled(doubts, "tenths"),
        height=resources.compiled(table, "height"),
        fraction=re.compile(table["fraction"]),
        range=re.compile(table["range"]),
    )


def _word_or_character(forms: list[str], about: str, gap: str) -> str:
    """A pattern of Latin forms as whole words and of Chinese forms anywhere, in group ``u``."""
    latin = resources.alternatives([form for form in forms if not _is_cjk(form)])
    chinese = resources.alternatives([form for form in forms if _is_cjk(form)])
    return rf"{gap}(?P<u>(?:{latin})(?![a-z0-9_/])|(?:(?<=\d)|(?<=[^\x00-\x7f])|(?<=[\sa-z])){about}(?:{chinese}))"


def _is_cjk(form: str) -> bool:
    return form[0] >= "\u3400" and not form.startswith("\u2103")


def _form_of(matched: str, table: dict[str, str]) -> str:
    """The written form within a match that may begin with a word for "or so"."""
    return matched if matched in table else matched[1:]


def _value(kind: Kind, text: str, span: Span, number: Decimal, unit: str | None = None) -> Value:
    return Value(kind, span.cut(text), span, plain(number), unit)


def _measured(text: str, folded: str, number: _Number) -> Value | None:
    """The number with its currency, percent sign or unit, or ``None`` where it has none."""
    table, span = _lexicon(), number.span
    sign = _followers().sign.search(folded[max(0, span.start - 4) : span.start])
    currency = _followers().currency.match(folded, span.end)
    if currency and not _is_money(folded, number, currency):
        currency = None
    if sign or currency:
        return _amount(text, folded, number, sign, currency)
    percent = _followers().percent.match(folded, span.end)
    if percent:
        return _value("percent", text, Span(span.start, percent.end()), number.value)
    prefix = table["percent_before"]
    if folded[: span.start].endswith(prefix):
        return _value("percent", text, Span(span.start - len(prefix), span.end), number.value)
    return _quantity(text, folded, number)


def _amount(
    text: str, folded: str, number: _Number, sign: re.Match[str] | None, currency: re.Match[str] | None
) -> Value:
    start, end, value, unit = number.span.start, number.span.end, number.value, None
    if sign:
        start -= len(sign.group())
        unit = _lexicon()["signs"].get(sign["sign"]) or _currencies().get(sign["code"])
    if currency:
        word = _form_of(currency["u"], _currencies())
        unit, end = unit or _currencies()[word], currency.end()
        tenths = _followers().tenths.match(folded, end) if word in _doubt_words("tenth_words") else None
        if tenths:
            value, end = value + (normalise_number(tenths.group(1)) or Decimal(0)) / 10, tenths.end()
    if unit == "cent":
        value, unit = value / 100, "USD"
    return _value("amount", text, Span(start, end), value, unit)


def _doubt_words(name: str) -> list[str]:
    return resources.words(_lexicon()["currency_doubts"][name])


def _is_money(folded: str, number: _Number, currency: re.Match[str]) -> bool:
    """Whether a currency word is money here: pounds may be weight, and one word for yuan counts pieces as well."""
    word = _form_of(currency["u"], _currencies())
    if _otherwise(folded, word, currency.end()):
        return False
    if word in _doubt_words("weight_words"):
        before = folded[max(0, number.span.start - 30) : number.span.start]
        return not (_followers().weight.search(before) or folded.startswith(" of", currency.end()))
    if word == _lexicon()["currency_doubts"]["pieces"]:
        if number.written in resources.words(_lexicon()["ones"]):
            return False
        return number.value >= 10 or _followers().money_after.match(folded, currency.end()) is not None
    return True


def _otherwise(folded: str, word: str, end: int) -> bool:
    """Whether ``word`` is only the beginning of another word there."""
    following = folded[end : end + 1]
    return bool(following) and following in _lexicon()["otherwise"].get(word, "")


def _quantity(text: str, folded: str, number: _Number) -> Value | None:
    height = _followers().height.match(folded, number.span.end)
    if height and (centimetres := _digits_after(height.group(1))):
        return _value("quantity", text, Span(number.span.start, height.end()), number.value + centimetres, "m")
    match = _followers().unit.match(folded, number.span.end)
    if match and _counts(text, folded, number, match):
        unit = _units()[_form_of(match["u"], _units())]
        return _value("quantity", text, Span(number.span.start, match.end()), number.value, unit)
    pounds = _followers().currency.match(folded, number.span.end)
    if pounds and pounds["u"] in _doubt_words("weight_words"):
        return _value("quantity", text, Span(number.span.start, pounds.end()), number.value, "lb")
    return None


def _digits_after(written: str) -> Decimal | None:
    """Digits read one by one behind the point: one metre "seven five" is 1.75."""
    digits = [normalise_number(character) for character in written]
    if any(digit is None for digit in digits):
        return None
    return Decimal("0." + "".join(plain(digit) for digit in digits if digit is not None))


def _counts(text: str, folded: str, number: _Number, match: re.Match[str]) -> bool:
    """Whether number and unit are a quantity: not an ordinal, not a word of one ("an apple"), not a calendar year."""
    table = _lexicon()
    form = _form_of(match["u"], _units())
    unit = _units()[form]
    before = folded[max(0, number.span.start - 1) : number.span.start]
    names = table["ordinal_before"] + (table["bare_not_after"] if number.form == "chinese" else "")
    if (before and before in names) or _otherwise(folded, form, match.end()):
        return False
    if number.written in resources.words(table["ones"]):
        return unit not in table["counting"].split() and unit != "year"
    if number.form == "chinese" and number.value == Decimal("0.5"):
        return unit in table["halves_of"].split()
    return not (_is_bare_letter(text, form, match) or _is_calendar_year(number, unit, form))


def _is_bare_letter(text: str, form: str, match: re.Match[str]) -> bool:
    """Whether a one-letter unit is none: "5 m ..." may be anything, and 5G is a network."""
    return len(form) == 1 and form.isascii() and (match.group()[0].isspace() or text[match.end() - 1] in "GMK")


def _is_calendar_year(number: _Number, unit: str, form: str) -> bool:
    return unit == "year" and not form.isascii() and number.value >= 1000


def _inherit(text: str, folded: str, numbers: list[_Number], measured: dict[_Number, Value | None]) -> Iterator[Value]:
    """The first number of a range has the scale and unit of the second: 3-5 days, "5 to 8 million"."""
    in_order = sorted(numbers, key=lambda number: number.span)
    for first, second in pairwise(in_order):
        gap = folded[first.span.end : second.span.start]
        whole = measured[second]
        if first.form != second.form or measured[first] or not _followers().range.fullmatch(gap):
            continue
        value = first.value * _scale_of(first, second)
        if value < second.value and whole:
            yield _value(whole.kind, text, first.span, value, whole.unit)
        elif value < second.value and value != first.value:
            yield _value("number", text, first.span, value)


def _scale_of(first: _Number, second: _Number) -> Decimal:
    """The factor that only the second number of a range carries ("5 to 8 million")."""
    if not first.written.isdecimal():
        return Decimal(1)
    digits = re.match(r"[\d,.]+", second.written)
    bare = normalise_number(digits.group()) if digits else None
    return second.value / bare if bare and first.value < bare else Decimal(1)


def _fractions(text: str, folded: str) -> Iterator[Value]:
    """Two numbers with a slash: 158/96 mmHg, 3/4."""
    for match in _followers().fraction.finditer(folded):
        unit = _followers().unit.match(folded, match.end())
        end = unit.end() if unit else match.end()
        name = _units()[_form_of(unit["u"], _units())] if unit else None
        yield Value(
            "quantity" if unit else "number", text[match.start() : end], Span(match.start(), end), match.group(), name
        )
