"""What SQLite's errors mean to a person: each that a disk, a folder or another program can cause, as one sentence."""

import sqlite3

from ..errors import StoreBusy, StoreCorrupt, StoreError

ANEW = "restore it from a backup, or move it away to start anew"

_MEANINGS: tuple[tuple[tuple[str, ...], type[StoreError], str], ...] = (
    (
        ("SQLITE_BUSY", "SQLITE_LOCKED", "SQLITE_PROTOCOL"),
        StoreBusy,
        "Another process keeps {name} locked: close it, or try again in a moment.",
    ),
    (
        ("SQLITE_FULL",),
        StoreError,
        "There is no room left for {name}: free some space and try again; nothing that was recorded is lost.",
    ),
    (
        ("SQLITE_READONLY", "SQLITE_CANTOPEN", "SQLITE_PERM"),
        StoreError,
        "{name} cannot be written: make the file and its folder writable, or choose another folder with --data.",
    ),
    (
        ("SQLITE_IOERR",),
        StoreError,
        "{name} cannot be read or written: look after the disk (it may be full) and try again; "
        "nothing that was recorded is lost.",
    ),
    (("SQLITE_CORRUPT", "SQLITE_NOTADB"), StoreCorrupt, "{name} is not a readable database: {mend}."),
)
# Raised by the driver itself, which gives no code.
_UNREADABLE = "Could not decode"


def what_to_do(error: BaseException | None, name: str, *, mend: str = ANEW) -> StoreError | None:
    """The error that a person is shown.

    Args:
        error: SQLite's own, or any other.
        name: what the person knows the database by.
        mend: what to do where it is damaged.

    Returns:
        The error, or ``None`` where the fault is the program's.
    """
    if not isinstance(error, sqlite3.Error):
        return None
    code = getattr(error, "sqlite_errorname", None) or ("SQLITE_CORRUPT" if _UNREADABLE in str(error) else "")
    for codes, kind, sentence in _MEANINGS:
        if code.startswith(codes):
            return kind(sentence.format(name=name, mend=mend))
    return None
