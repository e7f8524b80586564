"""Numbers that count up per user and kind and are never given twice, even after what bore them was forgotten."""

from sqlalchemy import Connection, insert, update

from .tables import counters


def next_number(connection: Connection, user_id: str, name: str) -> int:
    """Give the next number of ``name`` (``turn``, ``item``, ``summary``, ``answer``) to this user, starting at 1.

    It is atomic within a write transaction (``Database.write`` takes the write lock with ``BEGIN IMMEDIATE``).
    """
    row = (
        update(counters)
        .where(counters.c.user_id == user_id, counters.c.name == name)
        .values(value=counters.c.value + 1)
        .returning(counters.c.value)
    )
    number = connection.execute(row).scalar_one_or_none()
    if number is None:
        connection.execute(insert(counters).values(user_id=user_id, name=name, value=1))
        return 1
    return int(number)
