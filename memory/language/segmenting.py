"""Cutting Chinese into words, by jieba's dictionary and the words of the lexicons."""

import functools
from collections.abc import Collection
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import rjieba

_NAMES = ("nr", "ns", "nt", "nz", "x", "eng")
"""Kinds of names, as the dictionary marks them: of people, places, bodies, other things; and what it does not know."""


def segment(run: str, own_words: Collection[str]) -> list[str]:
    """The words of a folded run of ideographs; names and rare words are guessed from their characters.

    Args:
        run: Ideographs only.
        own_words: Words that stay whole although the dictionary may not have them; the same for every call.
    """
    return list(_segmenter(frozenset(own_words)).cut(run))


def is_word(word: str, own_words: Collection[str]) -> bool:
    """Whether a word is in the dictionary or one of ``own_words``, so that it was not guessed."""
    return bool(_segmenter(frozenset(own_words)).has_word(word))


def is_common(word: str) -> bool:
    """Whether the dictionary has a word, and as no name of somebody or something."""
    segmenter = _segmenter(frozenset())
    if not segmenter.has_word(word):
        return False
    return not any(kind.startswith(_NAMES) for _, kind in segmenter.tag(word))


def is_verb(word: str) -> bool:
    """Whether the dictionary has a word, and as a verb."""
    segmenter = _segmenter(frozenset())
    return bool(segmenter.has_word(word)) and any(kind.startswith("v") for _, kind in segmenter.tag(word))


@functools.lru_cache(maxsize=4096)
def place_names(text: str) -> frozenset[str]:
    """The names of places in a folded text that the dictionary has: 上海, 莫干山."""
    if text.isascii():
        return frozenset()
    return frozenset(word for word, kind in _segmenter(frozenset()).tag(text) if kind == "ns" and len(word) > 1)


@functools.cache
def _segmenter(own_words: frozenset[str]) -> "rjieba.Jieba":
    import rjieba  # noqa: PLC0415 - a native library with a dictionary, loaded when the first Chinese question is met

    segmenter = rjieba.Jieba()
    for word in sorted(own_words):
        if not segmenter.has_word(word):
            segmenter.add_word(word, None, None)
    return segmenter
