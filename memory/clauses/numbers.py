"""Reading one written number of a clause: 第五条第三款, 第十二条之一, "5.2(a)", "Article 5A", "IV", wide digits."""

import functools
import re
from collections.abc import Iterator

from ..language import resources
from ..language.folding import fold
from ..language.numerals import normalise_number, roman_number
from .records import DEEPEST, INSERTED_AT, ClauseNumber

_ITEM = re.compile(r"\(\s*([a-z]{1,5}|\d{1,3})\s*\)")
_LARGEST = 100_000
"""No clause has a number like a year with a month, or a sum of money."""


@functools.cache
def pattern(name: str) -> re.Pattern[str]:
    """One pattern of ``lexicons/clauses.yaml``, to be matched on folded text."""
    return resources.compiled(resources.load("clauses"), name)


def read_number(text: str) -> ClauseNumber | None:
    """The number that a label writes, with or without the word for what it counts; ``None`` where it is none."""
    folded = fold(text).strip().strip(":.、，,").strip()
    chinese = pattern("chinese_number").fullmatch(folded)
    if chinese:
        return _chinese(chinese)
    western = pattern("western_number").fullmatch(folded)
    return _western(western) if western else None


def plain_number(text: str | None) -> int | None:
    """A whole number in digits, Chinese numerals, words or Roman numerals."""
    if not text:
        return None
    value = normalise_number(text)
    if value is None or value != int(value):
        return roman_number(text)
    return int(value) if 0 <= value < _LARGEST else None


def item_number(text: str) -> int | None:
    """The place of an item: 1 for a, i, 1, 一. A single i, v or x is read as a Roman numeral."""
    if len(text) == 1 and text.isascii() and text.isalpha() and text not in "ivx":
        return ord(text) - ord("a") + 1
    return plain_number(text)


def _chinese(match: re.Match[str]) -> ClauseNumber | None:
    number, inserted = plain_number(match["number"]), plain_number(match["bis"])
    if number is None:
        return None
    below = [plain_number(match["paragraph"]), plain_number(match["item"])]
    if below[1] is not None and below[0] is None:
        below[0] = 1  # an item without a paragraph is one of the first
    parts = (number, *(part for part in below if part is not None))
    return ClauseNumber(parts, INSERTED_AT + inserted if inserted else 0)


def _western(match: re.Match[str]) -> ClauseNumber | None:
    letter, own = match["letter"], list(_decimals(match["number"]))
    if letter and not match["number"][0].isdigit():
        return None  # a word that begins like a Roman numeral
    inserted = len(own) * INSERTED_AT + ord(letter) - ord("a") + 1 if letter else 0
    parts = [*own, *map(item_number, _ITEM.findall(match["items"] or ""))]
    whole = tuple(part for part in parts if part is not None)
    return ClauseNumber(whole, inserted) if len(whole) == len(parts) <= DEEPEST else None


def _decimals(written: str) -> Iterator[int | None]:
    if not written[0].isdigit():
        yield plain_number(written)
        return
    for part in re.split(r"[.．]", written):
        yield int(part) if len(part) < len(str(_LARGEST)) else None
