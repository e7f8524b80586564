"""Handles, the events of their changes, daily snapshots, tokens, repeated requests, and the terminal of a turn."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

_NAME = sa.String(512)
_SHORT = sa.String(128)
_TERMINAL = sa.String(256)
_HANDLE = sa.String(64)
_KEY = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def _required(name: str, kind: Any) -> sa.Column[Any]:
    return sa.Column(name, kind, nullable=False)


def _create(table: str, *columns: sa.Column[Any] | sa.schema.Constraint) -> None:
    op.create_table(table, sa.Column("id", _KEY, primary_key=True, autoincrement=True), *columns)


def upgrade() -> None:
    """Create the tables; a memory that is older than its events tells its state whole at the next change."""
    _create(
        "handles",
        _required("user_id", _NAME),
        _required("handle", _HANDLE),
        _required("type", _SHORT),
        _required("source", _SHORT),
        _required("metadata", sa.JSON),
        _required("state", sa.JSON),
        _required("version", sa.BigInteger),
        _required("created_at", sa.BigInteger),
        sa.Column("expires_at", sa.BigInteger),
        _required("updated_at", sa.BigInteger),
        _required("updated_by", _TERMINAL),
        _required("updated_source", _SHORT),
        sa.UniqueConstraint("user_id", "handle"),
    )
    op.create_index("handles_by_expiry", "handles", ["expires_at"])
    _create(
        "events",
        _required("user_id", _NAME),
        _required("number", sa.BigInteger),
        _required("event_type", sa.String(32)),
        _required("handle", _HANDLE),
        _required("version", sa.BigInteger),
        sa.Column("document", sa.JSON),
        _required("terminal", _TERMINAL),
        _required("source", _SHORT),
        _required("created_at", sa.BigInteger),
        sa.UniqueConstraint("user_id", "number"),
    )
    op.create_index("events_by_time", "events", ["created_at"])
    _create(
        "snapshots",
        _required("user_id", _NAME),
        _required("number", sa.BigInteger),
        _required("day", sa.String(10)),
        _required("document", sa.JSON),
        _required("created_at", sa.BigInteger),
        sa.UniqueConstraint("user_id", "day"),
    )
    _create(
        "tokens",
        sa.Column("token_id", sa.String(32), nullable=False, unique=True),
        _required("user_id", _NAME),
        _required("terminal", _TERMINAL),
        _required("sha256", sa.String(64)),
        _required("created_at", sa.BigInteger),
        sa.Column("last_used_at", sa.BigInteger),
        sa.Column("revoked_at", sa.BigInteger),
    )
    _create(
        "requests",
        _required("user_id", _NAME),
        _required("key", sa.String(256)),
        _required("sha256", sa.String(64)),
        _required("document", sa.Text),
        _required("created_at", sa.BigInteger),
        sa.UniqueConstraint("user_id", "key"),
    )
    op.add_column("turns", sa.Column("terminal", _TERMINAL, nullable=False, server_default=""))
