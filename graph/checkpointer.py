"""The checkpointers, SQLite's and PostgreSQL's: each serves the synchronous and the asynchronous entry points alike."""

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite import SqliteSaver

from ..memory.errors import BadInput
from ..memory.storage.faults import what_to_do
from ..nodes.contract import STATE_TYPES
from .in_threads import InThreads

if TYPE_CHECKING:
    from .postgres_checkpointer import ThreadedPostgresSaver

FILE_NAME = "checkpoints.db"
_MEND = "move it away; it holds where conversations stand, and what was said stays in the memory"
_SUPERSEDED = (
    "DELETE FROM writes WHERE thread_id = ? AND checkpoint_id < (SELECT max(latest.checkpoint_id)"
    " FROM checkpoints latest WHERE latest.thread_id = writes.thread_id"
    " AND latest.checkpoint_ns = writes.checkpoint_ns)",
    "DELETE FROM checkpoints WHERE thread_id = ? AND checkpoint_id < (SELECT max(latest.checkpoint_id)"
    " FROM checkpoints latest WHERE latest.thread_id = checkpoints.thread_id"
    " AND latest.checkpoint_ns = checkpoints.checkpoint_ns)",
)


class ThreadedSqliteSaver(InThreads, SqliteSaver):
    """LangGraph's SQLite saver for both kinds of calls."""

    def __init__(self, conn: sqlite3.Connection, path: Path, serde: JsonPlusSerializer) -> None:
        """Use an open connection to the file at ``path``."""
        super().__init__(conn, serde=serde)
        self._path = path

    @contextmanager
    def cursor(self, transaction: bool = True) -> Iterator[sqlite3.Cursor]:
        """A cursor, as the inherited one; what a disk or another program does to the file is said in one sentence."""
        with _explained(self._path), super().cursor(transaction) as cursor:
            yield cursor

    def prune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        """Delete all checkpoints of threads but the latest of each namespace, or really all (``delete``)."""
        if strategy == "delete":
            for thread in thread_ids:
                self.delete_thread(thread)
            return
        with self.cursor() as cursor:
            for statement in _SUPERSEDED:
                cursor.executemany(statement, [(thread,) for thread in thread_ids])


def open_checkpointer(folder: Path, database_url: str = "") -> "ThreadedSqliteSaver | ThreadedPostgresSaver":
    """The checkpointer in a data folder, or in the database that a URL names; the caller closes its ``conn``.

    Raises:
        BadInput: the URL cannot be understood, or what it needs is not installed.
        StoreError: the database cannot be reached.
    """
    allowed = [(kind.__module__, kind.__name__) for kind in STATE_TYPES]
    serde = JsonPlusSerializer(allowed_msgpack_modules=allowed)
    if database_url:
        try:
            from .postgres_checkpointer import open_postgres
        except ModuleNotFoundError as error:
            message = f"PostgreSQL needs {error.name}, which is not installed: run pip install 'veridical[postgres]'."
            raise BadInput(message) from error
        return open_postgres(database_url, serde)
    path = folder / FILE_NAME
    with _explained(path):
        connection = sqlite3.connect(path, check_same_thread=False)
        connection.execute("PRAGMA busy_timeout=15000")
        connection.execute("PRAGMA secure_delete=ON")
        saver = ThreadedSqliteSaver(connection, path, serde)
        saver.setup()
    return saver


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        told = what_to_do(error, str(path), mend=_MEND)
        if told is None:
            raise
        raise told from error
