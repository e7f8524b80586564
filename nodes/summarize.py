"""Summarize: the session's turns since its last summary, as sections of quotations."""

from dataclasses import replace

from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from ..memory.models.client import Ledger, ModelCall
from ..memory.models.failures import ModelFailure
from ..memory.models.parsing import as_schema
from ..memory.prompting import TURNS_BUDGET, dated_lines
from ..memory.proposed_summary import ProposedSummary, merged
from ..memory.storage.summaries import NewSummary
from ..memory.summarizing import summarise
from .contract import Context, Perceived, Resources
from .prompting import prompt


class SummarizeInput(TypedDict):
    """What the node reads."""

    turn: Perceived
    trigger: str


class SummarizeUpdate(TypedDict):
    """What the node writes."""

    summary: NewSummary | None
    calls: list[ModelCall]


def summarize(state: SummarizeInput, runtime: Runtime[Context], *, resources: Resources) -> SummarizeUpdate:
    """Summarise what no summary covers yet; ``None`` when another run has just done so, or a model failed.

    A failure leaves the turns as they are, to be summarised at the next turn: no half-made summary, no error text.
    """
    turn, memory = state["turn"], resources.memory
    pending = memory.unsummarised(turn.user_id, turn.session_id)
    if not pending:
        return {"summary": None, "calls": []}
    items = memory.items(turn.user_id, [other.number for other in pending])
    summary = summarise(turn.session_id, pending, items, state["trigger"])
    if resources.models is None:
        return {"summary": summary, "calls": []}
    chosen = prompt("summarize", turn.language, resources)
    asked = chosen.messages(
        turns=dated_lines(pending, turn.time_zone, turn.language, budget=TURNS_BUDGET),
        schema=as_schema(ProposedSummary),
    )
    ledger = Ledger()
    try:
        proposed = resources.models.answer.structured(asked, ProposedSummary, "summarize", ledger)
    except ModelFailure:
        return {"summary": None, "calls": ledger.calls}
    document = merged(summary.document, proposed, pending)
    return {"summary": replace(summary, document=document, prompts=(chosen.ref,)), "calls": ledger.calls}
