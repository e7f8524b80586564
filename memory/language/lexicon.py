"""The bilingual lexicon: synonyms, cues of an utterance's force, and canonical attributes.

The tables are YAML files in ``lexicons/``; they are read on first use and kept.
"""

import functools
import re
from collections import defaultdict
from typing import NamedTuple

from ..records import Span
from . import resources
from .folding import fold
from .tokens import stem, tokenize

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

    Takes a word or its stem and gives folded surface words (``budget`` → ``cost``, 费用, ...); empty for unknown words.
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
        branches.append(r"(?<![a-z0-9_'-])(?:" + "|".join(re.escape(p).replace(r"\ ", r"\s+") for p in english) + r")(?![a-z0-9_'-]|'[a-z])")
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
    ``negation``, ...). A cue inside one of its exceptions (别人 holds no negation) does not count.

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
def _attributes() -> dict[str, dict[str, object]]:
    table: dict[str, dict[str, object]] = resources.load("attributes")["attributes"]
    return table


@functools.cache
def _phrase_keys() -> dict[str, str]:
    """Every phrase of an attribute, stemmed, with the attribute's key."""
    index: dict[str, str] = {}
    for key, entry in _attributes().items():
        phrases = [key.replace("_", " "), *_phrases(entry, "en"), *_phrases(entry, "zh")]
        for phrase in phrases:
            index.setdefault(phrase_stem(phrase), key)
    return index


def _phrases(entry: dict[str, object], language: str) -> list[str]:
    listed = entry.get(language, ())
    return [str(phrase) for phrase in listed] if isinstance(listed, list) else []


@functools.cache
def _favorite_objects() -> dict[str, str]:
    """Names of things that one can have a favorite of, stemmed or Chinese, with the key's second half."""
    index: dict[str, str] = {}
    for key, names in resources.load("attributes")["favorites"].items():
        index[phrase_stem(str(key).replace("_", " "))] = str(key)
        index.update(dict.fromkeys(fold(str(names)).split(), str(key)))
    index.update({"film": "movie", "show": "tv_show", "tv show": "tv_show", "televis show": "tv_show", "tv seri": "tv_show", "novel": "book"})
    return index


@functools.cache
def _favorite_pattern() -> re.Pattern[str]:
    return re.compile(
        r"(?:most |all[- ]time )?(?:favou?rite|favs?|fave)s?(?: (?:kind|type|sort)s? of)? (?P<en>.+)"
        r"|最(?:喜欢|喜爱|爱|中意|钟爱|偏爱|爱吃|爱喝|爱看|爱听|喜欢吃|喜欢喝|喜欢看|喜欢听)的?(?:一[个种首部本道款])?(?P<zh>.+)"
    )


@functools.cache
def _owner_pattern() -> re.Pattern[str]:
    return re.compile(
        r"^(?:(?:my|your|his|her|its|our|their|the|a|an|this|that)\s+)+|^(?:(?:我|你|您|他|她|它|我们|你们|他们|咱|咱们|本人)(?:的)?)(?=.)|^的"
    )


def attribute_key(phrase: str) -> str:
    """The canonical key of an attribute phrase.

    "favourite colour" and 最喜欢的颜色 → ``favorite_color``; 预算, budget and 费用 → ``budget``. A phrase that the lexicon does not
    know gives its own key: its words in the singular, without stop words, joined by ``_``, or the folded Chinese phrase.
    """
    folded = _owner_pattern().sub("", fold(phrase).strip(" \t\r\n.,;:!?。，；：！？\"'"))
    favorite = _favorite_pattern().fullmatch(folded)
    if favorite:
        return FAVORITE + _favorite_object((favorite["en"] or favorite["zh"]).strip(" 的"))
    known = _phrase_keys().get(phrase_stem(folded))
    return known if known else _own_key(folded)


def _favorite_object(name: str) -> str:
    return _favorite_objects().get(phrase_stem(name)) or _own_key(name)


def _own_key(folded: str) -> str:
    """A key made of the phrase itself."""
    inverted = re.fullmatch(r"(?P<head>[\w\s-]+?) of (?:my |the |our |his |her |their )?(?P<tail>[\w\s'-]+)", folded)
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
    kept = [piece for piece in pieces if piece not in _KEY_STOPS] or pieces
    return "_".join(re.sub(r"\W+", "_", piece).strip("_") for piece in kept)


_KEY_STOPS = frozenset(["the", "a", "an", "my", "your", "his", "her", "our", "their", "its", "of", "for", "to", "in", "on", "的"])


def _singular(word: str) -> str:
    """A readable common form of singular and plural, spelling evened out (a stem such as ``batteri`` would be shown to people)."""
    word = word.removesuffix("'s").removesuffix("'")
    if len(word) > 4 and word.endswith("ies"):
        word = word[:-3] + "y"
    elif len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us", "is", "as", "os")):
        word = word[:-2] if word.endswith(("ses", "xes", "ches", "shes")) and not word.endswith(("ases", "uses")) else word[:-1]
    variants = resources.load("spelling")["variants"]
    return next((str(base) for base, forms in variants.items() if word in str(forms).split()), word)


def is_single_valued(attribute_key: str) -> bool:
    """Whether a new value of this attribute replaces the old one; attributes are many-valued unless the lexicon says single."""
    if attribute_key.startswith(FAVORITE):
        return True
    entry = _attributes().get(attribute_key)
    if entry is None:
        # "wedding_budget" is as single as a budget; "dog_name" is not, for there may be two dogs.
        last = attribute_key.rpartition("_")[2]
        entry = _attributes().get(last) if last != "name" else None
    return bool(entry and entry.get("single"))


def attribute_phrases(attribute_key: str) -> frozenset[str]:
    """The phrases (folded, both languages) that name an attribute; empty for keys that the lexicon does not know."""
    entry = _attributes().get(attribute_key)
    return frozenset(fold(p) for language in ("en", "zh") for p in _phrases(entry, language)) if entry else frozenset()


@functools.cache
def _mention_pattern() -> re.Pattern[str]:
    english: set[str] = set()
    chinese: set[str] = set()
    for key, entry in _attributes().items():
        english.update([key.replace("_", " "), *_phrases(entry, "en")])
        chinese.update(_phrases(entry, "zh"))
    spelled = {fold(p) for p in english}
    spelled |= {p.replace("color", "colour") for p in spelled} | {p.replace("neighbor", "neighbour") for p in spelled}
    names = "|".join(sorted(map(re.escape, spelled), key=len, reverse=True))
    objects = "|".join(sorted((re.escape(fold(p)) for p in chinese), key=len, reverse=True))
    favorites = "|".join(sorted((re.escape(n) for n in _favorite_objects() if not n.isascii()), key=len, reverse=True))
    return re.compile(
        r"(?<![\w-])(?:(?:favou?rite|fave?)(?: (?:kind|type|sort) of)? [a-z]+(?: (?:show|language|team|player|type))?"
        rf"|(?:{names})(?:e?s)?)(?![\w-])"
        rf"|最(?:喜欢|喜爱|爱|中意)(?:吃|喝|看|听)?的(?:一[个种首部本道款])?(?:{favorites})"
        rf"|{objects}"
    )


def find_attributes(text: str) -> list[AttributeMention]:
    """The attributes that ``text`` names, longest phrase first at each place, in order."""
    return [
        AttributeMention(attribute_key(match.group()), Span(match.start(), match.end()))
        for match in _mention_pattern().finditer(fold(text))
    ]
