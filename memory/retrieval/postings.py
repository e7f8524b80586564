"""Which texts hold a term: read from an FTS5 table, and remembered while the table does not grow."""

# ruff: noqa: S608 - the only thing spliced into a statement is a table name, made of a hash by `namespaces`

import threading
from collections import OrderedDict
from typing import NamedTuple
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, Engine

MOST = 2000
"""Texts that one term may name by itself; commoner terms count in company with another one."""
_COMMON = 4 * MOST
"""So far the texts of a common term are counted: more make no difference to its weight."""
_REMEMBERED = 512

Numbers = NDArray[np.int64]


class Postings(NamedTuple):
    """The newest texts that hold a term (newest first, at most ``MOST``), and how many there are."""

    numbers: Numbers
    frequency: int


class Reader:
    """Reads one table in one state. The queries of a turn share most of their terms: what was read is kept.

    A row that was deleted meanwhile may still be named; whoever reads its text finds out.
    """

    def __init__(self, connection: Connection, table: str, before: int | None) -> None:
        """Look at ``table``, at its rows with a number below ``before``."""
        self._connection = connection
        self._table = table
        self._bound = "" if before is None else f"AND rowid < {before:d}"
        self.last = int(connection.exec_driver_sql(f"SELECT coalesce(max(rowid), 0) FROM {table}").scalar_one())

    def find(self, match: str) -> Postings:
        """The texts that match an FTS5 expression."""
        known = _known(self._connection.engine)
        key = (self._table, self._bound, self.last, match)
        with _lock:
            if key in known:
                known.move_to_end(key)
                return known[key]
        found = self._read(match)
        with _lock:
            known[key] = found
            while len(known) > _REMEMBERED:
                known.popitem(last=False)
        return found

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


_Remembered = OrderedDict[tuple[str, str, int, str], Postings]
_by_engine: WeakKeyDictionary[Engine, _Remembered] = WeakKeyDictionary()
_lock = threading.Lock()


def _known(engine: Engine) -> _Remembered:
    with _lock:
        return _by_engine.setdefault(engine, OrderedDict())
