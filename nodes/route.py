"""Route: whether the turn needs the memory at all. Small talk costs no retrieval."""

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from .contract import Context, Perceived, Resources

# What these turns want is an answer from the records, or the thing they refer to in them.
_ACTS_THAT_RECALL = frozenset({"question", "request"})


class RouteInput(TypedDict):
    """What the node reads."""

    turn: Perceived


class RouteUpdate(TypedDict):
    """What the node writes."""

    recall: bool


def route(state: RouteInput, runtime: Runtime[Context], *, resources: Resources) -> RouteUpdate:
    """Send questions to the memory, and everything else straight to answering."""
    return {"recall": state["turn"].act in _ACTS_THAT_RECALL}
