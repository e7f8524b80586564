"""What is indexed under numbers of its own: the turns, the chunks of the knowledge base, and the summaries."""

import hashlib
from dataclasses import dataclass

from sqlalchemy import Column, Select, Table, select

from ..storage.tables import (
    chunk_outbox,
    chunk_vectors,
    chunks,
    outbox,
    summary_outbox,
    summary_texts,
    summary_vectors,
    turns,
    vectors,
)
from .texts import indexed_text


@dataclass(frozen=True, slots=True)
class Namespace:
    """Where numbered texts of a kind are kept, and where what is derived from them."""

    name: str
    """Begins the names of the full-text tables."""
    collection: str
    """Begins the names of the Chroma collections."""
    rows: Table
    bearer: Column[str]
    """Who says the text: a speaker, or the title under which a chunk stands."""
    vectors: Table
    outbox: Table
    key: str
    """The column of ``vectors`` and ``outbox`` that holds the number."""

    def table_of(self, user_id: str) -> str:
        """The user's full-text table: a hash, because ids hold anything and names are folded by SQLite."""
        return f"{self.name}_fts_{_hash(user_id, 32)}"

    def collection_of(self, user_id: str) -> str:
        """The user's Chroma collection."""
        return f"{self.collection}-{_hash(user_id, 40)}"

    def texts(self, user_id: str) -> Select[int, str, str]:
        """Select number, bearer and text of the user's rows that have a text, in the order of their numbers."""
        rows = self.rows.c
        own = select(rows.number, self.bearer, rows.text).where(rows.user_id == user_id, rows.text.is_not(None))
        return own.order_by(rows.number)

    def indexed(self, bearer: str, text: str) -> str:
        """The text as both indexes see it."""
        return indexed_text(bearer, text)


TURNS = Namespace("turns", "user", turns, turns.c.speaker, vectors, outbox, "turn")
CHUNKS = Namespace("chunks", "knowledge", chunks, chunks.c.title, chunk_vectors, chunk_outbox, "chunk")
SUMMARIES = Namespace(
    "summaries", "summaries", summary_texts, summary_texts.c.title, summary_vectors, summary_outbox, "summary"
)
NAMESPACES = (TURNS, CHUNKS, SUMMARIES)


def _hash(user_id: str, length: int) -> str:
    return hashlib.sha256(user_id.encode("utf-8", "surrogatepass")).hexdigest()[:length]
