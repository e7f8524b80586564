"""Numbers as people write them: digits, Chinese numerals and English words, alone or with a scale."""

import functools
import re
from decimal import Decimal, InvalidOperation

from .folding import fold

_DIGITS = {
    "零": 0, "〇": 0, "一": 1, "壹": 1, "幺": 1, "二": 2, "贰": 2, "两": 2, "三": 3, "叁": 3, "四": 4, "肆": 4, "五": 5, "伍": 5,
    "六": 6, "陆": 6, "七": 7, "柒": 7, "八": 8, "捌": 8, "九": 9, "玖": 9,
}  # fmt: skip
_TENS = {"十": 10, "拾": 10, "百": 100, "佰": 100, "千": 1000, "仟": 1000}
_MYRIADS = {"万": 10**4, "亿": 10**8}
CHINESE_DIGITS = "".join(_DIGITS)
CHINESE_NUMERALS = CHINESE_DIGITS + "".join(_TENS) + "".join(_MYRIADS)
"""Character class (without brackets) of the characters of a Chinese number."""

_SCALES = {
    "k": 10**3, "thousand": 10**3, "千": 10**3, "m": 10**6, "mn": 10**6, "mm": 10**6, "million": 10**6, "millions": 10**6,
    "百万": 10**6, "千万": 10**7, "b": 10**9, "bn": 10**9, "billion": 10**9, "billions": 10**9, "trillion": 10**12, "w": 10**4, "万": 10**4,
    "百": 100, "亿": 10**8, "百亿": 10**10, "千亿": 10**11, "万亿": 10**12, "十万": 10**5, "十亿": 10**9, "hundred": 100, "grand": 10**3,
}  # fmt: skip
_ONES = dict(
    zip(
        "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen "
        "nineteen".split(),
        range(20),
        strict=True,
    )
)
_TIES = dict(zip("twenty thirty forty fifty sixty seventy eighty ninety".split(), range(20, 100, 10), strict=True)) | {"fourty": 40}
_MULTIPLES = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
_LONGEST = 60
"""Longer strings of digits are no number that anyone means (and would be slow to convert)."""

NUMBER_WORD = "|".join(sorted([*_ONES, *_TIES], key=len, reverse=True))
ARABIC = r"(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?"
SCALE = r"(?:百万|千万|十万|十亿|百亿|千亿|万亿|[万亿千百]|(?:\s?(?:thousand|millions?|billions?|trillion|hundred|grand|bn|mn)|[kmbw])(?![a-z]))"
ENGLISH = (
    rf"(?:(?:half an?|an?|{NUMBER_WORD})(?:\s+and\s+a\s+half)?(?:[\s-]+(?:and\s+)?"
    rf"(?:hundred|thousand|million|billion|trillion|dozen|{NUMBER_WORD}|(?:and\s+)?a\s+half))*)"
)
"""Patterns over folded text, without groups; what they match still has to pass :func:`normalise_number`."""


@functools.cache
def _shapes() -> tuple[re.Pattern[str], re.Pattern[str], re.Pattern[str]]:
    return (
        re.compile(rf"([-+]?)({ARABIC})\s*({SCALE}?)(.*)", re.DOTALL),
        re.compile(rf"[{CHINESE_NUMERALS}半点]+"),
        re.compile(r"[a-z]+"),
    )


def normalise_number(text: str) -> Decimal | None:
    """The number that ``text`` writes, or ``None`` where it does not write exactly one.

    Understands digits with thousands separators, full-width digits, scales (k, m, bn, 万, 亿 ...), Chinese numerals (两万五 is
    25000, 一百二 is 120) and English words ("two and a half million").
    """
    folded = fold(text).strip()
    if not folded or len(folded) > _LONGEST:
        return None
    arabic, chinese, _ = _shapes()
    match = arabic.fullmatch(folded)
    if match:
        return _scaled(match)
    if chinese.fullmatch(folded):
        return _chinese(folded)
    return _english(folded)


def _scaled(match: re.Match[str]) -> Decimal | None:
    sign, digits, scale, rest = match.groups()
    try:
        value = Decimal(digits.replace(",", ""))
    except InvalidOperation:
        return None
    factor = _SCALES.get(scale.strip(), 1)
    value *= factor
    if rest:
        # 3万5千, 2万五: the rest continues below the scale.
        if not scale or scale.strip().isascii():
            return None
        lower = Decimal(_DIGITS[rest]) * factor / 10 if rest in _DIGITS else normalise_number(rest)
        if lower is None or lower >= factor:
            return None
        value += lower
    return -value if sign == "-" else value


def _chinese(text: str) -> Decimal | None:
    if text == "半":
        return Decimal("0.5")
    if text.endswith("半") and (whole := _chinese(text[:-1])) is not None and whole < 10:
        return whole + Decimal("0.5")
    if "点" in text:
        whole_text, _, fraction = text.partition("点")
        scale = 1
        while fraction and fraction[-1] in _MYRIADS:
            scale *= _MYRIADS[fraction[-1]]
            fraction = fraction[:-1]
        whole_part = _chinese(whole_text)
        if whole_part is None or not fraction or any(c not in _DIGITS for c in fraction):
            return None
        return (whole_part + Decimal("0." + "".join(str(_DIGITS[c]) for c in fraction))) * scale
    if all(c in _DIGITS for c in text):
        # Read out digit by digit: 二零二三. Two digits side by side (三四个) are "three or four".
        return Decimal("".join(str(_DIGITS[c]) for c in text)) if len(text) != 2 or text[0] in "零〇" else None
    return _chinese_scaled(text)


def _chinese_scaled(text: str) -> Decimal | None:
    """Numbers with units: sections of 万 and 亿, each of digits with 千, 百 and 十."""
    for mark, factor in (("亿", 10**8), ("万", 10**4)):
        if mark in text:
            high_text, _, low_text = text.rpartition(mark)
            high = _chinese_scaled(high_text) if high_text else None
            if high is None:
                return None
            low = _below(low_text, factor)
            return None if low is None else high * factor + low
    return _section(text)


def _below(text: str, factor: int) -> Decimal | None:
    """What follows a unit: nothing, a colloquial last digit (两万五 is 25000), 半, or a smaller number."""
    if not text:
        return Decimal(0)
    if len(text) == 1 and text in _DIGITS:
        return Decimal(_DIGITS[text]) * factor / 10
    if text == "半":
        return Decimal(factor) / 2
    low = _chinese_scaled(text.lstrip("零〇"))
    return low if low is not None and low < factor else None


def _section(text: str) -> Decimal | None:
    """A number below 10,000: digits each with a falling unit."""
    total, digit, last_unit, expects_zero = 0, -1, 10**4, False
    for character in text:
        if character in "零〇":
            if digit >= 0:
                return None
            expects_zero = True
        elif character in _DIGITS:
            if digit >= 0:
                return None
            digit = _DIGITS[character]
        else:
            unit = _TENS.get(character, 0)
            if not 0 < unit < last_unit or (digit < 0 and not (unit == 10 and (total == 0 or expects_zero))):
                return None
            total += max(digit, 1) * unit
            digit, last_unit, expects_zero = -1, unit, False
    if digit >= 0:
        total += digit * last_unit // 10 if last_unit in (100, 1000) and not expects_zero else digit
    return Decimal(total) if text else None


def _english(text: str) -> Decimal | None:
    """Number words: "twenty-five", "three hundred and two", "half a million", "two and a half"."""
    words = re.findall(r"[a-z]+", text)
    if not words or re.sub(r"[a-z\s-]+", "", text):
        return None
    total, current, seen = Decimal(0), Decimal(0), False
    position = 0
    while position < len(words):
        word, following = words[position], words[position + 1 : position + 3]
        if word == "and" and following == ["a", "half"]:
            current += Decimal("0.5")
            position += 3
            seen = True
            continue
        if word == "half" and following[:1] in (["a"], ["an"]):
            current, position, seen = Decimal("0.5"), position + 2, True
            continue
        step = _english_step(word, total, current)
        if step is None:
            return None
        total, current = step
        seen = seen or word not in ("and", "a", "an")
        position += 1
    return total + current if seen else None


def _english_step(word: str, total: Decimal, current: Decimal) -> tuple[Decimal, Decimal] | None:
    if word == "and":
        return total, current
    if word in ("a", "an"):
        return (total, Decimal(1)) if not current and not total else None
    if word in _ONES:
        fits = current % 10 == 0 and (current % 100 == 0 or (_ONES[word] < 10 and current % 100 >= 20)) and current % 1 == 0
        return (total, current + _ONES[word]) if fits else None
    if word in _TIES:
        return (total, current + _TIES[word]) if current % 100 == 0 and current % 1 == 0 else None
    if word == "hundred":
        return total, (current or Decimal(1)) * 100
    if word == "dozen":
        return total, (current or Decimal(1)) * 12
    if word in _MULTIPLES:
        return total + (current or Decimal(1)) * _MULTIPLES[word], Decimal(0)
    return None


def plain(number: Decimal) -> str:
    """A number without exponent and trailing zeros: ``50000``, ``12.5``."""
    text = f"{number:f}"
    return text.rstrip("0").rstrip(".") if "." in text else text
