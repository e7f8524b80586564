"""Copies of a data folder that are made while it is used, and the way back.

A copy has what is true: the databases, each as it was at one moment, the list of what was forgotten, the settings and
the files of errands. The vector index is not copied: it is derived, and filled again. Databases are copied by SQLite's
own backup, which waits for nobody and keeps nobody waiting.
"""

import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import NamedTuple

from .errors import BadInput, StoreBusy, StoreCorrupt, StoreError
from .forgetting.cleaning import sqlite_files
from .forgetting.ledger import FILE_NAME as LEDGER
from .forgetting.ledger import merged
from .retrieval.chroma import FOLDER as CHROMA
from .storage.database import FILE_NAME

_COPIED = ("settings.toml", "intents")
_ATTEMPTS = 5
_BESIDE = ("-wal", "-shm", "-journal")


class Copied(NamedTuple):
    """A file that was copied."""

    file: str
    size: int
    """In bytes."""


def back_up(folder: Path, destination: Path) -> list[Copied]:
    """Copy a data folder, whoever writes there meanwhile; everything that was committed before is in the copy.

    The copy appears at its destination when it is whole. It is readable by its owner only.

    Args:
        folder: the data folder.
        destination: a folder that does not exist yet, or is empty.

    Raises:
        BadInput: there is no memory, or something is at the destination.
        StoreError: it cannot be read, or there is no room for the copy.
    """
    if not (folder / FILE_NAME).is_file():
        message = f"There is no memory in {folder}: check --data."
        raise BadInput(message)
    _require_empty(destination)
    scratch = destination.with_name(f".{destination.name}.unfinished")
    with _explained(destination):
        shutil.rmtree(scratch, ignore_errors=True)
        scratch.mkdir(mode=0o700, parents=True)
        try:
            _copy_databases(folder, scratch)
            _copy_files(folder, scratch)
            scratch.replace(destination)
        except BaseException:
            shutil.rmtree(scratch, ignore_errors=True)
            raise
    return list(_files(destination))


def restore(source: Path, folder: Path, *, replace: bool = False) -> list[Copied]:
    """Put a copy in the place of a data folder; what was forgotten there since is forgotten when it is opened.

    Args:
        source: a copy that ``back_up`` made.
        folder: the data folder, which may not exist yet.
        replace: whether a memory that is there may go.

    Raises:
        BadInput: there is no copy, or a memory is there already.
        StoreBusy: somebody has that memory open.
        StoreError: the copy is damaged, or there is no room for it.
    """
    if not (source / FILE_NAME).is_file():
        message = f"There is no backup in {source}: name a folder that `veridical backup` made."
        raise BadInput(message)
    if (folder / FILE_NAME).exists() and not replace:
        message = (
            f"There is a memory in {folder} already: add --replace to give it up for the backup, or choose --data."
        )
        raise BadInput(message)
    for path in sqlite_files(source):
        _examine(path)
    with _explained(folder):
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        names = {path.name for path in sqlite_files(source)}
        left = {path.name for path in sqlite_files(folder)} - names
        for name in sorted(names | left):
            _release(folder / name)
        for name in left:
            (folder / name).unlink(missing_ok=True)
        _bring_ledger(source, folder)
        shutil.rmtree(folder / CHROMA, ignore_errors=True)
        _copy_databases(source, folder)
        _copy_files(source, folder, keep=True)
    return list(_files(source))


def _copy_databases(source: Path, target: Path) -> None:
    """Each database as it is at one moment; the log of turns last, so that no thread is ahead of it."""
    paths = sorted(sqlite_files(source), key=lambda path: path.name == FILE_NAME)
    for _ in range(_ATTEMPTS):
        forgotten = _content(source / LEDGER)
        for path in paths:
            _copy_database(path, target / path.name)
        if _content(source / LEDGER) == forgotten:
            return
    message = f"{source} could not be copied, because something is being forgotten there: try again in a moment."
    raise StoreBusy(message)


def _copy_database(source: Path, target: Path) -> None:
    scratch = target.with_name(f"{target.name}.new")
    _unlink(scratch)
    scratch.touch(mode=0o600)
    with closing(_opened(source)) as read, closing(sqlite3.connect(scratch)) as written:
        read.backup(written)
        written.execute("PRAGMA journal_mode=DELETE")  # one file, whole by itself
    _examine(scratch)
    with scratch.open("rb") as file:
        os.fsync(file.fileno())
    scratch.replace(target)
    _unlink(scratch)


def _copy_files(source: Path, target: Path, *, keep: bool = False) -> None:
    for name in _COPIED:
        path = source / name
        if keep and (target / name).exists():
            continue
        if path.is_dir():
            shutil.copytree(path, target / name)
        elif path.is_file():
            shutil.copy(path, target / name)
    if not keep and (content := _content(source / LEDGER)):
        (target / LEDGER).write_bytes(content)


def _bring_ledger(source: Path, folder: Path) -> None:
    """The list of the copy, and what was forgotten here since."""
    together = merged(_content(source / LEDGER), _content(folder / LEDGER))
    if together:
        scratch = folder / f"{LEDGER}.new"
        scratch.write_bytes(together)
        scratch.chmod(0o600)
        scratch.replace(folder / LEDGER)


def _release(path: Path) -> None:
    """Make sure that nobody has a database open that is about to be replaced, and leave no log beside it."""
    if path.is_file():
        try:
            with closing(sqlite3.connect(path, timeout=0, isolation_level=None)) as connection:
                connection.execute("PRAGMA locking_mode=EXCLUSIVE")
                connection.execute("BEGIN EXCLUSIVE")
                connection.execute("ROLLBACK")
                connection.execute("PRAGMA journal_mode=DELETE")
        except sqlite3.OperationalError as error:
            message = f"Another process has {path} open: stop it, then restore."
            raise StoreBusy(message) from error
        except sqlite3.DatabaseError:
            path.unlink()  # damaged, which may be why there is a restoring at all
    for ending in _BESIDE:
        path.with_name(f"{path.name}{ending}").unlink(missing_ok=True)


def _opened(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)


def _examine(path: Path) -> None:
    message = f"{path} is damaged: take another backup."
    try:
        with closing(_opened(path)) as connection:
            found = connection.execute("PRAGMA quick_check(1)").fetchone()
    except sqlite3.DatabaseError as error:
        raise StoreCorrupt(message) from error
    if found != ("ok",):
        raise StoreCorrupt(message)


def _require_empty(destination: Path) -> None:
    if destination.exists() and not (destination.is_dir() and not any(destination.iterdir())):
        message = f"There is something at {destination} already: name a folder that does not exist yet."
        raise BadInput(message)


def _files(folder: Path) -> Iterator[Copied]:
    for path in sorted(folder.rglob("*")):
        if path.is_file():
            yield Copied(str(path.relative_to(folder)), path.stat().st_size)


def _content(path: Path) -> bytes:
    return path.read_bytes() if path.is_file() else b""


def _unlink(path: Path) -> None:
    for ending in ("", *_BESIDE):
        path.with_name(f"{path.name}{ending}").unlink(missing_ok=True)


@contextmanager
def _explained(place: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, sqlite3.OperationalError, shutil.Error) as error:
        reason = getattr(error, "strerror", None) or error
        message = f"{place} cannot be written ({reason}): make room, or choose another place."
        raise StoreError(message) from error
    except sqlite3.DatabaseError as error:
        message = f"The memory cannot be copied, because it is damaged ({error}): run `veridical doctor`."
        raise StoreCorrupt(message) from error
