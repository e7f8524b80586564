"""Saying at once that there are new events, where several processes share a PostgreSQL database.

What is said carries nothing: the rows are the truth, and who hears of it looks at them. Who hears nothing (a pooler
between may keep it back) sees the rows at the next look all the same.
"""

from collections.abc import AsyncGenerator
from contextlib import aclosing

from sqlalchemy import Connection, text

from .database import Database

_CHANNEL = "veridical_events"
_SAID = text("SELECT pg_notify(:channel, '')").bindparams(channel=_CHANNEL)


def announce(connection: Connection) -> None:
    """Say, when the open transaction is committed, that there are new events."""
    if connection.dialect.name == "postgresql":
        connection.execute(_SAID)


async def announcements(database: Database) -> AsyncGenerator[None]:
    """Hear of new events in a server's database, once when it is listened to and then each time.

    Raises:
        ConnectionError: the connection was lost, or could not be made.
    """
    from psycopg import AsyncConnection, Error

    try:
        connection = await AsyncConnection.connect(database.conninfo, autocommit=True)
        async with connection:
            await connection.execute(f"LISTEN {_CHANNEL}")
            yield
            async with aclosing(connection.notifies()) as heard:
                async for _ in heard:
                    yield
    except Error as error:
        raise ConnectionError from error
