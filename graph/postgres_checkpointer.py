"""LangGraph's PostgreSQL checkpointer, beside the memory in one database."""

import time
from contextlib import nullcontext

from langgraph.checkpoint.postgres import PostgresSaver
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from psycopg import Connection, Error
from psycopg.errors import UndefinedTable
from psycopg.rows import DictRow, dict_row
from psycopg_pool import ConnectionPool, PoolTimeout

from ..memory.errors import StoreBusy
from ..memory.storage.postgresql import Postgresql
from .in_threads import InThreads

_PATIENCE_SECONDS = 15.0
_PAUSE_SECONDS = 0.1
_CONNECTIONS = 6
_SETTING_UP = 0x636B7074
_TEXTS = (
    ("checkpoints", "checkpoint"),
    ("checkpoints", "metadata"),
    ("checkpoint_blobs", "blob"),
    ("checkpoint_writes", "blob"),
)

_Pool = ConnectionPool[Connection[DictRow]]


class ThreadedPostgresSaver(InThreads, PostgresSaver):
    """LangGraph's PostgreSQL saver for both kinds of calls, on a pool of connections."""

    conn: _Pool

    def __init__(self, conn: _Pool, serde: JsonPlusSerializer) -> None:
        """Use an open pool."""
        super().__init__(conn, serde=serde)
        # The stock saver lets one call in at a time, for the sake of savers on a single connection.
        self.lock = nullcontext()  # type: ignore[assignment]


def open_postgres(url: str, serde: JsonPlusSerializer) -> ThreadedPostgresSaver:
    """The checkpointer in a database, its tables made; the caller closes its ``conn``.

    Raises:
        BadInput: the URL cannot be understood.
        StoreError: the database cannot be reached, or refuses the work.
    """
    database = Postgresql(url)
    options = {"autocommit": True, "prepare_threshold": 0, "row_factory": dict_row}
    pool: _Pool = ConnectionPool(database.conninfo, kwargs=options, min_size=1, max_size=_CONNECTIONS, open=False)
    try:
        # Tried once by itself: a pool would go on trying and say nothing of the reason.
        with Connection.connect(database.conninfo, autocommit=True) as first:
            pool.open(wait=True, timeout=_PATIENCE_SECONDS)
            saver = ThreadedPostgresSaver(pool, serde)
            _set_up(saver, first)
    except (Error, PoolTimeout) as error:
        pool.close()
        raise database.unusable(error) from None
    return saver


def _set_up(saver: ThreadedPostgresSaver, connection: Connection) -> None:
    """Make the tables, one process at a time.

    Nobody waits for the lock within a statement: an index made concurrently would wait for that statement in turn.
    """
    if _is_set_up(connection):
        return
    until = time.monotonic() + _PATIENCE_SECONDS
    while not _locked(connection):
        if time.monotonic() > until:
            message = "Another process is making the tables of the checkpoints: try again in a moment."
            raise StoreBusy(message)
        time.sleep(_PAUSE_SECONDS)
    saver.setup()
    for table, column in _TEXTS:
        # The server's samples of their values would outlive a forgetting.
        connection.execute(f"ALTER TABLE {table} ALTER COLUMN {column} SET STATISTICS 0")
    # The lock ends with the connection.


def _is_set_up(connection: Connection) -> bool:
    try:
        row = connection.execute("SELECT max(v) FROM checkpoint_migrations").fetchone()
    except UndefinedTable:
        return False
    return row == (len(PostgresSaver.MIGRATIONS) - 1,)


def _locked(connection: Connection) -> bool:
    return connection.execute("SELECT pg_try_advisory_lock(%s)", (_SETTING_UP,)).fetchone() == (True,)
