"""Compress: of what was kept, the two or three quotations that answer the question."""

from collections.abc import Mapping, Sequence

from langgraph.runtime import Runtime
from pydantic import BaseModel
from typing_extensions import TypedDict

from ..memory.calibration.questions import Question
from ..memory.clauses.answering import evidence_of
from ..memory.clauses.telling import report_of
from ..memory.grounding.selection import select
from ..memory.knowledge.consulting import impersonal, joined
from ..memory.models.client import Ledger, Model, ModelCall
from ..memory.models.failures import ModelFailure
from ..memory.models.parsing import as_schema
from ..memory.prompting import EVIDENCE_BUDGET, dated_lines, harmless
from ..memory.records import Candidate, Evidence, Item, RecallFilter, Turn, is_digest, reference_id
from ..prompts.reference import PromptRef
from .clock import spent
from .contract import Context, Perceived, Resources
from .prompting import prompt

_MOST_CHOSEN = 3
_MOST_IN_STORY = 5


class Chosen(BaseModel):
    """The records that a model chose, best first."""

    ids: list[str]


class CompressInput(TypedDict):
    """What the node reads."""

    turn: Perceived
    question: Question
    kept: list[Candidate]
    filter: RecallFilter


class CompressUpdate(TypedDict):
    """What the node writes."""

    evidence: list[Evidence]
    context: list[int]
    calls: list[ModelCall]
    used: list[PromptRef]
    timings: dict[str, float]


def compress(state: CompressInput, runtime: Runtime[Context], *, resources: Resources) -> CompressUpdate:
    """Choose sentences; none is ever reworded. A model chooses among the ids, the rules choose the sentences."""
    ledger = Ledger()
    used: list[PromptRef] = []
    with spent("compress") as timings:
        kept = _chosen(state, resources, ledger, used)
        evidence = _clauses(state, resources) or _selected(state, kept, resources)
    context = _context(state["question"], evidence, kept)
    return {"evidence": list(evidence), "context": context, "calls": ledger.calls, "used": used, "timings": timings}


def _chosen(state: CompressInput, resources: Resources, ledger: Ledger, used: list[PromptRef]) -> Sequence[Candidate]:
    """What a model chooses of what was kept; all of it where there is none, or clauses were asked for by number."""
    kept, clauses = state["kept"], state["question"].clauses
    model = None if resources.models is None else resources.models.compress
    if not kept or model is None or (clauses is not None and clauses.structured):
        return kept
    found = resources.memory.turns(state["turn"].user_id, [candidate.turn for candidate in kept])
    ids = _by_model(state, [found[candidate.turn] for candidate in kept], model, resources, ledger, used)
    return [candidate for candidate in kept if reference_id(candidate.turn) in ids] or kept


def _clauses(state: CompressInput, resources: Resources) -> list[Evidence]:
    """The clauses that are asked for, whole; none where the question is not one of clauses, or none is meant."""
    clauses = state["question"].clauses
    if clauses is None:
        return []
    report = report_of(resources.memory, state["turn"].user_id, clauses)
    return evidence_of(report) if report.found else []


def _context(question: Question, evidence: Sequence[Evidence], kept: Sequence[Candidate]) -> list[int]:
    """The numbers of what a model is shown: what is quoted as an answer, then the best of the rest."""
    ranked = dict.fromkeys((*(one.turn for one in evidence), *(candidate.turn for candidate in kept)))
    return list(ranked)[: _MOST_IN_STORY if question.story else _MOST_CHOSEN]


def _selected(state: CompressInput, kept: Sequence[Candidate], resources: Resources) -> list[Evidence]:
    """The sentences of turns that answer, and what documents say beside them."""
    memory, user_id, question, limits = resources.memory, state["turn"].user_id, state["question"], state["filter"]
    summarised = [one.turn for one in kept if is_digest(one.turn)]
    if summarised:
        return memory.digests.evidence(user_id, question, summarised, limits)
    said, documented = [one for one in kept if one.turn > 0], [one for one in kept if one.turn < 0]
    turns, items = memory.scene(user_id, [candidate.turn for candidate in said])
    references = memory.knowledge.references(user_id, [candidate.turn for candidate in documented])
    quoted = _with_proposals(select(question, said, turns, items, limits=limits), items)
    beside = select(impersonal(question), documented, references, {}, limits=limits)
    contradicting = memory.knowledge.contradictions(user_id, [number for one in quoted for number in one.items])
    return joined(question, quoted, beside, contradicting, references)


def _with_proposals(quoted: Sequence[Evidence], items: Mapping[int, Sequence[Item]]) -> list[Evidence]:
    """A yes says nothing by itself: what it agrees to stands before it."""
    told: list[Evidence] = []
    for one in quoted:
        agreed = [item.accepted for item in items.get(one.turn, ()) if item.accepted is not None]
        told += [Evidence(accepted.turn, accepted.span, one.score) for accepted in agreed]
        told.append(one)
    return list({(one.turn, one.span): one for one in told}.values())


def _by_model(
    state: CompressInput,
    shown: Sequence[Turn],
    model: Model,
    resources: Resources,
    ledger: Ledger,
    used: list[PromptRef],
) -> list[str]:
    """The ids that a model chose; none where it failed."""
    turn = state["turn"]
    chosen = prompt("compress", turn.language, resources)
    used.append(chosen.ref)
    messages = chosen.messages(
        question=harmless(turn.text),
        evidence=dated_lines(shown, turn.time_zone, turn.language, budget=EVIDENCE_BUDGET),
        schema=as_schema(Chosen),
    )
    try:
        return [one.strip("[] ") for one in model.structured(messages, Chosen, "compress", ledger).ids][:_MOST_CHOSEN]
    except ModelFailure:
        # The ledger shows the failure; the rules choose among all of them.
        return []
