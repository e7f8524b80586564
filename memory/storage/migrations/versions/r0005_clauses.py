"""Clauses of documents, and what the versions of one document have in common."""

from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"
branch_labels = None
depends_on = None

_NAME = sa.String(512)
_KEY = sa.BigInteger().with_variant(sa.Integer, "sqlite")


def _required(name: str, kind: Any) -> sa.Column[Any]:
    return sa.Column(name, kind, nullable=False)


def upgrade() -> None:
    """Give documents a key that all versions share, and create the table of clauses."""
    for name, kind, default in (
        ("key", _NAME, ""),
        ("title", _NAME, ""),
        ("label", sa.String(64), ""),
        ("entity_type", sa.String(16), ""),
        ("dated_by", sa.String(16), "added"),
    ):
        op.add_column("documents", sa.Column(name, kind, nullable=False, server_default=default))
    op.add_column("documents", sa.Column("stated_to", sa.BigInteger))
    documents = sa.table("documents", sa.column("key"), sa.column("name"), sa.column("removed_at"))
    op.execute(documents.update().where(documents.c.removed_at.is_(None)).values(key=documents.c.name))
    op.create_index("documents_by_key", "documents", ["user_id", "key", "valid_from"])
    op.create_table(
        "clauses",
        sa.Column("id", _KEY, primary_key=True, autoincrement=True),
        _required("user_id", _NAME),
        _required("number", sa.BigInteger),
        _required("document", sa.BigInteger),
        _required("chunk", sa.BigInteger),
        _required("position", sa.BigInteger),
        _required("start", sa.Integer),
        _required("end", sa.Integer),
        _required("unit", sa.String(16)),
        *(sa.Column(f"part_{level}", sa.Integer) for level in range(1, 6)),
        _required("inserted", sa.Integer),
        _required("category", sa.String(32)),
        _required("label", sa.String(64)),
        _required("heading", _NAME),
        _required("sha256", sa.String(64)),
        _required("confidence", sa.Float),
        _required("lineage", sa.BigInteger),
        sa.UniqueConstraint("user_id", "number"),
        sa.UniqueConstraint("user_id", "document", "position"),
    )
    op.create_index("clauses_by_number", "clauses", ["user_id", "document", "part_1", "part_2"])
    op.create_index("clauses_by_lineage", "clauses", ["user_id", "lineage"])
    op.create_index("clauses_by_chunk", "clauses", ["user_id", "chunk"])
