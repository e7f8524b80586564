"""Words as the verifier takes them, from ``language/lexicons/verifying.yaml``: light, alike, of a kind, opposed.

It is stricter than retrieval, where a relative of a word may lead to it: what stands in an answer for a word of the
evidence must mean the same, or be the general word for it.
"""

import functools
import re
from collections import defaultdict
from typing import Any

from ...calibration import wording
from ...language import resources
from ...language.folding import fold
from ...language.lexicon import find_attributes, phrase_stem, synonyms


def table() -> dict[str, Any]:
    """The whole lexicon."""
    return resources.load("verifying")


@functools.cache
def pattern(*path: str) -> re.Pattern[str]:
    """The patterns at a place of the lexicon, as one; to be matched on folded text."""
    entry: Any = table()
    for step in path:
        entry = entry[step]
    return re.compile("|".join(f"(?:{one})" for one in ([entry] if isinstance(entry, str) else entry)))


@functools.cache
def words(name: str) -> frozenset[str]:
    """The folded words of a plain list."""
    return frozenset(map(fold, resources.words(table()[name])))


@functools.cache
def characters(name: str) -> frozenset[str]:
    """The characters of a plain list."""
    return frozenset("".join(words(name)))


@functools.cache
def forms(*path: str) -> frozenset[str]:
    """The words of a plain list at a place of the lexicon, each as it stands and stemmed."""
    entry: Any = table()
    for step in path:
        entry = entry[step]
    return _forms(str(entry))


@functools.cache
def phrased() -> tuple[tuple[frozenset[str], tuple[re.Pattern[str], re.Pattern[str]]], ...]:
    """Words that phrases of the evidence say: the words, how the claim has them, and what the evidence has for them."""
    rows = table()["implied_by"]
    return tuple((_forms(row["words"]), (re.compile(row["told"]), re.compile(row["said"]))) for row in rows)


def same(unit: str) -> frozenset[str]:
    """Other names for the very thing that a word names."""
    return _alike().get(unit, frozenset())


def _forms(group: str) -> frozenset[str]:
    """The words of a line, each as it stands and stemmed."""
    listed = [fold(word) for word in resources.words(group)]
    return frozenset(listed) | frozenset(phrase_stem(word) for word in listed)


@functools.cache
def _light() -> tuple[frozenset[str], re.Pattern[str], frozenset[str]]:
    entry = table()["light"]
    english = frozenset().union(*(_forms(line) for line in entry["en"]))
    chinese = resources.words(entry["zh"])
    return english, re.compile(resources.alternatives(chinese)), frozenset(resources.words(entry["zh_characters"]))


def is_light(unit: str) -> bool:
    """Whether a content word (a stem, or Chinese) claims nothing by itself."""
    english, chinese, characters = _light()
    if unit.isascii():
        return unit in english
    return chinese.fullmatch(unit) is not None or unit in characters


def taken_apart(folded: str) -> tuple[str, list[str]]:
    """A folded text without light Chinese words and words of force, and without known Chinese words, which are listed.

    The text keeps its length. Chinese has no spaces: words that are taken out do not run into their neighbours.
    """
    rest = _without(_light()[1], folded)
    for force in ("possible", "intended", "able", "future"):
        rest = _without(pattern("force", force), rest)
    known = [match.group() for match in _known_chinese().finditer(rest)]
    return _without(_known_chinese(), rest), known


def _without(taken: re.Pattern[str], text: str) -> str:
    return taken.sub(lambda match: " " * len(match.group()), text)


@functools.cache
def _known_chinese() -> re.Pattern[str]:
    """Chinese words of at least two characters that the lexicon knows, the longest first."""
    kinds = (str(line).replace("/", " ") for line in table()["kinds"])
    lines = [*table()["alike"], *kinds, *(side for sides in table()["opposites"] for side in sides)]
    listed = {fold(word) for line in lines for word in resources.words(line)}
    verbs = resources.words(table()["verbs"])
    return re.compile(
        resources.alternatives([*(word for word in listed if len(word) > 1 and not word.isascii()), *verbs])
    )


@functools.cache
def _alike() -> dict[str, frozenset[str]]:
    """Every word with those that mean the same, itself among them."""
    index: dict[str, set[str]] = defaultdict(set)
    for forms in (*map(_forms, table()["alike"]), *(member for line in _families() for member in line)):
        for form in forms:
            index[form] |= forms
    return {form: frozenset(found) for form, found in index.items()}


@functools.cache
def _families() -> tuple[tuple[frozenset[str], ...], ...]:
    """The lines of kinds: the general word first, then its kinds, each in all its forms."""
    lines = (str(line).split() for line in table()["kinds"])
    return tuple(tuple(_forms(member.replace("/", " ")) for member in line) for line in lines)


@functools.cache
def _kinds() -> dict[str, tuple[frozenset[str], frozenset[str]]]:
    """Every kind with its siblings, and the general words above it."""
    siblings: dict[str, set[str]] = defaultdict(set)
    general: dict[str, set[str]] = defaultdict(set)
    for first, *members in _families():
        for forms in members:
            for form in forms:
                siblings[form] |= frozenset().union(*members) - forms
                general[form] |= first
    return {form: (frozenset(found), frozenset(general[form])) for form, found in siblings.items()}


@functools.cache
def _members() -> dict[str, frozenset[str]]:
    """Every general word with its kinds."""
    index: dict[str, set[str]] = defaultdict(set)
    for form, (_, above) in _kinds().items():
        for general in above:
            index[general].add(form)
    return {general: frozenset(found) for general, found in index.items()}


@functools.lru_cache(maxsize=8192)
def _classed(word: str) -> frozenset[str]:
    """What a word for a class names: red for color. Retrieval goes further than that."""
    classes = resources.load("asking").get("classes", {})
    return frozenset(phrase_stem(fold(member)) for member in str(classes.get(word, "")).split())


@functools.lru_cache(maxsize=8192)
def stand_ins(unit: str) -> frozenset[str]:
    """What in the evidence bears out a word of a statement: words that mean the same, and kinds of it."""
    siblings, general = _kinds().get(unit, (frozenset(), frozenset()))
    same = _alike().get(unit, frozenset())
    below = _members().get(unit, frozenset()) | _classed(unit)
    excluded = siblings | general | opposites(unit) | wording.opposed(unit)
    # A short form of a sibling is no better: of elder and younger sister each has her own.
    same = frozenset(form for form in same if not any(form in sibling for sibling in siblings))
    return (same | below) - excluded


@functools.lru_cache(maxsize=8192)
def rivals(unit: str) -> frozenset[str]:
    """Words that exclude a word: its opposites, and what is of the same kind."""
    return opposites(unit) | _kinds().get(unit, (frozenset(), frozenset()))[0] | wording.opposed(unit)


@functools.cache
def _opposites() -> dict[str, frozenset[str]]:
    index: dict[str, frozenset[str]] = {}
    for one, other in table()["opposites"]:
        for forms, against in ((_forms(one), _forms(other)), (_forms(other), _forms(one))):
            for form in forms:
                index[form] = index.get(form, frozenset()) | against
    return index


def opposites(unit: str) -> frozenset[str]:
    """Words that say the opposite of a word."""
    return _opposites().get(unit, frozenset())


@functools.lru_cache(maxsize=8192)
def is_known(unit: str) -> bool:
    """Whether the lexicons know a word, so that it would have been found in other words had it been meant."""
    listed = bool(_alike().get(unit) or _kinds().get(unit) or opposites(unit) or synonyms(unit))
    return listed or bool(find_attributes(unit))
