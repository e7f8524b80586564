"""Emptying what SQLite keeps of deleted rows: free space in pages, free pages, and the write-ahead log."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

from ..errors import StoreBusy
from ..storage.faults import what_to_do

_MAGIC = b"SQLite format 3\x00"
_WAIT_SECONDS = 5.0
_ATTEMPTS = 3


def sqlite_files(folder: Path) -> Iterator[Path]:
    """The SQLite databases directly in a data folder."""
    for path in sorted(folder.iterdir()):
        if path.is_file() and _head(path) == _MAGIC:
            yield path


def compact(path: Path) -> str | None:
    """Rewrite a database without its free space and empty its write-ahead log.

    Returns:
        ``None``, or one clause that says what could not be done, because others were using the file or it had no room.
    """
    for _ in range(_ATTEMPTS):
        try:
            # `with closing`: sqlite3's own context manager only ends transactions.
            with closing(sqlite3.connect(path, timeout=_WAIT_SECONDS, isolation_level=None)) as connection:
                connection.execute("PRAGMA secure_delete=ON")
                connection.execute("VACUUM")
                busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        except sqlite3.Error as error:
            if not isinstance(what_to_do(error, path.name), StoreBusy):
                return f"{path.name} could not be rewritten ({error})"
            busy = True
        if not busy:
            return None
    return f"{path.name} could not be rewritten, because another program is reading it"


def empty_log(path: Path) -> None:
    """Move what is in the write-ahead log of a database into it and empty the log, unless somebody is reading there."""
    if path.is_file():
        with closing(sqlite3.connect(path, timeout=_WAIT_SECONDS, isolation_level=None)) as connection:
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()


def _head(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(len(_MAGIC))
