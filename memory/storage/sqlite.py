"""SQLite as the database: one file in the data folder, with a write-ahead log."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from json import JSONDecodeError
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.exc import DBAPIError

from ..errors import StoreBusy, StoreCorrupt
from .faults import ANEW, what_to_do
from .lines import Lines

# Long enough for another process's transaction, short enough to be told.
_BUSY_TIMEOUT_MS = 15_000
_THREADS = "checkpoints.db"
_PRAGMAS = (
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=FULL",  # a turn is durable before any model is called
    "PRAGMA secure_delete=ON",
    "PRAGMA foreign_keys=ON",
    f"PRAGMA busy_timeout={_BUSY_TIMEOUT_MS}",
    "PRAGMA mmap_size=1073741824",
    "PRAGMA cache_size=-2048",  # beside the mapped file, what the write-ahead log holds
)


class Sqlite:
    """One file; its writers take turns."""

    conninfo = ""

    def __init__(self, path: Path) -> None:
        """Nothing is opened yet.

        Raises:
            StoreCorrupt: the file lost all that it held.
        """
        self.name = str(path)
        if _is_emptied(path):
            raise self._corrupt()
        self.engine = _engine(path)
        self._lines = Lines(_BUSY_TIMEOUT_MS / 1000, self._busy)

    def reading(self) -> Connection:
        """A connection on which each statement sees what is committed."""
        return self.engine.connect()

    def viewing(self) -> Connection:
        """A connection on which all statements see one moment of the database."""
        connection = self.engine.connect()
        connection.exec_driver_sql("BEGIN")
        return connection

    def in_line(self, users: Sequence[str]) -> AbstractContextManager[None]:
        """Stand in line with those of this process who write, whomever for."""
        return self._lines.first_in([""])

    def begin(self, connection: Connection, users: Sequence[str]) -> None:
        """Begin to write. Taking the lock at once avoids the deadlock of two readers that both want to write."""
        connection.exec_driver_sql("BEGIN IMMEDIATE")

    def finish(self, connection: Connection) -> None:
        """Nothing is needed beyond what the revisions made."""

    @contextmanager
    def explained(self) -> Iterator[None]:
        """Say of a database that is locked, damaged, full or not to be written what to do about it."""
        try:
            yield
        except (DBAPIError, sqlite3.Error) as error:
            # What a connection is prepared with fails without SQLAlchemy's wrapping.
            told = what_to_do(getattr(error, "orig", error), self.name)
            if told is None:
                raise
            raise told from error
        except JSONDecodeError as error:
            raise self._corrupt() from error

    def _busy(self) -> StoreBusy:
        return StoreBusy(f"Another process keeps {self.name} locked: close it, or try again in a moment.")

    def _corrupt(self) -> StoreCorrupt:
        return StoreCorrupt(f"{self.name} is not a readable database: {ANEW}.")


def _is_emptied(path: Path) -> bool:
    """Whether the file lost its content: SQLite would begin a new memory in it, beside the threads of the old one."""
    beside = path.with_name(_THREADS)
    return path.is_file() and not path.stat().st_size and beside.is_file() and bool(beside.stat().st_size)


def _engine(path: Path) -> Engine:
    # The words of an error must not repeat what was said.
    engine = create_engine(URL.create("sqlite", database=str(path)), pool_size=8, max_overflow=24, hide_parameters=True)

    @event.listens_for(engine, "connect")
    def _on_connect(connection: Any, _record: object) -> None:
        # pysqlite's own implicit transactions would begin too late; SQLAlchemy documents this switch.
        connection.isolation_level = None
        for pragma in _PRAGMAS:
            connection.execute(pragma)

    return engine
