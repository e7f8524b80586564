"""Calibrate: fuse what the channels found, then let the rules decide what may count, and whether it is enough."""

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from ..memory.calibration.confidence import Measure
from ..memory.calibration.expansion import hop
from ..memory.calibration.questions import Question
from ..memory.calibration.rules import Calibration, in_their_place
from ..memory.calibration.rules import calibrate as apply_rules
from ..memory.clauses import consulting
from ..memory.clauses.condition import Condition
from ..memory.clauses.telling import report_of
from ..memory.digests.base import with_overview
from ..memory.digests.overview import is_overview
from ..memory.knowledge.consulting import consult, merged
from ..memory.records import Candidate, Dropped, Hit, Query, RecallFilter
from ..memory.retrieval.fusion import fuse
from ..memory.retrieval.repeats import Distinct, quoted_by, without_repeats
from ..memory.traces import calibration_document
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
    confidence: float
    kept: list[Candidate]
    dropped: list[Dropped]
    timings: dict[str, float]


def calibrate(state: CalibrateInput, runtime: Runtime[Context], *, resources: Resources) -> CalibrateUpdate:
    """Keep what the rules let through; where that is not enough, add one further hop, once.

    What clauses a question was read to ask for, and what was dropped for it, is streamed as a custom event as well.
    """
    found = [Hit(*row) for row in state["hits"]]
    clauses = state["question"].clauses
    if clauses is not None and clauses.structured:
        update = _by_columns(state, clauses, found, runtime, resources)
    else:
        update = _by_rules(state, found, runtime, resources)
    if clauses is not None:
        runtime.stream_writer(calibration_document(clauses, update["kept"], update["dropped"]))
    return update


def _by_rules(
    state: CalibrateInput, found: list[Hit], runtime: Runtime[Context], resources: Resources
) -> CalibrateUpdate:
    with spent("calibrate") as timings:
        memory, user_id, question, queries = (
            resources.memory,
            state["turn"].user_id,
            state["question"],
            state["queries"],
        )
        said = [hit for hit in found if hit.turn > 0]
        distinct = _distinct(
            question,
            fuse(memory, user_id, queries, said, state["filter"], weights=resources.weights),
            user_id,
            resources,
        )
        candidates = list(distinct.candidates[:_JUDGED])
        candidates += _listed(question, candidates)
        judged = _judged(state, candidates, runtime, resources)
        successors = _successors(judged, state, resources)
        if successors:
            judged = _judged(state, in_their_place(candidates, successors), runtime, resources)
        chunks = memory.knowledge.rank(user_id, queries, [hit for hit in found if hit.turn < 0])[:_JUDGED]
        judged = _with_documents(judged, chunks, state, runtime, resources)
        judged = _with_summaries(judged, state, runtime, resources)
        further = hop(question, judged.hop_entities) if not judged.enough and state["asked"] == 0 else []
    return {
        "queries": [*queries, *further],
        "asked": len(queries),
        "enough": not further,
        "confidence": judged.confidence,
        "kept": list(judged.kept),
        "dropped": [*judged.dropped, *distinct.dropped],
        "timings": timings,
    }


def _by_columns(
    state: CalibrateInput, clauses: Condition, found: list[Hit], runtime: Runtime[Context], resources: Resources
) -> CalibrateUpdate:
    """Keep the clauses that are asked for; what else has the words of the question is dropped by rule."""
    with spent("calibrate") as timings:
        memory, user_id = resources.memory, state["turn"].user_id
        report = report_of(memory, user_id, clauses)
        judged = consulting.judge(memory, user_id, report, found, k=runtime.context.limit)
    return {
        "queries": state["queries"],
        "asked": len(state["queries"]),
        "enough": True,
        "confidence": judged.confidence,
        "kept": list(judged.kept),
        "dropped": list(judged.dropped),
        "timings": timings,
    }


def _judged(
    state: CalibrateInput, candidates: list[Candidate], runtime: Runtime[Context], resources: Resources
) -> Calibration:
    memory, user_id, question = resources.memory, state["turn"].user_id, state["question"]
    turns, items = memory.scene(user_id, [candidate.turn for candidate in candidates])
    # Only who did it is told by rare words; most questions name nobody.
    rarities = memory.rarities(user_id, question.terms) if question.speaker is not None else {}
    measure = Measure(rarities, resources.weights.speaker, state["filter"].beside)
    return apply_rules(question, candidates, turns, items, state["filter"], k=runtime.context.limit, measure=measure)


def _successors(judged: Calibration, state: CalibrateInput, resources: Resources) -> dict[int, int]:
    """What holds instead of what was dropped: who asks by an old value is told the new one, whatever its words."""
    wanted, replaced = state["filter"], [drop.turn for drop in judged.dropped if drop.rule == "superseded"]
    if not replaced or wanted.as_of is not None or wanted.recorded_as_of is not None:
        return {}
    found = resources.memory.successors(state["turn"].user_id, replaced)
    return {old: new for old, new in found.items() if wanted.before_turn is None or new < wanted.before_turn}


def _with_documents(
    judged: Calibration,
    chunks: list[Candidate],
    state: CalibrateInput,
    runtime: Runtime[Context],
    resources: Resources,
) -> Calibration:
    """What the conversations gave, with what the knowledge base gives where the question is for it."""
    memory, user_id, question = resources.memory, state["turn"].user_id, state["question"]
    limit = runtime.context.limit
    if chunks:
        references = memory.knowledge.references(user_id, [chunk.turn for chunk in chunks])
        broken = {} if question.clauses is None else consulting.breaking(memory, user_id, question.clauses, references)
        documented = consult(question, chunks, references, state["filter"], k=limit, broken=broken)
        judged = merged(judged, documented, k=limit, named=question.clauses is not None)
    if question.clauses is None or question.clauses.wants != "topic":
        return judged
    return consulting.first(report_of(memory, user_id, question.clauses), judged, k=limit)


def _with_summaries(
    judged: Calibration, state: CalibrateInput, runtime: Runtime[Context], resources: Resources
) -> Calibration:
    """What was found, behind the summaries where the question asks for an overview."""
    turn, question = state["turn"], state["question"]
    if not is_overview(question):
        return judged
    digests = resources.memory.digests
    found = digests.find(turn.user_id, turn.session_id, question, state["queries"], state["filter"])
    quoted = digests.turns_behind(turn.user_id, [one.turn for one in found])
    return with_overview(judged, found, quoted, k=runtime.context.limit)


def _distinct(question: Question, fused: list[Candidate], user_id: str, resources: Resources) -> Distinct:
    """What was found without its repetitions, unless it is they that are asked for."""
    if question.about_assistant or question.about_questions:
        return Distinct(tuple(fused), ())
    turns = resources.memory.turns(user_id, [candidate.turn for candidate in fused])
    turns |= resources.memory.turns(user_id, {number for turn in turns.values() for number in quoted_by(turn)})
    return without_repeats(fused, turns)


def _listed(question: Question, candidates: list[Candidate]) -> list[Candidate]:
    """What was listed last belongs to the candidates of "the second one", whatever its words."""
    if question.ordinal is None:
        return []
    known = {candidate.turn for candidate in candidates}
    return [Candidate(turn, 0.0) for turn in dict.fromkeys(one.turn for one in question.listed) if turn not in known]
