"""Retrieve: what the channels find for one query. The graph runs one of these per query, in parallel."""

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from ..memory.clauses import consulting
from ..memory.clauses.condition import Condition
from ..memory.clauses.telling import report_of
from ..memory.knowledge.retriever import retrieve as ask_retriever
from ..memory.records import FailedLeg, Hit, Query, RecallFilter
from ..memory.retrieval import channels
from .clock import spent
from .contract import Context, HitRow, Perceived, Resources


class RetrieveInput(TypedDict):
    """What one branch receives: its query, the filter, and the clauses that are asked for."""

    turn: Perceived
    index: int
    query: Query
    filter: RecallFilter
    clauses: Condition | None


class RetrieveUpdate(TypedDict):
    """What one branch contributes."""

    hits: list[HitRow]
    failed: list[FailedLeg]
    timings: dict[str, float]


def retrieve(state: RetrieveInput, runtime: Runtime[Context], *, resources: Resources) -> RetrieveUpdate:
    """Ask the exact, lexical, dense and recent channels, and the knowledge base, for one query.

    Clauses that are asked for by number or version are looked up by columns instead: nothing is embedded for them.
    """
    failed = []
    with spent("retrieve") as timings:
        clauses = state["clauses"]
        if clauses is not None and clauses.structured:
            hits = _looked_up(state, clauses, resources)
        else:
            hits = _searched(state, resources)
            reason = resources.memory.vectors.failure_of(state["query"].text)
            failed = [] if reason is None else [FailedLeg("dense", reason)]
    return {"hits": [(*hit,) for hit in hits], "failed": failed, "timings": timings}


def _looked_up(state: RetrieveInput, clauses: Condition, resources: Resources) -> list[Hit]:
    memory, user_id = resources.memory, state["turn"].user_id
    if state["index"]:
        return []
    return consulting.hits_of(memory, user_id, state["query"], report_of(memory, user_id, clauses))


def _searched(state: RetrieveInput, resources: Resources) -> list[Hit]:
    memory, clauses = resources.memory, state["clauses"]
    asked = (state["turn"].user_id, state["index"], state["query"], state["filter"])
    hits = channels.search(memory, *asked)
    if resources.retriever is not None:
        return hits + ask_retriever(resources.retriever, memory.knowledge, *asked, now=resources.clock())
    hits += memory.knowledge.search(*asked, now=resources.clock())
    return hits if clauses is None else hits + consulting.in_versions(memory, *asked[:3], clauses)
