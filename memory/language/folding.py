"""Folding: the one form in which texts are compared, with every character still at its offset."""

import functools
import re
from typing import TYPE_CHECKING, NamedTuple

from ..records import Language
from . import resources

if TYPE_CHECKING:
    import opencc

_WIDE_FIRST, _WIDE_LAST, _WIDE_SHIFT = 0xFF01, 0xFF5E, 0xFEE0
_LOOKALIKES = {
    "\u3000": " ", "\u00a0": " ", "\u2009": " ", "\u202f": " ",
    "\u2018": "'", "\u2019": "'", "\u201b": "'", "\u2032": "'", "\u02bc": "'",
    "\u201c": '"', "\u201d": '"', "\u201e": '"', "\u201f": '"', "\u2033": '"',
    "\uffe5": "\u00a5", "\uffe1": "\u00a3", "\u2010": "-", "\u2011": "-", "\u2212": "-",
}  # fmt: skip
_IDEOGRAPHS = "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
CJK = f"{_IDEOGRAPHS}\u3007\u3040-\u30ff\uac00-\ud7af"
"""Character class (without brackets) of the scripts that are indexed one character at a time."""


@functools.cache
def _simplify(character: str) -> str:
    """The Simplified form of one ideograph, by OpenCC's character table."""
    return str(_converter().convert(character))


@functools.cache
def _converter() -> "opencc.OpenCC":
    import opencc  # noqa: PLC0415 - a native library, loaded when the first ideograph is met

    return opencc.OpenCC("t2s")


def _fold_character(character: str) -> str:
    code = ord(character)
    if _WIDE_FIRST <= code <= _WIDE_LAST:
        character = chr(code - _WIDE_SHIFT)
    character = _LOOKALIKES.get(character, character)
    if _ideograph().match(character):
        character = _simplify(character)
    folded = character.casefold()
    return folded if len(folded) == 1 else character


class _FoldTable(dict[int, str]):
    """A translation table that is filled as characters are met."""

    def __missing__(self, code: int) -> str:
        character = chr(code)
        folded = _fold_character(character)
        # One mapping may lead into another (a full-width capital): follow it to the end, so that folding is idempotent.
        while len(folded) == 1 and (further := _fold_character(folded)) != folded:
            folded = further
        self[code] = folded if len(folded) == 1 else character
        return self[code]


_TABLE = _FoldTable()


@functools.cache
def _ideograph() -> re.Pattern[str]:
    return re.compile(f"[{_IDEOGRAPHS}]")


def fold(text: str) -> str:
    """The form of ``text`` used for comparing and matching, character by character.

    Case is folded where that keeps one character, full-width forms become half-width, typographic quotes and hyphens
    plain ones, and Traditional characters Simplified ones (OpenCC, per character). ``len(fold(t)) == len(t)``, so
    offsets into the folded text are offsets into the original.
    """
    return text.translate(_TABLE)


def clean(text: str) -> str:
    """What may be stored and embedded: lone surrogates and NUL replaced by U+FFFD, all else as it was."""
    return _unstorable().sub("\ufffd", text)


@functools.cache
def _unstorable() -> re.Pattern[str]:
    return re.compile("[\x00\ud800-\udfff]")


class _LanguageMarks(NamedTuple):
    """What speaks for a language: its letters and its function words."""

    ideograph: re.Pattern[str]
    word: re.Pattern[str]
    zh_function: re.Pattern[str]
    en_function: re.Pattern[str]


@functools.cache
def _language_marks() -> _LanguageMarks:
    table = resources.load("grammar")["language"]
    return _LanguageMarks(
        re.compile(f"[{CJK}]"),
        re.compile(r"[a-z][a-z'-]*"),
        re.compile(table["zh_function"]),
        re.compile(table["en_function"]),
    )


def detect_language(text: str) -> Language:
    """``"zh"`` where Chinese carries the sentence, ``"en"`` otherwise (also for an empty text).

    A Chinese word is taken as one and a half characters, and function words count double: a Chinese sentence full of
    English product names is Chinese, an English one about Chinese names is English.
    """
    folded, marks = fold(text), _language_marks()
    chinese = len(marks.ideograph.findall(folded)) / 1.5 + len(marks.zh_function.findall(folded))
    english = len(marks.word.findall(folded)) + len(marks.en_function.findall(folded))
    return "zh" if chinese > 0 and chinese >= english else "en"
