"""Waking those who wait for events: at once within this process, by looking at the log for other instances."""

import asyncio
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from ..memory.storage.database import Database
from ..memory.storage.events import newest_numbers

_PATIENCE_SECONDS = 10.0


class Bell:
    """Knows the newest event of every user whom somebody waits for."""

    def __init__(self, database: Database, *, poll_seconds: float) -> None:
        """Watch a database; ``watch`` does the looking."""
        self._database = database
        self._pause = poll_seconds
        self._listening: Counter[str] = Counter()
        self._newest: dict[str, int] = {}
        self._rung = asyncio.Condition()

    @property
    def listeners(self) -> int:
        """How many streams are open."""
        return self._listening.total()

    @contextmanager
    def listening(self, user_id: str) -> Iterator[None]:
        """Count a stream of a user's events while it is open."""
        self._listening[user_id] += 1
        try:
            yield
        finally:
            self._listening[user_id] -= 1
            if self._listening[user_id] <= 0:
                del self._listening[user_id]
                self._newest.pop(user_id, None)

    async def after(self, user_id: str, number: int) -> bool:
        """Wait until the user has a newer event than the one of that number; false where none came for a while."""
        try:
            async with asyncio.timeout(_PATIENCE_SECONDS), self._rung:
                return await self._rung.wait_for(lambda: self._newest.get(user_id, 0) > number)
        except TimeoutError:
            return False

    async def watch(self) -> None:
        """Look for new events until cancelled."""
        while True:
            await self.look()
            await asyncio.sleep(self._pause)

    async def look(self) -> None:
        """Look once, and wake those for whom there is something."""
        users = list(self._listening)
        if not users:
            return
        newest = await asyncio.to_thread(self._read, users)
        async with self._rung:
            self._newest = {user: newest.get(user, 0) for user in users}
            self._rung.notify_all()

    def _read(self, users: list[str]) -> dict[str, int]:
        with self._database.read() as connection:
            return newest_numbers(connection, users)
