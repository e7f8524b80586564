"""Waking those who wait for events: by looking at the log, at once where a server says that there is something new."""

import asyncio
import logging
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import aclosing, contextmanager, suppress
from dataclasses import dataclass
from itertools import islice

from ..memory.errors import StoreError
from ..memory.storage.announcing import announcements
from ..memory.storage.database import Database
from ..memory.storage.events import newest_numbers
from .telling import Told, told_after

_PATIENCE_SECONDS = 10.0
_MOST_REMEMBERED = 10_000
_AGAIN_SECONDS = 5.0
_MOST_FRESH = 50
"""New events of a user that are read once for all who listen; whoever finds more reads them for themself."""

logger = logging.getLogger(__name__)


@dataclass(slots=True)
class Listener:
    """A terminal that listens, or has listened, to this process."""

    streams: int = 0
    """How many of its streams are open."""
    sent: int | None = None
    """The number of the last event that one of them was sent, or began after."""


class Bell:
    """Knows the newest event of every user whom somebody waits for."""

    def __init__(self, database: Database, *, poll_seconds: float) -> None:
        """Watch a database; ``watch`` does the looking."""
        self._database = database
        self._pause = poll_seconds
        self._listening: Counter[str] = Counter()
        self._terminals: dict[tuple[str, str], Listener] = {}
        self._newest: dict[str, int] = {}
        self._fresh: dict[str, list[Told]] = {}
        self._rung = asyncio.Condition()
        self._news = asyncio.Event()

    @property
    def listeners(self) -> int:
        """How many streams are open."""
        return self._listening.total()

    def listeners_of(self, user_id: str) -> dict[str, Listener]:
        """The terminals of a user that listen here, or did so lately, by name."""
        return {terminal: one for (user, terminal), one in self._terminals.items() if user == user_id}

    @contextmanager
    def listening(self, user_id: str, terminal: str) -> Iterator[Listener]:
        """Count a stream of a user's events while it is open; whoever sends notes in it how far that came."""
        listener = self._terminals.pop((user_id, terminal), None) or Listener()
        self._terminals[user_id, terminal] = listener  # the latest stand last
        self._forget_oldest()
        self._listening[user_id] += 1
        listener.streams += 1
        try:
            yield listener
        finally:
            listener.streams -= 1
            self._listening[user_id] -= 1
            if self._listening[user_id] <= 0:
                del self._listening[user_id]
                self._newest.pop(user_id, None)
                self._fresh.pop(user_id, None)

    async def after(self, user_id: str, number: int) -> bool:
        """Wait until the user has a newer event than the one of that number; false where none came for a while."""
        try:
            async with asyncio.timeout(_PATIENCE_SECONDS), self._rung:
                return await self._rung.wait_for(lambda: self._newest.get(user_id, 0) > number)
        except TimeoutError:
            return False

    def fresh(self, user_id: str, number: int) -> Sequence[Told] | None:
        """The events after the one of that number, if they came with the last look; ``None`` where more are missing."""
        came = self._fresh.get(user_id, ())
        if not came or not came[0].number - 1 <= number < came[-1].number:
            return None
        return came[number + 1 - came[0].number :]

    def ring(self) -> None:
        """Have the log looked at now: this process has written. To be called from the loop."""
        self._news.set()

    async def watch(self) -> None:
        """Look for new events until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            if self._database.on_server:
                tasks.create_task(self._hear())
            while True:
                self._news.clear()
                try:
                    await self.look()
                except StoreError as error:
                    logger.warning("%s", error)
                with suppress(TimeoutError):
                    async with asyncio.timeout(self._pause):
                        await self._news.wait()

    async def _hear(self) -> None:
        """Have the log looked at whenever another instance says that it has written."""
        while True:
            try:
                async with aclosing(announcements(self._database)) as heard:
                    async for _ in heard:
                        self._news.set()
            except ConnectionError:
                logger.warning("the database says nothing of new events; they are looked for instead")
            await asyncio.sleep(_AGAIN_SECONDS)

    async def look(self) -> None:
        """Look once, and wake those for whom there is something."""
        users = list(self._listening)
        if not users:
            return
        newest, fresh = await asyncio.to_thread(self._read, users, dict(self._newest))
        async with self._rung:
            self._newest = {user: newest.get(user, 0) for user in users}
            self._fresh = {user: told for user, told in (self._fresh | fresh).items() if user in self._listening}
            self._rung.notify_all()

    def _forget_oldest(self) -> None:
        surplus = len(self._terminals) - _MOST_REMEMBERED
        silent = (key for key, one in self._terminals.items() if one.streams == 0)
        for key in list(islice(silent, max(0, surplus))):
            del self._terminals[key]

    def _read(self, users: list[str], known: Mapping[str, int]) -> tuple[dict[str, int], dict[str, list[Told]]]:
        """The newest numbers, and what came since those that were known before."""
        with self._database.read() as connection:
            newest = newest_numbers(connection, users)
            fresh = {
                user: told_after(connection, user, known[user], limit=_MOST_FRESH)
                for user, number in newest.items()
                if user in known and known[user] < number <= known[user] + _MOST_FRESH
            }
        return newest, fresh
