"""The words of intents that belong to no domain: change words, and what makes a mention no wish."""

import functools
import re
from importlib import resources
from typing import Any

import yaml

from ..memory.extraction.patterns import mapping
from ..memory.language.folding import fold
from ..memory.records import Language
from .marks import LOADER

NEVER = r"(?!)"


@functools.cache
def _table(name: str) -> dict[str, dict[str, str]]:
    text = resources.files(__package__).joinpath("lexicons", f"{name}.yaml").read_text(encoding="utf-8")
    content: dict[str, Any] = yaml.load(text, Loader=LOADER)  # noqa: S506 - the safe loader
    return content


@functools.cache
def changing(language: Language, name: str, names: str = NEVER) -> re.Pattern[str]:
    """Words that change or take back, by the lexicon's key; ``names`` are words for what the domain is about."""
    return re.compile(_filled(_table("changing")[language][name], language, names=names))


@functools.cache
def force(language: Language, name: str, *, names: str = NEVER, people: str = NEVER) -> re.Pattern[str]:
    """What makes a mention a wish or none, by the lexicon's key.

    Args:
        language: of the clause.
        name: the key; one that the language lacks matches nothing.
        names: words for what the domain is about.
        people: names of people that the text has.
    """
    return re.compile(_filled(_table("force")[language].get(name, NEVER), language, names=names, people=people))


def has_change_word(text: str) -> bool:
    """Whether a text has a word that may change a plan: cancel, instead, 改成, 还原."""
    folded = fold(text)
    return any(changing(language, "change").search(folded) for language in _LANGUAGES)


_LANGUAGES: tuple[Language, ...] = ("en", "zh")


def _filled(pattern: str, language: Language, *, names: str, people: str = NEVER) -> str:
    words = {"relations": _relations(language), "names": names, "name": people}
    return re.sub(r"\{(relations|names|name)\}", lambda match: f"(?:{words[match[1]]})", pattern)


@functools.cache
def _relations(language: Language) -> str:
    known = mapping(language, "relations")
    return "|".join(re.escape(word.replace("_", " ")) for word in sorted(known, key=len, reverse=True))
