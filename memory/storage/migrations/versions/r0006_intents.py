"""Intents: what a user is about to get done, and every step of it."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None

_NAME = sa.String(512)
_ID = sa.String(64)
_KEY = sa.BigInteger().with_variant(sa.Integer, "sqlite")
_INSTANT = sa.BigInteger


def _required(name: str, kind: Any) -> sa.Column[Any]:
    return sa.Column(name, kind, nullable=False)


def upgrade() -> None:
    """Create the intents and their steps."""
    op.create_table(
        "intents",
        sa.Column("id", _KEY, primary_key=True, autoincrement=True),
        _required("user_id", _NAME),
        _required("number", sa.BigInteger),
        _required("domain", _ID),
        _required("entity", sa.String(256)),
        _required("initial", _ID),
        _required("defaults", sa.JSON),
        _required("state", _ID),
        _required("slots", sa.JSON),
        _required("open", sa.Boolean),
        _required("left", sa.JSON),
        _required("session_id", _NAME),
        sa.Column("turn", sa.BigInteger),
        _required("opened_at", _INSTANT),
        _required("updated_at", _INSTANT),
        sa.UniqueConstraint("user_id", "number"),
        sa.UniqueConstraint("user_id", "domain", "entity"),
    )
    op.create_table(
        "intent_steps",
        sa.Column("id", _KEY, primary_key=True, autoincrement=True),
        _required("user_id", _NAME),
        _required("number", sa.BigInteger),
        sa.Column("intent", sa.BigInteger),
        _required("domain", _ID),
        _required("session_id", _NAME),
        sa.Column("turn", sa.BigInteger),
        _required("kind", sa.String(16)),
        _required("transition", _ID),
        _required("from_state", _ID),
        _required("to_state", _ID),
        _required("tentative", sa.Boolean),
        sa.Column("start", sa.Integer),
        sa.Column("end", sa.Integer),
        _required("quote", sa.Text),
        _required("slots", sa.JSON),
        _required("left", sa.JSON),
        _required("retracted", sa.JSON),
        _required("undoes", sa.JSON),
        _required("document", sa.JSON),
        _required("recorded_at", _INSTANT),
        sa.UniqueConstraint("user_id", "number"),
    )
    op.create_index("intent_steps_of", "intent_steps", ["user_id", "intent"])
    op.create_index("intent_steps_by_turn", "intent_steps", ["user_id", "turn"])
