"""Which texts hold a term: read from the full text, and remembered while that does not grow."""

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import NamedTuple, TypeVar, cast
from weakref import WeakKeyDictionary

from sqlalchemy import Connection, Engine, select

from ..storage.tables import meta
from .full_text import FullText, Match, Numbers

MOST = 2000
"""Texts that one term may name by itself; commoner terms count in company with another one."""
_COMMON = 4 * MOST
"""So far the texts of a common term are counted: more make no difference to its weight."""
_REMEMBERED = 512

EPOCH_KEY = "vectors_epoch"
"""Counts deletions and replacements of what is derived, so that every process drops what it had cached."""

_Value = TypeVar("_Value")


class Postings(NamedTuple):
    """The newest texts that hold a term (newest first, at most ``MOST``), and how many there are."""

    numbers: Numbers
    frequency: int


class Reader:
    """Reads one user's full text in one state. The queries of a turn share most of their terms: what was read is kept.

    The state is the last row's number and the store's count of deletions, so that every process sees the others' work.
    """

    last: int

    def __init__(self, connection: Connection, texts: FullText, before: int | None) -> None:
        """Look at ``texts``, at those with a number below ``before``."""
        self._connection = connection
        self._texts = texts
        self._before = before
        self.last = texts.last()
        self._epoch = connection.execute(select(meta.c.value).where(meta.c.key == EPOCH_KEY)).scalar()
        self._let_go()

    def _let_go(self) -> None:
        """Forget what was read of the texts before they grew: they never look so again."""
        known = _known(self._connection.engine)
        with _lock:
            for old in [it for it in known if it[0] == self._texts.name and it[2] < self.last]:
                del known[old]

    def find(self, match: Match) -> Postings:
        """The texts that match."""
        return self.once("\n".join(match.company) + "\t" + match.phrase, lambda: self._read(match))

    def once(self, key: str, make: Callable[[], _Value]) -> _Value:
        """What was made under this key for this state of the texts, or what ``make`` makes now."""
        known = _known(self._connection.engine)
        whole = (self._texts.name, self._before, self.last, self._epoch, key)
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

    def _read(self, match: Match) -> Postings:
        numbers = self._texts.newest(match, self._before, MOST)
        full = numbers.size == MOST
        return Postings(numbers, self._texts.matching(match, _COMMON) if full else int(numbers.size))


_Remembered = OrderedDict[tuple[str, int | None, int, str | None, str], object]
_by_engine: WeakKeyDictionary[Engine, _Remembered] = WeakKeyDictionary()
_lock = threading.Lock()


def _known(engine: Engine) -> _Remembered:
    with _lock:
        return _by_engine.setdefault(engine, OrderedDict())


def forget(engine: Engine) -> None:
    """Drop what was remembered of a database's tables: rows were removed or replaced."""
    with _lock:
        _by_engine.pop(engine, None)
