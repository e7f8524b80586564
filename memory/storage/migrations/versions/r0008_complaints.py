"""Which configuration gave an answer, and which turns complained of one."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None

_NAME = sa.String(64)


def upgrade() -> None:
    """Create the table; answers that are there already were given by no configuration in particular."""
    op.add_column("answers", sa.Column("configuration", _NAME, nullable=False, server_default=""))
    op.create_table(
        "complaints",
        sa.Column("id", sa.BigInteger().with_variant(sa.Integer, "sqlite"), primary_key=True, autoincrement=True),
        sa.Column("user_id", sa.String(512), nullable=False),
        sa.Column("answer", sa.BigInteger, nullable=False),
        sa.Column("turn", sa.BigInteger, nullable=False),
        sa.Column("configuration", _NAME, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.UniqueConstraint("user_id", "turn"),
    )
