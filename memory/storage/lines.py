"""Standing in line within the process: writers wake each other, and only the first of them asks the database."""

import threading
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from weakref import WeakValueDictionary


class Lines:
    """One line for each name.

    The database's own locks decide, since other processes write too. But who waits there is woken late (SQLite's
    writers look again after up to a tenth of a second) and keeps a connection meanwhile.
    """

    def __init__(self, patience: float, busy: Callable[[], Exception]) -> None:
        """Nobody stands anywhere; who has waited for ``patience`` seconds is told that it is ``busy``."""
        self._patience = patience
        self._busy = busy
        self._guard = threading.Lock()
        self._locks: WeakValueDictionary[str, threading.Lock] = WeakValueDictionary()

    @contextmanager
    def first_in(self, names: Iterable[str]) -> Iterator[None]:
        """Be the first in the lines of those names."""
        with ExitStack() as held:
            for name in sorted(set(names)):  # in an order that all keep
                with self._guard:
                    lock = self._locks.setdefault(name, threading.Lock())
                if not lock.acquire(timeout=self._patience):
                    raise self._busy()
                held.callback(lock.release)
            yield
