"""What summaries are found by: their texts, made of what they quote, with embeddings and a queue for them."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

_NAME = sa.String(512)
_KEY = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def _required(name: str, kind: Any) -> sa.Column[Any]:
    return sa.Column(name, kind, nullable=False)


def _create(table: str, *columns: sa.Column[Any] | sa.schema.Constraint, **options: Any) -> None:
    key = sa.Column("id", _KEY, primary_key=True, autoincrement=True)
    op.create_table(table, key, _required("user_id", _NAME), *columns, **options)


def upgrade() -> None:
    """Create the tables; they are filled when the memory is opened, for all in them is derived."""
    _create(
        "summary_texts",
        _required("number", sa.BigInteger),
        _required("title", _NAME),
        _required("text", sa.Text),
        sa.UniqueConstraint("user_id", "number"),
    )
    _create(
        "summary_vectors",
        _required("summary", sa.BigInteger),
        _required("embedding", sa.LargeBinary),
        sa.UniqueConstraint("user_id", "summary"),
        sqlite_autoincrement=True,
    )
    _create(
        "summary_outbox",
        _required("summary", sa.BigInteger),
        _required("created_at", sa.BigInteger),
        sa.UniqueConstraint("user_id", "summary"),
    )
