"""The vector index: embeddings in SQL are the truth; matrices in memory and Chroma answer for them.

A turn's outbox row asks for its embedding; ``apply_outbox`` makes it and removes the row in one transaction, so that
any number of threads and processes may apply the same rows, and a crash loses nothing. Searching is exact over a
matrix of the SQL rows up to ``CHROMA_FROM`` vectors per user. Beyond that the process that owns the Chroma folder
searches Chroma for the older vectors and the matrix for those that Chroma does not hold yet; others stay exact.
"""

import threading
from collections.abc import Callable, Collection, Sequence
from pathlib import Path

import numpy as np
from sqlalchemy import ColumnElement, Connection, delete, func, select

from ..errors import WrongEmbedder
from ..storage.database import Database
from ..storage.tables import meta
from . import matrices
from .chroma import ChromaDamaged, ChromaIndex, Faults
from .chroma_server import ChromaServer
from .embedders import Embedder, Matrix
from .guarded import GuardedEmbedder
from .matrices import Hits, MatrixCache, Numbers, Statements
from .namespaces import TURNS, Namespace
from .postings import EPOCH_KEY
from .spread import Spread
from .vector_rows import (
    EMBEDDER_KEY,
    bump_epoch,
    claim_store,
    count,
    newest,
    queue_missing,
    set_meta,
    store_name,
    store_vector,
    stored_embedder,
    width,
)

__all__ = ["CHROMA_FROM", "EMBEDDER_KEY", "Faults", "Progress", "VectorIndex"]
__all__ += ["bump_epoch", "queue_missing", "set_meta", "stored_embedder"]

CHROMA_FROM = 30_000
"""Vectors of one user from which on Chroma is asked: below, the exact search is the quicker one, in at most 45 MB."""

Progress = Callable[[int, int], None]
"""Called with the number of turns done and the number of all."""

_BATCH = 64
_CATCH_UP = 1000
"""Vectors that one ``apply_outbox`` moves into Chroma beside those that it made: half a second at the most."""
_LAG = 256
_SAMPLE = 2048


class VectorIndex:
    """Embeddings of all users in one data folder. Safe in several threads, and beside other processes."""

    def __init__(
        self,
        database: Database,
        folder: Path,
        embedder: Embedder | GuardedEmbedder,
        *,
        chroma_from: int = CHROMA_FROM,
        namespace: Namespace = TURNS,
        chroma: ChromaIndex | ChromaServer | None = None,
        chroma_url: str = "",
    ) -> None:
        """Open the index of a namespace; nothing is loaded before it is needed.

        Args:
            database: The open database.
            folder: Its data folder, which holds the Chroma folder.
            embedder: Makes the embeddings.
            chroma_from: So many vectors of a user are searched exactly before Chroma is asked.
            namespace: Which texts.
            chroma: That of another namespace's index, to be shared.
            chroma_url: A server that takes the place of the Chroma folder.

        Raises:
            BadInput: The URL is none.
            WrongEmbedder: The store's vectors were made by another embedder.
        """
        self._database = database
        self._folder = folder
        self._embedder = embedder if isinstance(embedder, GuardedEmbedder) else GuardedEmbedder(embedder)
        self._chroma_from = chroma_from
        self._namespace = namespace
        claim_store(database, embedder.name)
        self._chroma = chroma or _opened(database, folder, chroma_url)
        self._statements = Statements.of(namespace, database.engine.dialect.name)
        self._matrices = MatrixCache(self._statements)
        self._floors: dict[str, int] = {}
        self._spreads: dict[str, tuple[tuple[int, int], Spread]] = {}
        self._width: int | None = None
        self._epoch = 0
        self._guard = threading.RLock()
        self._applying = threading.Lock()

    def beside(self, namespace: Namespace) -> "VectorIndex":
        """The index of another namespace in the same folder; it is closed with this one."""
        return VectorIndex(
            self._database,
            self._folder,
            self._embedder,
            chroma_from=self._chroma_from,
            namespace=namespace,
            chroma=self._chroma,
        )

    @property
    def owner(self) -> bool:
        """Whether this process owns the Chroma folder."""
        return self._chroma.owner

    def close(self) -> None:
        """Close Chroma and release its folder."""
        self._chroma.close()
        self._matrices.clear()

    def embed_queries(self, texts: Sequence[str]) -> Matrix:
        """Embed texts as queries, one row each, none twice.

        A row of zeros stands for what the embedder failed to embed: nothing is near it, and no score comes of it.
        """
        return self._embedder.queries(texts, self._stored_width())

    def failure_of(self, text: str) -> str | None:
        """Why a query could not be embedded; ``None`` if it was."""
        return self._embedder.failure_of(text)

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

        Raises:
            EmbedderFailed: the embedder gave no embeddings; what was embedded before stays, the rest goes on waiting.
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
        outbox = self._namespace.outbox
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
            older = self._chroma.search(self._namespace.collection_of(user_id), queries, k + 1)
        except ChromaDamaged:
            self._distrust_chroma()
            return self.search(user_id, queries, k, before=before)
        together = zip(queries, older, exact, strict=True)
        return [matrices.merged(found, newer, k, before) if query.any() else [] for query, found, newer in together]

    def vectors_of(self, user_id: str, numbers: Collection[int]) -> tuple[Numbers, Matrix]:
        """The stored vectors of given turns: their numbers, ascending, and one row each; turns without are left out."""
        with self._database.read() as connection:
            self._notice_changes(connection)
            if not self._floor(connection, user_id):
                turns_held, rows = self._matrices.read(connection, user_id)
                kept = np.flatnonzero(np.isin(turns_held, np.fromiter(numbers, dtype=np.int64, count=len(numbers))))
                kept = kept[np.argsort(turns_held[kept])]
                return turns_held[kept], rows[kept]
            return matrices.stored_vectors(connection, self._statements, user_id, numbers)

    def spread(self, user_id: str) -> Spread:
        """How the user's vectors lie, by evenly spaced ones: 1,024 to 2,048 of a large store, all of a small one.

        Which ones depends on the store alone, so that scores are the same in every process.
        """
        with self._database.read() as connection:
            self._notice_changes(connection)
            last = newest(connection, self._namespace, user_id)
            step = 1
            while last // step > _SAMPLE:
                step *= 2
            key = (step, last // step)
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
            name = self._namespace.collection_of(user_id)
            try:
                applied, held = self._chroma.applied(name), self._chroma.turns(name)
            except ChromaDamaged:
                self._distrust_chroma()
                # A damaged folder is empty now, as it would be after a search; a server that is away holds nothing.
                applied, held = 2**62 if isinstance(self._chroma, ChromaServer) else 0, set()
            vectors = self._namespace.vectors
            statement = select(vectors.c.id, vectors.c[self._namespace.key]).where(vectors.c.user_id == user_id)
            stored = {number: id for id, number in connection.execute(statement)}
        wanted = {number for number, id in stored.items() if id <= applied}
        return Faults(frozenset(wanted - held), frozenset(held - stored.keys()))

    def rebuild(self, user_id: str, *, on_progress: Progress | None = None) -> None:
        """Make the user's derived vectors whole: embed every turn that has none, and fill Chroma anew from SQL."""
        with self._database.write() as connection:
            queue_missing(connection, user_id, self._namespace)
            bump_epoch(connection)
        self.apply_outbox(user_id, on_progress=on_progress)
        if self.owner:
            self._drop(user_id)
            self._catch_up(user_id, 2**62)

    def purge(self, user_id: str) -> None:
        """Drop from memory and from Chroma what was made of the user's texts; Chroma is filled again from SQL."""
        self._embedder.forget()
        if self.owner:
            self._drop(user_id)

    def _drop(self, user_id: str) -> None:
        try:
            self._chroma.drop(self._namespace.collection_of(user_id))
        except ChromaDamaged:
            self._distrust_chroma()
        self._floors.pop(user_id, None)

    def _sampled(self, connection: Connection, user_id: str, step: int) -> Matrix:
        if self._floor(connection, user_id):
            return matrices.sampled_vectors(connection, self._statements, user_id, step)
        numbers, rows = self._matrices.read(connection, user_id)
        return rows if step == 1 else rows[numbers % step == 0]

    def _next_batch(self, user_id: str | None, size: int) -> list[tuple[str, int, str | None]]:
        """The oldest waiting turns with their texts; ``None`` for a turn that is gone."""
        kept, outbox, number = self._namespace.rows, self._namespace.outbox, self._waiting
        place = (kept.c.user_id == outbox.c.user_id) & (kept.c.number == number)
        statement = select(outbox.c.user_id, number, self._namespace.bearer, kept.c.text)
        statement = statement.outerjoin_from(outbox, kept, place)
        if user_id is not None:
            statement = statement.where(outbox.c.user_id == user_id)
        form = self._namespace.indexed
        with self._database.read() as connection:
            rows = connection.execute(statement.order_by(outbox.c.id).limit(size))
            return [(user, turn, None if text is None else form(who, text)) for user, turn, who, text in rows]

    def _embed_batch(self, batch: Sequence[tuple[str, int, str | None]]) -> None:
        present = [(user, turn, text) for user, turn, text in batch if text is not None]
        # Embedding takes the time; it happens outside of the transaction, on what was read before.
        rows = self._embedder.documents([text for _, _, text in present], self._stored_width())
        outbox = self._namespace.outbox
        with self._database.write(*{user for user, _, _ in batch}) as connection:
            for (user, turn, _), row in zip(present, rows, strict=True):
                store_vector(connection, self._namespace, user, turn, row)
            for user, turn, _ in batch:
                done = (outbox.c.user_id == user) & (self._waiting == turn)
                connection.execute(delete(outbox).where(done))

    def _catch_up(self, user_id: str, most: int) -> None:
        """Move vectors that Chroma does not hold into it, oldest first, if the user has enough of them."""
        if not self.owner:
            return
        with self._database.read() as connection:
            self._notice_changes(connection)
            if not self._is_large(connection, user_id):
                return
            floor = self._floor(connection, user_id)
            vectors = self._namespace.vectors
            statement = select(vectors.c.id, vectors.c[self._namespace.key], vectors.c.embedding)
            statement = statement.where(vectors.c.user_id == user_id, vectors.c.id > floor).order_by(vectors.c.id)
            rows = connection.execute(statement.limit(most)).all()
        if len(rows) < min(_LAG, max(self._chroma_from, 1)):
            return
        numbers = np.array([row[1] for row in rows], dtype=np.int64)
        blobs = matrices.decode([row[2] for row in rows])
        try:
            self._chroma.add(self._namespace.collection_of(user_id), numbers, blobs, int(rows[-1][0]))
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
            if newest(connection, self._namespace, user_id) < self._chroma_from or not self._is_large(
                connection, user_id
            ):
                return 0
            try:
                self._floors[user_id] = self._trusted_floor(connection, user_id)
            except ChromaDamaged:
                self._distrust_chroma()
                self._floors[user_id] = 0
        return self._floors[user_id]

    def _is_large(self, connection: Connection, user_id: str) -> bool:
        return count(connection, self._namespace, user_id) >= max(self._chroma_from, 1)

    def _trusted_floor(self, connection: Connection, user_id: str) -> int:
        """Up to where the collection is complete; a collection that differs from SQL is dropped and counts as empty."""
        name = self._namespace.collection_of(user_id)
        applied = self._chroma.applied(name)
        if self._chroma.size(name) == count(connection, self._namespace, user_id, up_to=applied):
            return applied
        self._chroma.drop(name)
        return 0

    def _distrust_chroma(self) -> None:
        self._chroma.discard()
        self._floors.clear()

    def _mostly_before(self, connection: Connection, user_id: str, before: int | None) -> bool:
        """Whether at most the newest turn is excluded: Chroma cannot leave out more without a slow filter."""
        if before is None:
            return True
        kept = self._namespace.rows
        last = connection.execute(select(func.max(kept.c.number)).where(kept.c.user_id == user_id)).scalar()
        return before >= (last or 0)

    @property
    def _waiting(self) -> ColumnElement[int]:
        """The number of a row of the outbox."""
        return self._namespace.outbox.c[self._namespace.key]

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
                self._width = None

    def _stored_width(self) -> int | None:
        """How long the store's vectors are; ``None`` while it has none."""
        with self._database.read() as connection:
            self._notice_changes(connection)
            self._width = self._width or width(connection)
            return self._width


def _opened(database: Database, folder: Path, chroma_url: str) -> ChromaIndex | ChromaServer:
    return ChromaServer(chroma_url, store_name(database)) if chroma_url else ChromaIndex(folder)
