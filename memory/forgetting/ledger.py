"""The ledger of forgettings: a file beside the database, which a restored backup of the database does not undo.

One JSON line per forgetting: when, whose (a hash), which turns (numbers). It holds nothing that was said. A line is
written before its forgetting is committed, and the database counts the lines that it has seen: an older backup, or a
process that died in between, is behind, and forgets again what the missing lines name. A last line without an end
counts for nothing.
"""

import hashlib
import json
import os
from collections.abc import Iterable, Iterator
from datetime import datetime
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from sqlalchemy import Connection, select

from ..errors import StoreCorrupt, StoreError
from ..retrieval.vectors import set_meta
from ..storage.tables import meta, turns

FILE_NAME = "forgotten.jsonl"
_SEEN_KEY = "forgettings"


class Entry(NamedTuple):
    """One forgetting: of whom, and the ranges of turn numbers that were forgotten if recorded by then."""

    user: str
    at: datetime
    ranges: tuple[tuple[int, int], ...]

    def covers(self, number: int) -> bool:
        """Whether the turn of that number was forgotten."""
        return any(first <= number <= last for first, last in self.ranges)


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


def write_entry(connection: Connection, folder: Path, user_id: str, numbers: Iterable[int], *, at: datetime) -> None:
    """Write an entry durably, and count it in the open transaction.

    Raises:
        StoreError: the file cannot be written.
    """
    line = json.dumps({"at": at.isoformat(), "user": user_key(user_id), "turns": list(_ranges(numbers))})
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


def forgotten_turns(connection: Connection, user_id: str, entries: Iterable[Entry]) -> set[int]:
    """The user's turns that are in the database although the entries say that they were forgotten."""
    own = [entry for entry in entries if entry.user == user_key(user_id)]
    if not own:
        return set()
    rows = connection.execute(select(turns.c.number, turns.c.recorded_at).where(turns.c.user_id == user_id))
    return {number for number, at in rows if any(at <= entry.at and entry.covers(number) for entry in own)}


def _seen_key(connection: Connection, entries: list[Entry]) -> str:
    """Under which name a database counts a ledger: several data folders, each with its own, may share a server's."""
    if connection.dialect.name == "sqlite":
        return _SEEN_KEY
    return f"{_SEEN_KEY} {hashlib.sha256(repr(entries[0]).encode()).hexdigest()[:16]}"


def _entry(line: str) -> Entry:
    document = json.loads(line)
    ranges = tuple((int(first), int(last)) for first, last in document["turns"])
    return Entry(str(document["user"]), datetime.fromisoformat(document["at"]), ranges)


def _ranges(numbers: Iterable[int]) -> Iterator[tuple[int, int]]:
    for _, run in groupby(enumerate(sorted(numbers)), key=lambda pair: pair[1] - pair[0]):
        members = [number for _, number in run]
        yield members[0], members[-1]
