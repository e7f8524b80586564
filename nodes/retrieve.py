"""Retrieve: what the channels find for one query. The graph runs one of these per query, in parallel."""

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from ..memory.knowledge.retriever import retrieve as ask_retriever
from ..memory.records import FailedLeg, Query, RecallFilter
from ..memory.retrieval import channels
from .clock import spent
from .contract import Context, HitRow, Perceived, Resources


class RetrieveInput(TypedDict):
    """What one branch receives: its query and the filter."""

    turn: Perceived
    index: int
    query: Query
    filter: RecallFilter


class RetrieveUpdate(TypedDict):
    """What one branch contributes."""

    hits: list[HitRow]
    failed: list[FailedLeg]
    timings: dict[str, float]


def retrieve(state: RetrieveInput, runtime: Runtime[Context], *, resources: Resources) -> RetrieveUpdate:
    """Ask the exact, lexical, dense and recent channels, and the knowledge base, for one query."""
    with spent("retrieve") as timings:
        asked = (state["turn"].user_id, state["index"], state["query"], state["filter"])
        hits = channels.search(resources.memory, *asked)
        if resources.retriever is None:
            hits += resources.memory.knowledge.search(*asked)
        else:
            hits += ask_retriever(resources.retriever, resources.memory.knowledge, *asked, now=resources.clock())
        reason = resources.memory.vectors.failure_of(state["query"].text)
    failed = [] if reason is None else [FailedLeg("dense", reason)]
    return {"hits": [(*hit,) for hit in hits], "failed": failed, "timings": timings}
