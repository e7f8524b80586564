"""Exact search: one user's vectors as a matrix in memory, kept up to date from the SQL rows by their ids.

Processor time per query on one core (384 dimensions, the best 200): 1 ms of 10,000 vectors, 10 ms of 100,000, against
5 to 30 ms through langchain-chroma; loading 100,000 takes half a second and 150 MB.
"""

# ruff: noqa: S608 - what is spliced into the statements are names of tables and columns, from `namespaces`

import json
import threading
from collections import OrderedDict
from collections.abc import Collection
from typing import NamedTuple, Self, TypeVar

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection, TextClause, text

from ..storage.number_lists import listed
from .embedders import Matrix
from .namespaces import Namespace

Numbers = NDArray[np.int64]
Hits = list[tuple[int, float]]
"""Pairs of turn number and cosine, best first."""

_Scalar = TypeVar("_Scalar", bound=np.generic)

_LARGEST_CACHE = 512 * 1024 * 1024
_FIRST_ROWS = 256


class Statements(NamedTuple):
    """What is read of a namespace's vectors."""

    newer: TextClause
    all: TextClause
    these: TextClause
    sample: TextClause

    @classmethod
    def of(cls, namespace: Namespace, dialect: str) -> Self:
        """The statements for one namespace's table, in the SQL of a dialect."""
        table, key = namespace.vectors.name, namespace.key
        plus = "+" if dialect == "sqlite" else ""
        return cls(
            # The unary plus keeps SQLite on the primary key: few rows are newer than the last one seen.
            newer=text(
                f"SELECT id, {key}, embedding FROM {table} WHERE id > :after AND {plus}user_id = :user ORDER BY id"
            ),
            all=text(f"SELECT id, {key}, embedding FROM {table} WHERE user_id = :user AND id > :after ORDER BY id"),
            these=text(
                f"SELECT {key}, embedding FROM {table}"
                f" WHERE user_id = :user AND {key} IN ({listed(dialect, 'turns')}) ORDER BY {key}"
            ),
            sample=text(
                f"SELECT {key}, embedding FROM {table} WHERE user_id = :user AND {key} % :step = 0 ORDER BY {key}"
            ),
        )


class UserMatrix:
    """The vectors of one user with an id above ``floor``, in the order of their ids. Rows are only ever added."""

    def __init__(self, statements: Statements, floor: int = 0) -> None:
        """Start empty."""
        self.floor = floor
        self._statements = statements
        self.last = floor
        self._turns: Numbers = np.empty(0, dtype=np.int64)
        self._rows: Matrix = np.empty((0, 0), dtype=np.float32)
        self._count = 0
        self._lock = threading.Lock()

    @property
    def size(self) -> int:
        """Bytes of memory that it occupies."""
        return int(self._rows.nbytes)

    def refresh(self, connection: Connection, user_id: str) -> tuple[Numbers, Matrix]:
        """Add what is new in the database; return turn numbers and vectors, views that later additions leave alone."""
        with self._lock:
            # A fresh matrix reads the user's rows; from a floor or an earlier row on, few rows of anybody's are newer.
            statement = self._statements.newer if self.last else self._statements.all
            found = connection.execute(statement, {"user": user_id, "after": self.last}).all()
            if found:
                self._append([row[1] for row in found], [row[2] for row in found])
                self.last = int(found[-1][0])
            return self._turns[: self._count], self._rows[: self._count]

    def _append(self, turns: list[int], blobs: list[bytes]) -> None:
        needed, added = self._count + len(turns), decode(blobs)
        if needed > len(self._turns):
            capacity = max(needed, 2 * len(self._turns), _FIRST_ROWS)
            # Readers may hold views of the old arrays: they are replaced, never resized in place.
            self._turns = _grown(self._turns, self._count, (capacity,))
            self._rows = _grown(self._rows, self._count, (capacity, added.shape[1]))
        self._turns[self._count : needed] = turns
        self._rows[self._count : needed] = added
        self._count = needed


class MatrixCache:
    """The matrices of the users asked about most recently, within a bound of memory."""

    def __init__(self, statements: Statements) -> None:
        """Start empty."""
        self._statements = statements
        self._matrices: OrderedDict[tuple[str, bool], UserMatrix] = OrderedDict()
        self._lock = threading.Lock()

    def read(self, connection: Connection, user_id: str, floor: int = 0) -> tuple[Numbers, Matrix]:
        """The user's turns and vectors whose ids are above ``floor``."""
        with self._lock:
            key = (user_id, floor > 0)
            matrix = self._matrices.get(key)
            if matrix is None or matrix.floor != floor:
                matrix = UserMatrix(self._statements, floor)
                self._matrices[key] = matrix
            self._matrices.move_to_end(key)
        result = matrix.refresh(connection, user_id)
        self._evict()
        return result

    def clear(self) -> None:
        """Forget everything: rows were deleted or replaced."""
        with self._lock:
            self._matrices.clear()

    def _evict(self) -> None:
        with self._lock:
            while len(self._matrices) > 1 and sum(m.size for m in self._matrices.values()) > _LARGEST_CACHE:
                self._matrices.popitem(last=False)


def nearest(queries: Matrix, turns: Numbers, rows: Matrix, k: int, before: int | None = None) -> list[Hits]:
    """The ``k`` turns of the largest dot product for each query, exactly; the newer first where they are equal.

    Nothing is near a query without a direction: a row of zeros stands for one that could not be embedded.
    """
    if not turns.size:
        return [[] for _ in queries]
    kept = turns < before if before is not None and turns.size and int(turns.max()) >= before else None
    found: list[Hits] = []
    for query in queries:
        if not query.any():
            found.append([])
            continue
        # Not by BLAS: its threads gain nothing for one query, and lose tenfold where other work keeps the cores busy.
        scores = np.einsum("ij,j->i", rows, query)
        found.append(best(turns, scores, k) if kept is None else best(turns[kept], scores[kept], k))
    return found


def best(turns: Numbers, scores: NDArray[np.float32], k: int) -> Hits:
    """The ``k`` best of scored turns, best first, the newer turn first where scores are equal."""
    if turns.size > k:
        threshold = np.partition(scores, turns.size - k)[turns.size - k]
        kept = scores >= threshold
        turns, scores = turns[kept], scores[kept]
    order = np.lexsort((-turns, -scores))[:k]
    return list(zip(turns[order].tolist(), scores[order].tolist(), strict=True))


def merged(older: Hits, newer: Hits, k: int, before: int | None) -> Hits:
    """The ``k`` best of two lists, those of turns with a number below ``before`` where one is given."""
    together = [hit for hit in (*older, *newer) if before is None or hit[0] < before]
    return sorted(together, key=lambda hit: (-hit[1], -hit[0]))[:k]


def stored_vectors(
    connection: Connection, statements: Statements, user_id: str, turns: Collection[int]
) -> tuple[Numbers, Matrix]:
    """The vectors of given turns, as far as they have one, in the order of their numbers."""
    rows = connection.execute(statements.these, {"user": user_id, "turns": json.dumps(sorted(turns))}).all()
    numbers = np.array([row[0] for row in rows], dtype=np.int64)
    return numbers, decode([row[1] for row in rows])


def sampled_vectors(connection: Connection, statements: Statements, user_id: str, step: int) -> Matrix:
    """The vectors of every turn whose number ``step`` divides."""
    rows = connection.execute(statements.sample, {"user": user_id, "step": step}).all()
    return decode([row[1] for row in rows])


def encode(vector: Matrix) -> bytes:
    """A vector as it is stored: float32, little endian."""
    return vector.astype("<f4", copy=False).tobytes()


def decode(blobs: list[bytes]) -> Matrix:
    """Stored vectors as rows of a matrix; all are of one length."""
    width = len(blobs[0]) // 4 if blobs else 0
    return np.frombuffer(b"".join(blobs), dtype="<f4").reshape(len(blobs), width)


def _grown(array: NDArray[_Scalar], count: int, shape: tuple[int, ...]) -> NDArray[_Scalar]:
    grown = np.empty(shape, dtype=array.dtype)
    if count:
        grown[:count] = array[:count]
    return grown
