"""Cutting a document of clauses: each clause is a chunk, its paragraphs and items are places within it."""

import hashlib
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import PurePath

from ...prompts.tokens import count_tokens
from ..knowledge.chunking import LONGEST_TITLE, Piece, chunk
from ..language.folding import fold
from ..records import Span
from .categories import heading_category, text_category
from .dating import dates_in, read_label, states_date
from .markers import Line, lines_of, markers_of
from .outline import Outline, outlines
from .recognising import hinted_type, is_other, settled_type, title_of, titled_type
from .records import ClauseNumber, EntityType, Unit
from .sections import Section, sections
from .units import units_of

_LONGEST = 800
"""Tokens up to which a clause with numbered clauses below it is one chunk; above, each of these is one."""
_BLANKS = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class CutClause:
    """A clause as it was cut out of a text, before it is stored."""

    at: ClauseNumber
    unit: Unit
    label: str
    heading: str
    span: Span
    piece: int
    """The place among the pieces of the one that holds it."""
    category: str
    sha256: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Cut:
    """A document of clauses: all pieces in order, of clauses and of what stands between them, and the clauses."""

    entity_type: EntityType
    title: str
    pieces: tuple[Piece, ...]
    clauses: tuple[CutClause, ...]


def cut(text: str, name: str, known: EntityType | None = None) -> Cut | None:
    """Cut a text, or say with ``None`` that it is no document of clauses.

    Args:
        text: the stored text of a document.
        name: the document's name.
        known: what the document is by its other versions, where its title does not say.

    Returns:
        Pieces in order, without overlap. Every clause lies within one piece; clauses of one level do not overlap.
    """
    lines = lines_of(text)
    title = title_of(text, lines)
    said = titled_type(title, name) or known
    for outline in outlines(text, list(markers_of(text, lines)), lines, said):
        entity_type = _type_of(outline, said, title, name, text, lines)
        if entity_type is not None:
            return _cut(text, title, lines, outline, entity_type)
    if said == "policy" and _is_version(lines, text, name):
        return _cut(text, title, lines, Outline("heading", (), frozenset()), said)
    return None


def _is_version(lines: Sequence[Line], text: str, name: str) -> bool:
    """Whether a policy without any heading says that it is one version of several."""
    stem = PurePath(name).stem
    dated = any(states_date(line.content.cut(text)) for line in lines[:_HEAD])
    return len(lines) > 1 and (dated or bool(dates_in(stem)) or bool(read_label(stem)))


def digest(text: str) -> str:
    """The hash by which a clause is known to be unchanged: of its words, whatever their blanks and letter case."""
    return hashlib.sha256(_BLANKS.sub("", fold(text)).encode()).hexdigest()


def _type_of(
    outline: Outline, said: EntityType | None, title: str, name: str, text: str, lines: Sequence[Line]
) -> EntityType | None:
    """What the document is, by how surely its way of marking is that of clauses."""
    if outline.kind == "article":
        return settled_type(said, text) or "policy"
    if is_other(title, name):
        return None
    if outline.kind == "heading":
        dated = any(states_date(line.content.cut(text)) for line in lines[:_HEAD])
        return said or ("policy" if dated and hinted_type(text) == "policy" else None)
    return settled_type(said, text)


_HEAD = 10


def _cut(text: str, title: str, lines: Sequence[Line], outline: Outline, entity_type: EntityType) -> Cut:
    found = sections(text, title, lines, outline)
    chunks = list(_chunks(text, found))
    base = title or _name_of(found)
    placed = [Piece(section.whole, _title(base, section)) for section in chunks]
    others = _between(text, base, lines, [piece.span for piece in placed])
    pieces = sorted([*placed, *others], key=lambda piece: piece.span)
    leads = {section.entry.at: section for section in chunks}
    clauses = _clauses(text, outline, [leads.get(one.entry.at, one) for one in found], pieces)
    return Cut(entity_type, title, tuple(pieces), tuple(clauses))


def _name_of(found: Sequence[Section]) -> str:
    """What stands for a title where there is none: the first heading."""
    return next((section.heading for section in found if section.heading), "")


def _chunks(text: str, found: Sequence[Section]) -> Iterator[Section]:
    """The sections that are chunks: the outermost, or, where one is long, its lead and each of those below it."""
    covered = -1
    for place, section in enumerate(found):
        if section.whole.start < covered:
            continue
        has_parts = place + 1 < len(found) and found[place + 1].whole.start < section.whole.end
        if has_parts and count_tokens(section.whole.cut(text)) > _LONGEST:
            covered = section.own.end
            yield replace(section, whole=section.own)
        else:
            covered = section.whole.end
            yield section


def _title(base: str, section: Section) -> str:
    named = f"{section.label} {section.heading}".strip()
    return " › ".join(dict.fromkeys(part for part in (base, section.chapter, named) if part))[:LONGEST_TITLE]


def _between(text: str, base: str, lines: Sequence[Line], spans: Sequence[Span]) -> Iterator[Piece]:
    """The pieces of what is no clause: preambles, annexes, but no headings that stand alone."""
    begun = [line.span.start for line in lines]
    ends = [0, *(span.end for span in spans)]
    starts = [*(span.start for span in spans), len(text)]
    for gap in map(Span, ends, starts):
        said = lines[bisect_left(begun, gap.start) : bisect_left(begun, gap.end)]
        if any(not line.part and not line.style.level for line in said):
            for piece in chunk(gap.cut(text), base):
                yield Piece(Span(piece.span.start + gap.start, piece.span.end + gap.start), piece.title)


def _clauses(text: str, outline: Outline, found: Sequence[Section], pieces: Sequence[Piece]) -> Iterator[CutClause]:
    starts = [piece.span.start for piece in pieces]
    categories: dict[tuple[int, ...], str] = {}
    for place, section in enumerate(found):
        said = section.body.cut(text)
        whole = CutClause(
            at=section.entry.at,
            unit="clause",
            label=section.label,
            heading=section.heading,
            span=section.whole,
            piece=bisect_right(starts, section.whole.start) - 1,
            category=_category(section, said, categories),
            sha256=digest(section.heading + said),
            confidence=outline.confidence,
        )
        yield whole
        lone = place + 1 < len(found) and found[place + 1].entry.depth > section.entry.depth
        for one in units_of(text, section.body, whole.at, chinese=outline.kind in ("article", "heading"), lone=lone):
            hashed = digest(one.said.cut(text))
            yield replace(whole, at=one.at, unit=one.unit, label=one.label, heading="", span=one.span, sha256=hashed)


def _category(section: Section, said: str, above: dict[tuple[int, ...], str]) -> str:
    """What a clause is about; what stands under "Payment" is about payment, whatever words it uses."""
    parts = section.entry.at.parts
    outer = next((above[parts[:depth]] for depth in range(len(parts) - 1, 0, -1) if parts[:depth] in above), None)
    named = heading_category(section.heading) or outer
    if named is not None:
        above[parts] = named
    return named or text_category(said)
