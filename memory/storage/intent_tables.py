"""The tables of intents: what a user is about to get done, and every step of it, append-only."""

from sqlalchemy import JSON, BigInteger, Boolean, Column, Index, Integer, String, Table, Text, UniqueConstraint

from .tables import BigKey, Instant, metadata

intents = Table(
    "intents",
    metadata,
    Column("id", BigKey, primary_key=True, autoincrement=True),
    Column("user_id", String(512), nullable=False),
    Column("number", BigInteger, nullable=False),
    Column("domain", String(64), nullable=False),
    Column("entity", String(256), nullable=False),
    Column("initial", String(64), nullable=False),
    Column("defaults", JSON, nullable=False),
    Column("state", String(64), nullable=False),
    Column("slots", JSON, nullable=False),
    Column("open", Boolean, nullable=False),
    Column("left", JSON, nullable=False),
    Column("session_id", String(512), nullable=False),
    Column("turn", BigInteger),
    Column("opened_at", Instant, nullable=False),
    Column("updated_at", Instant, nullable=False),
    UniqueConstraint("user_id", "number"),
    UniqueConstraint("user_id", "domain", "entity"),
    Index("intents_by_time", "user_id", "updated_at", "number"),
    Index("intents_open", "user_id", "open", "updated_at", "number"),
)
"""One row per user, domain and entity. ``state``, ``slots``, ``left`` (items still to do, by state) and ``turn`` (which
made the state) are derived from its steps."""

intent_steps = Table(
    "intent_steps",
    metadata,
    Column("id", BigKey, primary_key=True, autoincrement=True),
    Column("user_id", String(512), nullable=False),
    Column("number", BigInteger, nullable=False),
    Column("intent", BigInteger),
    Column("domain", String(64), nullable=False),
    Column("session_id", String(512), nullable=False),
    Column("turn", BigInteger),
    Column("kind", String(16), nullable=False),
    Column("transition", String(64), nullable=False),
    Column("from_state", String(64), nullable=False),
    Column("to_state", String(64), nullable=False),
    Column("tentative", Boolean, nullable=False),
    Column("start", Integer),
    Column("end", Integer),
    Column("quote", Text, nullable=False),
    Column("slots", JSON, nullable=False),
    Column("left", JSON, nullable=False),
    Column("retracted", JSON, nullable=False),
    Column("undoes", JSON, nullable=False),
    Column("document", JSON, nullable=False),
    Column("recorded_at", Instant, nullable=False),
    UniqueConstraint("user_id", "number"),
    Index("intent_steps_of", "user_id", "intent", "number"),
    Index("intent_steps_by_turn", "user_id", "turn", "number"),
    Index("intent_steps_in_session", "user_id", "session_id", "number"),
)
"""What moved an intent, was refused or asked, in which turn and by which words. No row is edited or taken away but by
forgetting: what a later row undoes is named in its ``undoes``. ``turn`` is empty where the host said it."""
