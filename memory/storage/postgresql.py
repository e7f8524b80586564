"""PostgreSQL as the database: many processes on many machines, of which those that write for one user take turns."""

import hashlib
import math
import time
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from typing import Any

from psycopg.conninfo import make_conninfo
from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.exc import ArgumentError, DBAPIError, DisconnectionError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.pool import ConnectionPoolEntry

from ..errors import BadInput, StoreBusy, StoreCorrupt, StoreError
from . import full_text, intent_tables, stream_tables
from .lines import Lines
from .tables import metadata

__all__ = ["Postgresql", "lock_key"]

_MADE_KNOWN = (intent_tables, stream_tables)
"""Imported so that ``metadata`` has their tables."""

_EVERYBODY = 0x7665726964696361
"""The advisory lock that one who writes for a user shares, and one who writes for anybody has alone."""
_PATIENCE_MS = 30_000
_CONNECTIONS = 16
"""With those of the threads and of the notices four processes stay below the hundred that a server allows unasked."""
_SETTINGS = (
    f"SET lock_timeout = {_PATIENCE_MS}",  # writers of one user stand in line
    "SET jit = off",  # statements are short; compiling them takes longer than running them
)
_BUSY = frozenset({"55P03", "40P01", "57014"})
_DAMAGED = frozenset({"XX001", "XX002"})
_FOREIGN = "42P07"
_TRUSTED_SECONDS = 5.0
"""A connection that was used so lately is taken to stand."""
_FORBIDDEN = frozenset({"42501", "25006"})
_COLUMNS = text(
    "SELECT table_name, column_name, collation_name IS DISTINCT FROM 'C' AND data_type <> 'json'"
    " FROM information_schema.columns"
    " WHERE table_schema = current_schema() AND table_name = ANY(:tables)"
    " AND data_type IN ('text', 'character varying', 'json')"
)
_COUNTED = frozenset({"user_id", "session_id", "thread_id", "external_id", "namespace", "kind", "role", "source"})
"""Columns whose values the server may sample for its planner; those of all others would outlive a forgetting there."""


class Postgresql:
    """A database of a server."""

    def __init__(self, url: str) -> None:
        """Nothing is opened yet.

        Raises:
            BadInput: it is no URL of a PostgreSQL database.
        """
        parsed = _parsed(url)
        self._url = parsed
        self.name = parsed.render_as_string(hide_password=True)
        self._password = str(parsed.password or "")
        self.engine = _engine(parsed)
        self._lines = Lines(_PATIENCE_MS / 1000, self._busy)

    def reading(self) -> Connection:
        """A connection on which each statement sees what is committed: none travels to begin or to end anything."""
        return self.engine.connect().execution_options(isolation_level="AUTOCOMMIT")

    def viewing(self) -> Connection:
        """A connection on which all statements see one moment of the database."""
        return self.engine.connect().execution_options(isolation_level="REPEATABLE READ")

    def in_line(self, users: Sequence[str]) -> AbstractContextManager[None]:
        """Stand in line with those of this process who write for the same users."""
        return self._lines.first_in(users)

    def begin(self, connection: Connection, users: Sequence[str]) -> None:
        """Take the locks of the users written for, in an order that all keep; without users, that of everybody.

        What is read afterwards includes all that the earlier holders committed.
        """
        if not users:
            connection.execute(text("SELECT pg_advisory_xact_lock(:everybody)"), {"everybody": _EVERYBODY})
            return
        keys = {f"user_{place}": key for place, key in enumerate(sorted({lock_key(user) for user in users}))}
        calls = "".join(f", pg_advisory_xact_lock(:{name})" for name in keys)
        statement = text(f"SELECT pg_advisory_xact_lock_shared(:everybody){calls}")
        connection.execute(statement, {"everybody": _EVERYBODY, **keys})

    def finish(self, connection: Connection) -> None:
        """Give texts no limit of length and the order of their code points, as in SQLite, and have none sampled."""
        full_text.metadata.create_all(connection)
        altered: dict[str, list[str]] = {}
        new = False
        own = [*metadata.tables, *full_text.metadata.tables]
        for table, column, foreign in connection.execute(_COLUMNS, {"tables": own}).all():
            changes = altered.setdefault(table, [])
            if foreign:
                changes.append(f'ALTER COLUMN "{column}" TYPE text COLLATE "C"')
                new = new or (table, column) == ("items", "normal")
            if column not in _COUNTED:
                changes.append(f'ALTER COLUMN "{column}" SET STATISTICS 0')
        for table, changes in altered.items():
            if changes:
                connection.exec_driver_sql(f'ALTER TABLE "{table}" {", ".join(changes)}')
        if new:
            # A value may be longer than a B-tree takes.
            connection.exec_driver_sql("DROP INDEX items_by_normal")
            connection.exec_driver_sql("CREATE INDEX items_by_normal ON items USING hash (normal)")

    @contextmanager
    def explained(self) -> Iterator[None]:
        """Say of a database that is away, busy, damaged or another's what to do about it."""
        try:
            yield
        except PoolTimeout:
            raise self._busy() from None
        except DBAPIError as error:
            told = self._told(error)
            if told is None:
                raise
            raise told from None

    @property
    def conninfo(self) -> str:
        """What the driver itself connects by; it holds the password."""
        _, named = self.engine.dialect.create_connect_args(self._url)
        return make_conninfo(**{key: value for key, value in named.items() if key != "context"})

    def unusable(self, error: BaseException) -> StoreError:
        """What to say of an error of the driver's own, where the database is used beside SQLAlchemy."""
        return StoreError(
            f"The database {self.name} cannot be used ({self._reason(error)}): "
            "start it, or correct VERIDICAL_DATABASE_URL."
        )

    def _told(self, error: DBAPIError) -> Exception | None:
        code = getattr(error.orig, "sqlstate", None) or ""
        if code in _BUSY:
            return self._busy()
        if code in _DAMAGED:
            return StoreCorrupt(f"The database {self.name} is damaged: restore it from a backup.")
        if code == _FOREIGN:
            return StoreError(
                f"The database {self.name} holds tables of another program: give Veridical one of its own."
            )
        if code in _FORBIDDEN:
            return StoreError(
                f"The database {self.name} refuses the work ({self._reason(error.orig)}): let its owner open it once."
            )
        if "NUL" in str(error.orig):
            return BadInput("A name or an id contains a NUL character, which PostgreSQL cannot store: leave it out.")
        if error.connection_invalidated or not code or code.startswith(("08", "28", "3D", "53", "57")):
            return self.unusable(error.orig or error)
        return None

    def _busy(self) -> StoreBusy:
        return StoreBusy(f"Others keep the database {self.name} busy: try again in a moment.")

    def _reason(self, error: BaseException | None) -> str:
        reason = " ".join(str(error).split())[:300].rstrip(".")
        return reason.replace(self._password, "***") if self._password else reason


def lock_key(user_id: str) -> int:
    """The number of the advisory lock of those who write for a user."""
    digest = hashlib.sha256(user_id.encode("utf-8", "surrogatepass")).digest()
    return int.from_bytes(digest[:8], "big", signed=True)


def _parsed(url: str) -> URL:
    try:
        parsed = make_url(url)
    except (ArgumentError, ValueError):
        parsed = None
    if parsed is None or parsed.get_backend_name() != "postgresql":
        message = (
            "The setting database_url is no PostgreSQL URL: write it like postgresql+psycopg://user@host/veridical."
        )
        raise BadInput(message) from None
    return parsed.set(drivername="postgresql+psycopg")


def _engine(url: URL) -> Engine:
    # The words of an error must not repeat what was said.
    patience = _PATIENCE_MS / 1000
    engine = create_engine(url, pool_size=_CONNECTIONS, max_overflow=0, pool_timeout=patience, hide_parameters=True)

    @event.listens_for(engine, "connect")
    def _on_connect(connection: Any, _record: object) -> None:
        with connection.cursor() as cursor:
            for setting in _SETTINGS:
                cursor.execute(setting)
        connection.commit()

    @event.listens_for(engine, "checkin")
    def _on_checkin(_connection: Any, record: ConnectionPoolEntry) -> None:
        record.info["used"] = time.monotonic()

    @event.listens_for(engine, "checkout")
    def _on_checkout(connection: Any, record: ConnectionPoolEntry, _proxy: object) -> None:
        # A server may have been started anew since. To ask each time would cost as much as what is read.
        if time.monotonic() - record.info.get("used", math.inf) > _TRUSTED_SECONDS:
            try:
                engine.dialect.do_ping(connection)
            except engine.dialect.loaded_dbapi.Error as error:
                raise DisconnectionError from error

    return engine
