"""The pattern tables of the extractor, per language: YAML files, compiled on first use.

A pattern is a regular expression over folded text; ``{name}`` stands for the fragment of that name in the same file.
"""

import functools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any, Literal

import yaml

from ...records import Language

_FRAGMENT = re.compile(r"\{([a-z_]+)\}")


Tables = Language | Literal["both"]
"""The file of a language, or the one for what may be in either."""


@dataclass(frozen=True, slots=True)
class Rule:
    """One row of a table: a pattern, and what a match of it means."""

    pattern: re.Pattern[str]
    means: Mapping[str, Any]
    needs: tuple[str, ...] = ()
    """Of these one occurs in every text that the pattern matches: a look for them is a hundred times cheaper."""

    def search(self, text: str) -> re.Match[str] | None:
        """The first match of the pattern in a folded text."""
        return next(self.find_all(text), None)

    def find_all(self, text: str) -> Iterator[re.Match[str]]:
        """The matches of the pattern in a folded text, in order, without overlaps."""
        if self.needs and not any(word in text for word in self.needs):
            return iter(())
        return self.pattern.finditer(text)

    def get(self, key: str, default: str = "") -> str:
        """A meaning of the rule as text."""
        return str(self.means.get(key, default))


@functools.cache
def table(language: Tables, name: str) -> Sequence[Rule]:
    """The rules of one table, in order: each entry with its ``match`` compiled."""
    return tuple(
        Rule(re.compile(expand(language, entry["match"])), entry, _needs(entry.get("needs", ())))
        for entry in _content(language)[name]
    )


def _needs(listed: Sequence[str]) -> tuple[str, ...]:
    """What to look for, also where the apostrophe is left out."""
    return tuple(dict.fromkeys(form for word in listed for form in (word, word.replace("'", "")) if form))


_HASTY = "|".join(
    rf"(?<=\b{verb})nt"
    for verb in ("do", "does", "did", "is", "was", "are", "has", "have", "ca", "wo", "could", "would")
)
_UNMARKED = (
    ("n't", f"(?:n't|{_HASTY})"),
    ("that's", "that'?s"),
    ("'m", r"(?:'|(?<=\bi))m"),
    ("'ve", r"(?:'|(?<=\bi)|(?<=\bwe))ve"),
)
"""Contractions as they are written in haste: dont, thats, im, ive."""


@functools.cache
def pattern(language: Tables, name: str) -> re.Pattern[str]:
    """One fragment, compiled."""
    return re.compile(expand(language, "{" + name + "}"), re.MULTILINE if language == "both" else 0)


@functools.cache
def mapping(language: Tables, name: str) -> Mapping[str, str]:
    """A table of words: every word of a row (separated by spaces, ``_`` for a space in it), with the row's key."""
    rows: Mapping[str, str] = _content(language)[name]
    return {word.replace("_", " "): str(key) for key, words in rows.items() for word in str(words).split()}


@functools.cache
def words(language: Tables, name: str) -> frozenset[str]:
    """A set of words, ``_`` standing for a space in one."""
    listed: str = _content(language)["words"][name]
    return frozenset(word.replace("_", " ") for word in listed.split())


def expand(language: Tables, text: str) -> str:
    """``text`` with its fragments put in.

    Raises:
        KeyError: it names a fragment that the file does not have.
    """
    fragments: Mapping[str, str] = _content(language)["fragments"]
    while _FRAGMENT.search(text):
        text = _FRAGMENT.sub(lambda match: fragments[match[1]], text)
    for marked, either in _UNMARKED if language == "en" else ():
        text = text.replace(marked, either)
    return text


@functools.cache
def _content(language: Tables) -> dict[str, Any]:
    text = resources.files(__package__).joinpath(f"{language}.yaml").read_text(encoding="utf-8")
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    content: dict[str, Any] = yaml.load(text, Loader=loader)  # noqa: S506 - both loaders are the safe ones
    return content
