"""Rewrite: the question in the words that memories use, and what the recall is restricted to."""

from dataclasses import replace

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from ..memory.calibration.expansion import expand
from ..memory.calibration.questions import Question
from ..memory.records import Query, RecallFilter
from .clock import spent
from .contract import Context, Perceived, Resources


class RewriteInput(TypedDict):
    """What the node reads."""

    turn: Perceived
    question: Question


class RewriteUpdate(TypedDict):
    """What the node writes."""

    queries: list[Query]
    filter: RecallFilter
    timings: dict[str, float]


def rewrite(state: RewriteInput, runtime: Runtime[Context], *, resources: Resources) -> RewriteUpdate:
    """Expand the question by rule: content words, synonyms, resolved pronouns, entities. The caller's times win."""
    with spent("rewrite") as timings:
        queries, wanted = expand(state["question"])
        context = runtime.context
        wanted = replace(
            wanted,
            before_turn=state["turn"].number,
            as_of=context.as_of or wanted.as_of,
            recorded_as_of=context.recorded_as_of or wanted.recorded_as_of,
        )
    return {"queries": queries, "filter": wanted, "timings": timings}
