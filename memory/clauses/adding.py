"""A document of clauses on its way in: cut, named, dated, placed among its versions, and joined to them by lineage."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, tzinfo
from pathlib import PurePath

from sqlalchemy import Connection, bindparam, insert, update

from ..knowledge.reading import ReadDocument
from ..knowledge.rows import Added, Document, Identity, documents_by_key
from ..storage.counters import next_number
from ..storage.tables import clauses
from .dating import Dated, read_dates, read_label
from .lineage import lineages
from .markers import Line, is_short, lines_of
from .naming import Named, are_versions, free_handle, handle, named
from .records import DEEPEST, EntityType
from .rows import clauses_of, entity_type_of
from .splitting import Cut

_LABEL_LINES = 10
_LONGEST_LABEL, _LONGEST_HEADING = 64, 512


@dataclass(frozen=True, slots=True)
class Given:
    """What the user says of a file, which outranks all that can be read."""

    name: str | None = None
    """Of the document, in the place of the file's name."""
    label: str | None = None
    """Of the version."""
    valid_from: datetime | None = None
    valid_to: datetime | None = None
    zone: tzinfo = UTC
    """In which the days of the file are meant."""


def known_type(connection: Connection, user_id: str, name: str) -> EntityType | None:
    """What the document is that a file is a version of by its name alone."""
    of_clauses = (one for one in documents_by_key(connection, user_id, of_clauses=True))
    for document in of_clauses:
        kind = entity_type_of(document)
        if are_versions(named(name, "", kind), named(document.name, "", kind)):
            return kind
    return None


def identify(connection: Connection, user_id: str, read: ReadDocument, cut: Cut, given: Given) -> Identity:
    """Read which document a file is a version of, which version, and from when to when it holds."""
    words = named(read.name, cut.title, cut.entity_type, given=given.name is not None)
    dated, label = _read(read, cut, read.name if given.name else PurePath(read.name).stem)
    return Identity(
        key=_key(words, read.name, documents_by_key(connection, user_id)),
        title=cut.title,
        label=given.label or label,
        entity_type=cut.entity_type,
        valid_from=given.valid_from or _midnight(dated.day, given.zone),
        dated_by="given" if given.valid_from else dated.by,
        # An end that a contract names is no end of its text: it is asked about afterwards, too.
        stated_to=given.valid_to,
    )


def _read(read: ReadDocument, cut: Cut, name: str) -> tuple[Dated, str]:
    """The days and the label of a version: of its name, else of its title page, else the day by which it is called."""
    lines = lines_of(read.text)
    first = min((one.span.start for one in cut.clauses if one.at.parts[0]), default=len(read.text))
    dated = read_dates(read.text, lines, first, name)
    label = read_label(name) or _label_in(read.text, lines, first)
    return dated, label or str(dated.named or "")


def _key(words: Named, name: str, known: Sequence[Document]) -> str:
    """The handle of the document that a file is a version of, or a new one."""
    of_clauses = [one for one in known if one.entity_type]
    same_name = (one for one in known if one.name == name)
    alike = (one for one in of_clauses if are_versions(words, named(one.name, one.title, entity_type_of(one))))
    found = next(same_name, None) or next(alike, None)
    if found is not None:
        return found.key
    wanted = handle(words)
    if not words.title and any(one.key == wanted for one in of_clauses):
        return wanted  # the user named the document by its handle
    return free_handle(wanted, [one.key for one in known])


def _label_in(text: str, lines: Sequence[Line], first: int) -> str:
    """The version that the title page names."""
    head = [line for line in lines[:_LABEL_LINES] if line.span.start < first]
    short = (line.content.cut(text) for line in head if is_short(line.content.cut(text)))
    return next((label for words in short if (label := read_label(words, spelled=True))), "")


def _midnight(day: date | None, zone: tzinfo) -> datetime | None:
    return None if day is None else datetime.combine(day, time(), tzinfo=zone).astimezone(UTC)


def add_clauses(connection: Connection, added: Added, cut: Cut) -> None:
    """Write the clauses of a document that was just added; ``added.chunks`` are its pieces in order."""
    document = added.document
    rows = []
    for position, one in enumerate(cut.clauses):
        number = next_number(connection, document.user_id, "clause")
        parts = dict.fromkeys((f"part_{level}" for level in range(1, DEEPEST + 1)), None)
        parts |= {f"part_{level}": part for level, part in enumerate(one.at.parts[:DEEPEST], start=1)}
        row = {
            "user_id": document.user_id, "number": number, "document": document.number,
            "chunk": added.chunks[one.piece], "position": position, "start": one.span.start, "end": one.span.end,
            "unit": one.unit, "inserted": one.at.inserted, "category": one.category,
            "label": one.label[:_LONGEST_LABEL], "heading": one.heading[:_LONGEST_HEADING], "sha256": one.sha256,
            "confidence": one.confidence, "lineage": number,
        }  # fmt: skip
        rows.append(row | parts)
    connection.execute(insert(clauses), rows)


def join_versions(connection: Connection, user_id: str, versions: Sequence[int]) -> None:
    """Give the clauses of all versions of a document their lineages again.

    Args:
        connection: a write transaction.
        user_id: whose.
        versions: the numbers of the versions, the earliest first, as ``knowledge.rows.settle`` returns them.
    """
    held = [clauses_of(connection, user_id, number) for number in versions]
    before: Mapping[int, int] = {clause.number: clause.lineage for version in held for clause in version}
    changed = [(number, lineage) for number, lineage in lineages(held).items() if before[number] != lineage]
    if changed:
        row = update(clauses).where(clauses.c.user_id == user_id, clauses.c.number == bindparam("of"))
        values = [{"of": number, "to": lineage} for number, lineage in changed]
        connection.execute(row.values(lineage=bindparam("to")), values)
