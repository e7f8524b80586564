"""Which documents a question names, among those that the user has: by title, by label, by kind, and what it misses.

A name that is on no shelf is told apart from one that is: a question about a contract that is not there is not one
about any other.
"""

import functools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from pathlib import PurePath

from ..calibration.labels import labelled
from ..language import resources
from ..language.folding import CJK, fold
from ..records import Span
from .asking import blanked
from .citing import pattern
from .rows import Family

_SHORTEST = 2
_LABELLED_ZH = re.compile(r"(?P<label>[甲乙丙丁戊己庚辛])(?P<noun>合同|协议|文件|租约|契约)")
_NARROW = {code: code - 0xFEE0 for code in range(0xFF01, 0xFF5F)}
"""Full-width letters: a label is told by its being a capital, which folding does not keep."""
_CAPITAL = re.compile(r"(?<![A-Za-z0-9])([A-Z])(?![A-Za-z0-9'’])")


@dataclass(frozen=True, slots=True)
class Named:
    """What a question says of documents."""

    keys: tuple[str, ...] = ()
    """The documents that it names, in its order."""
    ambiguous: tuple[str, ...] = ()
    """Documents of which a name may mean any."""
    unknown: tuple[str, ...] = ()
    """Names that no document of the user's has, as they were written."""
    unknown_kinds: tuple[str, ...] = ()
    """The kinds of documents that those names are of, where they say it."""
    kinds: tuple[str, ...] = ()
    """Kinds that it speaks of without a name: ``contract`` of "the contract"."""
    spans: tuple[Span, ...] = ()
    """Where it does all that."""


@dataclass(frozen=True, slots=True)
class _Mention:
    span: Span
    keys: tuple[str, ...] = ()
    unknown: str = ""
    kind: str = ""


def find_documents(text: str, shelf: Sequence[Family]) -> Named:
    """Read what a question says of documents; numbers, versions and times in it are blanked out already.

    Args:
        text: the question.
        shelf: the user's documents of clauses.
    """
    mentions = _mentions(text.translate(_NARROW), shelf)
    names = [one.keys for one in mentions]
    unknown = _distinct(one.unknown for one in mentions)
    return Named(
        keys=_distinct(chain.from_iterable(keys for keys in names if len(keys) == 1)),
        ambiguous=_distinct(chain.from_iterable(keys for keys in names if len(keys) > 1)),
        unknown=unknown,
        unknown_kinds=tuple(chain.from_iterable(_kinds_in(fold(name)) for name in unknown)),
        kinds=_distinct(one.kind for one in mentions),
        spans=tuple(one.span for one in mentions),
    )


def _mentions(text: str, shelf: Sequence[Family]) -> list[_Mention]:
    mentions: list[_Mention] = []
    for reader in (_by_name, _by_label, _by_bare_label, _quoted, _in_phrases, _in_chinese, _by_kind):
        for one in reader(text, shelf, mentions):
            if not any(one.span.overlaps(known.span) for known in mentions):
                mentions.append(one)
    return sorted(mentions, key=lambda one: one.span)


def _distinct(names: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name for name in names if name))


def of_kind(shelf: Sequence[Family], kind: str) -> list[Family]:
    """The documents of a kind; every one is a document."""
    if kind == "document":
        return list(shelf)
    kin: dict[str, str] = resources.load("clause_questions")["kin"]
    own = [one for one in shelf if kind in _kinds_of(one)]
    return own or [one for one in shelf if one.entity_type == kin.get(kind, kind)]


def aliases(family: Family) -> frozenset[str]:
    """The names of a document, folded: titles and file names, without what only tells the version."""
    return _aliases((*family.names, family.key))


@functools.lru_cache(maxsize=1024)
def _aliases(names: tuple[str, ...]) -> frozenset[str]:
    found: set[str] = set()
    for written in names:
        name = fold(PurePath(written).stem if "." in written[-9:] else written).replace("_", " ").strip()
        bare = pattern("suffix").sub("", name).strip(" -")
        found |= {name, bare, pattern("prefix").sub("", bare)}
    return frozenset(name for name in found if len(name) >= _SHORTEST)


# --- By name ----------------------------------------------------------------------------------------------------------


def _by_name(text: str, shelf: Sequence[Family], known: Sequence[_Mention]) -> Iterator[_Mention]:
    """Whole names, the longest first, and what they are called for short."""
    folded = fold(text)
    by_alias: dict[str, list[str]] = {}
    for family in shelf:
        names = aliases(family)
        for alias in names | _shorter(names):
            by_alias.setdefault(alias, []).append(family.key)
    taken: list[Span] = []
    for alias in sorted(by_alias, key=len, reverse=True):
        for match in _bounded(alias).finditer(folded):
            span = Span(*match.span())
            if any(span.overlaps(other) for other in taken) or not _begins(folded, span):
                continue
            taken.append(span)
            yield _Mention(span, keys=tuple(by_alias[alias]))


@functools.lru_cache(maxsize=1024)
def _shorter(names: frozenset[str]) -> frozenset[str]:
    """Endings of an English name that have a word of their own ("lease agreement"), and "lease" of that."""
    return frozenset(short for name in names if name.isascii() for short in _shortened(name.split()))


def _shortened(words: Sequence[str]) -> Iterator[str]:
    for place in range(1, len(words)):
        # "service" of "service contract" is a word like any other; "lease" says what the thing is.
        heads = [words[:place]] if _is_generic(words[place:]) and kind_of(words[place - 1]) else []
        for part in (words[place:], *heads):
            if not _is_generic(part) and len(" ".join(part)) > _SHORTEST:
                yield " ".join(part)


def _is_generic(words: Sequence[str]) -> bool:
    return all(_generic().fullmatch(word) or len(word) < _SHORTEST for word in words)


@functools.cache
def _generic() -> re.Pattern[str]:
    return pattern("generic")


@functools.lru_cache(maxsize=512)
def _bounded(alias: str) -> re.Pattern[str]:
    start = r"(?<![a-z0-9])" if alias[0].isascii() else ""
    end = r"(?![a-z0-9])" if alias[-1].isascii() else ""
    return re.compile(start + re.escape(alias) + end)


def _begins(folded: str, span: Span) -> bool:
    """Whether a Chinese name is not only the end of a longer one: 劳动合同 is none of 合同, 税收征管法 none of 管法."""
    before = folded[: span.start]
    if not before or not re.match(f"[{CJK}]", before[-1]) or folded[span.start].isascii():
        return True
    return bool(_ends_with_opening().search(before))


@functools.cache
def _ends_with_opening() -> re.Pattern[str]:
    return re.compile(f"(?:{resources.load('clause_questions')['before_name']})$")


# --- By label ---------------------------------------------------------------------------------------------------------


def _by_label(text: str, shelf: Sequence[Family], known: Sequence[_Mention]) -> Iterator[_Mention]:
    """Documents with a label: "contract A", 合同A, A合同, 甲合同; also one that is not there."""
    found = [(noun, label, span) for noun, label, span in labelled(text) if kind_of(noun)]
    found += [(match["noun"], match["label"], Span(*match.span())) for match in _LABELLED_ZH.finditer(fold(text))]
    for noun, label, span in found:
        keys = _with_label(shelf, kind_of(noun), label)
        yield _Mention(span, keys=keys, unknown="" if keys else span.cut(text))


def _by_bare_label(text: str, shelf: Sequence[Family], known: Sequence[_Mention]) -> Iterator[_Mention]:
    """The B of "contracts A and B", and both of "clause 5 of A and B"."""
    if not any(_labels_of(aliases(family)) for family in shelf):
        return
    for match in _CAPITAL.finditer(text):
        label = fold(match.group(1))
        if label == "a" and _is_article(text[match.end() :]):
            continue
        keys = _with_label(shelf, "document", label)
        if keys or (label != "i" and known):
            yield _Mention(Span(*match.span()), keys=keys, unknown="" if keys else match.group(1))


def _is_article(follows: str) -> bool:
    """Whether an A is an article, by what follows it: a small letter, and nothing that joins it to another label."""
    return follows[:2].strip()[:1].islower() and not re.match(r" (?:and|or|vs|with)\b", follows)


def _with_label(shelf: Sequence[Family], kind: str, label: str) -> tuple[str, ...]:
    found = [family for family in shelf if any(own == label for _, own in _labels_of(aliases(family)))]
    same = [family for family in found if any(noun == kind for noun, _ in _labels_of(aliases(family)))]
    return tuple(family.key for family in same or found)


@functools.lru_cache(maxsize=1024)
def _labels_of(names: frozenset[str]) -> frozenset[tuple[str, str]]:
    """The kinds and labels by which a document is called: ``("contract", "a")``."""
    found = set()
    for name in names:
        # A small letter would read as an article.
        found |= {(kind_of(noun), label) for noun, label, _ in labelled(name.upper())}
        match = _LABELLED_ZH.match(name)
        if match:
            found.add((kind_of(match["noun"]), match["label"]))
    return frozenset((kind, label) for kind, label in found if kind)


# --- By kind ----------------------------------------------------------------------------------------------------------


@functools.cache
def _kind_patterns() -> tuple[tuple[str, re.Pattern[str]], ...]:
    kinds: dict[str, dict[str, str]] = resources.load("clause_questions")["kinds"]
    return tuple((kind, re.compile(rf"\b(?:{one['en']})\b|(?:{one['zh']})")) for kind, one in kinds.items())


def kind_of(noun: str) -> str:
    """The kind that a noun stands for; empty where it is none of documents."""
    folded = fold(noun)
    return next((kind for kind, rule in _kind_patterns() if rule.fullmatch(folded)), "")


def _kinds_of(family: Family) -> set[str]:
    return {kind for name in aliases(family) for kind in _kinds_in(name)} | {family.entity_type}


def _kinds_in(folded: str) -> list[str]:
    return [kind for kind, rule in _kind_patterns() if rule.search(folded)]


def _by_kind(text: str, shelf: Sequence[Family], known: Sequence[_Mention]) -> Iterator[_Mention]:
    """A kind without a name: "the contract", 这份合同; of two that begin alike the longer one."""
    folded = fold(text)
    found = [(Span(*match.span()), kind) for kind, rule in _kind_patterns() for match in rule.finditer(folded)]
    for span, kind in sorted(found, key=lambda one: one[0].start - one[0].end):
        yield _Mention(span, kind=kind)


# --- Names that are on no shelf ---------------------------------------------------------------------------------------


def _quoted(text: str, shelf: Sequence[Family], known: Sequence[_Mention]) -> Iterator[_Mention]:
    """《公司法》, where no document is called so."""
    for match in pattern("quoted").finditer(fold(text)):
        if match.group()[0] == "《":
            yield _Mention(Span(*match.span()), unknown=text[match.start() : match.end()])


def _in_phrases(text: str, shelf: Sequence[Family], known: Sequence[_Mention]) -> Iterator[_Mention]:
    """What an English question calls a document without its being one: "of the employment contract", "of the GDPR"."""
    folded = fold(blanked(text, [one.span for one in known]))
    for name in ("phrase_after", "phrase_before", "possessive"):
        for match in pattern(name).finditer(folded):
            words = re.findall(r"[a-z0-9&'-]+", match["phrase"])
            own = [word for word in words if not (_generic().fullmatch(word) or kind_of(word))]
            if own and _is_title(match["phrase"], own, text[match.start("phrase") : match.end("phrase")]):
                span = Span(*match.span("phrase"))
                yield _Mention(span, unknown=span.cut(text).strip())


def _is_title(phrase: str, own: Sequence[str], written: str) -> bool:
    """Whether a phrase speaks of a document: with a noun for one at its end, or in capitals."""
    ends = any(re.search(rf"(?:{rule.pattern})\s*$", phrase.strip()) for _, rule in _kind_patterns())
    capitals = [word for word in re.findall(r"[A-Za-z][\w&'-]*", written) if word[0].isupper() and len(word) > 1]
    return ends or (bool(capitals) and {fold(word) for word in capitals} >= set(own))


def _in_chinese(text: str, shelf: Sequence[Family], known: Sequence[_Mention]) -> Iterator[_Mention]:
    """劳动法, 租房合同: a name before 第五条 that no document has; a shortened one is found by its characters."""
    folded = fold(blanked(text, [one.span for one in known]))
    for match in _chinese_phrases().finditer(folded):
        phrase = _trimmed(match["phrase"])
        span = Span(match.end("phrase") - len(phrase), match.end("phrase"))
        if not phrase or kind_of(phrase) or pattern("no_title").search(phrase):
            continue
        keys = tuple(family.key for family in shelf if any(_shortens(phrase, name) for name in aliases(family)))
        yield _Mention(span, keys=keys, unknown="" if keys else span.cut(text))


@functools.cache
def _chinese_phrases() -> re.Pattern[str]:
    lexicon = resources.load("clause_questions")
    nouns = "|".join(one["zh"] for one in lexicon["kinds"].values())
    return re.compile(resources.expand(lexicon["chinese_phrase"], {**lexicon["macros"], "kinds_zh": nouns}))


def _trimmed(phrase: str) -> str:
    """A phrase without what stands before the name of a document: 请问一下劳动法 is about the 劳动法."""
    before = resources.load("clause_questions")["before_name"]
    return re.sub(f"^(?:.*?(?:{before}))?(?:{pattern('these_zh').pattern})*", "", phrase, count=1)


def _shortens(phrase: str, name: str) -> bool:
    """Whether a phrase has some characters of a name in their order, the first and the last among them: 消保法."""
    if len(phrase) < 3 or phrase[0] != name[0] or phrase[-1] != name[-1]:
        return name.endswith(phrase) and len(phrase) > _SHORTEST
    rest = iter(name)
    return all(character in rest for character in phrase)
