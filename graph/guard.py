"""The compiled graph with a door: who speaks, in which thread, is settled before anything of the thread is read."""

import asyncio
import copy
from collections.abc import AsyncIterator, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace
from itertools import islice
from typing import Any, Self
from uuid import uuid4

from langchain_core.prompt_values import PromptValue
from langchain_core.runnables import RunnableConfig
from langgraph.graph.state import CompiledStateGraph, StateGraph

from ..memory.errors import BadInput
from ..nodes.contract import Context, Input, Output, Resources, State
from .contexts import configurable_of, context_of
from .marks import context_marks
from .tracing import called_back_alone, traced

# A turn with one further hop takes 13 steps; anything near this bound is a loop.
_RECURSION_LIMIT = 30


class VeridicalGraph(CompiledStateGraph[State, Context, Input, Output]):
    """A compiled graph that admits a run only to a thread of its own user.

    The check cannot live in a node: by the time the first node runs, a ``values`` stream has already handed out the
    thread's messages. ``invoke``, ``ainvoke`` and the event streams all pass through the two methods below.
    """

    resources: Resources

    @classmethod
    def guarding(cls, compiled: CompiledStateGraph[State, Context, Input, Output], resources: Resources) -> Self:
        """The same graph, guarded."""
        graph = cls.__new__(cls)
        graph.__dict__ = {**vars(compiled), "resources": resources}
        return graph

    def copy(self, update: dict[str, Any] | None = None) -> Self:
        """A copy with other attributes; unlike the inherited one it keeps what was set after construction."""
        twin = copy.copy(self)
        vars(twin).update(update or {})
        return twin

    def stream(
        self, input: Any, config: RunnableConfig | None = None, *, context: Any = None, **options: Any
    ) -> Iterator[Any]:
        """Stream a run, as the inherited method does, once the run is admitted."""
        settled = self._settle(config, context)
        graph, config, alone = self._traced(config, settled)
        parts = super(VeridicalGraph, graph).stream(_conversation(input), config, context=settled, **options)
        with alone:
            first = list(islice(parts, 1))
        yield from first
        yield from parts

    async def astream(
        self, input: Any, config: RunnableConfig | None = None, *, context: Any = None, **options: Any
    ) -> AsyncIterator[Any]:
        """Stream a run asynchronously, as the inherited method does, once the run is admitted."""
        settled = await asyncio.to_thread(self._settle, config, context)
        graph, config, alone = self._traced(config, settled)
        parts = super(VeridicalGraph, graph).astream(_conversation(input), config, context=settled, **options)
        with alone:
            first = await anext(parts, None)
        if first is not None:
            yield first
        async for part in parts:
            yield part

    def _settle(self, config: RunnableConfig | None, given: Any) -> Context:
        configurable = configurable_of(self.config, config)
        context, thread = context_of(given, configurable), configurable.get("thread_id")
        if thread is not None and context.session_id not in {None, thread}:
            message = f"The session {context.session_id!r} is not the thread {thread!r}: name one, or the same in both."
            raise BadInput(message)
        session = thread or context.session_id or f"chat-{uuid4().hex[:12]}"
        self.resources.memory.admit(session, context.user_id)
        return replace(context, session_id=session)

    def _traced(
        self, config: RunnableConfig | None, context: Context
    ) -> tuple[Self, RunnableConfig | None, AbstractContextManager[None]]:
        """The graph and the config of a run whose traces are ours, and where it is to begin."""
        own = traced(self.config, config, marks=context_marks(context), text=self.resources.trace_text)
        if own is None:
            return self, config, nullcontext()
        bare = self.copy({"config": {**(self.config or {}), "callbacks": None}})
        return bare, {**(config or {}), "callbacks": own}, called_back_alone()


class VeridicalBuilder(StateGraph[State, Context, Input, Output]):
    """The uncompiled graph; however a host compiles it, what comes out is guarded."""

    def __init__(self, resources: Resources) -> None:
        """Begin a graph without nodes."""
        super().__init__(State, context_schema=Context, input_schema=Input, output_schema=Output)
        self._resources = resources

    def compile(self, *arguments: Any, name: str | None = "veridical", **options: Any) -> VeridicalGraph:
        """Compile the graph, with what the inherited method takes."""
        compiled = super().compile(*arguments, name=name, **options)
        compiled.config = {"recursion_limit": _RECURSION_LIMIT}
        return VeridicalGraph.guarding(compiled, self._resources)


def _conversation(given: Any) -> Any:
    """What a prompt template made, as the messages that it stands for; anything else as it is."""
    return {"messages": given.to_messages()} if isinstance(given, PromptValue) else given
