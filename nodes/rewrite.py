"""Rewrite: the question in the words that memories use, and what the recall is restricted to."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import zip_longest

from langchain_core.messages import BaseMessage
from langgraph.runtime import Runtime
from pydantic import BaseModel
from typing_extensions import TypedDict

from ..memory.calibration.expansion import expand
from ..memory.calibration.questions import Question
from ..memory.grounding.composer import local_date
from ..memory.models.client import Ledger, Model, ModelCall
from ..memory.models.failures import ModelFailure
from ..memory.models.parsing import as_schema
from ..memory.prompting import RECENT_BUDGET, dated_lines, harmless, state_section
from ..memory.records import Query, RecallFilter
from ..prompts.library import Prompt
from ..prompts.reference import PromptRef
from .clock import spent
from .contract import Context, Perceived, Resources
from .prompting import prompt

_MOST_QUERIES = 5
_LONGEST_QUERY = 200
_RECENT = 5


class Rewritten(BaseModel):
    """What a model makes of the question."""

    queries: list[str]
    time_from: datetime | None = None
    time_to: datetime | None = None
    speaker: str | None = None


class RewriteInput(TypedDict):
    """What the node reads."""

    turn: Perceived
    question: Question


class RewriteUpdate(TypedDict):
    """What the node writes."""

    queries: list[Query]
    filter: RecallFilter
    calls: list[ModelCall]
    used: list[PromptRef]
    timings: dict[str, float]


def rewrite(state: RewriteInput, runtime: Runtime[Context], *, resources: Resources) -> RewriteUpdate:
    """Expand the question by rule, and by a model where there is one. The caller's times win.

    The rules' queries stay: a model that fails or wanders adds nothing, and takes nothing away.
    """
    ledger, turn, models = Ledger(), state["turn"], resources.models
    used: list[PromptRef] = []
    rewritten = Rewritten(queries=[])
    with spent("rewrite") as timings:
        queries, wanted = expand(state["question"])
        if models is not None:
            chosen = prompt("rewrite", turn.language, resources)
            rewritten = _by_model(_asked(state, chosen, resources), models.rewrite, ledger)
            used.append(chosen.ref)
        queries = _joined(queries, rewritten)
        wanted = _within(wanted, rewritten, runtime.context, turn.number)
    return {"queries": queries, "filter": wanted, "calls": ledger.calls, "used": used, "timings": timings}


def _asked(state: RewriteInput, chosen: Prompt, resources: Resources) -> list[BaseMessage]:
    turn, memory = state["turn"], resources.memory
    recent = memory.recent(turn.user_id, turn.session_id, _RECENT, before=turn.number)
    return chosen.messages(
        question=harmless(turn.text),
        recent=dated_lines(recent, turn.time_zone, turn.language, budget=RECENT_BUDGET),
        state=state_section(memory.state(turn.user_id), turn.language),
        today=local_date(turn.observed_at, turn.time_zone),
        schema=as_schema(Rewritten),
    )


def _by_model(messages: Sequence[BaseMessage], model: Model, ledger: Ledger) -> Rewritten:
    try:
        return model.structured(messages, Rewritten, "rewrite", ledger)
    except ModelFailure:
        # The ledger shows the failure; the rules' queries stand.
        return Rewritten(queries=[])


def _joined(queries: Sequence[Query], rewritten: Rewritten) -> list[Query]:
    """The question itself, then the model's queries and the rules', as many as are allowed."""
    known = {query.text for query in queries}
    texts = dict.fromkeys(text.strip()[:_LONGEST_QUERY] for text in rewritten.queries)
    added = [Query(text, 0.8, "model") for text in texts if text and text not in known]
    first, *rest = queries
    return [first, *_alternating(added, rest)][:_MOST_QUERIES]


def _alternating(one: Sequence[Query], other: Sequence[Query]) -> list[Query]:
    """Both in turn, so that a limit cuts both alike."""
    return [query for pair in zip_longest(one, other) for query in pair if query is not None]


def _within(wanted: RecallFilter, rewritten: Rewritten, context: Context, before: int | None) -> RecallFilter:
    """The rules' filter, completed by the model's times, overruled by the caller's."""
    return replace(
        wanted,
        before_turn=before,
        time_from=wanted.time_from or _aware(rewritten.time_from),
        time_to=wanted.time_to or _aware(rewritten.time_to),
        as_of=context.as_of or wanted.as_of,
        recorded_as_of=context.recorded_as_of or wanted.recorded_as_of,
    )


def _aware(moment: datetime | None) -> datetime | None:
    return moment.replace(tzinfo=UTC) if moment is not None and moment.tzinfo is None else moment
