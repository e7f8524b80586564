"""What an agreement says yes to: the assistant's turn and the span of its proposal."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Let items point to a second turn."""
    for name, kind in (("turn", sa.BigInteger), ("start", sa.Integer), ("end", sa.Integer)):
        op.add_column("items", sa.Column(f"accepted_{name}", kind))
