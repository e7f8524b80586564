"""How far a text covers the words of a question: itself, in inflected form, by a synonym, or by a member of a class."""

import functools
import re
from collections.abc import Sequence
from dataclasses import dataclass

from ..language.folding import fold
from ..language.lexicon import attribute_phrases, of_relative, phrase_stem, synonyms
from ..language.tokens import stem, tokenize
from ..language.values import find_values
from . import wording
from .addresses import meanings
from .parsing import NUMERIC, is_generic

NEAR = 0.9
"""What a synonym or a member of a class counts, against 1 for the word itself."""
_SHORTEST_COMPOUND, _LONGEST_COMPOUND = 3, 6
_LEAST_SHARE = 0.6
"""Share of the character pairs of a longer Chinese word that must occur for it to count in part."""


@dataclass(frozen=True, slots=True)
class Prepared:
    """A text made ready for matching."""

    folded: str
    stems: frozenset[str]
    stemmed: str
    """The stems joined by spaces, with a space at both ends, for phrases."""
    numbers: frozenset[str]


@functools.lru_cache(maxsize=512)
def prepare(text: str) -> Prepared:
    """Fold, stem and read the numbers of a text; the last few thousand texts are remembered."""
    stems = [token.stem for token in tokenize(text) if not token.cjk]
    numbers = frozenset(value.normal for value in find_values(text) if value.kind in NUMERIC)
    return Prepared(fold(text), frozenset(stems), f" {' '.join(stems)} ", numbers)


@functools.lru_cache(maxsize=8192)
def _near_forms(term: str) -> frozenset[str]:
    """Synonyms and class members of a term, as stems or Chinese words."""
    near = frozenset(phrase_stem(word) for word in synonyms(term)) | wording.members(term)
    return near - wording.opposed(term)


def covers(text: Prepared, term: str) -> float:
    """How far the text covers a term: 1 for the word itself, ``NEAR`` for a relative, less for parts of a word."""
    if term.startswith("#"):
        return 1.0 if term[1:] in text.numbers else 0.0
    if _contains(text, term):
        return 1.0
    if any(_contains(text, form) for form in _near_forms(term)) or _covers_parts(text, term):
        return NEAR
    return _share_of_pairs(text, term)


def _covers_parts(text: Prepared, term: str) -> bool:
    """Whether a compound is covered by its parts: 总金额 by 总 and 金额, ``total_amt`` by "total" and "amount"."""
    if "_" in term:
        parts = term.split("_")
        return all(any(_contains(text, stem(word)) for word in meanings(part)) for part in parts)
    if term.isascii() or not _SHORTEST_COMPOUND <= len(term) <= _LONGEST_COMPOUND:
        return False
    halves = ((term[:place], term[place:]) for place in range(1, len(term)))
    return any(all(_covers_half(text, half) for half in pair) for pair in halves)


def _covers_half(text: Prepared, half: str) -> bool:
    if half in text.folded or half in wording.words("totals"):
        return True
    return len(half) > 1 and any(_contains(text, form) for form in _near_forms(half))


def _contains(text: Prepared, form: str) -> bool:
    if not form:
        return False
    if not form.isascii():
        return form in text.folded
    return form in text.stems or (" " in form and f" {form} " in text.stemmed)


def _share_of_pairs(text: Prepared, term: str) -> float:
    if term.isascii() or len(term) < 3:
        return 0.0
    pairs = [term[i : i + 2] for i in range(len(term) - 1)]
    share = sum(pair in text.folded for pair in pairs) / len(pairs)
    return share if share >= _LEAST_SHARE else 0.0


def weight(term: str, owners: Sequence[str]) -> float:
    """How much a term counts: one that says whose or which thing is meant more, a general one less."""
    if term in owners:
        return 1.5
    return 0.5 if is_generic(term) else 1.0


@functools.lru_cache(maxsize=512)
def attribute_text(attribute: str) -> Prepared:
    """The words that name an attribute, as a text: an item carries them although its quotation may not."""
    relative, own = of_relative(attribute)
    phrases = attribute_phrases(attribute) or attribute_phrases(relative) | attribute_phrases(own)
    return prepare(". ".join((attribute.replace("_", " "), *sorted(phrases))))


def names_covered(name: str, texts: Sequence[Prepared]) -> bool:
    """Whether one of the texts names ``name``: every word of it, or a labelled thing either way (A合同, 合同A)."""
    forms = _labelled_forms(name)
    if forms:
        return any(pattern.search(text.folded) for text in texts for pattern in forms)
    words = phrase_stem(name).split() if name.isascii() else []
    return any(name in text.folded or (words and all(word in text.stems for word in words)) for text in texts)


@functools.lru_cache(maxsize=1024)
def _labelled_forms(name: str) -> tuple[re.Pattern[str], ...]:
    """The spellings of a labelled thing, none of which runs on ("plan a" in "plan ahead"); empty for other names."""
    noun, sign = name[:-1].strip(), name[-1:]
    if not noun or not sign.isascii() or (noun.isascii() and name[-2:-1] != " "):
        return ()
    spellings = {name, f"{noun} {sign}", f"{noun}{sign}", f"{sign}{noun}", f"{sign} {noun}"}
    return tuple(re.compile(rf"(?<![a-z0-9]){re.escape(form)}(?![a-z0-9])") for form in sorted(spellings))
