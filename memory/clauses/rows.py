"""Clauses in SQL: written with their document, found by the parts of their number, and never by the form of an id."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar, get_args

from sqlalchemy import ColumnElement, Connection, Row, Select, and_, func, select

from ..knowledge.rows import Document, documents_by_key
from ..records import Span
from ..storage.tables import chunks, clauses, documents
from .naming import named
from .records import DEEPEST, Clause, ClauseNumber, EntityType, Unit

_BATCH = 500
_TYPES: dict[str, EntityType] = {one: one for one in get_args(EntityType)}
_PARTS = tuple(clauses.c[f"part_{level}"] for level in range(1, DEEPEST + 1))
_Value = TypeVar("_Value")


def entity_type_of(document: Document) -> EntityType:
    """What a document of clauses is."""
    return _TYPES[document.entity_type]


@dataclass(frozen=True, slots=True)
class Family:
    """A document of clauses with all its versions, the earliest first."""

    key: str
    versions: tuple[Document, ...]

    @property
    def entity_type(self) -> EntityType:
        """``contract``, ``statute`` or ``policy``."""
        return entity_type_of(self.versions[-1])

    @property
    def names(self) -> tuple[str, ...]:
        """What the versions are known by, each once: titles and file names, also without version, date and state."""
        found: list[str] = []
        for one in self.versions:
            bare = named(one.name, one.title, entity_type_of(one))
            found += [one.title, bare.title, bare.stem, one.name]
        return tuple(dict.fromkeys(name for name in found if name))

    def in_force(self, moment: datetime) -> Document | None:
        """The version that holds at a time; there is at most one."""
        held = (one for one in self.versions if one.valid_from <= moment)
        return next((one for one in held if one.valid_to is None or moment < one.valid_to), None)

    def announced(self, moment: datetime) -> Document | None:
        """The version that was adopted by then and holds later, where none holds yet."""
        if self.in_force(moment) is not None:
            return None
        ahead = (one for one in self.versions if one.valid_from > moment)
        return next((one for one in ahead if one.announced is not None and one.announced <= moment.date()), None)


def has_clauses(connection: Connection, user_id: str) -> bool:
    """Whether the user has any document of clauses."""
    return connection.execute(select(clauses.c.id).where(clauses.c.user_id == user_id).limit(1)).first() is not None


def clause_count(connection: Connection, user_id: str, document: int) -> int:
    """How many clauses a version has, without their paragraphs and items."""
    own = (clauses.c.user_id == user_id, clauses.c.document == document, clauses.c.unit == "clause")
    return int(connection.execute(select(func.count()).select_from(clauses).where(*own)).scalar_one())


def families(connection: Connection, user_id: str, keys: Collection[str] | None = None) -> list[Family]:
    """The user's documents of clauses, by key: all, or those of some keys."""
    grouped: dict[str, list[Document]] = {}
    for document in documents_by_key(connection, user_id, keys, of_clauses=True):
        grouped.setdefault(document.key, []).append(document)
    return [Family(key, tuple(versions)) for key, versions in grouped.items()]


def clauses_of(connection: Connection, user_id: str, document: int, *, unit: Unit | None = None) -> list[Clause]:
    """The clauses of one version in the order of its text: all, or those of one unit."""
    own = [clauses.c.document == document]
    if unit is not None:
        own.append(clauses.c.unit == unit)
    return _fetched(connection, _clauses(user_id).where(*own))


def find_clauses(
    connection: Connection,
    user_id: str,
    document_numbers: Collection[int],
    at: ClauseNumber | None = None,
    *,
    unit: Unit | None = None,
    category: str | None = None,
    with_children: bool = False,
) -> list[Clause]:
    """Clauses of those versions by number, unit and category, in the order of versions and text.

    Args:
        connection: an open connection.
        user_id: whose.
        document_numbers: the versions (``Document.number``) that may answer.
        at: the number; an insertion such as 5A is another number than 5, and no child of it.
        unit: only what is counted so.
        category: only of this category.
        with_children: also what is below that number (5.2 and 5.2(a) for 5).
    """
    conditions: list[ColumnElement[bool]] = [clauses.c.document.in_(document_numbers)]
    if at is not None:
        conditions += _numbered(at, with_children=with_children)
    conditions += [
        column == wanted for column, wanted in ((clauses.c.unit, unit), (clauses.c.category, category)) if wanted
    ]
    return _fetched(connection, _clauses(user_id).where(*conditions))


def lineage_of(connection: Connection, user_id: str, lineages: Collection[int]) -> list[Clause]:
    """What one or more clauses are in all versions, the earliest version first."""
    found = [
        clause
        for batch in _batches(list(lineages))
        for clause in _fetched(connection, _clauses(user_id).where(clauses.c.lineage.in_(batch)))
    ]
    return sorted(found, key=lambda clause: (clause.valid_from, clause.document, clause.span))


def clauses_in_chunks(connection: Connection, user_id: str, numbers: Collection[int]) -> dict[int, list[Clause]]:
    """The clauses that stand in chunks, by the (positive) numbers of the chunks; the outer ones first."""
    found: dict[int, list[Clause]] = {}
    for batch in _batches(list(numbers)):
        for clause in _fetched(connection, _clauses(user_id).where(clauses.c.chunk.in_(batch))):
            found.setdefault(clause.chunk, []).append(clause)
    return found


def _numbered(at: ClauseNumber, *, with_children: bool) -> Iterator[ColumnElement[bool]]:
    depth = min(len(at.parts), DEEPEST)
    yield from (column == part for column, part in zip(_PARTS, at.parts[:depth], strict=False))
    if not with_children:
        yield clauses.c.inserted == at.inserted
        yield from (column.is_(None) for column in _PARTS[depth:])
    elif at.inserted:
        yield clauses.c.inserted == at.inserted
    else:
        # What was inserted behind 5 (5A) and its children are none of 5; what was inserted below it (5.2A) is.
        yield ~clauses.c.inserted.between(1, 1000 * (depth + 1) - 1)


def _clauses(user_id: str) -> Select[Any]:
    of_document = and_(documents.c.user_id == clauses.c.user_id, documents.c.number == clauses.c.document)
    in_chunk = and_(chunks.c.user_id == clauses.c.user_id, chunks.c.number == clauses.c.chunk)
    columns = (
        documents.c[name] for name in ("name", "key", "version", "entity_type", "valid_from", "valid_to", "recorded_at")
    )
    held = (chunks.c.text, chunks.c.start.label("chunk_start"), documents.c.label.label("version_label"))
    statement = select(clauses, *columns, *held).join(documents, of_document).join(chunks, in_chunk)
    order = (documents.c.valid_from, clauses.c.document, clauses.c.position)
    return statement.where(clauses.c.user_id == user_id, documents.c.removed_at.is_(None)).order_by(*order)


def _fetched(connection: Connection, statement: Select[Any]) -> list[Clause]:
    return [_clause(row) for row in connection.execute(statement)]


def _clause(row: Row[Any]) -> Clause:
    span = Span(row.start, row.end)
    parts = tuple(part for part in (row.part_1, row.part_2, row.part_3, row.part_4, row.part_5) if part is not None)
    return Clause(
        user_id=row.user_id,
        number=row.number,
        document=row.document,
        document_name=row.name,
        key=row.key,
        version=row.version_label or f"v{row.version}",
        entity_type=row.entity_type,
        category=row.category,
        at=ClauseNumber(parts, row.inserted),
        unit=row.unit,
        label=row.label,
        heading=row.heading,
        chunk=row.chunk,
        span=span,
        chunk_start=row.chunk_start,
        text=Span(span.start - row.chunk_start, span.end - row.chunk_start).cut(row.text or ""),
        sha256=row.sha256,
        confidence=row.confidence,
        lineage=row.lineage,
        valid_from=row.valid_from,
        valid_to=row.valid_to,
        recorded_at=row.recorded_at,
    )


def _batches(values: Sequence[_Value]) -> Iterator[Sequence[_Value]]:
    return (values[start : start + _BATCH] for start in range(0, len(values), _BATCH))
