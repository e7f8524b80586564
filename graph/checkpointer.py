"""The default checkpointer: one class that serves the synchronous and the asynchronous entry points alike."""

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Sequence
from pathlib import Path
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import ChannelVersions, Checkpoint, CheckpointMetadata, CheckpointTuple
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.checkpoint.sqlite import SqliteSaver

from ..nodes.contract import STATE_TYPES

FILE_NAME = "checkpoints.db"


class ThreadedSqliteSaver(SqliteSaver):
    """LangGraph's SQLite saver, whose asynchronous methods run the synchronous ones in a thread.

    The stock saver has no asynchronous side, and the stock asynchronous one refuses synchronous calls from the thread
    of its own loop; a graph that is offered through ``invoke`` and ``ainvoke`` needs both.
    """

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


def open_checkpointer(folder: Path) -> ThreadedSqliteSaver:
    """The checkpointer in a data folder; the caller closes its ``conn``."""
    connection = sqlite3.connect(folder / FILE_NAME, check_same_thread=False)
    connection.execute("PRAGMA busy_timeout=15000")
    connection.execute("PRAGMA secure_delete=ON")
    allowed = [(kind.__module__, kind.__name__) for kind in STATE_TYPES]
    return ThreadedSqliteSaver(connection, serde=JsonPlusSerializer(allowed_msgpack_modules=allowed))
