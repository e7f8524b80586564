"""Numbers given per user and kind, never twice: what was forgotten keeps its number."""

from typing import Literal

from sqlalchemy import Connection, select
from sqlalchemy.dialects.sqlite import insert

from .tables import counters

CounterName = Literal["turn", "item", "summary", "answer"]


def next_number(connection: Connection, user_id: str, name: CounterName, count: int = 1) -> int:
    """Reserve ``count`` numbers within the open write transaction and return the first of them (from 1)."""
    statement = insert(counters).values(user_id=user_id, name=name, value=count)
    connection.execute(
        statement.on_conflict_do_update(
            index_elements=[counters.c.user_id, counters.c.name],
            set_={"value": counters.c.value + count},
        )
    )
    last = connection.execute(
        select(counters.c.value).where(counters.c.user_id == user_id, counters.c.name == name)
    ).scalar_one()
    return int(last) - count + 1
