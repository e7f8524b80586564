"""Calibrate: fuse what the channels found, then let the rules decide what may count, and whether it is enough."""

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from ..memory.calibration.expansion import hop
from ..memory.calibration.questions import Question
from ..memory.calibration.rules import calibrate as apply_rules
from ..memory.records import Candidate, Dropped, Hit, Query, RecallFilter
from ..memory.retrieval.fusion import fuse
from .clock import spent
from .contract import Context, HitRow, Perceived, Resources

# The rules look at this many of the best; what lies deeper would not be kept anyway.
_JUDGED = 60


class CalibrateInput(TypedDict):
    """What the node reads."""

    turn: Perceived
    question: Question
    queries: list[Query]
    filter: RecallFilter
    hits: list[HitRow]
    asked: int


class CalibrateUpdate(TypedDict):
    """What the node writes."""

    queries: list[Query]
    asked: int
    enough: bool
    kept: list[Candidate]
    dropped: list[Dropped]
    timings: dict[str, float]


def calibrate(state: CalibrateInput, runtime: Runtime[Context], *, resources: Resources) -> CalibrateUpdate:
    """Keep what the rules let through; where that is not enough, add one further hop, once."""
    with spent("calibrate") as timings:
        memory, user_id, question, queries = (
            resources.memory,
            state["turn"].user_id,
            state["question"],
            state["queries"],
        )
        found = [Hit(*row) for row in state["hits"]]
        candidates = fuse(memory, user_id, queries, found, state["filter"])[:_JUDGED]
        candidates += _listed(question, candidates)
        turns, items = memory.scene(user_id, [candidate.turn for candidate in candidates])
        judged = apply_rules(question, candidates, turns, items, state["filter"], k=runtime.context.limit)
        further = hop(question, judged.hop_entities) if not judged.enough and state["asked"] == 0 else []
    return {
        "queries": [*queries, *further],
        "asked": len(queries),
        "enough": not further,
        "kept": list(judged.kept),
        "dropped": list(judged.dropped),
        "timings": timings,
    }


def _listed(question: Question, candidates: list[Candidate]) -> list[Candidate]:
    """What was listed last belongs to the candidates of "the second one", whatever its words."""
    if question.ordinal is None:
        return []
    known = {candidate.turn for candidate in candidates}
    return [Candidate(turn, 0.0) for turn in dict.fromkeys(one.turn for one in question.listed) if turn not in known]
