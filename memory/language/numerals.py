"""Numbers as people write them: digits, Chinese numerals and English words, alone or with a scale."""

import functools
import re
from decimal import Decimal
from typing import NamedTuple

from . import resources
from .folding import fold

_LONGEST = 60
"""Longer strings of digits are no number that anyone means (and would be slow to convert)."""
_ROMAN = re.compile(r"(?=[ivxlc])(?:xc|xl|l?x{0,3}|c{1,3}(?:xc|xl|l?x{0,3}))(?:ix|iv|v?i{0,3})")
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}


class _Tables(NamedTuple):
    """The numerals of ``lexicons/numerals.yaml``."""

    digits: dict[str, int]
    tens: dict[str, int]
    myriads: dict[str, int]
    scales: dict[str, int]
    ones: dict[str, int]
    ties: dict[str, int]
    multiples: dict[str, int]
    half: str
    point: str
    scaled: re.Pattern[str]
    chinese: re.Pattern[str]


@functools.cache
def _tables() -> _Tables:
    lexicon = resources.load("numerals")
    plain_tables = {name: lexicon[name] for name in _Tables._fields if name not in ("scaled", "chinese")}
    return _Tables(
        **plain_tables, scaled=resources.compiled(lexicon, "scaled"), chinese=resources.compiled(lexicon, "chinese")
    )


def normalise_number(text: str) -> Decimal | None:
    """The number that ``text`` writes, or ``None`` where it does not write exactly one.

    Understands digits with thousands separators, full-width digits, scales ("50k", "1.2bn" and their Chinese kin),
    Chinese numerals with their spoken short forms (a last digit counts one unit below the one before it), and English
    words ("two and a half million").
    """
    folded = fold(text).strip()
    if not folded or len(folded) > _LONGEST:
        return None
    tables = _tables()
    match = tables.scaled.fullmatch(folded)
    if match:
        return _scaled(match)
    if tables.chinese.fullmatch(folded):
        return _chinese(folded)
    return _english(folded)


def roman_number(text: str) -> int | None:
    """The number that Roman numerals write (``iv``, ``XII``), ``None`` for anything else."""
    folded = fold(text).strip()
    if not _ROMAN.fullmatch(folded):
        return None
    values = [_ROMAN_VALUES[letter] for letter in folded]
    return sum(-value if value < max(values[place:]) else value for place, value in enumerate(values)) or None


def plain(number: Decimal) -> str:
    """A number without exponent and trailing zeros: ``50000``, ``12.5``."""
    text = f"{number:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _scaled(match: re.Match[str]) -> Decimal | None:
    sign, digits, scale, rest = match.groups()
    scale = scale.strip()
    if not digits.replace(",", "").replace(".", "").isascii():
        return None
    factor = _tables().scales.get(scale, 1)
    value = Decimal(digits.replace(",", "")) * factor
    if rest:
        # The rest continues below a Chinese scale: "3<ten thousand>5<thousand>", or one bare digit.
        lower = _below_scale(rest, factor) if scale and not scale.isascii() else None
        if lower is None or lower >= factor:
            return None
        value += lower
    return -value if sign == "-" else value


def _below_scale(rest: str, factor: int) -> Decimal | None:
    digit = _tables().digits.get(rest)
    return Decimal(digit) * factor / 10 if digit is not None else normalise_number(rest)


def _chinese(text: str) -> Decimal | None:
    tables = _tables()
    if text == tables.half:
        return Decimal("0.5")
    if text.endswith(tables.half) and (whole := _chinese(text[:-1])) is not None and whole < 10:
        return whole + Decimal("0.5")
    if tables.point in text:
        return _chinese_decimal(text)
    if all(character in tables.digits for character in text):
        # Read out digit by digit, as years are. Two digits side by side mean "three or four".
        return _digits(text) if len(text) != 2 or tables.digits[text[0]] == 0 else None
    return _chinese_scaled(text)


def _digits(text: str) -> Decimal:
    return Decimal("".join(str(_tables().digits[character]) for character in text))


def _chinese_decimal(text: str) -> Decimal | None:
    tables = _tables()
    whole_text, _, fraction = text.partition(tables.point)
    factor = 1
    while fraction and fraction[-1] in tables.myriads:
        factor *= tables.myriads[fraction[-1]]
        fraction = fraction[:-1]
    whole = _chinese(whole_text) if whole_text else None
    if whole is None or not fraction or any(character not in tables.digits for character in fraction):
        return None
    return (whole + _digits(fraction).scaleb(-len(fraction))) * factor


def _chinese_scaled(text: str) -> Decimal | None:
    """Numbers with units: sections of ten thousand and a hundred million, each of digits with their tens."""
    for mark, factor in _tables().myriads.items():
        if mark in text:
            high_text, _, low_text = text.rpartition(mark)
            high = _chinese_whole(high_text)
            low = _below_unit(low_text, factor)
            return None if high is None or low is None else high * factor + low
    return _section(text)


def _chinese_whole(text: str) -> Decimal | None:
    """What stands before a unit: digits with tens, or one digit."""
    return _chinese_scaled(text) if text else None


def _below_unit(text: str, factor: int) -> Decimal | None:
    """What follows a unit: nothing, a spoken last digit (one unit below), a half, or a smaller number."""
    tables = _tables()
    if not text:
        return Decimal(0)
    if text in tables.digits:
        return Decimal(tables.digits[text]) * factor / 10
    if text == tables.half:
        return Decimal(factor) / 2
    zeros = "".join(character for character, digit in tables.digits.items() if digit == 0)
    low = _chinese_scaled(text.lstrip(zeros))
    return low if low is not None and low < factor else None


def _section(text: str) -> Decimal | None:
    """A number below 10,000: digits each with a falling unit."""
    tables = _tables()
    total, digit, last_unit, after_zero = 0, 0, 10**4, False
    for character in text:
        value, unit = tables.digits.get(character), tables.tens.get(character, 0)
        if value is not None:
            if digit:
                return None
            digit, after_zero = value, after_zero or value == 0
            continue
        # Only the ten may stand without a digit, and only where nothing or a zero is before it.
        bare_ten = unit == 10 and (total == 0 or after_zero)
        if not 0 < unit < last_unit or not (digit or bare_ten):
            return None
        total += (digit or 1) * unit
        digit, last_unit, after_zero = 0, unit, False
    spoken = last_unit in (100, 1000) and not after_zero
    return Decimal(total + (digit * last_unit // 10 if spoken else digit)) if text else None


def _english(text: str) -> Decimal | None:
    """Number words: "twenty-five", "three hundred and two", "half a million", "two and a half"."""
    if not re.fullmatch(r"[a-z\s-]+", text):
        return None
    spelled = re.sub(r"\b(?:and a half|half an?)\b", lambda match: match.group().replace(" ", "_"), text)
    total, current, seen = Decimal(0), Decimal(0), False
    for word in re.findall(r"[a-z_]+", spelled):
        step = _english_step(word, total, current)
        if step is None:
            return None
        total, current = step
        seen = seen or word not in ("and", "a", "an")
    return total + current if seen else None


def _english_step(word: str, total: Decimal, current: Decimal) -> tuple[Decimal, Decimal] | None:
    """The sums of finished thousands and of the current group after one more word; ``None`` where it does not fit."""
    tables = _tables()
    if word in tables.ones or word in tables.ties:
        return _add_small(word, total, current)
    if word in tables.multiples:
        return total + (current or Decimal(1)) * tables.multiples[word], Decimal(0)
    factor = {"hundred": 100, "dozen": 12}.get(word)
    if factor:
        return total, (current or Decimal(1)) * factor
    return _small_word(word, total, current)


def _small_word(word: str, total: Decimal, current: Decimal) -> tuple[Decimal, Decimal] | None:
    """Halves, the article and the conjunction."""
    if word == "and":
        return total, current
    if "half" in word:
        return (total, current + Decimal("0.5")) if current or word.startswith("half") else None
    return (total, Decimal(1)) if word in ("a", "an") and not current and not total else None


def _add_small(word: str, total: Decimal, current: Decimal) -> tuple[Decimal, Decimal] | None:
    """Add a word below a hundred: it needs a free place ("twenty five", "hundred twenty", but not "nineteen five")."""
    tables = _tables()
    value = tables.ones.get(word, tables.ties.get(word, 0))
    tens_free = current % 100 == 0
    ones_free = current % 10 == 0 and current % 100 >= 20 and value < 10
    return (total, current + value) if tens_free or ones_free else None
