"""The first schema: turns, items, conflicts, summaries, states, answers, and what is derived from them."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

_NAME = sa.String(512)
_KEY = sa.BigInteger().with_variant(sa.Integer, "sqlite")
_INSTANT = sa.BigInteger


def _required(name: str, kind: Any) -> sa.Column[Any]:
    return sa.Column(name, kind, nullable=False)


def _numbered(table: str, *columns: sa.Column[Any] | sa.schema.Constraint) -> None:
    """Create a table whose rows are numbered per user."""
    op.create_table(
        table,
        sa.Column("id", _KEY, primary_key=True, autoincrement=True),
        _required("user_id", _NAME),
        _required("number", sa.BigInteger),
        *columns,
        sa.UniqueConstraint("user_id", "number"),
    )


def upgrade() -> None:
    """Create everything."""
    _create_bookkeeping()
    _create_turns()
    _create_items()
    _create_documents()
    _create_derived()


def _create_bookkeeping() -> None:
    op.create_table("meta", sa.Column("key", sa.String(64), primary_key=True), _required("value", sa.Text))
    op.create_table("users", sa.Column("user_id", _NAME, primary_key=True), _required("created_at", _INSTANT))
    op.create_table(
        "counters",
        sa.Column("user_id", _NAME, primary_key=True),
        sa.Column("name", sa.String(16), primary_key=True),
        _required("value", sa.BigInteger),
    )
    op.create_table(
        "threads",
        sa.Column("thread_id", _NAME, primary_key=True),
        _required("user_id", _NAME),
        _required("created_at", _INSTANT),
    )


def _create_turns() -> None:
    _numbered(
        "turns",
        _required("session_id", _NAME),
        _required("position", sa.BigInteger),
        _required("external_id", _NAME),
        _required("role", sa.String(16)),
        _required("source", sa.String(32)),
        _required("speaker", sa.String(256)),
        _required("text", sa.Text),
        _required("language", sa.String(8)),
        _required("observed_at", _INSTANT),
        _required("time_zone", sa.String(64)),
        _required("recorded_at", _INSTANT),
        _required("act", sa.String(32)),
        _required("citations", sa.JSON),
        _required("prompts", sa.JSON),
        sa.UniqueConstraint("user_id", "session_id", "external_id"),
    )
    op.create_index("turns_in_session", "turns", ["user_id", "session_id", "position"])
    op.create_index("turns_by_time", "turns", ["user_id", "observed_at"])
    op.create_index("turns_by_speaker", "turns", ["user_id", "speaker"])


def _create_items() -> None:
    _numbered(
        "items",
        _required("kind", sa.String(16)),
        _required("entity", sa.String(256)),
        _required("attribute", sa.String(256)),
        _required("value", sa.Text),
        _required("normal", sa.Text),
        _required("value_type", sa.String(32)),
        sa.Column("unit", sa.String(32)),
        _required("polarity", sa.String(16)),
        _required("single_valued", sa.Boolean),
        _required("modality", sa.String(16)),
        _required("source", sa.String(32)),
        _required("speaker", sa.String(256)),
        _required("turn", sa.BigInteger),
        _required("value_start", sa.Integer),
        _required("value_end", sa.Integer),
        _required("quote_start", sa.Integer),
        _required("quote_end", sa.Integer),
        _required("quote", sa.Text),
        _required("confidence", sa.Float),
        _required("observed_at", _INSTANT),
        _required("recorded_at", _INSTANT),
        _required("valid_from", _INSTANT),
        sa.Column("valid_to", _INSTANT),
        sa.Column("closed_at", _INSTANT),
        sa.Column("closed_by", sa.String(16)),
        sa.Column("superseded_by", sa.BigInteger),
        sa.Column("due_at", _INSTANT),
    )
    op.create_index("items_by_subject", "items", ["user_id", "entity", "attribute"])
    op.create_index("items_by_attribute", "items", ["user_id", "attribute"])
    op.create_index("items_by_normal", "items", ["user_id", "normal"])
    op.create_index("items_by_turn", "items", ["user_id", "turn"])
    op.create_index("items_by_kind", "items", ["user_id", "kind", "closed_at"])
    op.create_index("items_by_closing", "items", ["user_id", "closed_at"])
    op.create_table(
        "conflicts",
        sa.Column("id", _KEY, primary_key=True, autoincrement=True),
        _required("user_id", _NAME),
        _required("preferred", sa.BigInteger),
        _required("other", sa.BigInteger),
        _required("rule", sa.String(32)),
        _required("recorded_at", _INSTANT),
        sa.UniqueConstraint("user_id", "preferred", "other"),
    )


def _create_documents() -> None:
    _numbered(
        "summaries",
        _required("session_id", _NAME),
        _required("first_turn", sa.BigInteger),
        _required("last_turn", sa.BigInteger),
        _required("trigger", sa.String(32)),
        _required("document", sa.JSON),
        _required("prompts", sa.JSON),
        _required("recorded_at", _INSTANT),
        sa.UniqueConstraint("user_id", "session_id", "last_turn"),
    )
    op.create_table(
        "states",
        sa.Column("user_id", _NAME, primary_key=True),
        _required("version", sa.BigInteger),
        _required("document", sa.JSON),
        _required("updated_at", _INSTANT),
    )
    _numbered(
        "answers",
        _required("session_id", _NAME),
        _required("question", sa.Text),
        _required("document", sa.JSON),
        _required("created_at", _INSTANT),
    )


def _create_derived() -> None:
    op.create_table(
        "vectors",
        sa.Column("id", _KEY, primary_key=True, autoincrement=True),
        _required("user_id", _NAME),
        _required("turn", sa.BigInteger),
        _required("embedding", sa.LargeBinary),
        sa.UniqueConstraint("user_id", "turn"),
        sqlite_autoincrement=True,
    )
    op.create_table(
        "outbox",
        sa.Column("id", _KEY, primary_key=True, autoincrement=True),
        _required("user_id", _NAME),
        _required("turn", sa.BigInteger),
        _required("created_at", _INSTANT),
        sa.UniqueConstraint("user_id", "turn"),
    )
