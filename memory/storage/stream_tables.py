"""The tables that keep terminals in step: handles, the numbered events of each user, and daily snapshots."""

from sqlalchemy import JSON, BigInteger, Column, Index, String, Table, Text, UniqueConstraint

from .tables import BigKey, Instant, metadata

handles = Table(
    "handles",
    metadata,
    Column("id", BigKey, primary_key=True, autoincrement=True),
    Column("user_id", String(512), nullable=False),
    Column("handle", String(64), nullable=False),
    Column("type", String(128), nullable=False),
    Column("source", String(128), nullable=False),
    Column("metadata", JSON, nullable=False),
    Column("state", JSON, nullable=False),
    Column("version", BigInteger, nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("expires_at", Instant),
    Column("updated_at", Instant, nullable=False),
    Column("updated_by", String(256), nullable=False),
    Column("updated_source", String(128), nullable=False),
    UniqueConstraint("user_id", "handle"),
    Index("handles_by_expiry", "expires_at"),
)
"""What terminals and services registered: one document each, kept by version."""

events = Table(
    "events",
    metadata,
    Column("id", BigKey, primary_key=True, autoincrement=True),
    Column("user_id", String(512), nullable=False),
    Column("number", BigInteger, nullable=False),
    Column("event_type", String(32), nullable=False),
    Column("handle", String(64), nullable=False),
    Column("version", BigInteger, nullable=False),
    Column("document", JSON(none_as_null=True)),
    Column("terminal", String(256), nullable=False),
    Column("source", String(128), nullable=False),
    Column("created_at", Instant, nullable=False),
    UniqueConstraint("user_id", "number"),
    Index("events_by_time", "created_at"),
)
"""Every change, numbered without a gap per user. A forgotten one keeps its number and loses its document."""

snapshots = Table(
    "snapshots",
    metadata,
    Column("id", BigKey, primary_key=True, autoincrement=True),
    Column("user_id", String(512), nullable=False),
    Column("number", BigInteger, nullable=False),
    Column("day", String(10), nullable=False),
    Column("document", JSON, nullable=False),
    Column("created_at", Instant, nullable=False),
    UniqueConstraint("user_id", "day"),
)
"""One a day: every handle as it was after the event of that number. Where a replay begins."""

tokens = Table(
    "tokens",
    metadata,
    Column("id", BigKey, primary_key=True, autoincrement=True),
    Column("token_id", String(32), nullable=False, unique=True),
    Column("user_id", String(512), nullable=False),
    Column("terminal", String(256), nullable=False),
    Column("sha256", String(64), nullable=False),
    Column("created_at", Instant, nullable=False),
    Column("last_used_at", Instant),
    Column("revoked_at", Instant),
)
"""Who may speak for a user, from which terminal. Of the secret only a hash is kept."""

requests = Table(
    "requests",
    metadata,
    Column("id", BigKey, primary_key=True, autoincrement=True),
    Column("user_id", String(512), nullable=False),
    Column("key", String(256), nullable=False),
    Column("sha256", String(64), nullable=False),
    Column("document", Text, nullable=False),
    Column("created_at", Instant, nullable=False),
    UniqueConstraint("user_id", "key"),
)
"""What was answered to requests with an idempotency key: the same request again is given the same answer."""

complaints = Table(
    "complaints",
    metadata,
    Column("id", BigKey, primary_key=True, autoincrement=True),
    Column("user_id", String(512), nullable=False),
    Column("answer", BigInteger, nullable=False),
    Column("turn", BigInteger, nullable=False),
    Column("configuration", String(64), nullable=False),
    Column("created_at", Instant, nullable=False),
    UniqueConstraint("user_id", "turn"),
)
"""Which turns said that an answer was wrong: numbers only, the words are in the log."""
