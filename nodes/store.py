"""Store: what needed the dialogue to be known, a summary, is made durable."""

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from ..memory.storage.summaries import NewSummary
from .contract import Context, Perceived, Resources


class StoreInput(TypedDict):
    """What the node reads."""

    turn: Perceived
    summary: NewSummary | None


class StoreUpdate(TypedDict):
    """What the node writes: the summary has become durable and leaves the state."""

    summary: None


def store(state: StoreInput, runtime: Runtime[Context], *, resources: Resources) -> StoreUpdate:
    """Write the summary, unless its turns were summarised in the meantime."""
    if state["summary"] is not None:
        resources.memory.add_summary(state["turn"].user_id, state["summary"], now=resources.clock())
    return {"summary": None}
