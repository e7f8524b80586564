"""Checks of the vector index beside SQL: whose embeddings they are, and whether Chroma holds what SQL holds."""

from collections.abc import Iterator

from sqlalchemy import Connection, func, select, union

from ..retrieval.namespaces import NAMESPACES
from ..retrieval.vectors import VectorIndex, stored_embedder
from ..storage.database import Database
from ..storage.tables import chunk_vectors, users, vectors
from .problems import Checked, Problem


def check_embedder(database: Database, configured: str) -> Checked:
    """Whether the store knows who made its embeddings, and whether they are alike and of the configured embedder."""
    with database.read() as connection:
        stored = stored_embedder(connection)
        embedded = int(connection.execute(select(func.count()).select_from(vectors)).scalar_one())
        problems = tuple(_embedder_problems(connection, stored, configured, embedded))
    return Checked("embedder", "All embeddings are of the configured embedder.", embedded, problems)


def check_index(database: Database, index: VectorIndex, user_id: str | None) -> Checked:
    """Whether Chroma, where this process uses it, holds what SQL holds."""
    problems = []
    owners = _users(database, user_id)
    for part in map(index.beside, NAMESPACES):
        for owner in owners:
            faults = part.faults(owner)
            if faults is not None and faults.missing:
                problems.append(_index_problem(owner, f"it lacks {len(faults.missing):,} embeddings that SQL has"))
            if faults is not None and faults.stray:
                found = f"it holds {len(faults.stray):,} embeddings that SQL does not have"
                problems.append(_index_problem(owner, found))
    return Checked("vector index", "The vector index holds what SQL holds.", len(owners), tuple(problems))


def repair_index(database: Database, index: VectorIndex, user_id: str | None) -> Iterator[str]:
    """Embed what waits, and fill anew what differs from SQL; yields what was done, one sentence each."""
    for namespace in NAMESPACES:
        part = index.beside(namespace)
        for owner in _users(database, user_id):
            faults = part.faults(owner)
            if faults is not None and (faults.missing or faults.stray):
                part.rebuild(owner)
                yield f"vector index: the index of user {owner!r} filled anew"
        embedded = part.apply_outbox(user_id)
        if embedded:
            yield f"embeddings: {embedded:,} waiting {namespace.name} embedded"


def _embedder_problems(connection: Connection, stored: str | None, configured: str, embedded: int) -> Iterator[Problem]:
    if not embedded:
        return
    if stored is None:
        yield Problem("embedder", "", "meta", "the store does not say which embedder made its embeddings")
    elif stored != configured:
        detail = (
            f"they are of {stored!r}, not of {configured!r}: correct VERIDICAL_EMBEDDINGS, or run `veridical reindex`"
        )
        yield Problem("embedder", "", "meta", detail)
    sizes = (select(func.length(table.c.embedding)) for table in (vectors, chunk_vectors))
    lengths = connection.execute(union(*sizes)).scalars().all()
    if len(lengths) > 1:
        yield Problem(
            "embedder", "", "vectors", "embeddings of different lengths lie together: run `veridical reindex`"
        )


def _index_problem(user_id: str, detail: str) -> Problem:
    return Problem("vector index", user_id, "chroma", detail, repairable=True)


def _users(database: Database, user_id: str | None) -> list[str]:
    if user_id is not None:
        return [user_id]
    with database.read() as connection:
        return list(connection.execute(select(users.c.user_id).order_by(users.c.user_id)).scalars())
