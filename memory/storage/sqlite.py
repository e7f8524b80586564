"""SQLite as the database: one file in the data folder, with a write-ahead log."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.exc import DatabaseError, OperationalError

from ..errors import StoreBusy, StoreCorrupt
from .lines import Lines

# Long enough for another process's transaction, short enough to be told.
_BUSY_TIMEOUT_MS = 15_000
_PRAGMAS = (
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=FULL",  # a turn is durable before any model is called
    "PRAGMA secure_delete=ON",
    "PRAGMA foreign_keys=ON",
    f"PRAGMA busy_timeout={_BUSY_TIMEOUT_MS}",
    "PRAGMA mmap_size=1073741824",
    "PRAGMA cache_size=-65536",
)


class Sqlite:
    """One file; its writers take turns."""

    conninfo = ""

    def __init__(self, path: Path) -> None:
        """Nothing is opened yet."""
        self.name = str(path)
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
        """Say of a database that is locked or damaged what to do about it."""
        try:
            yield
        except OperationalError as error:
            if "locked" in str(error.orig) or "busy" in str(error.orig):
                raise self._busy() from error
            raise
        except DatabaseError as error:
            if "not a database" in str(error.orig) or "malformed" in str(error.orig):
                message = (
                    f"{self.name} is not a readable database: restore it from a backup, or move it away to start anew."
                )
                raise StoreCorrupt(message) from error
            raise

    def _busy(self) -> StoreBusy:
        return StoreBusy(f"Another process keeps {self.name} locked: close it, or try again in a moment.")


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
