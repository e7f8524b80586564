"""How people ask, from ``language/lexicons/asking.yaml``: patterns, word lists and classes, compiled on first use."""

import functools
import re
from typing import Any

from ..language import resources
from ..language.folding import CJK, fold
from ..language.lexicon import phrase_stem
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


@functools.lru_cache(maxsize=8192)
def members(word: str) -> frozenset[str]:
    """What answers for ``word`` in evidence, as stems or Chinese words.

    Members of the class that it names (red for color), words of everyday talk that stand for it although they are no
    synonyms (who *signed with* a builder hired him), and other words of its family (inspector for inspect, 武大 for
    武汉大学).
    """
    classed = frozenset(stem(fold(member)) for member in str(_entry("classes").get(word, "")).split())
    return (classed | _bridges().get(word, frozenset()) | _family(word)) - {word}


@functools.cache
def _bridges() -> dict[str, frozenset[str]]:
    """Every word of the bridges, stemmed, with all that it shares a line with."""
    index: dict[str, frozenset[str]] = {}
    for line in _entry("bridges"):
        forms = frozenset(phrase_stem(word.replace("_", " ")) for word in str(line).split())
        for form in forms:
            index[form] = index.get(form, frozenset()) | forms
    return index


_SHORTEST_ROOT = 4
"""A root of fewer letters is more often chance: "corn" is none of "corner"."""


@functools.lru_cache(maxsize=8192)
def _family(word: str) -> frozenset[str]:
    """The doer for the deed and the reverse (inspect, inspector); the short form of a university's name."""
    if word.endswith("大学") and len(word) > len("大学"):
        return frozenset({word[0] + "大", word.removesuffix("大学")})
    if not word.isascii():
        bare = pattern("complements").sub("", word)
        return frozenset({bare}) if bare and bare != word else frozenset()
    if not word.isalpha() or word in words("no_doers"):
        return frozenset()
    roots = {word[:-2]} if word.endswith(("er", "or")) else set()
    roots |= {root[:-1] for root in roots if root[-1:] == root[-2:-1]}  # drummer, drum
    doers = {word + ending for ending in ("er", "or")}
    found = {form for form in (*roots, *doers) if len(form) >= _SHORTEST_ROOT}
    return frozenset(found) - words("no_doers")


@functools.lru_cache(maxsize=8192)
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


@functools.cache
def measures() -> tuple[tuple[re.Pattern[str], re.Pattern[str]], ...]:
    """What asks for a quantity of some dimension, with what a sentence that tells one has."""
    return tuple((re.compile(one["asked"]), re.compile(one["told"])) for one in _entry("measures"))


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
