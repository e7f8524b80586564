"""Standing in line within the process: who came first writes first, and only the first asks the database."""

import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, contextmanager
from weakref import WeakValueDictionary


class _Line:
    """One line. A lock alone is none: it lets whoever just released it in again, and others wait for as long."""

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._taken = False
        self._waiting: deque[threading.Lock] = deque()

    def stand(self, patience: float) -> bool:
        """Wait for one's turn; whether it came within ``patience`` seconds."""
        turn = threading.Lock()
        with self._guard:
            if not self._taken:
                self._taken = True
                return True
            turn.acquire()
            self._waiting.append(turn)
        try:
            return turn.acquire(timeout=patience) or not self._given_up(turn)
        except BaseException:  # Ctrl-C: nobody may be left standing in an empty place
            if not self._given_up(turn):
                self.leave()
            raise

    def _given_up(self, turn: threading.Lock) -> bool:
        """Wait no longer; false where the turn came in this very moment."""
        with self._guard:
            if turn not in self._waiting:
                return False
            self._waiting.remove(turn)
            return True

    def leave(self) -> None:
        """Let the next one have its turn."""
        with self._guard:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._taken = False


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
        self._lines: WeakValueDictionary[str, _Line] = WeakValueDictionary()

    @contextmanager
    def first_in(self, names: Iterable[str]) -> Iterator[None]:
        """Be the first in the lines of those names."""
        with ExitStack() as held:
            for name in sorted(set(names)):  # in an order that all keep
                with self._guard:
                    line = self._lines.setdefault(name, _Line())
                if not line.stand(self._patience):
                    raise self._busy()
                held.callback(line.leave)
            yield
