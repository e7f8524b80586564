"""What both checkpointers share: asynchronous calls in threads, and a thread that keeps its last turn only."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
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
