"""Documents and their chunks in SQL: versions with valid and recorded time, numbered per user, never edited."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Any, Literal, cast

from sqlalchemy import ColumnElement, Connection, Row, Select, and_, delete, false, func, insert, or_, select, update

from ..errors import NotFound
from ..records import RecallFilter
from ..retrieval import lexical
from ..retrieval.namespaces import CHUNKS
from ..retrieval.vector_rows import bump_epoch
from ..storage.counters import next_number
from ..storage.tables import chunk_outbox, chunk_vectors, chunks, clauses, documents
from ..storage.turns import ensure_user
from .chunking import Piece
from .reading import ReadDocument
from .versions import Placed, in_time, settled

Origin = Literal["file", "retriever"]
"""Where a document came from: a file that the user gave, or a retriever that takes the place of the knowledge base."""
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_ID = re.compile(r"(?P<kind>[dDcC])(?P<number>[0-9]{1,17})")
_BATCH = 500
_LONGEST_NAME = 512
_LONGEST_LABEL = 64


@dataclass(frozen=True, slots=True)
class Document:
    """One version of a reference document."""

    user_id: str
    number: int
    name: str
    version: int
    origin: Origin
    sha256: str
    media_type: str
    language: str
    valid_from: datetime
    valid_to: datetime | None
    recorded_at: datetime
    closed_at: datetime | None
    removed_at: datetime | None
    key: str
    """What all versions of the document have in common: its name, or the handle of a document of clauses."""
    title: str
    label: str
    """Of a version, as its name, its heading or its text has it; empty where none has."""
    entity_type: str
    """``contract``, ``statute`` or ``policy``; empty for what is not made of clauses."""
    dated_by: str
    """Where ``valid_from`` was read; ``added`` where it is the time of adding."""
    stated_to: datetime | None
    """The end that was stated for this version, whatever follows it."""

    @property
    def announced(self) -> date | None:
        """The day by which the version is called, where that is before it holds: a statute is adopted first."""
        day = date.fromisoformat(self.label) if _DAY.fullmatch(self.label) else None
        return day if day is not None and day < self.valid_from.date() else None

    @property
    def version_label(self) -> str:
        """How the version is called: by its own label, or by its place in the order of adding."""
        return self.label or f"v{self.version}"

    @property
    def id(self) -> str:
        """The document's id, for example ``d3``."""
        return f"d{self.number}"

    @property
    def current(self) -> bool:
        """Whether no later version has taken its place, and it was not removed."""
        return self.closed_at is None


@dataclass(frozen=True, slots=True)
class Identity:
    """Which document a file is a version of, which version, and when that holds by what was given or read."""

    key: str
    title: str = ""
    label: str = ""
    entity_type: str = ""
    valid_from: datetime | None = None
    """``None``: since it was added."""
    dated_by: str = "added"
    stated_to: datetime | None = None


@dataclass(frozen=True, slots=True)
class Added:
    """What became of a document: its version, the numbers of its chunks, and whether it was there already."""

    document: Document
    chunks: tuple[int, ...]
    known: bool = False
    clauses: int = 0
    """How many clauses it has, without their paragraphs and items."""


def add_document(
    connection: Connection,
    user_id: str,
    read: ReadDocument,
    pieces: Sequence[Piece],
    *,
    identity: Identity | None = None,
    origin: Origin = "file",
    now: datetime,
) -> Added:
    """Record a document in a write transaction, as a new version if it is known with another content.

    Versions hold one after another in the order of their beginnings, in whatever order they are added. Those that
    were replaced stay, and stay citable.
    """
    ensure_user(connection, user_id, now)
    identity = identity or Identity(read.name)
    versions = documents_by_key(connection, user_id, [identity.key], origin=origin)
    known = _known(versions, read, identity)
    if known is not None:
        _redate(connection, known, identity, now)
        kept = _get(connection, user_id, known.number)
        return Added(kept, tuple(chunk_numbers(connection, user_id, [known.number])), known=True)
    document = Document(
        user_id=user_id,
        number=next_number(connection, user_id, "document"),
        name=read.name,
        version=_last_version(connection, user_id, read.name, identity.key) + 1,
        origin=origin,
        sha256=read.sha256,
        media_type=read.media_type,
        language=read.language,
        valid_from=identity.valid_from or now,
        valid_to=None,
        recorded_at=now,
        closed_at=None,
        removed_at=None,
        key=identity.key,
        title=identity.title[:_LONGEST_NAME],
        label=identity.label[:_LONGEST_LABEL],
        entity_type=identity.entity_type,
        dated_by=identity.dated_by,
        stated_to=identity.stated_to,
    )
    values = {name: getattr(document, name) for name in Document.__slots__}
    connection.execute(insert(documents).values(**values, text=read.text))
    settle(connection, user_id, identity.key, now=now, origin=origin)
    stored = _get(connection, user_id, document.number)
    return Added(stored, tuple(_add_chunks(connection, stored, read.text, pieces, now)))


def _known(versions: Sequence[Document], read: ReadDocument, identity: Identity) -> Document | None:
    """The version that a file is already: of the same text and label, and since the same day, or the last one."""
    for version in versions:
        if (version.sha256, version.label) != (read.sha256, identity.label):
            continue
        dated = identity.valid_from is not None and (version.name != read.name or identity.dated_by != "given")
        if version.valid_from == identity.valid_from if dated else version.current:
            return version
    return None


def _redate(connection: Connection, known: Document, identity: Identity, now: datetime) -> None:
    """Take over a validity that was given for a version that is there already."""
    if identity.dated_by == "given" and identity.valid_from is not None:
        given = {"valid_from": identity.valid_from, "dated_by": "given", "stated_to": identity.stated_to}
        own = (documents.c.user_id == known.user_id, documents.c.number == known.number)
        connection.execute(update(documents).where(*own).values(**given))
        settle(connection, known.user_id, known.key, now=now, origin=known.origin)


def settle(
    connection: Connection, user_id: str, key: str, *, now: datetime, origin: Origin = "file"
) -> tuple[int, ...]:
    """Place all versions of a document in time again, and return their numbers, the earliest first."""
    versions = documents_by_key(connection, user_id, [key], origin=origin)
    placed = (
        Placed(
            one.number,
            one.label,
            one.recorded_at if one.dated_by == "added" else one.valid_from,
            one.dated_by != "added",
            one.stated_to,
        )
        for one in versions
    )
    validities = settled(placed)
    for version in versions:
        held = validities[version.number]
        closed_at = (version.closed_at or now) if held.replaced else None
        if (held.valid_from, held.valid_to, closed_at) != (version.valid_from, version.valid_to, version.closed_at):
            own = (documents.c.user_id == user_id, documents.c.number == version.number)
            row = update(documents).where(*own)
            connection.execute(row.values(valid_from=held.valid_from, valid_to=held.valid_to, closed_at=closed_at))
    return tuple(validities)


def list_documents(connection: Connection, user_id: str, *, everything: bool = False) -> list[Document]:
    """The user's documents by name and version: those that hold, or all that are not removed."""
    statement = _documents(user_id).where(documents.c.removed_at.is_(None), documents.c.origin == "file")
    if not everything:
        statement = statement.where(documents.c.closed_at.is_(None))
    rows = connection.execute(statement.order_by(documents.c.name, documents.c.version))
    return [_document(row) for row in rows]


def documents_by_key(
    connection: Connection,
    user_id: str,
    keys: Collection[str] | None = None,
    *,
    origin: Origin = "file",
    of_clauses: bool = False,
) -> list[Document]:
    """The user's documents that are not removed, by key and within a key by the time from which they hold.

    Args:
        connection: an open connection.
        user_id: whose.
        keys: only the versions of these documents.
        origin: where they came from.
        of_clauses: only those that are made of clauses.
    """
    statement = _documents(user_id).where(documents.c.removed_at.is_(None), documents.c.origin == origin)
    if keys is not None:
        statement = statement.where(documents.c.key.in_(keys))
    if of_clauses:
        statement = statement.where(documents.c.entity_type != "")
    found = [_document(row) for row in connection.execute(statement)]
    return sorted(found, key=lambda one: (one.key, *in_time(one.valid_from, one.valid_to, one.label), one.number))


def find_documents(connection: Connection, user_id: str, given: str) -> list[Document]:
    """The documents that a name, handle, title, id ``d3`` or chunk's id ``c5`` names: all versions, or the one.

    Raises:
        NotFound: the user has no such document.
    """
    named = [column == given for column in (documents.c.name, documents.c.key, documents.c.title) if given]
    by_id = _ID.fullmatch(given)
    if by_id and by_id["kind"] in "dD":
        named.append(documents.c.number == int(by_id["number"]))
    elif by_id:
        of_chunk = (chunks.c.user_id == user_id, chunks.c.number == int(by_id["number"]))
        named.append(documents.c.number.in_(select(chunks.c.document).where(*of_chunk)))
    statement = _documents(user_id).where(documents.c.removed_at.is_(None), or_(false(), *named))
    found = [_document(row) for row in connection.execute(statement.order_by(documents.c.number))]
    if not found:
        raise NotFound("document", given, "`veridical knowledge list --all` shows the names and ids there are")
    return found


def remove_documents(connection: Connection, user_id: str, numbers: Collection[int], *, now: datetime) -> None:
    """Take documents out of every layer. Their rows stay, without text, so that their numbers are not given again."""
    gone = chunk_numbers(connection, user_id, numbers)
    own = (documents.c.user_id == user_id, documents.c.number.in_(numbers))
    keys = set(connection.execute(select(documents.c.key).where(*own)).scalars())
    ends = update(documents).where(*own, documents.c.closed_at.is_(None))
    connection.execute(ends.values(valid_to=now, closed_at=now))
    blank = {"text": None, "removed_at": now, "key": "", "title": ""}
    connection.execute(update(documents).where(*own).values(**blank))
    connection.execute(delete(clauses).where(clauses.c.user_id == user_id, clauses.c.document.in_(numbers)))
    for key in sorted(keys):
        settle(connection, user_id, key, now=now)
    lexical.remove_turns(connection, user_id, gone, CHUNKS)
    for batch in (gone[start : start + _BATCH] for start in range(0, len(gone), _BATCH)):
        emptied = update(chunks).where(chunks.c.user_id == user_id, chunks.c.number.in_(batch))
        connection.execute(emptied.values(text=None, title=""))
        for table in (chunk_vectors, chunk_outbox):
            connection.execute(delete(table).where(table.c.user_id == user_id, table.c.chunk.in_(batch)))
    bump_epoch(connection)


def chunk_numbers(connection: Connection, user_id: str, of: Collection[int]) -> list[int]:
    """The numbers of the chunks of documents, in order."""
    statement = select(chunks.c.number).where(chunks.c.user_id == user_id, chunks.c.document.in_(of))
    return list(connection.execute(statement.order_by(chunks.c.number)).scalars())


def chunk_count(connection: Connection, user_id: str) -> int:
    """How many chunks with a text the user has."""
    own = (chunks.c.user_id == user_id, chunks.c.text.is_not(None))
    return int(connection.execute(select(func.count()).select_from(chunks).where(*own)).scalar_one())


def admissible(
    connection: Connection, user_id: str, numbers: Collection[int], wanted: RecallFilter, now: datetime | None = None
) -> set[int]:
    """Which chunks belong to a version that holds at the time asked about, or held before for a question of history."""
    found: set[int] = set()
    every = list(numbers)
    for batch in (every[start : start + _BATCH] for start in range(0, len(every), _BATCH)):
        place = and_(documents.c.user_id == chunks.c.user_id, documents.c.number == chunks.c.document)
        statement = select(chunks.c.number).join(documents, place)
        statement = statement.where(chunks.c.user_id == user_id, chunks.c.number.in_(batch), *_held(wanted, now))
        found.update(connection.execute(statement).scalars())
    return found


def _held(wanted: RecallFilter, now: datetime | None) -> list[ColumnElement[bool]]:
    replaced: ColumnElement[bool] = documents.c.closed_at.is_not(None)
    conditions: list[ColumnElement[bool]] = [documents.c.removed_at.is_(None)]
    if wanted.recorded_as_of is not None:
        conditions.append(documents.c.recorded_at <= wanted.recorded_as_of)
        replaced = and_(replaced, documents.c.closed_at <= wanted.recorded_as_of)
    moment = wanted.as_of or now
    if moment is None:
        return [*conditions, replaced if wanted.history else ~replaced]
    # An end that was stated ends a version, whether another follows or not.
    ended = and_(documents.c.valid_to <= moment, or_(replaced, documents.c.stated_to == documents.c.valid_to))
    before = wanted.history and wanted.as_of is None
    return [*conditions, documents.c.valid_from <= moment, ended if before else func.coalesce(~ended, True)]


def _add_chunks(
    connection: Connection, document: Document, text: str, pieces: Sequence[Piece], now: datetime
) -> list[int]:
    numbers = []
    for position, piece in enumerate(pieces):
        number = next_number(connection, document.user_id, "chunk")
        quoted = piece.span.cut(text)
        connection.execute(
            insert(chunks).values(
                user_id=document.user_id,
                number=number,
                document=document.number,
                position=position,
                start=piece.span.start,
                end=piece.span.end,
                title=piece.title,
                # What a retriever found is not searched: only its document holds the text.
                text=quoted if document.origin == "file" else None,
            )
        )
        if document.origin == "file":
            lexical.add(connection, document.user_id, number, CHUNKS.indexed(piece.title, quoted), CHUNKS)
            waiting = {"user_id": document.user_id, "chunk": number, "created_at": now}
            connection.execute(insert(chunk_outbox).values(**waiting))
        numbers.append(number)
    return numbers


def _last_version(connection: Connection, user_id: str, name: str, key: str) -> int:
    """The highest number that a version has, of the document or of another of the same name, removed ones included."""
    own = (documents.c.user_id == user_id, or_(documents.c.name == name, documents.c.key == key))
    return int(connection.execute(select(func.max(documents.c.version)).where(*own)).scalar() or 0)


def _get(connection: Connection, user_id: str, number: int) -> Document:
    return _document(connection.execute(_documents(user_id).where(documents.c.number == number)).one())


def _documents(user_id: str) -> Select[tuple[object, ...]]:
    return select(*(documents.c[name] for name in Document.__slots__)).where(documents.c.user_id == user_id)


def _document(row: Row[tuple[object, ...]]) -> Document:
    # By place: the columns are selected in the order of the fields, and there may be many rows.
    return Document(*cast("tuple[Any, ...]", row))
