"""Where a text names the steps, the slots and the things of a domain."""

import functools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from ..memory.language.folding import fold
from ..memory.records import Language, Span
from .domains import Domain, Slot
from .phrases import alternatives, pattern_of

_LANGUAGES: tuple[Language, ...] = ("en", "zh")
_NUMBER = r"\d+(?:\.\d+)*|[〇零一二两三四五六七八九十百千]+"
_WORDS = r"[^\s,，。.!！?？;；](?:[^,，。!！?？;；\n]{0,60}?[^\s,，。.!！?？;；])?"


@dataclass(frozen=True, slots=True)
class Named:
    """A step that a text names, and where."""

    transition: str
    span: Span


class Vocabulary:
    """The words of one domain as patterns, compiled when they are first looked for."""

    def __init__(self, domain: Domain) -> None:
        """Take the words of ``domain``."""
        self.domain = domain

    @functools.cached_property
    def names(self) -> str:
        """A pattern of the words for what the domain is about."""
        return alternatives(
            [*self.domain.names["en"], *(f"{it}s" for it in self.domain.names["en"]), *self.domain.names["zh"]]
        )

    @functools.cached_property
    def _named(self) -> re.Pattern[str]:
        return re.compile(self.names)

    def names_in(self, text: str) -> bool:
        """Whether a folded text has a word for what the domain is about."""
        return bool(self._named.search(text))

    def names_at(self, text: str, start: int) -> list[Span]:
        """Where a folded text, from ``start`` on, has words for what the domain is about."""
        return [Span(*match.span()) for match in self._named.finditer(text, start)]

    @functools.cached_property
    def forms(self) -> Mapping[str, Mapping[str, str]]:
        """The values that a word stands for, by slot and folded word."""
        return {slot.id: _forms(slot) for slot in self.domain.slots.values()}

    @functools.cached_property
    def valued(self) -> Mapping[str, re.Pattern[str]]:
        """Patterns of the words for the values of each slot that lists them."""
        return {slot: re.compile(alternatives(words)) for slot, words in self.forms.items() if words}

    @functools.cached_property
    def shaped(self) -> Mapping[str, tuple[re.Pattern[str], ...]]:
        """Patterns with a group ``value`` of the phrases in which a slot stands."""
        return {slot.id: tuple(_shapes(slot)) for slot in self.domain.slots.values()}

    @functools.cached_property
    def _triggers(self) -> tuple[tuple[str, re.Pattern[str]], ...]:
        slots: Mapping[str, list[str]] = {slot: list(words) for slot, words in self.forms.items()}
        return tuple(
            (transition.id, re.compile("|".join(f"(?:{it})" for it in written)))
            for transition in self.domain.transitions.values()
            for language in _LANGUAGES
            if (written := [pattern_of(it, language, slots) for it in _longest_first(transition.triggers[language])])
        )

    def named_in(self, text: str) -> list[Named]:
        """The steps that a folded text names; of those that overlap the longest, or all of the same length."""
        return longest(self.all_named_in(text))

    def all_named_in(self, text: str) -> list[Named]:
        """The steps that a folded text names, also where longer words name another."""
        return [
            Named(transition, Span(*match.span()))
            for transition, pattern in self._triggers
            for match in pattern.finditer(text)
            if match.end() > match.start()
        ]


def longest(found: list[Named]) -> list[Named]:
    """Without what a longer find overlaps, in the order of the text."""
    kept = [it for it in found if not any(_outdoes(other, it) for other in found)]
    return sorted(set(kept), key=lambda it: it.span)


def size(span: Span) -> int:
    """How many characters a span covers."""
    return span.end - span.start


def _outdoes(one: Named, other: Named) -> bool:
    return one.span.overlaps(other.span) and size(one.span) > size(other.span)


def _longest_first(phrases: tuple[str, ...]) -> list[str]:
    return sorted(phrases, key=len, reverse=True)


def _forms(slot: Slot) -> dict[str, str]:
    return {
        fold(form): value
        for value, phrases in slot.values.items()
        for language in _LANGUAGES
        for form in phrases[language]
    }


def _shapes(slot: Slot) -> Iterator[re.Pattern[str]]:
    for language in _LANGUAGES:
        numeric = slot.kind == "number"
        value = rf"(?P<value>{_NUMBER if numeric else _WORDS})"
        for phrase in slot.patterns[language]:
            before, _, after = phrase.partition("{value}")
            written = [pattern_of(it, language, {}) if it.strip() else "" for it in (before, after)]
            gap = r"\s*" if language == "zh" else r"\s+"
            rest = r"(?![\d.]*\d)" if numeric else r"(?=$|[,，。.!！?？;；\n])"
            end = gap + written[1] if written[1] else rest
            yield re.compile((written[0] and written[0] + gap) + value + end)
