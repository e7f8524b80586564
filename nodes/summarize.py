"""Summarize: the session's turns since its last summary, as sections of quotations."""

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from ..memory.storage.summaries import NewSummary
from ..memory.summarizing import summarise
from .contract import Context, Perceived, Resources


class SummarizeInput(TypedDict):
    """What the node reads."""

    turn: Perceived
    trigger: str


class SummarizeUpdate(TypedDict):
    """What the node writes."""

    summary: NewSummary | None


def summarize(state: SummarizeInput, runtime: Runtime[Context], *, resources: Resources) -> SummarizeUpdate:
    """Summarise what no summary covers yet; ``None`` when another run has just done so."""
    turn, memory = state["turn"], resources.memory
    pending = memory.unsummarised(turn.user_id, turn.session_id)
    if not pending:
        return {"summary": None}
    items = memory.items(turn.user_id, [other.number for other in pending])
    return {"summary": summarise(turn.session_id, pending, items, state["trigger"])}
