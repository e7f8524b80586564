"""Recalling without answering: the nodes from perceive to calibrate, run one after the other."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from langchain_core.messages import HumanMessage
from langgraph.runtime import Runtime

from ..memory.calibration.questions import Question
from ..memory.records import FailedLeg
from ..memory.traces import Json, recall_document
from ..nodes.calibrate import CalibrateInput, CalibrateUpdate, calibrate
from ..nodes.contract import Context, HitRow, Perceived, Resources, merge_failed, merge_hits, merge_timings
from ..nodes.perceive import perceive
from ..nodes.retrieve import RetrieveInput, retrieve
from ..nodes.rewrite import RewriteInput, RewriteUpdate, rewrite


@dataclass(frozen=True, slots=True)
class Gathered:
    """What the channels found for a question, and what was made of it."""

    found: CalibrateInput
    """With every query that was retrieved: judging it again asks for no further one."""
    judged: CalibrateUpdate
    failed: Sequence[FailedLeg]
    timings: Mapping[str, float]


def recall(resources: Resources, question: str, context: Context) -> Json:
    """What the memory finds for a question: queries, filter, results, what was dropped by which rule, timings.

    Args:
        resources: from ``open_resources``.
        question: in either language.
        context: who asks, how many results, as of when. Nothing is recorded, whatever it says.
    """
    gathered = gather(resources, question, context)
    found, kept = gathered.found, gathered.judged["kept"]
    memory, user_id, numbers = resources.memory, found["turn"].user_id, [candidate.turn for candidate in kept]
    noted = memory.items(user_id, numbers)
    accepted = {turn: item.accepted for turn in noted for item in noted[turn] if item.accepted is not None}
    return recall_document(
        queries=found["queries"],
        filter=found["filter"],
        clauses=found["question"].clauses,
        confidence=gathered.judged["confidence"],
        kept=kept,
        dropped=gathered.judged["dropped"],
        failed=gathered.failed,
        turns=memory.turns(user_id, [*numbers, *(one.turn for one in accepted.values())]),
        accepted=accepted,
        timings=gathered.timings,
    )


def gather(resources: Resources, question: str, context: Context) -> Gathered:
    """Retrieve and judge, with a further hop where the first is not enough.

    Args:
        resources: from ``open_resources``.
        question: in either language.
        context: as for ``recall``.
    """
    runtime = Runtime(context=replace(context, record=False))
    perceived = perceive({"messages": [HumanMessage(question)]}, runtime, resources=resources)
    turn, asked_for = perceived["turn"], perceived["question"]
    rewritten = rewrite(
        RewriteInput(turn=turn, question=asked_for, recall=True, proposed=[], settles=False),
        runtime,
        resources=resources,
    )
    gathered = search(turn, asked_for, rewritten, runtime, resources=resources)
    spent = merge_timings(merge_timings(perceived["timings"].value, rewritten["timings"]), dict(gathered.timings))
    return replace(gathered, timings=spent)


def search(
    turn: Perceived,
    question: Question,
    rewritten: RewriteUpdate,
    runtime: Runtime[Context],
    *,
    resources: Resources,
) -> Gathered:
    """Retrieve and judge for a question that was perceived and rewritten, with a further hop where it takes one.

    Args:
        turn: who asks, where and when.
        question: what is asked.
        rewritten: the queries and the filter.
        runtime: of the run.
        resources: from ``open_resources``.
    """
    queries, wanted, asked = rewritten["queries"], rewritten["filter"], 0
    hits: list[HitRow] = []
    failed: list[FailedLeg] = []
    timings: dict[str, float] = {}
    while True:
        for index in range(asked, len(queries)):
            branch = RetrieveInput(
                turn=turn, index=index, query=queries[index], filter=wanted, clauses=question.clauses
            )
            found = retrieve(branch, runtime, resources=resources)
            hits = merge_hits(hits, found["hits"])
            failed = merge_failed(failed, found["failed"])
            timings = merge_timings(timings, found["timings"])
        state = CalibrateInput(turn=turn, question=question, queries=queries, filter=wanted, hits=hits, asked=asked)
        calibrated = calibrate(state, runtime, resources=resources)
        timings = merge_timings(timings, calibrated["timings"])
        queries, asked = calibrated["queries"], calibrated["asked"]
        if calibrated["enough"]:
            break
    return Gathered({**state, "asked": asked}, calibrated, failed, timings)
