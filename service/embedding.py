"""Embedding what was registered, behind the answer that acknowledges it: several changes of a user in one go."""

import logging
import threading
from concurrent.futures import ThreadPoolExecutor

from ..memory.errors import StoreError
from ..memory.store import Memory

logger = logging.getLogger(__name__)


class Embedding:
    """Turns wait for their embedding in the store's outbox; whoever asks by meaning takes from there what is left."""

    def __init__(self, memory: Memory) -> None:
        """Nothing is to be done yet."""
        self._memory = memory
        self._guard = threading.Lock()
        self._waiting: set[str] = set()
        # One thread: while a user's turns are embedded, those of the next changes gather.
        self._pool = ThreadPoolExecutor(1, "veridical-embedding")

    def note(self, user_id: str) -> None:
        """Have what waits of a user embedded soon. From any thread."""
        with self._guard:
            if user_id in self._waiting:
                return
            self._waiting.add(user_id)
        self._pool.submit(self._embed, user_id)

    def finish(self) -> None:
        """Wait for what is being embedded; the rest stays in the outbox until the next start."""
        self._pool.shutdown(cancel_futures=True)

    def _embed(self, user_id: str) -> None:
        with self._guard:
            self._waiting.discard(user_id)
        try:
            self._memory.embed_waiting(user_id)
        except StoreError as error:
            logger.warning("what was registered waits for its embedding: %s", error)
