"""Rewrite: the question in the words that memories use, what the recall is restricted to, and the errand settled."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import zip_longest
from typing import Literal

from langchain_core.messages import BaseMessage
from langgraph.runtime import Runtime
from pydantic import BaseModel
from typing_extensions import TypedDict

from ..intents.outcomes import Outcome
from ..memory.calibration.expansion import expand
from ..memory.calibration.questions import Question
from ..memory.grounding.composer import local_date
from ..memory.models.client import Ledger, Model, ModelCall
from ..memory.models.failures import ModelFailure
from ..memory.models.parsing import as_schema
from ..memory.prompting import RECENT_BUDGET, dated_lines, harmless, state_section
from ..memory.proposed_intent import ProposedIntent
from ..memory.records import Query, RecallFilter
from ..prompts.library import Prompt
from ..prompts.reference import PromptRef
from .clock import spent
from .contract import Context, Perceived, Resources
from .prompting import prompt
from .settling import Choice, choice, errand_turns, left_to_recall, reading_of, settle

_MOST_QUERIES = 6
_LONGEST_QUERY = 200
_RECENT = 5


class Rewritten(BaseModel):
    """What a model makes of the question."""

    queries: list[str]
    time_from: datetime | None = None
    time_to: datetime | None = None
    speaker: str | None = None


class Understood(Rewritten):
    """What a model makes of a turn that may move an errand."""

    intent: ProposedIntent | None = None


class RewriteInput(TypedDict):
    """What the node reads."""

    turn: Perceived
    question: Question
    recall: bool
    proposed: list[Outcome]
    settles: bool


class RewriteUpdate(TypedDict):
    """What the node writes."""

    question: Question
    recall: bool
    settled: list[Outcome]
    settled_by: Literal["floor", "model"] | None
    queries: list[Query]
    filter: RecallFilter
    calls: list[ModelCall]
    used: list[PromptRef]
    timings: dict[str, float]


def rewrite(state: RewriteInput, runtime: Runtime[Context], *, resources: Resources) -> RewriteUpdate:
    """Settle the errand, and expand what is left to recall, by rule and by a model where there is one.

    One structured call does both. The rules' queries and the floor's proposal stay: a model that fails or wanders adds
    nothing, and takes nothing away. The caller's times win.
    """
    ledger, turn, models = Ledger(), state["turn"], resources.models
    used: list[PromptRef] = []
    rewritten = Understood(queries=[])
    with spent("rewrite") as timings:
        # Every open errand has to be looked at for it: only where there is somebody to choose.
        options = choice(turn, resources) if models is not None and state["settles"] else Choice()
        if models is not None and (state["settles"] or not _is_settled(state["question"])):
            chosen = prompt("rewrite", turn.language, resources)
            rewritten = _by_model(_asked(state, chosen, options, resources), models.rewrite, ledger, options)
            used.append(chosen.ref)
        settled, settled_by = _settled(state, rewritten.intent, options, resources)
        recall, question = left_to_recall(state["recall"], state["question"], turn, settled, runtime.context, resources)
        queries, wanted = expand(question)
        wanted = _within(wanted, rewritten, runtime.context, turn.number)
        wanted = replace(wanted, errand=errand_turns(turn, question, resources))
    return {
        "question": question,
        "recall": recall,
        "settled": settled,
        "settled_by": settled_by,
        "queries": _joined(queries, rewritten) if recall else [],
        "filter": wanted if recall else RecallFilter(),
        "calls": ledger.calls,
        "used": used,
        "timings": timings,
    }


def _is_settled(question: Question) -> bool:
    """Whether there is nothing to rewrite: clauses that are asked for by number or version are looked up by columns."""
    return question.clauses is not None and question.clauses.structured


def _settled(
    state: RewriteInput, proposed: ProposedIntent | None, options: Choice, resources: Resources
) -> tuple[list[Outcome], Literal["floor", "model"] | None]:
    """What the turn does to the errands, and by whose reading."""
    if not state["settles"]:
        return [], None
    turn = state["turn"]
    reading = reading_of(proposed, options, turn, resources)
    return settle(turn, state["proposed"], reading, resources), "floor" if reading is None else "model"


def _asked(state: RewriteInput, chosen: Prompt, options: Choice, resources: Resources) -> list[BaseMessage]:
    turn, memory = state["turn"], resources.memory
    recent = memory.recent(turn.user_id, turn.session_id, _RECENT, before=turn.number)
    values = {
        "question": harmless(turn.text),
        "recent": dated_lines(recent, turn.time_zone, turn.language, budget=RECENT_BUDGET),
        "state": state_section(memory.state(turn.user_id), turn.language),
        "intents": options.intents(),
        "transitions": options.transitions(),
        "today": local_date(turn.observed_at, turn.time_zone),
        "schema": as_schema(Understood if options.allowed else Rewritten),
    }
    # A pinned version that knows nothing of errands is still the caller's choice.
    return chosen.messages(**{name: value for name, value in values.items() if name in chosen.variables})


def _by_model(messages: Sequence[BaseMessage], model: Model, ledger: Ledger, options: Choice) -> Understood:
    schema = Understood if options.allowed else Rewritten
    try:
        return Understood(**model.structured(messages, schema, "rewrite", ledger).model_dump())
    except ModelFailure:
        # The ledger shows the failure; the rules' queries and the floor's proposal stand.
        return Understood(queries=[])


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
