"""Where in a document something stands: its document, page and field, in a question and in what was said.

Documents of one kind have the same pages and fields, so an address must match exactly: what stands on page 3 of one
lease is no answer about another, however alike their words are.
"""

import functools
import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..language import resources
from ..language.folding import fold
from ..language.numerals import normalise_number
from ..language.tokens import stem
from ..language.values import find_values
from ..records import Span

_FIELD = re.compile(r"[a-z]+(?:_[a-z]+)+")
"""A field's name: words that are joined by underscores, and no digit that would make it a number of something."""

_REACH = 4000
"""Characters before a piece of a turn in which its document, page or field may be named."""


@dataclass(frozen=True, slots=True)
class Address:
    """Documents, pages and fields that a text names, folded; what it does not name is empty."""

    documents: frozenset[str] = frozenset()
    pages: frozenset[str] = frozenset()
    fields: frozenset[str] = frozenset()

    def __bool__(self) -> bool:
        """Whether anything is named."""
        return bool(self.documents or self.pages or self.fields)

    def within(self, around: "Address") -> "Address":
        """The same, with what it leaves out taken from what was named before it; a new document begins anew."""
        if self.documents and not self.documents & around.documents:
            return self
        pages = self.pages or around.pages
        fields = self.fields or (around.fields if pages == around.pages else frozenset())
        return Address(self.documents or around.documents, pages, fields)

    def is_elsewhere(self, told: "Address") -> bool:
        """Whether something told stands elsewhere than what is asked for: it names another document, page or field.

        Numbers of things that have neither pages nor fields tell no place.
        """
        if not (self.pages or self.fields or told.pages or told.fields):
            return False
        pairs = ((self.documents, told.documents), (self.pages, told.pages), (self.fields, told.fields))
        return any(asked and named and asked.isdisjoint(named) for asked, named in pairs)

    def shared(self, told: "Address") -> int:
        """How many of the three kinds of places both name alike."""
        pairs = ((self.documents, told.documents), (self.pages, told.pages), (self.fields, told.fields))
        return sum(bool(asked & named) for asked, named in pairs)


@functools.cache
def _marker(name: str) -> re.Pattern[str]:
    table = resources.load("addresses")["markers"]
    return resources.compiled(table, name)


@functools.cache
def _words(name: str) -> frozenset[str]:
    entry = resources.load("addresses")[name]
    parts = entry.values() if isinstance(entry, dict) else [entry]
    return frozenset(word for part in parts for word in str(part).split())


@functools.lru_cache(maxsize=512)
def address_of(text: str) -> Address:
    """The documents, pages and fields that a text names; the last few thousand texts are remembered."""
    found: dict[str, set[str]] = {"document": set(), "page": set(), "field": set()}
    for kind, name, _ in _named(text):
        found[kind].add(name)
    return Address(*(frozenset(found[kind]) for kind in ("document", "page", "field")))


def address_spans(text: str) -> list[Span]:
    """Where a text names documents by marks, pages and fields, with the Chinese words that only say so (字段)."""
    named = list(_named(text))
    spans = [span for kind, _, span in named if kind != "document" or text[span.start] == "["]
    framing = _framing().finditer(fold(text)) if named else ()
    return spans + [span for span in (Span(*match.span()) for match in framing) if not any(map(span.overlaps, spans))]


@functools.cache
def _framing() -> re.Pattern[str]:
    return re.compile(
        resources.alternatives([word for word in _words("frame") if len(word) > 1 and not word.isascii()])
    )


def is_field(name: str) -> bool:
    """Whether an identifier is the name of a field: TOTAL_AMT, and no INV_2024."""
    return _FIELD.fullmatch(fold(name)) is not None


def _named(text: str) -> Iterator[tuple[str, str, Span]]:
    """Each place that is named: its kind, its name, and where."""
    marked = list(_marked(fold(text)))
    yield from marked
    for value in find_values(text):
        name = fold(value.normal)
        named = value.kind == "identifier" and name not in _words("keys")
        if named and not any(value.span.overlaps(span) for _, _, span in marked):
            yield "field" if is_field(name) else "document", name, value.span


def _marked(folded: str) -> Iterator[tuple[str, str, Span]]:
    """What is marked as a document, a page or a field."""
    for kind in ("document", "page", "field"):
        for match in _marker(kind).finditer(folded):
            name = next(group for group in match.groups() if group)
            yield kind, _page(name) if kind == "page" else name, Span(*match.span())


def _page(written: str) -> str:
    number = normalise_number(written)
    return written if number is None else str(int(number))


def told_at(text: str, span: Span) -> Address:
    """The address of a piece of a turn: what it names itself, and else what the turn named before it."""
    known = Address()
    own = address_of(span.cut(text))
    before = text[max(0, span.start - _REACH) : span.start]
    if not own.documents and before.strip():
        for start, end in _runs(before):
            known = address_of(before[start:end]).within(known)
    return own.within(known)


def _runs(text: str) -> list[tuple[int, int]]:
    """Where the named places of a text begin, each with the end of those that stand together with it."""
    spans = sorted(span for _, _, span in _named(text))
    runs: list[tuple[int, int]] = []
    for span in spans:
        if runs and not re.search(r"[.。;；!！?？\n]|\w{3}", text[runs[-1][1] : span.start]):
            runs[-1] = (runs[-1][0], span.end)
        else:
            runs.append((span.start, span.end))
    return runs


def pieces(text: str, span: Span) -> list[Span]:
    """A sentence cut where it goes on to another document: each piece has one address, and the value beside it."""
    folded = fold(span.cut(text))
    marks = [match.start() for match in _marker("document").finditer(folded)]
    if len(marks) < 2:
        return [span]
    leads = bool(re.search(r"\w", _without_marks(folded[marks[-1] :])))
    if leads:
        cuts = [0, *marks[1:], len(folded)]
    else:
        ends = [match.end() for match in re.finditer(r"(?:\[[^\]]*\]\s*)+", folded)]
        cuts = [0, *ends[:-1], len(folded)]
    found = [Span(span.start + start, span.start + end) for start, end in itertools.pairwise(cuts)]
    return [_stripped(text, piece) for piece in found if piece.cut(text).strip()]


def _without_marks(text: str) -> str:
    return re.sub(r"\[[^\]]*\]", " ", text)


def _stripped(text: str, span: Span) -> Span:
    piece = span.cut(text)
    start = span.start + len(piece) - len(piece.lstrip(" ,，;；、"))
    return Span(start, span.start + len(piece.rstrip(" ,，;；、")))


@functools.lru_cache(maxsize=8192)
def meanings(part: str) -> tuple[str, ...]:
    """What a part of a field's name stands for, itself first: of AMT amount, 金额 and so on."""
    return (part, *str(resources.load("addresses")["parts"].get(part, "")).split())


def meaning(text: str) -> str:
    """The meanings of all fields that a text names, as one text; empty where it names none."""
    names = sorted(address_of(text).fields)
    return ". ".join(" ".join(word for part in name.split("_") for word in meanings(part)) for name in names)


def without_frame(terms: Sequence[str]) -> list[str]:
    """The content words of a question that names an address, without those that only say so ("the field", 第, 页)."""
    frame = _words("frame") | {stem(word) for word in _words("frame")}
    return [term for term in terms if term not in frame]
