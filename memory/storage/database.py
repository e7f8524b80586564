"""Opening the SQL database: one file in the data folder, write-ahead log, schema brought up to date."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import URL, Connection, Engine, create_engine, event
from sqlalchemy.exc import DatabaseError, OperationalError

from ..errors import StoreBusy, StoreCorrupt

FILE_NAME = "veridical.db"
_MIGRATIONS = Path(__file__).parent / "migrations"
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


class Database:
    """A connection pool on one database, whose ``write`` transactions take the write lock at their first statement."""

    def __init__(self, folder: Path) -> None:
        """Open (or create) the database in ``folder`` and upgrade its schema.

        Raises:
            StoreCorrupt: the file is not a readable database.
            StoreBusy: another process kept the database locked.
        """
        self.path = folder / FILE_NAME
        self.engine = _engine(self.path)
        with _explained(self.path):
            _upgrade(self.engine)

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A connection for reading: one consistent view of the database."""
        with _explained(self.path), self.engine.connect() as connection:
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A transaction: everything in it becomes durable together, or nothing does."""
        with _explained(self.path), self.engine.connect() as connection:
            # Taking the lock at once avoids the deadlock of two readers that both want to write.
            connection.exec_driver_sql("BEGIN IMMEDIATE")
            try:
                yield connection
            except BaseException:
                connection.rollback()
                raise
            connection.commit()

    def close(self) -> None:
        """Release every connection."""
        self.engine.dispose()


def _engine(path: Path) -> Engine:
    engine = create_engine(URL.create("sqlite", database=str(path)), pool_size=8, max_overflow=24)

    @event.listens_for(engine, "connect")
    def _on_connect(connection: Any, _record: object) -> None:
        # pysqlite's own implicit transactions would begin too late; SQLAlchemy documents this switch.
        connection.isolation_level = None
        for pragma in _PRAGMAS:
            connection.execute(pragma)

    return engine


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except OperationalError as error:
        if "locked" in str(error.orig) or "busy" in str(error.orig):
            message = f"Another process keeps {path} locked: close it, or try again in a moment."
            raise StoreBusy(message) from error
        raise
    except DatabaseError as error:
        if "not a database" in str(error.orig) or "malformed" in str(error.orig):
            message = f"{path} is not a readable database: restore it from a backup, or move it away to start anew."
            raise StoreCorrupt(message) from error
        raise


def _upgrade(engine: Engine) -> None:
    # Alembic costs a fifth of a second to import, which only those who open a store should pay.
    from alembic import command
    from alembic.config import Config
    from alembic.migration import MigrationContext
    from alembic.script import ScriptDirectory

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    head = ScriptDirectory.from_config(config).get_current_head()
    with engine.connect() as connection:
        if MigrationContext.configure(connection).get_current_revision() == head:
            return
        connection.exec_driver_sql("BEGIN IMMEDIATE")
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
        connection.commit()
