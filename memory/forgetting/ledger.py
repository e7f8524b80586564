"""The ledger of forgettings: a file beside the database, which a restored backup of the database does not undo.

One JSON line per forgetting: when, whose (a hash), which turns and documents (numbers). It holds nothing that was
said. A line is written before its forgetting is committed, and the database counts the lines that it has seen: an older
backup, or a process that died in between, is behind, and forgets again what the missing lines name. A last line without
an end counts for nothing.
"""

import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Connection, Table, select

from ..errors import StoreCorrupt, StoreError
from ..retrieval.vectors import set_meta
from ..storage.tables import documents, meta, turns
from .request import What

FILE_NAME = "forgotten.jsonl"
_SEEN_KEY = "forgettings"


_Ranges = tuple[tuple[int, int], ...]


class Entry(NamedTuple):
    """One forgetting: of whom, and the ranges of numbers that were forgotten if recorded by then."""

    user: str
    at: datetime
    turns: _Ranges
    documents: _Ranges = ()


def user_key(user_id: str) -> str:
    """What the ledger calls a user."""
    return hashlib.sha256(user_id.encode("utf-8", "surrogatepass")).hexdigest()


def read_entries(folder: Path) -> list[Entry]:
    """The entries of a data folder, oldest first.

    Raises:
        StoreCorrupt: the file cannot be read as a ledger.
    """
    path = folder / FILE_NAME
    if not path.is_file():
        return []
    try:
        whole, _, _ = path.read_text(encoding="utf-8").rpartition("\n")
        return [_entry(line) for line in whole.splitlines() if line.strip()]
    except (OSError, ValueError, KeyError, TypeError) as error:
        message = f"{path} cannot be read as the list of what was forgotten: restore it, or move it away."
        raise StoreCorrupt(message) from error


def merged(earlier: bytes, later: bytes) -> bytes:
    """The lines of a list of forgettings, then those that only a later one has: databases count them from above."""
    known, others = (part[: part.rfind(b"\n") + 1].splitlines() for part in (earlier, later))
    return b"".join(line + b"\n" for line in [*known, *(line for line in others if line not in known)])


def write_entry(
    connection: Connection,
    folder: Path,
    user_id: str,
    numbers: Iterable[int],
    *,
    documents: Iterable[int] = (),
    at: datetime,
) -> None:
    """Write an entry durably, and count it in the open transaction.

    Raises:
        StoreError: the file cannot be written.
    """
    entry = {"at": at.isoformat(), "user": user_key(user_id), "turns": list(_ranges(numbers))}
    if read := list(_ranges(documents)):
        entry["documents"] = read
    line = json.dumps(entry)
    try:
        _append(folder / FILE_NAME, line)
    except OSError as error:
        message = f"{folder / FILE_NAME} cannot be written ({error.strerror}): make room for it; nothing was forgotten."
        raise StoreError(message) from error
    mark_seen(connection, folder)


def _append(path: Path, line: str) -> None:
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    with os.fdopen(descriptor, "rb+") as file:
        # A line without an end was cut short, by a full disk: its forgetting never came to be.
        file.seek(file.read().rfind(b"\n") + 1)
        file.truncate()
        file.write(f"{line}\n".encode())
        file.flush()
        os.fsync(file.fileno())


def mark_seen(connection: Connection, folder: Path) -> None:
    """Note in the database that it has done what the ledger says so far."""
    entries = read_entries(folder)
    if entries:
        set_meta(connection, _seen_key(connection, entries), str(len(entries)))


def unseen(connection: Connection, entries: list[Entry]) -> list[Entry]:
    """The entries that the database has not seen."""
    seen = connection.execute(select(meta.c.value).where(meta.c.key == _seen_key(connection, entries))).scalar()
    return entries[int(seen or 0) :]


def brought_back(connection: Connection, user_id: str, entries: Iterable[Entry]) -> What:
    """What of the user's is in the database although the entries say that it was forgotten."""
    own = [entry for entry in entries if entry.user == user_key(user_id)]
    said = _covered(connection, turns, user_id, [(entry.at, entry.turns) for entry in own])
    read = _covered(connection, documents, user_id, [(entry.at, entry.documents) for entry in own if entry.documents])
    return What("turn", tuple(f"t{number}" for number in said), documents=tuple(read))


def _covered(
    connection: Connection, table: Table, user_id: str, forgotten: Sequence[tuple[datetime, _Ranges]]
) -> list[int]:
    """The numbers of rows of a table that were recorded before they were forgotten, in order."""
    if not forgotten:
        return []
    rows = connection.execute(select(table.c.number, table.c.recorded_at).where(table.c.user_id == user_id))
    return sorted(
        number
        for number, recorded in rows
        if any(recorded <= at and any(first <= number <= last for first, last in ranges) for at, ranges in forgotten)
    )


def _seen_key(connection: Connection, entries: list[Entry]) -> str:
    """Under which name a database counts a ledger: several data folders, each with its own, may share a server's."""
    if connection.dialect.name == "sqlite":
        return _SEEN_KEY
    return f"{_SEEN_KEY} {hashlib.sha256(repr(entries[0]).encode()).hexdigest()[:16]}"


def _entry(line: str) -> Entry:
    document = json.loads(line)
    said, read = (
        tuple((int(first), int(last)) for first, last in document.get(name, ())) for name in ("turns", "documents")
    )
    return Entry(str(document["user"]), datetime.fromisoformat(document["at"]), said, read)


def _ranges(numbers: Iterable[int]) -> Iterator[tuple[int, int]]:
    for _, run in groupby(enumerate(sorted(numbers)), key=lambda pair: pair[1] - pair[0]):
        members = [number for _, number in run]
        yield members[0], members[-1]
