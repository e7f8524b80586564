"""The checkpointers, SQLite's and PostgreSQL's: each serves the synchronous and the asynchronous entry points alike."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
)
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite import SqliteSaver

from ..memory.errors import BadInput
from ..memory.storage.faults import what_to_do
from ..nodes.contract import STATE_TYPES

if TYPE_CHECKING:
    from .postgres_checkpointer import ThreadedPostgresSaver

FILE_NAME = "checkpoints.db"
_MEND = "move it away; it holds where conversations stand, and what was said stays in the memory"
_SUPERSEDED = (
    "DELETE FROM writes WHERE thread_id = ? AND checkpoint_id < (SELECT max(latest.checkpoint_id)"
    " FROM checkpoints latest WHERE latest.thread_id = writes.thread_id"
    " AND latest.checkpoint_ns = writes.checkpoint_ns)",
    "DELETE FROM checkpoints WHERE thread_id = ? AND checkpoint_id < (SELECT max(latest.checkpoint_id)"
    " FROM checkpoints latest WHERE latest.thread_id = checkpoints.thread_id"
    " AND latest.checkpoint_ns = checkpoints.checkpoint_ns)",
)


class InThreads(BaseCheckpointSaver[str]):
    """A saver whose asynchronous methods run the synchronous ones in a thread.

    LangGraph's synchronous savers have no asynchronous side, and its asynchronous ones refuse synchronous calls from
    the thread of their own loop; a graph that is offered through ``invoke`` and ``ainvoke`` needs both.

    A thread keeps the checkpoints of its last turn: each holds all that the earlier ones do, and a turn leaves a
    quarter of a megabyte of them.
    """

    def put(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Save a checkpoint; the first of a turn takes the place of those of earlier turns."""
        saved = super().put(config, checkpoint, metadata, new_versions)
        if metadata.get("source") == "input":
            self.prune([str(config["configurable"]["thread_id"])])
        return saved

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """The checkpoint of the thread, as ``get_tuple`` returns it."""
        return await asyncio.to_thread(self.get_tuple, config)

    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        """The checkpoints of the thread, newest first, as ``list`` yields them."""
        found = await asyncio.to_thread(lambda: list(self.list(config, filter=filter, before=before, limit=limit)))
        for checkpoint in found:
            yield checkpoint

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Save a checkpoint, as ``put`` does."""
        return await asyncio.to_thread(self.put, config, checkpoint, metadata, new_versions)

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Save a task's writes, as ``put_writes`` does."""
        await asyncio.to_thread(self.put_writes, config, writes, task_id, task_path)

    async def adelete_thread(self, thread_id: str) -> None:
        """Delete a thread's checkpoints, as ``delete_thread`` does."""
        await asyncio.to_thread(self.delete_thread, thread_id)


class ThreadedSqliteSaver(InThreads, SqliteSaver):
    """LangGraph's SQLite saver for both kinds of calls."""

    def __init__(self, conn: sqlite3.Connection, path: Path, serde: JsonPlusSerializer) -> None:
        """Use an open connection to the file at ``path``."""
        super().__init__(conn, serde=serde)
        self._path = path

    @contextmanager
    def cursor(self, transaction: bool = True) -> Iterator[sqlite3.Cursor]:
        """A cursor, as the inherited one; what a disk or another program does to the file is said in one sentence."""
        with _explained(self._path), super().cursor(transaction) as cursor:
            yield cursor

    def prune(self, thread_ids: Sequence[str], *, strategy: str = "keep_latest") -> None:
        """Delete all checkpoints of threads but the latest of each namespace, or really all (``delete``)."""
        if strategy == "delete":
            for thread in thread_ids:
                self.delete_thread(thread)
            return
        with self.cursor() as cursor:
            for statement in _SUPERSEDED:
                cursor.executemany(statement, [(thread,) for thread in thread_ids])


def open_checkpointer(folder: Path, database_url: str = "") -> "ThreadedSqliteSaver | ThreadedPostgresSaver":
    """The checkpointer in a data folder, or in the database that a URL names; the caller closes its ``conn``.

    Raises:
        BadInput: the URL cannot be understood, or what it needs is not installed.
        StoreError: the database cannot be reached.
    """
    allowed = [(kind.__module__, kind.__name__) for kind in STATE_TYPES]
    serde = JsonPlusSerializer(allowed_msgpack_modules=allowed)
    if database_url:
        try:
            from .postgres_checkpointer import open_postgres
        except ModuleNotFoundError as error:
            message = f"PostgreSQL needs {error.name}, which is not installed: run pip install 'veridical[postgres]'."
            raise BadInput(message) from error
        return open_postgres(database_url, serde)
    path = folder / FILE_NAME
    with _explained(path):
        connection = sqlite3.connect(path, check_same_thread=False)
        connection.execute("PRAGMA busy_timeout=15000")
        connection.execute("PRAGMA secure_delete=ON")
        saver = ThreadedSqliteSaver(connection, path, serde)
        saver.setup()
    return saver


@contextmanager
def _explained(path: Path) -> Iterator[None]:
    try:
        yield
    except sqlite3.Error as error:
        told = what_to_do(error, str(path), mend=_MEND)
        if told is None:
            raise
        raise told from error
