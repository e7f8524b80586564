"""The small readings of a question's wording: its core, its content words, its names, its ordinal."""

import functools
import re
from collections.abc import Sequence

from ..language.folding import fold
from ..language.lexicon import find_attributes
from ..language.segmenting import is_common
from ..language.tokens import content_words, is_stop, stem, tokenize
from ..records import Span
from . import wording
from .labels import labelled

NUMERIC = frozenset({"number", "amount", "percent", "quantity"})
"""Kinds of values that are compared as numbers."""
_FRAGMENT_TOKENS = 12
_SHORTEST_NAME = 2
_SENTENCE_ENDS = '.?!。？！"“'


def strip_openings(folded: str) -> str:
    """The question without what only introduces it ("well, do you remember ...")."""
    core = folded.strip()
    opening = _openings()
    while (match := opening.match(core)) and match.end() and match.end() < len(core.rstrip(" ?？。!")):
        core = core[match.end() :].lstrip(" ,，:：")
    return core


@functools.cache
def _openings() -> re.Pattern[str]:
    return wording.pattern("openings")


@functools.cache
def _frame() -> frozenset[str]:
    """Words that need no counterpart, with their stems."""
    return wording.words("frame") | {stem(word) for word in wording.words("frame")}


def is_generic(term: str) -> bool:
    """Whether a word is so general that finding it again says little."""
    return term in _generic()


@functools.cache
def _generic() -> frozenset[str]:
    return wording.words("generic") | {stem(word) for word in wording.words("generic")}


def content(text: str) -> list[str]:
    """The content words of a piece of a question, without words that only ask or frame."""
    folded = wording.pattern("ask_words").sub(" ", fold(text))
    return [word for word in content_words(folded) if word not in _frame() and not _bare_digits(word)]


def _bare_digits(word: str) -> bool:
    return word.isdigit()


def terms(text: str, core: str, taken: Sequence[Span]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The content words of a question, and which of them say whose or which thing is meant.

    ``taken`` spans (times, values, names) are read elsewhere and left out.
    """
    rest = list(fold(text))
    for span in taken:
        rest[span.start : span.end] = " " * (span.end - span.start)
    remaining = "".join(rest)
    start = len(remaining) - len(core) if remaining.endswith(core[-1:]) else 0
    found = tuple(dict.fromkeys(content(strip_openings(remaining[max(0, min(start, len(remaining))) :]))))
    if not found:
        found = tuple(dict.fromkeys(content(strip_openings(remaining))))
    owners = [word for phrase in _owner_phrases(remaining) for word in content(phrase)]
    return found, tuple(word for word in dict.fromkeys(owners) if word in found and not is_generic(word))


def only_points(text: str, span: Span) -> bool:
    """Whether a number only says which one is meant, and counts nothing: 哪一天, 最后一门, "which four digits"."""
    folded = fold(text)
    return any(
        match.start() <= span.start < match.end() for match in wording.pattern("pointing_numbers").finditer(folded)
    )


def _owner_phrases(folded: str) -> list[str]:
    return [match.group(match.lastindex or 0) for match in wording.pattern("owner").finditer(folded)]


def names(text: str, known: Sequence[str], times: Sequence[Span]) -> list[tuple[str, Span]]:
    """The names in a question, folded, with their place: capitalised words, and names that the memory knows."""
    things = [(f"{noun} {sign}" if noun.isascii() else f"{noun}{sign}", span) for noun, sign, span in labelled(text)]
    addressed = [(match.group(), Span(*match.span())) for match in wording.forms_of_address().finditer(fold(text))]
    found = things + _known_names(text, known) + addressed + _capitalised(text)
    kept: list[tuple[str, Span]] = []
    for name, span in found:
        if not any(span.overlaps(other) for other in times) and not any(span.overlaps(other) for _, other in kept):
            kept.append((name, span))
    return sorted(kept, key=lambda one: one[1])


def _known_names(text: str, known: Sequence[str]) -> list[tuple[str, Span]]:
    folded = fold(text)
    names = {fold(one).replace("_", " ").strip() for one in known}
    found: list[tuple[str, Span]] = []
    for name in sorted(filter(_may_be_name, names), key=len, reverse=True):
        start = r"(?<![a-z0-9])" if name[0].isascii() else ""
        edge = r"(?![a-z0-9])" if name[-1].isascii() else ""
        matches = re.finditer(start + re.escape(name) + edge, folded)
        found += [(name, Span(*match.span())) for match in matches if not _is_plain(text, match)]
    return found


def _is_plain(text: str, match: re.Match[str]) -> bool:
    """Whether a known entity is meant as an ordinary word: of the dictionary, or small in a capitalised question."""
    word = match.group()
    if not word.isascii():
        return is_common(word)
    return text.lstrip("\"'“‘ (")[:1].isupper() and text[match.start() : match.end()].islower()


def _may_be_name(name: str) -> bool:
    """Whether a known entity is worth looking for: not the user, not a word of everyday, not an attribute."""
    if len(name) < _SHORTEST_NAME or name in {"user", "assistant"}:
        return False
    return not (is_stop(name) or is_generic(stem(name)) or find_attributes(name))


def _capitalised(text: str) -> list[tuple[str, Span]]:
    if text.isupper():
        return []
    matches = _capital_pattern().finditer(text)
    return [(fold(match.group(1)), Span(*match.span(1))) for match in matches if _is_name(text, match)]


def _is_name(text: str, match: re.Match[str]) -> bool:
    """Whether a capitalised word is a name: not one that is always capitalised, and not one that merely opens."""
    word = fold(match.group(1))
    if len(word) < _SHORTEST_NAME or word in wording.words("not_names") or is_stop(word) or word.isdigit():
        return False
    before = text[: match.start()].rstrip()
    if before and (before[-1] not in _SENTENCE_ENDS or wording.pattern("title_before").search(fold(before))):
        return True
    return text[match.end() :].startswith(("'s", "’s")) and not _frames(word)


def _frames(word: str) -> bool:
    return bool(wording.pattern("ask_words").fullmatch(word)) or stem(word) in _frame()


@functools.cache
def _capital_pattern() -> re.Pattern[str]:
    return re.compile(r"(?<![\w'’])([A-Z][\w-]*(?:&[A-Z]\w*)?)(?![\w-])")


def capitalised_names(text: str) -> frozenset[str]:
    """The folded names that a sentence of evidence seems to mention: capitalised words that do not merely open it."""
    return frozenset(name for name, _ in _capitalised(text))


def ordinal(core: str) -> int | None:
    """The place in a list that is asked for, if the question is about nothing else ("and the second?", 那第二条呢)."""
    match = wording.pattern("ordinal").search(core)
    if match is None:
        return None
    number = wording.ordinal(next(group for group in match.groups() if group))
    left = [word for word in content(core[: match.start()] + " " + core[match.end() :]) if word not in _list_nouns()]
    return None if number is None or left else number


@functools.cache
def _list_nouns() -> frozenset[str]:
    return wording.words("list_nouns") | {stem(word) for word in wording.words("list_nouns")}


def is_fragment(core: str) -> bool:
    """Whether a text only names what it wants: an attribute, a place in a list, a comparison, a "before"."""
    short = core.strip(" ?？。.!！,，")
    if not short or len(tokenize(short)) > _FRAGMENT_TOKENS:
        return False
    if wording.pattern("fragment").fullmatch(short):
        return True
    rest = list(short)
    mentions = find_attributes(short)
    for mention in mentions:
        rest[mention.span.start : mention.span.end] = " " * (mention.span.end - mention.span.start)
    return bool(mentions) and not wording.pattern("owners_of_fragments").sub(" ", "".join(rest)).strip()
