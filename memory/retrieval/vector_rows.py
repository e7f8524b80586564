"""The rows of vectors and of what the store says of them: whose embeddings they are, and when they changed."""

from datetime import datetime
from uuid import uuid4

from sqlalchemy import BigInteger, ColumnElement, Connection, Text, cast, func, literal, select

from ..errors import WrongEmbedder
from ..storage.database import Database
from ..storage.tables import meta
from ..storage.upserts import insert_into
from . import matrices
from .embedders import Matrix
from .namespaces import NAMESPACES, TURNS, Namespace
from .postings import EPOCH_KEY

EMBEDDER_KEY = "embedder"
_NAME_KEY = "store"


def stored_embedder(connection: Connection) -> str | None:
    """The name of the embedder that made the store's vectors; ``None`` in a new store."""
    return connection.execute(select(meta.c.value).where(meta.c.key == EMBEDDER_KEY)).scalar()


def set_meta(connection: Connection, key: str, value: str) -> None:
    """Write one fact about the store."""
    statement = insert_into(connection, meta).values(key=key, value=value)
    connection.execute(statement.on_conflict_do_update(index_elements=[meta.c.key], set_={"value": value}))


def bump_epoch(connection: Connection) -> None:
    """Tell every process that vectors were deleted or replaced; part of the transaction that does it."""
    # In one statement, because those who do it for different users need not wait for each other before.
    following = cast(cast(meta.c.value, BigInteger) + 1, Text)
    first = insert_into(connection, meta).values(key=EPOCH_KEY, value="1")
    connection.execute(first.on_conflict_do_update(index_elements=[meta.c.key], set_={"value": following}))


def queue_missing(connection: Connection, user_id: str | None = None, namespace: Namespace = TURNS) -> None:
    """Put every text without a vector into the outbox."""
    rows, held = namespace.rows, namespace.vectors
    known = (held.c.user_id == rows.c.user_id) & (held.c[namespace.key] == rows.c.number)
    statement = select(rows.c.user_id, rows.c.number, _recorded(namespace)).outerjoin_from(rows, held, known)
    statement = statement.where(held.c.id.is_(None), rows.c.text.is_not(None))
    if user_id is not None:
        statement = statement.where(rows.c.user_id == user_id)
    queued = insert_into(connection, namespace.outbox).from_select(
        ["user_id", namespace.key, "created_at"], statement.order_by(rows.c.id)
    )
    connection.execute(queued.on_conflict_do_nothing())


def claim_store(database: Database, embedder: str) -> None:
    """Note the embedder in a store that holds no vector yet.

    Raises:
        WrongEmbedder: The store's vectors were made by another embedder.
    """
    with database.read() as connection:
        stored = stored_embedder(connection)
        if stored == embedder:
            return
        if stored is not None and any(_holds_any(connection, namespace) for namespace in NAMESPACES):
            raise WrongEmbedder(stored, embedder)
    with database.write() as connection:
        set_meta(connection, EMBEDDER_KEY, embedder)


def store_name(database: Database) -> str:
    """What tells this store from others that use the same Chroma server; given at its first use of one."""
    named = select(meta.c.value).where(meta.c.key == _NAME_KEY)
    with database.write() as connection:
        name = connection.execute(named).scalar()
        if name is None:
            name = f"store-{uuid4().hex[:12]}"
            set_meta(connection, _NAME_KEY, name)
    return name


def store_vector(connection: Connection, namespace: Namespace, user_id: str, number: int, row: Matrix) -> None:
    """Store one vector, unless it is there or the text was forgotten while it was embedded."""
    rows = namespace.rows
    exists = select(rows.c.id).where(rows.c.user_id == user_id, rows.c.number == number, rows.c.text.is_not(None))
    if connection.execute(exists).first() is not None:
        values = {"user_id": user_id, namespace.key: number, "embedding": matrices.encode(row)}
        connection.execute(insert_into(connection, namespace.vectors).values(values).on_conflict_do_nothing())


def width(connection: Connection) -> int | None:
    """How many numbers a vector of the store has; ``None`` while it holds none."""
    for namespace in NAMESPACES:
        held = namespace.vectors.c
        length = connection.execute(select(func.length(held.embedding)).order_by(held.id.desc()).limit(1)).scalar()
        if length:
            return int(length) // 4
    return None


def newest(connection: Connection, namespace: Namespace, user_id: str) -> int:
    """The number of the last text that has a vector."""
    held = namespace.vectors
    statement = select(func.max(held.c[namespace.key])).where(held.c.user_id == user_id)
    return int(connection.execute(statement).scalar() or 0)


def count(connection: Connection, namespace: Namespace, user_id: str, up_to: int | None = None) -> int:
    """How many vectors the user has, or has up to an id."""
    held = namespace.vectors
    statement = select(func.count()).select_from(held).where(held.c.user_id == user_id)
    if up_to is not None:
        statement = statement.where(held.c.id <= up_to)
    return int(connection.execute(statement).scalar_one())


def _recorded(namespace: Namespace) -> ColumnElement[datetime]:
    """When a text was recorded; chunks wait in the order of their numbers, whenever that was."""
    if "recorded_at" in namespace.rows.c:
        return namespace.rows.c.recorded_at
    return literal(0)


def _holds_any(connection: Connection, namespace: Namespace) -> bool:
    return connection.execute(select(namespace.vectors.c.id).limit(1)).first() is not None
