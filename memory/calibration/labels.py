"""Things told apart by a letter or a number: "contract A", 方案B, "option 2"."""

import functools
import re
from collections import defaultdict

from ..language.folding import fold
from ..language.tokens import stem
from ..records import Span
from . import wording


@functools.cache
def _pattern() -> re.Pattern[str]:
    nouns = wording.words("labelled")
    english = "|".join(sorted((word for word in nouns if word.isascii()), key=len, reverse=True))
    chinese = "|".join(sorted((word for word in nouns if not word.isascii()), key=len, reverse=True))
    signs = "".join(sorted(wording.words("label_signs")))
    return re.compile(
        rf"\b({english})s? (?:no\.? ?|number |#)?([A-Za-z]|\d{{1,3}})(?![\w'’.]\w|\w)"
        rf"|({chinese}) ?([A-Za-z]|\d{{1,3}}|[{signs}])(?![A-Za-z0-9])"
        rf"|(?<![A-Za-z0-9])([A-Z]) ?({chinese})",
        re.IGNORECASE,
    )


@functools.cache
def _units() -> frozenset[str]:
    return frozenset("".join(wording.words("label_not_before")))


def labelled(text: str) -> list[tuple[str, str, Span]]:
    """The labelled things in a text: noun (stemmed or Chinese), folded label, and place."""
    found = []
    for match in _pattern().finditer(text):
        noun = match[1] or match[3] or match[6]
        label = match[2] or match[4] or match[5]
        if match[1] and label in {"a", "i", "I"}:
            continue  # an article or a pronoun, not a label
        if label.isdigit() and text[match.end() : match.end() + 1] in _units():
            continue
        found.append((stem(fold(noun)), fold(label), Span(*match.span())))
    return found


def labels(text: str) -> dict[str, set[str]]:
    """The labels that a text uses, by noun."""
    by_noun: dict[str, set[str]] = defaultdict(set)
    for noun, label, _ in labelled(text):
        by_noun[noun].add(label)
    return dict(by_noun)


@functools.cache
def _numbered_pattern() -> re.Pattern[str]:
    nouns = "|".join(sorted(wording.words("numbered") | wording.words("labelled"), key=len, reverse=True))
    return re.compile(rf"\b({nouns})s? (?:no\.? ?|number |#)?\d+\b(?![.,:%]\d)", re.IGNORECASE)


def numbered(text: str) -> list[tuple[str, Span]]:
    """The nouns, with their places, whose numbers only name them ("plot 7", "page 3"): such a number counts nothing."""
    return [(fold(match[1]), Span(*match.span())) for match in _numbered_pattern().finditer(text)]


@functools.cache
def _placed_pattern() -> re.Pattern[str]:
    nouns = wording.words("labelled")
    english = "|".join(sorted((word for word in nouns if word.isascii()), key=len, reverse=True))
    chinese = "|".join(sorted((word for word in nouns if not word.isascii()), key=len, reverse=True))
    return re.compile(
        r"\b(first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|last|\d(?=st|nd|rd|th))(?:st|nd|rd|th)?"
        rf" ({english})s?\b"
        rf"|(?:第([一二两三四五六七八九十]|\d{{1,2}})|(最后)一?)[份个张项款版封]?({chinese})"
    )


def placed(text: str) -> dict[str, set[int]]:
    """The places by which a text calls labelled things ("the second contract"), by noun; -1 is the last one."""
    by_noun: dict[str, set[int]] = defaultdict(set)
    for match in _placed_pattern().finditer(fold(text)):
        word = match[1] or match[3] or match[4]
        number = wording.ordinal(word)
        if number is not None:
            by_noun[stem(match[2] or match[5])].add(number)
    return dict(by_noun)
