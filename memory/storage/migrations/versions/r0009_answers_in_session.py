"""The answers of one session are found without reading those of all others."""

from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the index."""
    op.create_index("answers_in_session", "answers", ["user_id", "session_id", "number"])
