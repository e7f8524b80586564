"""The embedder as the index asks it: what fails leaves a turn without nearness, and is told of once."""

import logging
import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from time import monotonic

import numpy as np

from ..errors import EmbedderFailed
from .embedders import Embedder, Matrix

_CACHED = 1024
_REST = 10.0
"""Seconds for which an embedder that failed is not asked again: one turn waits for one deadline, not for many."""

logger = logging.getLogger(__name__)


class GuardedEmbedder:
    """An embedder that may fail, with what it was asked lately. Safe in several threads."""

    def __init__(self, embedder: Embedder, *, rest: float = _REST, clock: Callable[[], float] = monotonic) -> None:
        """Guard an embedder, which is asked again ``rest`` seconds after a failure at the earliest."""
        self.name = embedder.name
        self._embedder = embedder
        self._rest = rest
        self._clock = clock
        self._asked: OrderedDict[str, Matrix] = OrderedDict()
        self._failure: EmbedderFailed | None = None
        self._failed_at = 0.0
        self._lock = threading.Lock()

    def queries(self, texts: Sequence[str], width: int | None) -> Matrix:
        """Embed texts as queries, one row each, none twice; a row of zeros where the embedder failed.

        Args:
            texts: what is asked.
            width: how long the store's vectors are, if it has any.
        """
        with self._lock:
            known = {text: self._asked[text] for text in texts if text in self._asked}
        missing = [text for text in dict.fromkeys(texts) if text not in known]
        if missing:
            length = width or next(map(len, known.values()), 1)
            known |= self._made(missing, width) or dict.fromkeys(missing, np.zeros(length, dtype=np.float32))
        return np.stack([known[text] for text in texts]) if texts else np.empty((0, width or 0), dtype=np.float32)

    def documents(self, texts: Sequence[str], width: int | None) -> Matrix:
        """Embed texts that are to be found.

        Raises:
            EmbedderFailed: it gave no embeddings, now or a moment ago, or such as do not fit the store's.
        """
        if not texts:
            return np.empty((0, width or 0), dtype=np.float32)
        return self._attempted(lambda: self._embedder.embed_documents(texts), width)

    def failure_of(self, text: str) -> str | None:
        """Why a query has no embedding; ``None`` if it has one, or was never asked."""
        with self._lock:
            return None if self._failure is None or text in self._asked else self._failure.reason

    def forget(self) -> None:
        """Drop what was made of texts."""
        with self._lock:
            self._asked.clear()

    def _made(self, texts: Sequence[str], width: int | None) -> dict[str, Matrix]:
        """The embeddings of queries; none where the embedder failed, which was logged: `failure_of` tells why."""
        try:
            made = self._attempted(lambda: self._embedder.embed_query(texts), width)
        except EmbedderFailed:
            return {}
        known = dict(zip(texts, made, strict=True))
        self._remember(known)
        return known

    def _attempted(self, call: Callable[[], Matrix], width: int | None) -> Matrix:
        with self._lock:
            if self._failure is not None and self._clock() < self._failed_at + self._rest:
                raise self._failure.with_traceback(None)
        try:
            made = self._fitting(call(), width)
        except EmbedderFailed as failed:
            self._note(failed)
            raise
        with self._lock:
            self._failure = None
        return made

    def _fitting(self, made: Matrix, width: int | None) -> Matrix:
        if width is not None and made.shape[1] != width:
            reason = f"its vectors have {made.shape[1]} numbers, and those of this store {width}"
            raise EmbedderFailed(self.name, reason, "set VERIDICAL_EMBEDDINGS right, or run `veridical reindex`")
        return made

    def _note(self, failed: EmbedderFailed) -> None:
        with self._lock:
            first = self._failure is None
            self._failure, self._failed_at = failed, self._clock()
        if first:
            logger.warning("recall goes on without vectors: %s", failed)

    def _remember(self, made: dict[str, Matrix]) -> None:
        with self._lock:
            self._asked.update(made)
            while len(self._asked) > _CACHED:
                self._asked.popitem(last=False)
