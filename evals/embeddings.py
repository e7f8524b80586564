"""An embedder that keeps its vectors on disk, so that a run repeated embeds nothing again.

The file holds hashes and vectors, no text. What a query's embedding took when it was made is kept with it, because a
run that finds it in the file cannot measure it.
"""

import hashlib
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from ..memory.retrieval.embedders import Embedder, Matrix

_TABLE = "CREATE TABLE IF NOT EXISTS vectors (key BLOB PRIMARY KEY, vector BLOB NOT NULL, milliseconds REAL NOT NULL)"
_BATCH = 256


class CachedEmbedder:
    """Another embedder with a memory. Safe in several threads, and beside other processes."""

    def __init__(self, inner: Embedder, folder: Path) -> None:
        """Open the file of vectors of ``inner`` in ``folder``, which is made where it is missing."""
        folder.mkdir(parents=True, exist_ok=True)
        self._inner = inner
        self._lock = threading.Lock()
        name = hashlib.sha256(inner.name.encode()).hexdigest()[:16]
        self._rows = sqlite3.connect(folder / f"{name}.db", timeout=60, check_same_thread=False, isolation_level=None)
        self._rows.execute("PRAGMA journal_mode=WAL")
        self._rows.execute("PRAGMA synchronous=NORMAL")
        self._rows.execute(_TABLE)
        self._spent = 0.0
        self._owed = 0.0

    @property
    def name(self) -> str:
        """The name of the other embedder: the vectors are the same."""
        return self._inner.name

    @property
    def dimensions(self) -> int:
        """Length of every vector."""
        return self._inner.dimensions

    def embed_documents(self, texts: Sequence[str]) -> Matrix:
        """Embed passages, those that are new."""
        with self._lock:
            return self._embed(texts, "document", self._inner.embed_documents)[0]

    def embed_query(self, texts: Sequence[str]) -> Matrix:
        """Embed queries, those that are new."""
        begun = time.perf_counter()
        with self._lock:
            found, cost = self._embed(texts, "query", self._inner.embed_query)
            self._owed += cost
            self._spent += 1000 * (time.perf_counter() - begun)
        return found

    def take_costs(self) -> tuple[float, float]:
        """Milliseconds that were spent on queries since the last call, and what embedding them anew takes."""
        with self._lock:
            costs = self._spent, self._owed
            self._spent = self._owed = 0.0
        return costs

    def close(self) -> None:
        """Close the file."""
        self._rows.close()

    def _embed(self, texts: Sequence[str], kind: str, embed: Callable[[Sequence[str]], Matrix]) -> tuple[Matrix, float]:
        if not texts:
            return np.empty((0, self.dimensions), dtype=np.float32), 0.0
        keys = [_key(kind, text) for text in texts]
        known = self._stored(keys)
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in known}
        if missing:
            begun = time.perf_counter()
            vectors = embed(list(missing.values()))
            each = 1000 * (time.perf_counter() - begun) / len(missing)
            made = {key: (vector, each) for key, vector in zip(missing, vectors, strict=True)}
            self._store(made)
            known |= made
        return np.stack([known[key][0] for key in keys]), sum(known[key][1] for key in dict.fromkeys(keys))

    def _stored(self, keys: Sequence[bytes]) -> dict[bytes, tuple[Matrix, float]]:
        found: dict[bytes, tuple[Matrix, float]] = {}
        for start in range(0, len(keys), _BATCH):
            batch = keys[start : start + _BATCH]
            marks = ",".join("?" * len(batch))
            rows = self._rows.execute(
                f"SELECT key, vector, milliseconds FROM vectors WHERE key IN ({marks})",  # noqa: S608 - marks only
                batch,
            )
            found |= {key: (np.frombuffer(vector, dtype=np.float32), spent) for key, vector, spent in rows}
        return found

    def _store(self, made: dict[bytes, tuple[Matrix, float]]) -> None:
        rows = [(key, np.asarray(vector, dtype=np.float32).tobytes(), spent) for key, (vector, spent) in made.items()]
        self._rows.execute("BEGIN IMMEDIATE")
        self._rows.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?, ?)", rows)
        self._rows.execute("COMMIT")


def _key(kind: str, text: str) -> bytes:
    return hashlib.blake2b(f"{kind}\0{text}".encode("utf-8", "surrogatepass"), digest_size=16).digest()
