"""Compress: of what was kept, the two or three quotations that answer the question."""

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from ..memory.calibration.questions import Question
from ..memory.grounding.selection import select
from ..memory.records import Candidate, Evidence, RecallFilter
from .clock import spent
from .contract import Context, Perceived, Resources


class CompressInput(TypedDict):
    """What the node reads."""

    turn: Perceived
    question: Question
    kept: list[Candidate]
    filter: RecallFilter


class CompressUpdate(TypedDict):
    """What the node writes."""

    evidence: list[Evidence]
    timings: dict[str, float]


def compress(state: CompressInput, runtime: Runtime[Context], *, resources: Resources) -> CompressUpdate:
    """Choose sentences; none is ever reworded."""
    with spent("compress") as timings:
        memory, user_id = resources.memory, state["turn"].user_id
        turns, items = memory.scene(user_id, [candidate.turn for candidate in state["kept"]])
        evidence = select(state["question"], state["kept"], turns, items, limits=state["filter"])
    return {"evidence": list(evidence), "timings": timings}
