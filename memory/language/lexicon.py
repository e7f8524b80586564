"""The bilingual lexicon: synonyms, cues of an utterance's force, and canonical attributes.

The tables are YAML files in ``lexicons/``; they are read on first use and kept.
"""

import functools
import re
from collections import defaultdict
from typing import Any, NamedTuple

from ..records import Span
from . import resources
from .folding import fold
from .tokens import spelling_variants, stem, tokenize

FAVORITE = "favorite_"
"""Prefix of the keys of favorites: ``favorite_color``."""


# --- synonyms ---------------------------------------------------------------------------------------------------


@functools.cache
def _synonym_index() -> dict[str, frozenset[str]]:
    """Every word and stem of the groups, with all the words it shares a group with."""
    index: dict[str, set[str]] = defaultdict(set)
    for group in resources.load("synonyms")["groups"]:
        words = {fold(word.replace("_", " ")) for word in str(group).split()}
        for word in words:
            for form in {word, phrase_stem(word)}:
                index[form] |= words
    return {form: frozenset(words) for form, words in index.items()}


def phrase_stem(phrase: str) -> str:
    """A phrase with each of its words stemmed; Chinese stays as it is (folded)."""
    folded = fold(phrase).strip()
    return " ".join(stem(word) for word in folded.split())


def synonyms(stem_or_word: str) -> frozenset[str]:
    """The words that mean nearly the same, in both languages, without the word itself.

    Takes a word or its stem and gives folded surface words: for ``budget`` also ``cost`` and the Chinese ones. An
    unknown word has none.
    """
    folded = fold(stem_or_word).strip()
    index = _synonym_index()
    found = index.get(folded) or index.get(phrase_stem(folded)) or frozenset()
    own = phrase_stem(folded)
    return frozenset(word for word in found if word != folded and phrase_stem(word) != own)


# --- cues -------------------------------------------------------------------------------------------------------


class _CueRule(NamedTuple):
    match: re.Pattern[str]
    unless: re.Pattern[str] | None


@functools.cache
def _cue_rule(kind: str) -> _CueRule:
    table = resources.load("cues")
    if kind not in table:
        raise ValueError(f"There is no cue kind {kind!r}: use one of {', '.join(sorted(table))}.")
    entry = table[kind]
    english = sorted((fold(str(phrase)) for phrase in entry.get("en", ())), key=len, reverse=True)
    chinese = sorted((fold(str(phrase)) for phrase in entry.get("zh", ())), key=len, reverse=True)
    branches = [f"(?:{pattern})" for pattern in entry.get("patterns", ())]
    if english:
        branches.append(
            r"(?<![a-z0-9_'-])(?:"
            + "|".join(re.escape(p).replace(r"\ ", r"\s+") for p in english)
            + r")(?![a-z0-9_'-]|'[a-z])"
        )
    if chinese:
        branches.append("|".join(re.escape(phrase) for phrase in chinese))
    unless = entry.get("unless")
    return _CueRule(
        re.compile("|".join(branches), re.MULTILINE),
        re.compile("|".join(f"(?:{pattern})" for pattern in unless), re.MULTILINE) if unless else None,
    )


def cue(text: str, kind: str) -> list[Span]:
    """Where ``text`` carries cues of one ``kind``, as spans in order.

    The kinds are the top-level keys of ``lexicons/cues.yaml`` (``leave``, ``decision``, ``change``, ``correction``,
    ``negation``, ...). A cue inside one of its exceptions ("no problem" holds no negation) does not count.

    Raises:
        ValueError: for a kind that the lexicon does not have.
    """
    rule = _cue_rule(kind)
    folded = fold(text)
    vetoes = [match.span() for match in rule.unless.finditer(folded)] if rule.unless else []
    return [
        Span(match.start(), match.end())
        for match in rule.match.finditer(folded)
        if match.end() > match.start() and not any(start < match.end() and match.start() < end for start, end in vetoes)
    ]


# --- attributes -------------------------------------------------------------------------------------------------


class AttributeMention(NamedTuple):
    """An attribute named in a text: its key and where."""

    key: str
    span: Span


@functools.cache
def _attributes() -> dict[str, dict[str, Any]]:
    table: dict[str, dict[str, Any]] = resources.load("attributes")["attributes"]
    return table


@functools.cache
def _phrase_keys() -> dict[str, str]:
    """Every phrase of an attribute, also stemmed, with the attribute's key."""
    index: dict[str, str] = {}
    for key, entry in _attributes().items():
        for phrase in (key.replace("_", " "), *_all(entry)):
            index.setdefault(phrase_stem(phrase), key)
            index.setdefault(fold(phrase), key)
    return index


def _all(entry: dict[str, Any]) -> list[str]:
    """The phrases of an attribute in both languages."""
    return [str(phrase) for language in ("en", "zh") for phrase in entry.get(language, ())]


@functools.cache
def _favorite_objects() -> dict[str, str]:
    """Names of things that one can have a favorite of, stemmed or Chinese, with the key's second half."""
    index: dict[str, str] = {}
    for key, names in resources.load("attributes")["favorites"].items():
        for name in [str(key).replace("_", " "), *resources.words(str(names))]:
            index.setdefault(phrase_stem(name), str(key))
    return index


@functools.cache
def _shape(name: str) -> re.Pattern[str]:
    """A pattern of attribute phrases; the names of favorites stand for its macro."""
    objects = [thing for thing in _favorite_objects() if not thing.isascii()]
    return resources.compiled(
        resources.load("attributes")["shapes"], name, {"objects": resources.alternatives(objects)}
    )


def attribute_key(phrase: str) -> str:
    """The canonical key of an attribute phrase in either language.

    "favourite colour" and its Chinese translation → ``favorite_color``; "budget", "my cost" → ``budget``. A phrase that
    the lexicon does not know gives its own key: its words in the singular, without stop words, joined by ``_``, or the
    folded Chinese phrase.
    """
    folded = _shape("owner").sub("", fold(phrase).strip(" \t\r\n.,;:!?\"'\u3002"))
    favorite = _shape("favorite").fullmatch(folded)
    if favorite:
        return FAVORITE + _favorite_object((favorite["en"] or favorite["zh"]).strip())
    key = _phrase_keys().get(folded) or _phrase_keys().get(phrase_stem(folded))
    return key if key is not None and not _is_derived(folded, key) else _own_key(folded)


def _is_derived(folded: str, key: str) -> bool:
    """Whether a phrase only shares its stems with an attribute: a rating is no rate."""
    own = set(" ".join([key.replace("_", " "), *attribute_phrases(key)]).split())
    return any(word.endswith(("ing", "ings")) and own.isdisjoint({word, word[:-1]}) for word in folded.split())


def _favorite_object(name: str) -> str:
    return _favorite_objects().get(phrase_stem(name)) or _own_key(name)


def _own_key(folded: str) -> str:
    """A key made of the phrase itself."""
    inverted = _shape("inverted").fullmatch(folded)
    if inverted:
        folded = f"{inverted['tail']} {inverted['head']}"
    pieces: list[str] = []
    joined_to = -1
    for token in tokenize(folded):
        if token.cjk and token.start == joined_to:
            pieces[-1] += token.text
        else:
            pieces.append(token.text if token.cjk else _singular(token.text))
        joined_to = token.end if token.cjk else -1
    stops = resources.words(resources.load("attributes")["key_stops"])
    kept = [piece for piece in pieces if piece not in stops] or pieces
    return "_".join(re.sub(r"\W+", "_", piece).strip("_") for piece in kept)


def _singular(word: str) -> str:
    """A common form of singular and plural, spelling evened out; readable, because keys are shown to people."""
    word = word.removesuffix("'s").removesuffix("'")
    if len(word) > 4 and word.endswith("ies"):
        word = word[:-3] + "y"
    elif len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is", "as", "os")):
        word = word[:-2] if word.endswith(("xes", "ches", "shes")) else word[:-1]
    return spelling_variants().get(word, word)


def is_single_valued(attribute_key: str) -> bool:
    """Whether a new value of this attribute replaces the old one; many-valued unless the lexicon says single."""
    if attribute_key.startswith(FAVORITE):
        return True
    entry = _attributes().get(attribute_key)
    if entry is None:
        # "wedding_budget" is as single as a budget; "dog_name" is not, for there may be two dogs.
        last = attribute_key.rpartition("_")[2]
        entry = _attributes().get(last) if last != "name" else None
    return bool(entry and entry.get("single"))


def of_relative(attribute_key: str) -> tuple[str, str]:
    """Which relative's attribute a key is, and which: ``son_name`` → ``("son", "name")``; ``""`` for one's own."""
    known = _relatives()
    cuts = [match.start() for match in re.finditer("_", attribute_key)]
    cut = next((cut for cut in reversed(cuts) if attribute_key[:cut] in known), None)
    return ("", attribute_key) if cut is None else (attribute_key[:cut], attribute_key[cut + 1 :])


def is_relative(attribute_key: str) -> bool:
    """Whether a key stands for a relative, a friend or a pet, who has attributes of their own."""
    return attribute_key in _relatives()


@functools.cache
def _relatives() -> frozenset[str]:
    return frozenset(str(resources.load("attributes")["relatives"]).split())


def attribute_phrases(attribute_key: str) -> frozenset[str]:
    """The phrases (folded, both languages) that name an attribute; empty for keys that the lexicon does not know."""
    entry = _attributes().get(attribute_key)
    return frozenset(fold(phrase) for phrase in _all(entry)) if entry else frozenset()


@functools.cache
def _mention_pattern() -> re.Pattern[str]:
    phrases = [fold(phrase) for key, entry in _attributes().items() for phrase in (key.replace("_", " "), *_all(entry))]
    english = [phrase for phrase in phrases if phrase.isascii()]
    respelled = [phrase.replace(base, form) for base, form in _BRITISH for phrase in english]
    macros = {
        "english": resources.alternatives([*english, *respelled]),
        "chinese": resources.alternatives([phrase for phrase in phrases if not phrase.isascii()]),
        "objects": resources.alternatives([name for name in _favorite_objects() if not name.isascii()]),
    }
    return resources.compiled(resources.load("attributes")["shapes"], "mention", macros)


_BRITISH = (("color", "colour"), ("neighbor", "neighbour"), ("favorite", "favourite"))


def find_attributes(text: str) -> list[AttributeMention]:
    """The attributes that ``text`` names, longest phrase first at each place, in order."""
    return [
        AttributeMention(attribute_key(match.group()), Span(match.start(), match.end()))
        for match in _mention_pattern().finditer(fold(text))
    ]
