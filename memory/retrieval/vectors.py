"""The vector index: embeddings in SQL are the truth; matrices in memory and Chroma answer for them.

A turn's outbox row asks for its embedding; ``apply_outbox`` makes it and removes the row in one transaction, so that
any number of threads and processes may apply the same rows, and a crash loses nothing. Searching is exact over a
matrix of the SQL rows up to ``CHROMA_FROM`` vectors per user. Beyond that the process that owns the Chroma folder
searches Chroma for the older vectors and the matrix for those that Chroma does not hold yet; others stay exact.
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sqlalchemy import Connection, delete, func, select
from sqlalchemy.dialects.sqlite import insert

from ..errors import WrongEmbedder
from ..storage.database import Database
from ..storage.tables import meta, outbox, turns, vectors
from . import matrices
from .chroma import ChromaDamaged, ChromaIndex
from .embedders import Embedder, Matrix
from .matrices import Hits, MatrixCache, Numbers
from .spread import Spread
from .texts import indexed_text

CHROMA_FROM = 20_000
"""Vectors of one user from which on Chroma is asked: below it the exact search is the quicker one, and needs 30 MB."""

EMBEDDER_KEY = "embedder"
EPOCH_KEY = "vectors_epoch"
"""Counts deletions and replacements of vectors, so that every process drops what it had cached."""

Progress = Callable[[int, int], None]
"""Called with the number of turns done and the number of all."""

_BATCH = 64
_CATCH_UP = 1000
"""Vectors that one ``apply_outbox`` moves into Chroma beside those that it made: half a second at the most."""
_LAG = 256
_SAMPLE = 2048
_CACHED_QUERIES = 1024


@dataclass(frozen=True, slots=True)
class Faults:
    """How a user's Chroma collection differs from SQL: turns that it lacks, and turns that it should not hold."""

    missing: frozenset[int]
    stray: frozenset[int]


class VectorIndex:
    """Embeddings of all users in one data folder. Safe in several threads, and beside other processes."""

    def __init__(self, database: Database, folder: Path, embedder: Embedder, *, chroma_from: int = CHROMA_FROM) -> None:
        """Open the index; nothing is loaded before it is needed.

        Raises:
            WrongEmbedder: The store's vectors were made by another embedder.
        """
        self._database = database
        self._embedder = embedder
        self._chroma_from = chroma_from
        _claim_store(database, embedder)
        self._chroma = ChromaIndex(folder)
        self._matrices = MatrixCache(embedder.dimensions)
        self._floors: dict[str, int] = {}
        self._spreads: dict[str, tuple[tuple[int, int], Spread]] = {}
        self._queries: OrderedDict[str, Matrix] = OrderedDict()
        self._epoch = 0
        self._guard = threading.RLock()
        self._applying = threading.Lock()

    @property
    def owner(self) -> bool:
        """Whether this process owns the Chroma folder."""
        return self._chroma.owner

    def close(self) -> None:
        """Close Chroma and release its folder."""
        self._chroma.close()
        self._matrices.clear()

    def embed_queries(self, texts: Sequence[str]) -> Matrix:
        """Embed texts as queries, one row each; what was asked lately is not embedded twice."""
        with self._guard:
            missing = [text for text in dict.fromkeys(texts) if text not in self._queries]
        made = dict(zip(missing, self._embedder.embed_query(missing), strict=True)) if missing else {}
        with self._guard:
            self._queries.update(made)
            known = {text: self._queries[text] for text in texts}
            while len(self._queries) > _CACHED_QUERIES:
                self._queries.popitem(last=False)
        return (
            np.stack([known[text] for text in texts])
            if texts
            else np.empty((0, self._embedder.dimensions), dtype=np.float32)
        )

    def apply_outbox(
        self, user_id: str | None = None, *, limit: int | None = None, on_progress: Progress | None = None
    ) -> int:
        """Embed the turns that wait for it, of one user or of all, and let Chroma catch up.

        Args:
            user_id: Whose turns; ``None`` for everyone's.
            limit: At most so many turns.
            on_progress: Called after each batch.

        Returns:
            How many turns were embedded.
        """
        users: set[str] = set()
        done = 0
        with self._applying:
            total = min(self.pending(user_id), limit if limit is not None else 2**62)
            while done < total:
                batch = self._next_batch(user_id, min(_BATCH, total - done))
                if not batch:
                    break
                self._embed_batch(batch)
                users.update(user for user, _, _ in batch)
                done += len(batch)
                if on_progress is not None:
                    on_progress(min(done, total), total)
            for user in sorted(users):
                self._catch_up(user, _CATCH_UP + 4 * done)
        return done

    def pending(self, user_id: str | None = None) -> int:
        """How many turns wait for their embedding."""
        statement = select(func.count()).select_from(outbox)
        if user_id is not None:
            statement = statement.where(outbox.c.user_id == user_id)
        with self._database.read() as connection:
            return int(connection.execute(statement).scalar_one())

    def search(self, user_id: str, queries: Matrix, k: int, *, before: int | None = None) -> list[Hits]:
        """The ``k`` nearest turns of each query (unit rows) with their cosines, best first.

        Args:
            user_id: Whose turns.
            queries: Shape ``(n, dimensions)``.
            k: At most so many per query.
            before: Only turns with a smaller number.
        """
        with self._database.read() as connection:
            self._notice_changes(connection)
            floor = self._floor(connection, user_id)
            if floor and not self._mostly_before(connection, user_id, before):
                floor = 0
            numbers, rows = self._matrices.read(connection, user_id, floor)
        exact = matrices.nearest(queries, numbers, rows, k, before)
        if not floor:
            return exact
        try:
            older = self._chroma.search(user_id, queries, k + 1)
        except ChromaDamaged:
            self._distrust_chroma()
            return self.search(user_id, queries, k, before=before)
        return [_merged(found, newer, k, before) for found, newer in zip(older, exact, strict=True)]

    def vectors_of(self, user_id: str, numbers: Collection[int]) -> tuple[Numbers, Matrix]:
        """The stored vectors of given turns: their numbers, ascending, and one row each; turns without are left out."""
        with self._database.read() as connection:
            self._notice_changes(connection)
            if not self._floor(connection, user_id):
                turns_held, rows = self._matrices.read(connection, user_id)
                kept = np.flatnonzero(np.isin(turns_held, np.fromiter(numbers, dtype=np.int64, count=len(numbers))))
                kept = kept[np.argsort(turns_held[kept])]
                return turns_held[kept], rows[kept]
            return matrices.stored_vectors(connection, user_id, numbers, self._embedder.dimensions)

    def spread(self, user_id: str) -> Spread:
        """How the user's vectors lie, by evenly spaced ones: 1,024 to 2,048 of a large store, all of a small one.

        Which ones depends on the store alone, so that scores are the same in every process.
        """
        with self._database.read() as connection:
            self._notice_changes(connection)
            newest = _newest(connection, user_id)
            step = 1
            while newest // step > _SAMPLE:
                step *= 2
            key = (step, newest // step)
            cached = self._spreads.get(user_id)
            if cached is not None and cached[0] == key:
                return cached[1]
            rows = self._sampled(connection, user_id, step)
        self._spreads[user_id] = (key, Spread.of(rows))
        return self._spreads[user_id][1]

    def faults(self, user_id: str) -> Faults | None:
        """Compare the user's Chroma collection with SQL; ``None`` where this process does not use one."""
        with self._database.read() as connection:
            if not self.owner or not self._is_large(connection, user_id):
                return None
            try:
                applied, held = self._chroma.applied(user_id), self._chroma.turns(user_id)
            except ChromaDamaged:
                applied, held = 2**62, set()
            statement = select(vectors.c.turn).where(vectors.c.user_id == user_id)
            wanted = set(connection.execute(statement.where(vectors.c.id <= applied)).scalars())
        return Faults(frozenset(wanted - held), frozenset(held - wanted))

    def rebuild(self, user_id: str, *, on_progress: Progress | None = None) -> None:
        """Make the user's derived vectors whole: embed every turn that has none, and fill Chroma anew from SQL."""
        with self._database.write() as connection:
            queue_missing(connection, user_id)
            bump_epoch(connection)
        self.apply_outbox(user_id, on_progress=on_progress)
        if self.owner:
            try:
                self._chroma.drop(user_id)
            except ChromaDamaged:
                self._distrust_chroma()
            self._floors.pop(user_id, None)
            self._catch_up(user_id, 2**62)

    def _sampled(self, connection: Connection, user_id: str, step: int) -> Matrix:
        if self._floor(connection, user_id):
            return matrices.sampled_vectors(connection, user_id, step, self._embedder.dimensions)
        numbers, rows = self._matrices.read(connection, user_id)
        return rows if step == 1 else rows[numbers % step == 0]

    def _next_batch(self, user_id: str | None, size: int) -> list[tuple[str, int, str | None]]:
        """The oldest waiting turns with their texts; ``None`` for a turn that is gone."""
        place = (turns.c.user_id == outbox.c.user_id) & (turns.c.number == outbox.c.turn)
        columns = (outbox.c.user_id, outbox.c.turn, turns.c.speaker, turns.c.text)
        statement = select(*columns).outerjoin_from(outbox, turns, place)
        if user_id is not None:
            statement = statement.where(outbox.c.user_id == user_id)
        with self._database.read() as connection:
            rows = connection.execute(statement.order_by(outbox.c.id).limit(size))
            return [(user, turn, None if text is None else indexed_text(who, text)) for user, turn, who, text in rows]

    def _embed_batch(self, batch: Sequence[tuple[str, int, str | None]]) -> None:
        present = [(user, turn, text) for user, turn, text in batch if text is not None]
        # Embedding takes the time; it happens outside of the transaction, on what was read before.
        rows = self._embedder.embed_documents([text for _, _, text in present])
        with self._database.write() as connection:
            for (user, turn, _), row in zip(present, rows, strict=True):
                _store_vector(connection, user, turn, row)
            for user, turn, _ in batch:
                connection.execute(delete(outbox).where(outbox.c.user_id == user, outbox.c.turn == turn))

    def _catch_up(self, user_id: str, most: int) -> None:
        """Move vectors that Chroma does not hold into it, oldest first, if the user has enough of them."""
        if not self.owner:
            return
        with self._database.read() as connection:
            self._notice_changes(connection)
            if not self._is_large(connection, user_id):
                return
            floor = self._floor(connection, user_id)
            statement = select(vectors.c.id, vectors.c.turn, vectors.c.embedding)
            statement = statement.where(vectors.c.user_id == user_id, vectors.c.id > floor).order_by(vectors.c.id)
            rows = connection.execute(statement.limit(most)).all()
        if len(rows) < min(_LAG, max(self._chroma_from, 1)):
            return
        numbers = np.array([row[1] for row in rows], dtype=np.int64)
        blobs = matrices.decode([row[2] for row in rows], self._embedder.dimensions)
        try:
            self._chroma.add(user_id, numbers, blobs, int(rows[-1][0]))
        except ChromaDamaged:
            self._distrust_chroma()
            return
        self._floors[user_id] = int(rows[-1][0])

    def _floor(self, connection: Connection, user_id: str) -> int:
        """The id of the last vector that Chroma answers for; 0 where the exact search answers alone."""
        if not self.owner:
            return 0
        if user_id not in self._floors:
            # Numbers run from 1: a user whose last one is small cannot have many vectors, and counting takes longer.
            if _newest(connection, user_id) < self._chroma_from or not self._is_large(connection, user_id):
                return 0
            try:
                self._floors[user_id] = self._trusted_floor(connection, user_id)
            except ChromaDamaged:
                self._distrust_chroma()
                self._floors[user_id] = 0
        return self._floors[user_id]

    def _is_large(self, connection: Connection, user_id: str) -> bool:
        return _count(connection, user_id) >= max(self._chroma_from, 1)

    def _trusted_floor(self, connection: Connection, user_id: str) -> int:
        """Up to where the collection is complete; a collection that differs from SQL is dropped and counts as empty."""
        applied = self._chroma.applied(user_id)
        if self._chroma.size(user_id) == _count(connection, user_id, up_to=applied):
            return applied
        self._chroma.drop(user_id)
        return 0

    def _distrust_chroma(self) -> None:
        self._chroma.discard()
        self._floors.clear()

    def _mostly_before(self, connection: Connection, user_id: str, before: int | None) -> bool:
        """Whether at most the newest turn is excluded: Chroma cannot leave out more without a slow filter."""
        if before is None:
            return True
        newest = connection.execute(select(func.max(turns.c.number)).where(turns.c.user_id == user_id)).scalar()
        return before >= (newest or 0)

    def _notice_changes(self, connection: Connection) -> None:
        """Drop every cache when vectors were deleted or replaced, by whichever process."""
        statement = select(meta.c.key, meta.c.value).where(meta.c.key.in_([EMBEDDER_KEY, EPOCH_KEY]))
        known = {row[0]: row[1] for row in connection.execute(statement)}
        stored = known.get(EMBEDDER_KEY, self._embedder.name)
        if stored != self._embedder.name:
            raise WrongEmbedder(stored, self._embedder.name)
        epoch = int(known.get(EPOCH_KEY, "0"))
        with self._guard:
            if epoch != self._epoch:
                self._epoch = epoch
                self._matrices.clear()
                self._spreads.clear()
                self._floors.clear()


def stored_embedder(connection: Connection) -> str | None:
    """The name of the embedder that made the store's vectors; ``None`` in a new store."""
    return connection.execute(select(meta.c.value).where(meta.c.key == EMBEDDER_KEY)).scalar()


def set_meta(connection: Connection, key: str, value: str) -> None:
    """Write one fact about the store."""
    statement = insert(meta).values(key=key, value=value)
    connection.execute(statement.on_conflict_do_update(index_elements=[meta.c.key], set_={"value": value}))


def bump_epoch(connection: Connection) -> None:
    """Tell every process that vectors were deleted or replaced; part of the transaction that does it."""
    epoch = connection.execute(select(meta.c.value).where(meta.c.key == EPOCH_KEY)).scalar()
    set_meta(connection, EPOCH_KEY, str(int(epoch or "0") + 1))


def queue_missing(connection: Connection, user_id: str | None = None) -> None:
    """Put every turn without a vector into the outbox."""
    known = (vectors.c.user_id == turns.c.user_id) & (vectors.c.turn == turns.c.number)
    statement = select(turns.c.user_id, turns.c.number, turns.c.recorded_at).outerjoin_from(turns, vectors, known)
    statement = statement.where(vectors.c.id.is_(None))
    if user_id is not None:
        statement = statement.where(turns.c.user_id == user_id)
    queued = insert(outbox).from_select(["user_id", "turn", "created_at"], statement.order_by(turns.c.id))
    connection.execute(queued.prefix_with("OR IGNORE"))


def _claim_store(database: Database, embedder: Embedder) -> None:
    with database.read() as connection:
        stored = stored_embedder(connection)
        if stored == embedder.name:
            return
        if stored is not None and connection.execute(select(vectors.c.id).limit(1)).first() is not None:
            raise WrongEmbedder(stored, embedder.name)
    with database.write() as connection:
        set_meta(connection, EMBEDDER_KEY, embedder.name)


def _store_vector(connection: Connection, user_id: str, turn: int, row: Matrix) -> None:
    """Store one vector, unless it is there or the turn was forgotten while it was embedded."""
    exists = select(turns.c.id).where(turns.c.user_id == user_id, turns.c.number == turn)
    if connection.execute(exists).first() is not None:
        statement = insert(vectors).values(user_id=user_id, turn=turn, embedding=matrices.encode(row))
        connection.execute(statement.on_conflict_do_nothing())


def _newest(connection: Connection, user_id: str) -> int:
    """The number of the last turn that has a vector."""
    statement = select(func.max(vectors.c.turn)).where(vectors.c.user_id == user_id)
    return int(connection.execute(statement).scalar() or 0)


def _count(connection: Connection, user_id: str, up_to: int | None = None) -> int:
    statement = select(func.count()).select_from(vectors).where(vectors.c.user_id == user_id)
    if up_to is not None:
        statement = statement.where(vectors.c.id <= up_to)
    return int(connection.execute(statement).scalar_one())


def _merged(older: Hits, newer: Hits, k: int, before: int | None) -> Hits:
    together = [hit for hit in (*older, *newer) if before is None or hit[0] < before]
    return sorted(together, key=lambda hit: (-hit[1], -hit[0]))[:k]
