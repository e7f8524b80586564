"""Chunks as the rules read them: what a document says, under a heading, in the form of a turn."""

from collections.abc import Collection

from sqlalchemy import Connection, Row, Select, and_, func, select

from ..records import Reference, is_chunk
from ..storage.tables import chunks, documents

_BATCH = 500
_TEXT = func.coalesce(chunks.c.text, documents.c.text)


def references(connection: Connection, user_id: str, numbers: Collection[int]) -> dict[int, Reference]:
    """The chunks of those (negative) numbers, by number; removed ones are left out."""
    wanted = [-number for number in numbers if is_chunk(number)]
    found: dict[int, Reference] = {}
    for batch in (wanted[start : start + _BATCH] for start in range(0, len(wanted), _BATCH)):
        statement = _with_document(user_id).where(chunks.c.number.in_(batch), _TEXT.is_not(None))
        found |= {
            reference.number: reference
            for reference in (_reference(row, user_id) for row in connection.execute(statement))
        }
    return found


def _with_document(user_id: str) -> Select[tuple[object, ...]]:
    place = and_(documents.c.user_id == chunks.c.user_id, documents.c.number == chunks.c.document)
    of_document = ("name", "version", "label", "language", "valid_from", "recorded_at")
    columns = (chunks.c.number, chunks.c.document, chunks.c.position, chunks.c.title, _TEXT.label("text"))
    statement = select(*columns, *(documents.c[name] for name in of_document)).join(documents, place)
    return statement.where(chunks.c.user_id == user_id)


def _reference(row: Row[tuple[object, ...]], user_id: str) -> Reference:
    found = row._mapping
    return Reference(
        user_id=user_id,
        number=-found["number"],
        session_id=f"d{found['document']}",
        position=found["position"],
        external_id=_versioned(found["name"], found["label"], found["version"]),
        role="assistant",
        source="external_knowledge",
        speaker=found["name"],
        text=found["text"],
        language=found["language"],
        observed_at=found["valid_from"],
        time_zone="UTC",
        recorded_at=found["recorded_at"],
        act="statement",
        title=found["title"],
        version=found["version"],
    )


def _versioned(name: str, label: str, version: int) -> str:
    """A document's name with its version, unless the name tells that itself."""
    if label and label.lstrip("v") in name:
        return name
    return f"{name} {label or f'v{version}'}"
