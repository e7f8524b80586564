"""What the names of a schema say in the words that people use: the verb of an intent, and what it is about."""

import functools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from itertools import takewhile
from typing import Any

import yaml

from .datasets.sgd import Purpose

Words = tuple[str, ...]
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")


@dataclass(frozen=True, slots=True)
class Family:
    """Verbs that ask for the same."""

    verbs: Words
    ask: Words
    """What is said before a thing that is named."""
    does: bool = True
    """Whether something is done, and not only looked for."""
    alone: Words = ()
    """What suffices without a thing."""
    phrases: Words = ()
    """What suffices by itself."""


@dataclass(frozen=True, slots=True)
class _Vocabulary:
    families: tuple[Family, ...]
    joints: frozenset[str]
    empty: frozenset[str]
    vague: frozenset[str]
    words: Mapping[str, Words]


def parts_of(name: str) -> list[str]:
    """The words of a name: ``FindBus`` is "find", "bus"."""
    return [part.lower() for part in _PARTS.findall(name)]


def family_of(purpose: Purpose) -> Family:
    """The family of the verb that an intent's name begins with."""
    verb = (parts_of(purpose.name) or [purpose.name.lower()])[0]
    known = (it for it in _vocabulary().families if verb in it.verbs and it.does == purpose.transactional)
    return next(known, Family((verb,), (verb,), purpose.transactional, (verb,)))


def thing_of(purpose: Purpose) -> list[str]:
    """The words of the name for what an intent is about."""
    known = _vocabulary()
    parts = parts_of(purpose.name) or [purpose.name.lower()]
    rest = list(takewhile(lambda word: word not in known.joints, parts[1:])) or parts
    return [_singular(word) for word in rest if word not in known.empty] or rest


def called(purpose: Purpose) -> list[str]:
    """All that people call what an intent is about, and more of the same."""
    known = _vocabulary().words
    return list(dict.fromkeys(form for word in thing_of(purpose) for form in (*_forms(word), *known.get(word, ()))))


def telling(words: Sequence[str]) -> list[str]:
    """The words that say by themselves what is meant."""
    return [word for word in words if _singular(word) not in _vocabulary().vague]


def without(words: Sequence[str], others: Sequence[Purpose]) -> list[str]:
    """The words that other intents are not about."""
    taken = {word for other in others for word in called(other)}
    return [word for word in words if word not in taken]


def _forms(word: str) -> Words:
    return (word, f"{word}s") if not word.endswith("y") else (word, f"{word[:-1]}ies")


def _singular(word: str) -> str:
    if not word.endswith("s") or word.endswith("ss") or len(word) <= 3:
        return word
    if word.endswith("ies"):
        return word[:-1] if word[:-1] in _vocabulary().words else f"{word[:-3]}y"
    return (
        word[:-2]
        if word.endswith(("ses", "xes", "ches", "shes")) and word[:-1] not in _vocabulary().words
        else word[:-1]
    )


@functools.cache
def _vocabulary() -> _Vocabulary:
    text = resources.files(__package__).joinpath("schema_words.yaml").read_text(encoding="utf-8")
    content: dict[str, Any] = yaml.safe_load(text)
    return _Vocabulary(
        tuple(_family(entry) for entry in content["families"]),
        frozenset(content["joints"]),
        frozenset(content["empty"]),
        frozenset(content["vague"]),
        {word: tuple(forms) for word, forms in content["words"].items()},
    )


def _family(entry: Mapping[str, Any]) -> Family:
    words = {key: tuple(found) for key, found in entry.items() if key != "does"}
    return Family(does=bool(entry["does"]), **words)
