"""Store: what needed the dialogue to be known, a summary, is made durable."""

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from ..memory.models.client import ModelCall
from ..memory.storage.answers import FAILED
from ..memory.storage.summaries import NewSummary
from .contract import Context, Perceived, Resources


class StoreInput(TypedDict):
    """What the node reads."""

    turn: Perceived
    answer_id: str
    summary: NewSummary | None
    calls: list[ModelCall]


class StoreUpdate(TypedDict):
    """What the node writes: the summary has become durable and leaves the state."""

    summary: None


def store(state: StoreInput, runtime: Runtime[Context], *, resources: Resources) -> StoreUpdate:
    """Write the summary, unless its turns were summarised in the meantime; note in the trace how it went."""
    turn, summary, memory = state["turn"], state["summary"], resources.memory
    now = resources.clock()
    stored = None if summary is None else memory.add_summary(turn.user_id, summary, now=now)
    failed = [call.outcome for call in state["calls"] if call.step == "summarize" and call.outcome != "ok"]
    outcome = stored or (f"{FAILED}: {failed[-1]}" if summary is None and failed else None)
    memory.annotate_answer(turn.user_id, int(state["answer_id"][1:]), "summary", outcome)
    return {"summary": None}
