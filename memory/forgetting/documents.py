"""The documents that go with a forgetting, and those that say something of it by themselves and stay."""

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, select

from ..knowledge.rows import remove_documents
from ..records import Turn
from ..storage.tables import chunks, documents
from .mentions import Mention, in_any
from .request import What


class Text(NamedTuple):
    """A text that is forgotten: of a turn, or of a piece of a document."""

    id: str
    text: str
    by_assistant: bool = False


def text_of(turn: Turn) -> Text:
    """What a turn says."""
    return Text(turn.id, turn.text, turn.role == "assistant")


def documents_meant(connection: Connection, user_id: str, what: What) -> list[int]:
    """The numbers of the documents that go too: all of the user's where everything goes, or all that was read goes."""
    everything = what.kind == "all" or (what.kind == "source" and "external_knowledge" in what.names)
    if not everything and not what.documents:
        return []
    held = select(documents.c.number).where(documents.c.user_id == user_id, documents.c.text.is_not(None))
    return [number for number in connection.execute(held).scalars() if everything or number in what.documents]


def take_documents(connection: Connection, user_id: str, numbers: Sequence[int], *, now: datetime) -> list[Text]:
    """Remove documents in the open transaction, and return what they said, piece by piece."""
    statement = select(chunks.c.number, chunks.c.title, chunks.c.text, chunks.c.document)
    rows = connection.execute(statement.where(chunks.c.user_id == user_id, chunks.c.text.is_not(None))).all()
    taken = [Text(f"c{row.number}", f"{row.title}\n{row.text}") for row in rows if row.document in set(numbers)]
    if numbers:
        remove_documents(connection, user_id, numbers, now=now)
    return taken


def pieces_saying(connection: Connection, user_id: str, mentions: Sequence[Mention]) -> list[str]:
    """The ids of the pieces of documents that contain one of the mentions."""
    statement = select(chunks.c.number, chunks.c.text)
    rows = connection.execute(statement.where(chunks.c.user_id == user_id, chunks.c.text.is_not(None)))
    return [f"c{row.number}" for row in rows if in_any(mentions, row.text)]
