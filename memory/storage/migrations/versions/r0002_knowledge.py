"""The knowledge base: documents, their chunks, what is derived from them, and what contradicts a user's statement."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

_NAME = sa.String(512)
_KEY = sa.BigInteger().with_variant(sa.Integer, "sqlite")
_INSTANT = sa.BigInteger


def _required(name: str, kind: Any) -> sa.Column[Any]:
    return sa.Column(name, kind, nullable=False)


def _create(table: str, *columns: sa.Column[Any] | sa.schema.Constraint, **options: Any) -> None:
    key = sa.Column("id", _KEY, primary_key=True, autoincrement=True)
    op.create_table(table, key, _required("user_id", _NAME), *columns, **options)


def upgrade() -> None:
    """Create everything of the knowledge base."""
    _create(
        "documents",
        _required("number", sa.BigInteger),
        _required("name", _NAME),
        _required("version", sa.BigInteger),
        _required("origin", sa.String(16)),
        _required("sha256", sa.String(64)),
        _required("media_type", sa.String(64)),
        _required("language", sa.String(8)),
        sa.Column("text", sa.Text),
        _required("valid_from", _INSTANT),
        sa.Column("valid_to", _INSTANT),
        _required("recorded_at", _INSTANT),
        sa.Column("closed_at", _INSTANT),
        sa.Column("removed_at", _INSTANT),
        sa.UniqueConstraint("user_id", "number"),
        sa.UniqueConstraint("user_id", "name", "version"),
    )
    _create(
        "chunks",
        _required("number", sa.BigInteger),
        _required("document", sa.BigInteger),
        _required("position", sa.BigInteger),
        _required("start", sa.Integer),
        _required("end", sa.Integer),
        _required("title", _NAME),
        sa.Column("text", sa.Text),
        sa.UniqueConstraint("user_id", "number"),
        sa.UniqueConstraint("user_id", "document", "position"),
    )
    _create(
        "chunk_vectors",
        _required("chunk", sa.BigInteger),
        _required("embedding", sa.LargeBinary),
        sa.UniqueConstraint("user_id", "chunk"),
        sqlite_autoincrement=True,
    )
    _create(
        "chunk_outbox",
        _required("chunk", sa.BigInteger),
        _required("created_at", _INSTANT),
        sa.UniqueConstraint("user_id", "chunk"),
    )
    _create(
        "knowledge_conflicts",
        _required("item", sa.BigInteger),
        _required("chunk", sa.BigInteger),
        _required("start", sa.Integer),
        _required("end", sa.Integer),
        _required("recorded_at", _INSTANT),
        sa.UniqueConstraint("user_id", "item", "chunk"),
    )
