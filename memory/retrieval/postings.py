"""Which texts hold a term: read from an FTS5 table, and remembered while the table does not grow."""

# ruff: noqa: S608 - the only thing spliced into a statement is a table name, made of a hash by `namespaces`

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple, TypeVar, cast
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, Engine

MOST = 2000
"""Texts that one term may name by itself; commoner terms count in company with another one."""
_COMMON = 4 * MOST
"""So far the texts of a common term are counted: more make no difference to its weight."""
_REMEMBERED = 512

EPOCH_KEY = "vectors_epoch"
"""Counts deletions and replacements of what is derived, so that every process drops what it had cached."""

Numbers = NDArray[np.int64]
_Value = TypeVar("_Value")


class Postings(NamedTuple):
    """The newest texts that hold a term (newest first, at most ``MOST``), and how many there are."""

    numbers: Numbers
    frequency: int


class Reader:
    """Reads one table in one state. The queries of a turn share most of their terms: what was read is kept.

    The state is the last row's number and the store's count of deletions, so that every process sees the others' work.
    """

    last: int

    def __init__(self, connection: Connection, table: str, before: int | None) -> None:
        """Look at ``table``, at its rows with a number below ``before``."""
        self._connection = connection
        self._table = table
        self._bound = "" if before is None else f"AND rowid < {before:d}"
        state = f"SELECT coalesce(max(rowid), 0), (SELECT value FROM meta WHERE key = '{EPOCH_KEY}') FROM {table}"
        self.last, self._epoch = connection.exec_driver_sql(state).one()

    def find(self, match: str) -> Postings:
        """The texts that match an FTS5 expression."""
        return self.once(match, lambda: self._read(match))

    def once(self, key: str, make: Callable[[], _Value]) -> _Value:
        """What was made under this key for this state of the table, or what ``make`` makes now."""
        known = _known(self._connection.engine)
        whole = (self._table, self._bound, self.last, self._epoch, key)
        with _lock:
            if whole in known:
                known.move_to_end(whole)
                return cast("_Value", known[whole])
        made = make()
        with _lock:
            known[whole] = made
            while len(known) > _REMEMBERED:
                known.popitem(last=False)
        return made

    def _read(self, match: str) -> Postings:
        # One string crosses from SQLite, because thousands of rows take longer to cross than to find.
        statement = (
            "SELECT group_concat(rowid) FROM "
            f"(SELECT rowid FROM {self._table} WHERE {self._table} MATCH ? {self._bound}"
            f" ORDER BY rowid DESC LIMIT {MOST})"
        )
        found: str | None = self._connection.exec_driver_sql(statement, (match,)).scalar()
        numbers = np.fromstring(found, dtype=np.int64, sep=",") if found else np.empty(0, dtype=np.int64)
        return Postings(numbers, self._count(match) if numbers.size == MOST else int(numbers.size))

    def _count(self, match: str) -> int:
        statement = f"SELECT count(*) FROM (SELECT 1 FROM {self._table} WHERE {self._table} MATCH ? LIMIT {_COMMON})"
        return int(self._connection.exec_driver_sql(statement, (match,)).scalar_one())


_Remembered = OrderedDict[tuple[str, str, int, str | None, str], object]
_by_engine: WeakKeyDictionary[Engine, _Remembered] = WeakKeyDictionary()
_lock = threading.Lock()


def _known(engine: Engine) -> _Remembered:
    with _lock:
        return _by_engine.setdefault(engine, OrderedDict())


def forget(engine: Engine) -> None:
    """Drop what was remembered of a database's tables: rows were removed or replaced."""
    with _lock:
        _by_engine.pop(engine, None)
