"""The documents that a user speaks of: one handle each, whatever they are called, in the order of their first mention.

"Here is the lease [DOC_ID:AK-204]" makes one document of a mark and a noun; "the PDF I sent first", 刚才那份合同 and
"document A" mean one of those that were named before.
"""

import functools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from ..calibration import wording
from ..calibration.labels import labelled
from ..extraction.subjects import identities_in
from ..language import resources
from ..language.folding import fold
from ..language.guises import without_guises
from ..records import Language, Span, Turn

MOST = 40
_FILE = re.compile(r"\.[a-z]{2,4}$", re.IGNORECASE)
_MOST_NAMES = 6
_NEAR = 16
"""Characters that may stand between a mark and the noun beside it."""


@dataclass(frozen=True, slots=True)
class Mention:
    """One mention of a document in a text."""

    span: Span
    kind: str
    name: str
    """As it was written: ``contract A``, ``AK-204``, ``lease.pdf``; empty for one that has no name of its own."""
    handle: str
    """By which it is known: ``contract:a``, ``AK-204``, ``lease.pdf``; empty for one without a name."""


@dataclass(frozen=True, slots=True)
class Spoken:
    """A document that was spoken of."""

    handle: str
    kind: str
    names: tuple[str, ...]
    turn_id: str
    """The turn that named it first."""
    last_turn_id: str


@functools.cache
def _pattern(name: str) -> re.Pattern[str]:
    return resources.compiled(resources.load("handles"), name)


@functools.lru_cache(maxsize=8192)
def kind_of(noun: str) -> str:
    """The kind of document that a noun stands for; empty for none."""
    kinds: dict[str, str] = resources.load("handles")["kinds"]
    return next((kind for kind, words in kinds.items() if fold(noun) in words.split()), "")


def mentions_in(text: str) -> list[Mention]:
    """The documents that a text names or gives, in order; a mark and the noun beside it are one."""
    folded = fold(text)
    if not _pattern("hint").search(folded):
        return []
    found = [*_anchored(text, folded), *_files(text, folded), *_labelled(text), *_identified(text, folded)]
    named = _without_overlaps(found)
    return _paired([*named, *(one for one in _given(folded) if not any(one.span.overlaps(k.span) for k in named))])


def _anchored(text: str, folded: str) -> Iterator[Mention]:
    for match in _pattern("anchor").finditer(folded):
        name = text[match.start("id") : match.end("id")]
        yield Mention(Span(*match.span()), kind_of(match["key"].partition("_")[0]) or "document", name, name)


def _files(text: str, folded: str) -> Iterator[Mention]:
    for match in _pattern("file").finditer(folded):
        name = text[match.start("name") : match.end("name")]
        kind = "pdf" if name.lower().endswith(".pdf") else "document"
        yield Mention(Span(*match.span("name")), kind, name, name)


def _labelled(text: str) -> Iterator[Mention]:
    for noun, label, span in labelled(text):
        kind = kind_of(noun)
        if kind:
            yield Mention(span, kind, span.cut(text), f"{kind}:{label}")


def _identified(text: str, folded: str) -> Iterator[Mention]:
    for entity, end in identities_in(text):
        noun, _, number = entity.partition(":")
        start = folded.rfind(fold(number), 0, end + 1)
        kind = kind_of(noun)
        if kind and start >= 0 and len(number) > 1:
            yield Mention(Span(start, end), kind, text[start:end], number.upper())


def _given(folded: str) -> Iterator[Mention]:
    for name in ("given_en", "given_zh"):
        for match in _pattern(name).finditer(folded):
            yield Mention(Span(*match.span("kind")), kind_of(match["kind"]) or "document", "", "")


def _without_overlaps(found: Iterable[Mention]) -> list[Mention]:
    kept: list[Mention] = []
    for one in found:
        if not any(one.span.overlaps(known.span) for known in kept):
            kept.append(one)
    return sorted(kept, key=lambda one: one.span)


def _paired(found: Sequence[Mention]) -> list[Mention]:
    """A mark joined to what stands beside it: the mark is the handle, the noun says what kind it is of."""
    ordered = sorted(found, key=lambda one: one.span)
    joined: list[Mention] = []
    for one in ordered:
        last = joined[-1] if joined else None
        if last is not None and _is_one(last, one):
            mark, other = (one, last) if _is_mark(one) else (last, one)
            kind = other.kind if other.kind != "document" else mark.kind
            joined[-1] = replace(mark, kind=kind, name="|".join(filter(None, (mark.name, other.name))))
            joined[-1] = replace(joined[-1], span=Span(last.span.start, one.span.end))
        else:
            joined.append(one)
    return joined


def _is_mark(one: Mention) -> bool:
    return bool(one.handle) and ":" not in one.handle


def _is_one(first: Mention, second: Mention) -> bool:
    """Whether two mentions side by side are one document: a mark or a file name, and a noun that is none."""
    near = second.span.start - first.span.end <= _NEAR
    return near and _is_mark(first) != _is_mark(second) and "|" not in first.name


def merged(known: Sequence[Spoken], added: Sequence[Turn]) -> tuple[Spoken, ...]:
    """The documents spoken of after some more turns, in the order of their first mention."""
    found = list(known)
    for turn in added:
        if turn.source != "user_input":
            continue
        for one in mentions_in(without_guises(turn.text)):
            _add(found, one, turn)
    return tuple(found[-MOST:])


def _add(found: list[Spoken], one: Mention, turn: Turn) -> None:
    names = tuple(filter(None, one.name.split("|")))
    place = next((index for index, spoken in enumerate(found) if _same(spoken, one, names)), None)
    if place is not None:
        found[place] = _named_again(found[place], one, names, turn)
    elif turn.act != "question" or _is_mark(one):
        # A question may ask for what there is not.
        alike = [spoken for spoken in found if spoken.kind == one.kind]
        handle = one.handle or f"{one.kind}:#{len(alike) + 1}"
        found.append(Spoken(handle, one.kind, names, turn.id, turn.id))


def _named_again(spoken: Spoken, one: Mention, names: Sequence[str], turn: Turn) -> Spoken:
    """A document with what another mention adds: a mark in the place of a label, a kind, a further name."""
    added = () if _FILE.search(spoken.handle) else names
    return replace(
        spoken,
        handle=one.handle if _is_mark(one) and ":" in spoken.handle else spoken.handle,
        kind=one.kind if spoken.kind == "document" else spoken.kind,
        names=tuple(dict.fromkeys((*spoken.names, *added)))[:_MOST_NAMES],
        last_turn_id=turn.id,
    )


def _same(spoken: Spoken, one: Mention, names: Sequence[str]) -> bool:
    if not one.handle:
        return False
    called = {fold(name) for name in (*spoken.names, spoken.handle)}
    if any(_ends_as(one.handle, name) for name in called):
        return True
    return fold(one.handle) in called or bool(called & {fold(name) for name in names})


def _ends_as(handle: str, name: str) -> bool:
    """Whether two names are of one file: Chinese joins a file's name to the words before it."""
    return bool(_FILE.search(handle) and _FILE.search(name)) and fold(handle).endswith(name)


def is_called(one: Spoken, titles: Iterable[str]) -> bool:
    """Whether a document of the knowledge base with those titles and names is the one that was spoken of."""
    known = {form for title in titles if title for form in _forms(title)}
    return any(form in known for name in (*one.names, one.handle) for form in _forms(name))


@functools.lru_cache(maxsize=4096)
def _forms(name: str) -> frozenset[str]:
    """A name, folded, with and without its ending; and the label in it, by the kind of document that it is on."""
    folded = fold(name).replace("_", " ").strip()
    stem = re.sub(r"\.[a-z]{2,4}$", "", folded)
    # A small letter would read as an article.
    labels = {f"{kind_of(noun)}:{label}" for noun, label, _ in labelled(stem.upper()) if kind_of(noun)}
    return frozenset({folded, stem} | labels)


# --- Pointing back ----------------------------------------------------------------------------------------------------


def pointed_at(text: str, known: Sequence[Spoken], language: Language) -> tuple[Span, Spoken] | None:
    """The document that a text points back to, and the words that do; ``None`` where that is not sure."""
    match = _pointing(language).search(fold(text)) if known else None
    if match is None:
        return _by_label(text, known)
    groups = match.groupdict()
    kind = groups.get("kind") or groups.get("that_kind")
    possible = [one for one in known if kind is None or _is_of(one, kind)]
    meant = _meant(groups, possible, given=bool(_pattern("giving").search(match.group())))
    return None if meant is None else (Span(*match.span()), meant)


def _by_label(text: str, known: Sequence[Spoken]) -> tuple[Span, Spoken] | None:
    """What "document B" means where the one document with that label is a contract."""
    handles = {spoken.handle for spoken in known}
    for one in _labelled(text):
        if one.kind == "document" and one.handle not in handles:
            label = one.handle.partition(":")[2]
            meant = [spoken for spoken in known if label in _labels_of(spoken)]
            if len(meant) == 1:
                return one.span, meant[0]
    return None


def _labels_of(spoken: Spoken) -> set[str]:
    forms = (form for name in (*spoken.names, spoken.handle) for form in (*_forms(name), name))
    return {form.rpartition(":")[2] for form in forms if ":" in form}


@functools.cache
def _pointing(language: Language) -> re.Pattern[str]:
    table = resources.load("handles")
    return resources.compiled(table["pointing"], language, table["macros"])


def _is_of(one: Spoken, noun: str) -> bool:
    kind = kind_of(noun)
    if one.kind == kind or kind == "document":
        return True
    return kind == "pdf" and any(name.lower().endswith(".pdf") for name in one.names)


def _meant(groups: dict[str, str | None], possible: Sequence[Spoken], *, given: bool) -> Spoken | None:
    """Which of the possible ones: by the order in which they came, or, of "just now", the one spoken of last."""
    said = [word for word in map(groups.get, ("place", "after", "when", "now")) if word]
    ordered = list(possible) if given else sorted(possible, key=lambda one: int(one.last_turn_id[1:]))
    if groups.get("that") or groups.get("that_kind") or _any_is("now", said):
        return next(reversed(ordered), None)
    return _at(possible, 1 if _any_is("first", said) else next(map(_place, said), None))


def _any_is(name: str, words: Sequence[str]) -> bool:
    return any(_pattern(name).match(word) for word in words)


def _place(word: str) -> int | None:
    return int(word) if word.isdigit() else wording.ordinal(word)


def _at(possible: Sequence[Spoken], place: int | None) -> Spoken | None:
    """The one at a place; "the contract" without one may be any, and one that was never named."""
    if not place or abs(place) > len(possible):
        return None
    return possible[place - 1 if place > 0 else place]
