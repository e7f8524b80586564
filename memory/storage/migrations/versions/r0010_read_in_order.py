"""Rows are found in the order in which they are wanted, however many the user has.

An index that ends with the number gives the newest first. Without it SQLite follows the numbers of all the user's rows.
"""

from alembic import op

revision = "0010"
down_revision = "0009"
branch_labels = None
depends_on = None

_LONGER = {
    "items_by_subject": ("items", "entity", "attribute"),
    "items_by_attribute": ("items", "attribute"),
    "items_by_turn": ("items", "turn"),
    "items_by_kind": ("items", "kind", "closed_at"),
    "items_by_closing": ("items", "closed_at"),
    "intent_steps_of": ("intent_steps", "intent"),
    "intent_steps_by_turn": ("intent_steps", "turn"),
}
_NEW = {
    "turns_of_session": ("turns", "session_id"),
    "intent_steps_in_session": ("intent_steps", "session_id"),
    "intents_by_time": ("intents", "updated_at"),
    "intents_open": ("intents", "open", "updated_at"),
}


def upgrade() -> None:
    """Create the indexes; those that end too early are replaced."""
    for name, (table, *_) in _LONGER.items():
        op.drop_index(name, table)
    for name, (table, *columns) in (_LONGER | _NEW).items():
        op.create_index(name, table, ["user_id", *columns, "number"])
