"""Making everything derived anew from the turn log: the lexical tables, the vectors with another embedder, Chroma."""

from pathlib import Path

from sqlalchemy import delete, select

from ..storage.database import Database
from ..storage.tables import meta, users
from . import lexical
from .embedders import Embedder
from .namespaces import NAMESPACES
from .vectors import EMBEDDER_KEY, Progress, VectorIndex, bump_epoch, queue_missing, set_meta

_RUNNING_KEY = "reindexing"


def reindex(
    database: Database, folder: Path, embedder: Embedder, *, chroma_url: str = "", on_progress: Progress | None = None
) -> int:
    """Re-embed the whole store with ``embedder`` and index every text anew; the turn log is only read.

    What was done when it is interrupted stays done: the next call with the same embedder goes on from there, and so
    does the ordinary work of a store that is opened with it.

    Args:
        database: The open database.
        folder: Its data folder.
        embedder: The embedder that the store has from now on.
        chroma_url: Of the Chroma server, where there is one.
        on_progress: Called with the number of turns embedded and the number of all.

    Returns:
        How many turns, chunks and summaries were embedded by this call.

    Raises:
        EmbedderFailed: the embedder gave no embeddings; if it gave not even one, nothing was changed.
    """
    embedder.embed_query(["a first text"])
    with database.write() as connection:
        if connection.execute(select(meta.c.value).where(meta.c.key == _RUNNING_KEY)).scalar() != embedder.name:
            for namespace in NAMESPACES:
                connection.execute(delete(namespace.vectors))
            set_meta(connection, _RUNNING_KEY, embedder.name)
        set_meta(connection, EMBEDDER_KEY, embedder.name)
        bump_epoch(connection)
        for namespace in NAMESPACES:
            queue_missing(connection, namespace=namespace)
        everyone = list(connection.execute(select(users.c.user_id).order_by(users.c.user_id)).scalars())
    for user_id in everyone:
        with database.write() as connection:
            for namespace in NAMESPACES:
                lexical.rebuild(connection, user_id, namespace)
    index = VectorIndex(database, folder, embedder, chroma_url=chroma_url)
    try:
        embedded = 0
        for part in map(index.beside, NAMESPACES):
            embedded += part.apply_outbox(on_progress=on_progress)
            for user_id in everyone:
                part.rebuild(user_id)
    finally:
        index.close()
    with database.write() as connection:
        connection.execute(delete(meta).where(meta.c.key == _RUNNING_KEY))
    return embedded
