"""An agent with the memory as middleware, on a real store, with a deterministic embedder and a clock that stands."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from langchain.agents import create_agent
from langgraph.checkpoint.memory import InMemorySaver

from tests.integrations.speaking import AgentModel
from veridical.graph import Context, Resources
from veridical.integrations import VeridicalMemory
from veridical.memory.retrieval.embedders import open_embedder
from veridical.memory.store import Memory

ANN = Context(user_id="ann")
THREAD: Any = {"configurable": {"thread_id": "s"}}


@pytest.fixture
def resources(tmp_path: Path) -> Iterator[Resources]:
    moments = (datetime(2026, 3, 2, 9, tzinfo=UTC) + timedelta(milliseconds=tick) for tick in range(1_000_000))
    with Memory(tmp_path / "data", open_embedder("hashing:64")) as memory:
        yield Resources(memory=memory, clock=lambda: next(moments), time_zone="UTC")


class Agent:
    """An agent whose model speaks from a script, and a conversation with it."""

    def __init__(self, resources: Resources, **options: Any) -> None:
        self.model = AgentModel()
        before = options.pop("before", [])
        self.graph = create_agent(
            self.model,
            options.pop("tools", []),
            middleware=[*before, VeridicalMemory(resources, timeout=5)],
            context_schema=Context,
            checkpointer=options.pop("checkpointer", InMemorySaver()),
            **options,
        )

    def says(self, *script: Any) -> "Agent":
        """What the model says next."""
        self.model.script += script
        return self

    def run(self, text: Any, context: Context | None = ANN, config: Any = THREAD) -> dict[str, Any]:
        return self.graph.invoke({"messages": [("user", text)]}, config, context=context)

    def hear(self, text: str, **options: Any) -> str:
        """Say something, and hear the answer."""
        return str(self.run(text, **options)["messages"][-1].text)


@pytest.fixture
def agent(resources: Resources) -> Callable[..., Agent]:
    return lambda **options: Agent(resources, **options)
