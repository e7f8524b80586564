"""Opening the SQL database, a file or a server's: transactions, and the schema brought up to date."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from sqlalchemy import Connection

from ..errors import BadInput, StoreNewer
from .sqlite import Sqlite

if TYPE_CHECKING:
    from alembic.config import Config

    from .postgresql import Postgresql

FILE_NAME = "veridical.db"
_MIGRATIONS = Path(__file__).parent / "migrations"


class Database:
    """A connection pool on one database.

    In a ``write`` transaction nobody else writes for the same users: SQLite's writers take turns altogether,
    PostgreSQL's take turns for each user.
    """

    def __init__(self, folder: Path, url: str = "") -> None:
        """Open (or create) the database and upgrade its schema.

        Args:
            folder: the data folder, which holds the database unless a URL is given.
            url: of a PostgreSQL database, which takes the place of the file.

        Raises:
            BadInput: the URL cannot be understood, or the driver for it is not installed.
            StoreCorrupt: what is there is not a readable database.
            StoreBusy: another process kept the database locked.
            StoreError: the server cannot be reached, or refuses the work.
        """
        self.url = url
        self._kind = _opened(folder / FILE_NAME, url)
        self.engine = self._kind.engine
        try:
            with self._kind.explained():
                self._upgrade()
        except BaseException:
            self.close()
            raise

    @property
    def name(self) -> str:
        """What a person knows the database by: the path, or the URL without its password."""
        return self._kind.name

    @property
    def on_server(self) -> bool:
        """Whether it is a server's rather than a file in the data folder."""
        return bool(self.url)

    @property
    def conninfo(self) -> str:
        """What PostgreSQL's own driver connects by, password included; empty where the database is a file."""
        return self._kind.conninfo

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A connection for reading: each statement sees what is committed."""
        with self._kind.explained(), self._kind.reading() as connection:
            yield connection

    @contextmanager
    def view(self) -> Iterator[Connection]:
        """A connection on which all statements see the database as it is now, whatever others write meanwhile."""
        with self._kind.explained(), self._kind.viewing() as connection:
            yield connection

    @contextmanager
    def write(self, *users: str) -> Iterator[Connection]:
        """A transaction: everything in it becomes durable together, or nothing does.

        Args:
            users: the only ones whose rows are written; without any, nobody else writes meanwhile.
        """
        with self._kind.explained(), self._kind.in_line(users), self.engine.connect() as connection:
            self._kind.begin(connection, users)
            try:
                yield connection
            except BaseException:
                connection.rollback()
                raise
            connection.commit()

    @contextmanager
    def alone(self) -> Iterator[Connection]:
        """A connection on which each statement is a transaction: a server's housekeeping can be in no other one."""
        with self._kind.explained(), self.engine.connect() as connection:
            yield connection.execution_options(isolation_level="AUTOCOMMIT")

    def close(self) -> None:
        """Release every connection."""
        self.engine.dispose()

    def _upgrade(self) -> None:
        # Alembic costs a fifth of a second to import, which only those who open a store should pay.
        from alembic import command
        from alembic.migration import MigrationContext

        with self.engine.connect() as connection:
            revision, known = MigrationContext.configure(connection).get_current_revision(), _revisions()
            if revision == known[0]:
                return
            if revision is not None and revision not in known:
                raise StoreNewer(revision, known[0])
            connection.rollback()
            self._kind.begin(connection, ())
            config = _configured()
            config.attributes["connection"] = connection
            command.upgrade(config, "head")
            self._kind.finish(connection)
            connection.commit()


def _configured() -> "Config":
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
    return config


@cache
def _revisions() -> tuple[str, ...]:
    """The revisions of the schema that this version knows, the newest first."""
    from alembic.script import ScriptDirectory

    return tuple(script.revision for script in ScriptDirectory.from_config(_configured()).walk_revisions())


def _opened(path: Path, url: str) -> "Sqlite | Postgresql":
    if not url:
        return Sqlite(path)
    try:
        from .postgresql import Postgresql
    except ModuleNotFoundError as error:
        message = f"PostgreSQL needs {error.name}, which is not installed: run pip install 'veridical[postgres]'."
        raise BadInput(message) from error
    return Postgresql(url)
