"""How people ask, from ``language/lexicons/asking.yaml``: patterns, word lists and classes, compiled on first use."""

import functools
import re
from typing import Any

from ..language import resources
from ..language.folding import CJK, fold
from ..language.tokens import stem


def _entry(name: str) -> Any:
    return resources.load("asking")[name]


@functools.cache
def pattern(name: str) -> re.Pattern[str]:
    """The patterns listed under ``name``, as one; to be matched on folded text."""
    listed = _entry(name)
    return re.compile("|".join(f"(?:{one})" for one in ([listed] if isinstance(listed, str) else listed)))


@functools.cache
def asks() -> tuple[tuple[str, re.Pattern[str]], ...]:
    """What a question can ask for, in the order of precedence, with its pattern."""
    return tuple((one["kind"], re.compile("|".join(f"(?:{p})" for p in one["patterns"]))) for one in _entry("asks"))


@functools.cache
def words(name: str) -> frozenset[str]:
    """The words listed under ``name``: English stems (underscores stand for spaces) and Chinese words."""
    listed = _entry(name)
    parts = listed.values() if isinstance(listed, dict) else [listed]
    return frozenset(word.replace("_", " ") for part in parts for word in str(part).split())


@functools.cache
def implied(kind: str) -> frozenset[str]:
    """Words that need no counterpart where the evidence holds a value of ``kind``."""
    return frozenset(str(_entry("implied").get(kind, "")).split())


@functools.cache
def members(word: str) -> frozenset[str]:
    """What answers for the class ``word``: red for color, 红色 for 颜色. Empty for a word that names no class."""
    return frozenset(stem(fold(member)) for member in str(_entry("classes").get(word, "")).split())


@functools.cache
def ordinal(word: str) -> int | None:
    """The number that an ordinal stands for: 2 for ``second`` or 二, -1 for ``last``, 0 for ``next``; else None."""
    if word.isdigit():
        return int(word)
    table = _entry("ordinals")
    found = table["en"].get(word, table["zh"].get(word))
    return None if found is None else int(found)


@functools.cache
def table(name: str) -> tuple[tuple[str, re.Pattern[str]], ...]:
    """A table of keys with a pattern each: ``attribute_verbs``, ``kinds``, ``expects``."""
    return tuple((key, re.compile(text)) for key, text in _entry(name).items())


def place_of(attribute: str) -> str:
    """What an attribute means in a question for a place: where the meeting is, not when."""
    return str(_entry("attributes_of_places").get(attribute, attribute))


@functools.cache
def forms_of_address() -> re.Pattern[str]:
    """Chinese names as people are called by: 小李, 王总, 张工."""
    return re.compile(str(_entry("forms_of_address")).replace("S", f"[{_entry('surnames')}]"))


@functools.cache
def chinese_name() -> re.Pattern[str]:
    """Chinese full names, by their surnames."""
    text = str(_entry("chinese_name")).replace("S", f"[{_entry('surnames')}]")
    return re.compile(text.replace("[H", f"[{CJK}").replace("H", f"[{CJK}]"))


@functools.cache
def _camps() -> dict[str, frozenset[str]]:
    """Every word of the opposing camps, stemmed, with the words of the other camps."""
    against: dict[str, frozenset[str]] = {}
    for camps in _entry("apart"):
        sides = [
            frozenset(form for word in str(camp).split() for form in (fold(word), stem(fold(word)))) for camp in camps
        ]
        for side in sides:
            others = frozenset().union(*(other for other in sides if other is not side)) - side
            for word in side:
                against[word] = against.get(word, frozenset()) | others
    return against


def opposed(word: str) -> frozenset[str]:
    """Words that are related to ``word`` and never answer for it: daughter for son."""
    return _camps().get(word, frozenset())
