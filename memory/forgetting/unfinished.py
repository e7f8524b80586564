"""Forgettings whose rows are gone and whose files are not cleaned yet: noted in the transaction that removes the rows.

A process that dies in between leaves its note, and the next start cleans. A note names the user and the threads
concerned; it holds nothing that was said, and goes with the cleaning.
"""

import json
from collections.abc import Iterable
from typing import NamedTuple
from uuid import uuid4

from sqlalchemy import Connection, delete, select

from ..retrieval.vectors import set_meta
from ..storage.tables import meta

_KEY = "cleaning"


class Unfinished(NamedTuple):
    """What is still to be cleaned after one forgetting."""

    key: str
    user_id: str
    threads: tuple[str, ...]


def note(connection: Connection, user_id: str, threads: Iterable[str]) -> Unfinished:
    """Note within the transaction of the forgetting what is to be cleaned after it."""
    noted = Unfinished(f"{_KEY} {uuid4().hex}", user_id, tuple(sorted(threads)))
    set_meta(connection, noted.key, json.dumps([noted.user_id, *noted.threads]))
    return noted


def noted(connection: Connection) -> list[Unfinished]:
    """What forgettings that were cut short left to clean."""
    rows = connection.execute(select(meta.c.key, meta.c.value).where(meta.c.key.startswith(_KEY, autoescape=True)))
    return [Unfinished(key, *_named(value)) for key, value in rows]


def strike(connection: Connection, finished: Unfinished) -> None:
    """Take a note away: its cleaning is done."""
    connection.execute(delete(meta).where(meta.c.key == finished.key))


def _named(value: str) -> tuple[str, tuple[str, ...]]:
    user_id, *threads = json.loads(value)
    return user_id, tuple(threads)
