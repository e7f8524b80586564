"""Whether a statement says the words of another, or words that mean the same."""

import functools
import re
from collections.abc import Iterable

from ...calibration.people import same_person
from ...language.folding import fold
from ...language.lexicon import attribute_phrases, find_attributes, phrase_stem
from . import vocabulary
from .reading import Reading

_SHORTEST_SHARED = 2
_NUMERALS = frozenset("零一二三四五六七八九十百千万亿两半元块")


def says(reading: Reading, unit: str) -> bool:
    """Whether a statement says a word of another, or what stands in for it."""
    return (
        _holds(reading, unit)
        or any(_holds(reading, form) for form in _near(unit))
        or _says_in_parts(reading.folded, unit)
    )


@functools.lru_cache(maxsize=8192)
def _near(unit: str) -> frozenset[str]:
    named = {mention.key for mention in find_attributes(unit)} if unit in _phrases(unit) else set()
    phrases = frozenset(phrase_stem(phrase) for key in named for phrase in attribute_phrases(key))
    return vocabulary.stand_ins(unit) | (phrases - vocabulary.rivals(unit))


def _phrases(unit: str) -> frozenset[str]:
    """The unit itself where it names an attribute as a whole, so that its other names count as well."""
    mentions = find_attributes(unit)
    return frozenset({unit}) if mentions and mentions[0].span == (0, len(unit)) else frozenset()


def _holds(reading: Reading, form: str) -> bool:
    if not form:
        return False
    if not form.isascii():
        return form in reading.folded
    return form in reading.stems or (" " in form and f" {form} " in reading.phrase)


def _says_in_parts(text: str, unit: str) -> bool:
    """Whether all characters of an unknown Chinese run occur, those that stand together in the same order."""
    if unit.isascii() or len(unit) < _SHORTEST_SHARED or vocabulary.is_known(unit):
        return False
    rest = unit
    if rest[0].isascii():  # the letter of "contract A" is glued to the character after it
        if not re.search(rf"(?<![a-z0-9]){re.escape(rest[0])}(?![a-z0-9])", text):
            return False
        rest = rest[1:]
    while shared := _longest_shared(rest, text):
        rest = rest.replace(shared, " ")
    return all(part in text or vocabulary.is_light(part) or _is_parted(part, text) for part in rest.split())


def _is_parted(part: str, text: str) -> bool:
    """Whether the two characters of a piece stand close to each other, with a particle or a name of time between."""
    if len(part) != _SHORTEST_SHARED or any(character in _NUMERALS for character in part):
        return False
    return re.search(rf"{part[0]}[^,，。;；]{{0,3}}{part[1]}", text) is not None


def _longest_shared(unit: str, text: str) -> str:
    for length in range(len(unit), _SHORTEST_SHARED - 1, -1):
        for start in range(len(unit) - length + 1):
            piece = unit[start : start + length]
            if " " not in piece and piece in text:
                return piece
    return ""


def names_it(reading: Reading, name: str, speaker: str) -> bool:
    """Whether a statement names somebody or something, or was said by them."""
    if same_person(fold(speaker), name):
        return True
    if not name.isascii():
        return name in reading.folded
    return re.search(rf"(?<![a-z0-9]){re.escape(name)}(?![a-z0-9])", reading.folded) is not None


def is_called(reading: Reading, name: str) -> bool:
    """Whether a statement names something under another of its names: Postgres, PostgreSQL."""
    return any(_holds(reading, form) for form in vocabulary.same(name))


def unsaid(claim: Reading, readings: Iterable[Reading]) -> list[str]:
    """The content words of a claim that none of the readings says."""
    evidence = list(readings)
    together = "\n".join(reading.folded for reading in evidence)
    said = (any(says(one, unit) for one in evidence) or _says_in_parts(together, unit) for unit in claim.units)
    return [unit for unit, found in zip(claim.units, said, strict=True) if not found]


def rival_of(claim: Reading, readings: Iterable[Reading], unit: str) -> str | None:
    """A word of the evidence that excludes a word of the claim: another color, the opposite."""
    found = (word for reading in readings for word in reading.units if word in vocabulary.rivals(unit))
    return next((word for word in found if not says(claim, word)), None)
