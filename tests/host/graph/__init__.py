"""A host's own graph, in which the memory is one node."""

from dataclasses import dataclass
from typing import Any

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph

from nodes import shout


@dataclass
class Tenancy:
    """A context of the host's own."""

    user_id: str
    tenant: str


def build(remembers: Any) -> Any:
    """Compile the host's graph around a node that remembers."""
    builder = StateGraph(MessagesState, context_schema=Tenancy)
    builder.add_node("remembers", remembers)
    builder.add_node("shout", shout)
    builder.add_edge(START, "remembers")
    builder.add_edge("remembers", "shout")
    return builder.compile(checkpointer=InMemorySaver())
