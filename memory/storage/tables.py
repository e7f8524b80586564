"""The tables. Times are stored as UTC microseconds since the epoch, which compare and index exactly.

The full-text index is no table of this metadata: it is created by the migration in the dialect of the database
(``retrieval/lexical.py`` owns its queries), and it is derived.
"""

from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Boolean,
    Column,
    Dialect,
    Float,
    Index,
    Integer,
    LargeBinary,
    MetaData,
    String,
    Table,
    Text,
    TypeDecorator,
    UniqueConstraint,
)

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)

# SQLite only assigns row ids to INTEGER primary keys, PostgreSQL needs the width.
BigKey = BigInteger().with_variant(Integer, "sqlite")


class Instant(TypeDecorator[datetime]):
    """An aware datetime, kept as UTC microseconds since the epoch (exact, ordered, the same in every database)."""

    impl = BigInteger
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> int | None:
        """Turn an aware datetime into microseconds; a naive one is a programming error."""
        if value is None:
            return None
        if value.tzinfo is None:
            message = f"naive datetime {value!r}: every time in the store is aware"
            raise ValueError(message)
        return (value - _EPOCH) // _MICROSECOND

    def process_result_value(self, value: Any, dialect: Dialect) -> datetime | None:
        """Turn microseconds into an aware datetime in UTC."""
        return None if value is None else _EPOCH + timedelta(microseconds=value)


metadata = MetaData()

meta = Table(
    "meta",
    metadata,
    Column("key", String(64), primary_key=True),
    Column("value", Text, nullable=False),
)
"""Facts about the store itself: the embedder that made its vectors."""

users = Table(
    "users",
    metadata,
    Column("user_id", String(512), primary_key=True),
    Column("created_at", Instant, nullable=False),
)

counters = Table(
    "counters",
    metadata,
    Column("user_id", String(512), primary_key=True),
    Column("name", String(16), primary_key=True),
    Column("value", BigInteger, nullable=False),
)
"""The last number given per user and kind, so that a number is never given twice even after forgetting."""

threads = Table(
    "threads",
    metadata,
    Column("thread_id", String(512), primary_key=True),
    Column("user_id", String(512), nullable=False),
    Column("created_at", Instant, nullable=False),
)
"""Who owns a conversation thread: the user of its first turn."""

turns = Table(
    "turns",
    metadata,
    Column("id", BigKey, primary_key=True, autoincrement=True),
    Column("user_id", String(512), nullable=False),
    Column("number", BigInteger, nullable=False),
    Column("session_id", String(512), nullable=False),
    Column("position", BigInteger, nullable=False),
    Column("external_id", String(512), nullable=False),
    Column("role", String(16), nullable=False),
    Column("source", String(32), nullable=False),
    Column("speaker", String(256), nullable=False),
    Column("text", Text, nullable=False),
    Column("language", String(8), nullable=False),
    Column("observed_at", Instant, nullable=False),
    Column("time_zone", String(64), nullable=False),
    Column("recorded_at", Instant, nullable=False),
    Column("act", String(32), nullable=False),
    Column("citations", JSON, nullable=False),
    Column("prompts", JSON, nullable=False),
    Column("terminal", String(256), nullable=False, server_default=""),
    UniqueConstraint("user_id", "number"),
    UniqueConstraint("user_id", "session_id", "external_id"),
    Index("turns_in_session", "user_id", "session_id", "position"),
    Index("turns_of_session", "user_id", "session_id", "number"),
    Index("turns_by_time", "user_id", "observed_at"),
    Index("turns_by_speaker", "user_id", "speaker"),
)

items = Table(
    "items",
    metadata,
    Column("id", BigKey, primary_key=True, autoincrement=True),
    Column("user_id", String(512), nullable=False),
    Column("number", BigInteger, nullable=False),
    Column("kind", String(16), nullable=False),
    Column("entity", String(256), nullable=False),
    Column("attribute", String(256), nullable=False),
    Column("value", Text, nullable=False),
    Column("normal", Text, nullable=False),
    Column("value_type", String(32), nullable=False),
    Column("unit", String(32)),
    Column("polarity", String(16), nullable=False),
    Column("single_valued", Boolean, nullable=False),
    Column("modality", String(16), nullable=False),
    Column("source", String(32), nullable=False),
    Column("speaker", String(256), nullable=False),
    Column("turn", BigInteger, nullable=False),
    Column("value_start", Integer, nullable=False),
    Column("value_end", Integer, nullable=False),
    Column("quote_start", Integer, nullable=False),
    Column("quote_end", Integer, nullable=False),
    Column("quote", Text, nullable=False),
    Column("confidence", Float, nullable=False),
    Column("observed_at", Instant, nullable=False),
    Column("recorded_at", Instant, nullable=False),
    Column("valid_from", Instant, nullable=False),
    Column("valid_to", Instant),
    Column("closed_at", Instant),
    Column("closed_by", String(16)),
    Column("superseded_by", BigInteger),
    Column("due_at", Instant),
    Column("accepted_turn", BigInteger),
    Column("accepted_start", Integer),
    Column("accepted_end", Integer),
    UniqueConstraint("user_id", "number"),
    Index("items_by_subject", "user_id", "entity", "attribute", "number"),
    Index("items_by_attribute", "user_id", "attribute", "number"),
    Index("items_by_normal", "user_id", "normal"),
    Index("items_by_turn", "user_id", "turn", "number"),
    Index("items_by_kind", "user_id", "kind", "closed_at", "number"),
    Index("items_by_closing", "user_id", "closed_at", "number"),
)

conflicts = Table(
    "conflicts",
    metadata,
    Column("id", BigKey, primary_key=True, autoincrement=True),
    Column("user_id", String(512), nullable=False),
    Column("preferred", BigInteger, nullable=False),
    Column("other", BigInteger, nullable=False),
    Column("rule", String(32), nullable=False),
    Column("recorded_at", Instant, nullable=False),
    UniqueConstraint("user_id", "preferred", "other"),
)
"""Two items that cannot both hold: which one is preferred, and by which rule."""

summaries = Table(
    "summaries",
    metadata,
    Column("id", BigKey, primary_key=True, autoincrement=True),
    Column("user_id", String(512), nullable=False),
    Column("number", BigInteger, nullable=False),
    Column("session_id", String(512), nullable=False),
    Column("first_turn", BigInteger, nullable=False),
    Column("last_turn", BigInteger, nullable=False),
    Column("trigger", String(32), nullable=False),
    Column("document", JSON, nullable=False),
    Column("prompts", JSON, nullable=False),
    Column("recorded_at", Instant, nullable=False),
    UniqueConstraint("user_id", "number"),
    UniqueConstraint("user_id", "session_id", "last_turn"),
)

summary_texts = Table(
    "summary_texts",
    metadata,
    Column("id", BigKey, primary_key=True, autoincrement=True),
    Column("user_id", String(512), nullable=False),
    Column("number", BigInteger, nullable=False),
    Column("title", String(512), nullable=False),
    Column("text", Text, nullable=False),
    UniqueConstraint("user_id", "number"),
)
"""What summaries are found by: their topics and quotations. Derived from ``summaries``."""

summary_vectors = Table(
    "summary_vectors",
    metadata,
    Column("id", BigKey, primary_key=True, autoincrement=True),
    Column("user_id", String(512), nullable=False),
    Column("summary", BigInteger, nullable=False),
    Column("embedding", LargeBinary, nullable=False),
    UniqueConstraint("user_id", "summary"),
    sqlite_autoincrement=True,
)
"""One embedding per summary, as ``vectors`` has one per turn."""

summary_outbox = Table(
    "summary_outbox",
    metadata,
    Column("id", BigKey, primary_key=True, autoincrement=True),
    Column("user_id", String(512), nullable=False),
    Column("summary", BigInteger, nullable=False),
    Column("created_at", Instant, nullable=False),
    UniqueConstraint("user_id", "summary"),
)
"""Summaries whose derived rows are still to be made."""

states = Table(
    "states",
    metadata,
    Column("user_id", String(512), primary_key=True),
    Column("version", BigInteger, nullable=False),
    Column("document", JSON, nullable=False),
    Column("updated_at", Instant, nullable=False),
)
"""MEMORY_STATE: one typed document per user."""

answers = Table(
    "answers",
    metadata,
    Column("id", BigKey, primary_key=True, autoincrement=True),
    Column("user_id", String(512), nullable=False),
    Column("number", BigInteger, nullable=False),
    Column("session_id", String(512), nullable=False),
    Column("question", Text, nullable=False),
    Column("document", JSON, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("configuration", String(64), nullable=False, server_default=""),
    UniqueConstraint("user_id", "number"),
    Index("answers_in_session", "user_id", "session_id", "number"),
)
"""Answers with the trace that ``why`` shows. A trace is no memory: nothing is recalled from here."""

vectors = Table(
    "vectors",
    metadata,
    Column("id", BigKey, primary_key=True, autoincrement=True),
    Column("user_id", String(512), nullable=False),
    Column("turn", BigInteger, nullable=False),
    Column("embedding", LargeBinary, nullable=False),
    UniqueConstraint("user_id", "turn"),
    # Chroma catches up by these ids: one that was given again would look as if Chroma held it already.
    sqlite_autoincrement=True,
)
"""One embedding per turn: float32, little endian, unit length. The truth from which Chroma is rebuilt."""

outbox = Table(
    "outbox",
    metadata,
    Column("id", BigKey, primary_key=True, autoincrement=True),
    Column("user_id", String(512), nullable=False),
    Column("turn", BigInteger, nullable=False),
    Column("created_at", Instant, nullable=False),
    UniqueConstraint("user_id", "turn"),
)
"""Turns whose derived rows (embedding, Chroma) are still to be made. Written in the transaction of the turn."""

documents = Table(
    "documents",
    metadata,
    Column("id", BigKey, primary_key=True, autoincrement=True),
    Column("user_id", String(512), nullable=False),
    Column("number", BigInteger, nullable=False),
    Column("name", String(512), nullable=False),
    Column("version", BigInteger, nullable=False),
    Column("origin", String(16), nullable=False),
    Column("sha256", String(64), nullable=False),
    Column("media_type", String(64), nullable=False),
    Column("language", String(8), nullable=False),
    Column("text", Text),
    Column("valid_from", Instant, nullable=False),
    Column("valid_to", Instant),
    Column("recorded_at", Instant, nullable=False),
    Column("closed_at", Instant),
    Column("removed_at", Instant),
    Column("key", String(512), nullable=False, default="", server_default=""),
    Column("title", String(512), nullable=False, default="", server_default=""),
    Column("label", String(64), nullable=False, default="", server_default=""),
    Column("entity_type", String(16), nullable=False, default="", server_default=""),
    Column("dated_by", String(16), nullable=False, default="added", server_default="added"),
    Column("stated_to", Instant, info={"later": True}),
    UniqueConstraint("user_id", "number"),
    UniqueConstraint("user_id", "name", "version"),
    Index("documents_by_key", "user_id", "key", "valid_from"),
)
"""Reference documents, one row per version; ``key`` is the same in all versions. A removed one keeps its number and
loses its text."""

chunks = Table(
    "chunks",
    metadata,
    Column("id", BigKey, primary_key=True, autoincrement=True),
    Column("user_id", String(512), nullable=False),
    Column("number", BigInteger, nullable=False),
    Column("document", BigInteger, nullable=False),
    Column("position", BigInteger, nullable=False),
    Column("start", Integer, nullable=False),
    Column("end", Integer, nullable=False),
    Column("title", String(512), nullable=False),
    Column("text", Text),
    UniqueConstraint("user_id", "number"),
    UniqueConstraint("user_id", "document", "position"),
)
"""Pieces of documents: exact slices of their texts, numbered per user over all documents."""

clauses = Table(
    "clauses",
    metadata,
    Column("id", BigKey, primary_key=True, autoincrement=True),
    Column("user_id", String(512), nullable=False),
    Column("number", BigInteger, nullable=False),
    Column("document", BigInteger, nullable=False),
    Column("chunk", BigInteger, nullable=False),
    Column("position", BigInteger, nullable=False),
    Column("start", Integer, nullable=False),
    Column("end", Integer, nullable=False),
    Column("unit", String(16), nullable=False),
    *(Column(f"part_{level}", Integer) for level in range(1, 6)),
    Column("inserted", Integer, nullable=False),
    Column("category", String(32), nullable=False),
    Column("label", String(64), nullable=False),
    Column("heading", String(512), nullable=False),
    Column("sha256", String(64), nullable=False),
    Column("confidence", Float, nullable=False),
    Column("lineage", BigInteger, nullable=False),
    UniqueConstraint("user_id", "number"),
    UniqueConstraint("user_id", "document", "position"),
    Index("clauses_by_number", "user_id", "document", "part_1", "part_2"),
    Index("clauses_by_lineage", "user_id", "lineage"),
    Index("clauses_by_chunk", "user_id", "chunk"),
)
"""Clauses of documents: where each stands, and the parts of its number. The text is the chunk's."""

chunk_vectors = Table(
    "chunk_vectors",
    metadata,
    Column("id", BigKey, primary_key=True, autoincrement=True),
    Column("user_id", String(512), nullable=False),
    Column("chunk", BigInteger, nullable=False),
    Column("embedding", LargeBinary, nullable=False),
    UniqueConstraint("user_id", "chunk"),
    sqlite_autoincrement=True,
)
"""One embedding per chunk, as ``vectors`` has one per turn."""

chunk_outbox = Table(
    "chunk_outbox",
    metadata,
    Column("id", BigKey, primary_key=True, autoincrement=True),
    Column("user_id", String(512), nullable=False),
    Column("chunk", BigInteger, nullable=False),
    Column("created_at", Instant, nullable=False),
    UniqueConstraint("user_id", "chunk"),
)
"""Chunks whose derived rows are still to be made."""

knowledge_conflicts = Table(
    "knowledge_conflicts",
    metadata,
    Column("id", BigKey, primary_key=True, autoincrement=True),
    Column("user_id", String(512), nullable=False),
    Column("item", BigInteger, nullable=False),
    Column("chunk", BigInteger, nullable=False),
    Column("start", Integer, nullable=False),
    Column("end", Integer, nullable=False),
    Column("recorded_at", Instant, nullable=False),
    UniqueConstraint("user_id", "item", "chunk"),
)
"""What a user said of the world and a chunk says otherwise: the item, the chunk, and the span of the chunk's value."""
