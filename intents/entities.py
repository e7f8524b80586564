"""Which order, meeting or contract is meant: the one that is named, else the one talked about last."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from ..memory.extraction.subjects import identities_in
from ..memory.language.folding import fold
from ..memory.records import Language, Span
from .domains import Domain
from .lexicon import changing, force
from .triggers import Vocabulary

_NUMBER = r"#?\s?(?P<id>(?=[a-z0-9./-]*\d)[a-z0-9](?:[a-z0-9./-]*[a-z0-9])?)(?![a-z0-9])"
_BARE = re.compile(r"(?<![a-z0-9.])#?(?P<id>(?=[a-z-]*\d)[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)(?![a-z0-9.]*\d)")
_NEXT = re.compile(
    r"\s*(?:,|，|、|and|&|or|和|与|跟|及|还有)\s*#?(?P<id>(?=[a-z-]*\d)[a-z0-9][a-z0-9-]*)(?!\.?[a-z0-9])"
)
_BEHIND = re.compile(r"\s*#?(?P<id>\d[a-z0-9-]*)(?=\s*(?:$|[,，.。!！?？;；、]|and\b|please\b|吧|了|掉|和))")
_AHEAD = re.compile(r"(?<![\w.])#?(?P<id>\d[a-z0-9-]*)号?(?:那个|那单|这单|的)?(?:也|就|都|还是)$")
_LANGUAGES: tuple[Language, ...] = ("en", "zh")
_ORDINALS = {
    "en": ("first", "second", "third", "fourth", "fifth"),
    "zh": ("第一", "第二", "第三", "第四", "第五"),
}


@dataclass(frozen=True, slots=True)
class Mention:
    """An entity that a text names, and where."""

    entity: str
    span: Span


@dataclass(frozen=True, slots=True)
class Chosen:
    """Which entities are meant; or none, and the ones among which it cannot be told."""

    entities: tuple[str, ...] = ()
    candidates: tuple[str, ...] = ()


def mentions_in(vocabulary: Vocabulary, text: str, *, bare: bool = False, known: Collection[str] = ()) -> list[Mention]:
    """The entities of a domain that a folded text names, in order.

    Args:
        vocabulary: of the domain.
        text: folded.
        bare: whether a number alone names one too, as in the answer to "which order?".
        known: entities that a number alone names.
    """
    domain = vocabulary.domain
    found = dict(_identified(domain, text)) if domain.numbered else {}
    patterns = _numbered(vocabulary, bare=bare) if domain.numbered else []
    patterns += [re.compile(it) for language in _LANGUAGES for it in domain.patterns[language]]
    for pattern in patterns:
        for match in pattern.finditer(text):
            _add(found, domain, match)
    for match in _listed(text, found.values()) if domain.numbered else ():
        _add(found, domain, match)
    for match in _BARE.finditer(text) if known and domain.numbered else ():
        if f"{domain.kind}:{match['id']}" in known:
            _add(found, domain, match)
    return _distinct(list(found.values()))


def _listed(text: str, mentions: Collection[Mention]) -> Iterator[re.Match[str]]:
    """The numbers that go on from a named one: "orders 55 and 56", 订单881和882."""
    ends = {it.span.end for it in mentions}
    while ends:
        found = [match for end in ends if (match := _NEXT.match(text, end))]
        yield from found
        ends = {match.end() for match in found}


def _identified(domain: Domain, text: str) -> Iterator[tuple[tuple[int, str], Mention]]:
    """What facts take for entities of that kind."""
    for entity, end in identities_in(text):
        kind, _, name = entity.partition(":")
        if kind == domain.kind:
            yield (end, entity), Mention(entity, Span(max(text.rfind(name, 0, end), 0), end))


def chosen(
    vocabulary: Vocabulary, text: str, mentions: Sequence[Mention], recent: Sequence[str], open_ones: Sequence[str]
) -> Chosen:
    """Which entities a wish is about.

    Args:
        vocabulary: of the domain.
        text: the sentence or turn, folded.
        mentions: the entities that belong to the wish.
        recent: entities of the domain talked about in this session, the last first.
        open_ones: those with an open intent, the one last talked about first.
    """
    named = [it for it in mentions if not _is_left_out(text, it)]
    if named:
        return Chosen(tuple(dict.fromkeys(it.entity for it in named)))
    known = tuple(dict.fromkeys([*recent, *open_ones]))
    if len(known) <= 1:
        return Chosen(known or (vocabulary.domain.kind,))
    return _of_several(vocabulary, text, known) or (Chosen((recent[0],)) if recent else Chosen((), known))


def _of_several(vocabulary: Vocabulary, text: str, known: Sequence[str]) -> Chosen | None:
    """Which of several known entities words such as "both", "the other one" and "one of them" mean."""

    def says(name: str) -> bool:
        return any(changing(language, name, vocabulary.names).search(text) for language in _LANGUAGES)

    if says("both"):
        return Chosen(tuple(sorted(known)))
    if says("other"):
        return Chosen(tuple(known[1:]) if len(known) == 2 else (), tuple(known[1:]))
    return Chosen((), tuple(known)) if says("some") else None


def placed(text: str, told: Sequence[str]) -> str | None:
    """The one that is called by its place among those that were named, in their order: "the first one"."""
    for language in _LANGUAGES:
        match = changing(language, "place").search(text)
        if match:
            word = match["place"]
            index = -1 if word.startswith(("last", "最后")) else _ORDINALS[language].index(word)
            return told[index] if -1 <= index < len(told) else None
    return None


def picked(text: str, candidates: Sequence[str]) -> str | None:
    """The one of the candidates that an answer picks by its place or by its number."""
    folded = fold(text)
    for words in _ORDINALS.values():
        for index, word in enumerate(words):
            if word in folded and index < len(candidates):
                return candidates[index]
    named = [it for it in candidates if (name := it.partition(":")[2]) and name.replace("_", " ") in folded]
    return named[0] if len(named) == 1 else None


def _numbered(vocabulary: Vocabulary, *, bare: bool) -> list[re.Pattern[str]]:
    names = vocabulary.names
    patterns = [
        rf"(?:{names})(?:\s*(?:number|no\.?|id|nr\.?|编号|号码|号))?[\s:：是为]{{0,2}}{_NUMBER}",
        r"(?<![a-z0-9_&])#\s?(?P<id>[a-z0-9](?:[a-z0-9-]*[a-z0-9])?)(?![a-z0-9])",
        rf"(?<![a-z0-9])#?(?P<id>(?=[a-z-]*\d)[a-z0-9-]{{3,}})(?:的|那个|这个|那|这)?(?:{names})",
        rf"(?:{names})[,，:：]\s*#?(?P<id>\d{{3,}})(?!\d)",
        rf"(?<![a-z0-9])#?(?P<id>(?=[a-z-]*\d)[a-z0-9-]+)号(?:的|那个|这个|那|这)?(?:{names})",
    ]
    if bare:
        patterns.append(_BARE.pattern)
    return [re.compile(pattern) for pattern in patterns]


def beside(vocabulary: Vocabulary, text: str, span: Span) -> list[Mention]:
    """The entity whose number stands right behind the words of a step, or before them: "cancel 56", 11号也取消."""
    match = _BEHIND.match(text, span.end) or _AHEAD.search(text, 0, span.start)
    if match is None or not vocabulary.domain.numbered:
        return []
    return [Mention(f"{vocabulary.domain.kind}:{match['id']}", Span(*match.span("id")))]


def _add(found: dict[tuple[int, str], Mention], domain: Domain, match: re.Match[str]) -> None:
    groups = {name: value for name, value in match.groupdict().items() if name.startswith("id") and value}
    for name, value in groups.items():
        key = re.sub(r"\s+", "_", value.strip(" ./-的"))
        if key:
            entity = f"{domain.kind}:{key}"
            found[match.end(name), entity] = Mention(entity, Span(*match.span(name)))


def _distinct(mentions: Sequence[Mention]) -> list[Mention]:
    """Each place once: the longest name of those that overlap."""
    kept: list[Mention] = []
    for one in sorted(mentions, key=lambda it: it.span.start - it.span.end):
        if not any(one.span.overlaps(other.span) for other in kept):
            kept.append(one)
    return sorted(kept, key=lambda it: it.span)


def _is_left_out(text: str, mention: Mention) -> bool:
    before, after = text[: mention.span.start], text[mention.span.end :]
    return any(
        force(language, "left_out").search(before) or force(language, "left_out_after").match(after)
        for language in _LANGUAGES
    )
