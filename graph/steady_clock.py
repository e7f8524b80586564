"""A clock that never goes back."""

import logging
import threading
from collections.abc import Callable
from datetime import datetime, timedelta

_MOST_AHEAD = timedelta(days=31)
_TICK = timedelta(microseconds=1)

logger = logging.getLogger(__name__)


class SteadyClock:
    """The machine's clock; where that is set back, it all but stands until that has caught up.

    What is said later would else bear an earlier time than what it replaces, and be taken for the past.
    """

    def __init__(self, clock: Callable[[], datetime], *, after: datetime | None = None) -> None:
        """Go on from a time.

        Args:
            clock: the time now, aware.
            after: the last time in the record. One that is more than a month ahead was a wrong clock's, and counts
                for nothing: else everything would bear its date from then on.
        """
        self._clock = clock
        self._lock = threading.Lock()
        start = clock()
        self._last = start - _TICK
        if after is not None and start < after:
            logger.warning("the clock is behind what was recorded last by %s", after - start)
            if after - start <= _MOST_AHEAD:
                self._last = after

    def __call__(self) -> datetime:
        """The time now, later than at the last call."""
        with self._lock:
            now = self._clock()
            if self._last - now > _MOST_AHEAD:
                self._last = now - _TICK
            self._last = max(now, self._last + _TICK)
            return self._last
