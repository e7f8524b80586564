"""Record: the released answer becomes a turn of the assistant's, and the way to it a trace that can be shown."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Literal

from langchain_core.messages import AnyMessage, RemoveMessage
from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from ..intents.inquiries import Inquiry
from ..intents.outcomes import Outcome
from ..intents.tracing import errands_document
from ..memory.calibration.questions import Question
from ..memory.complaints import complains
from ..memory.models.client import ModelCall
from ..memory.records import Answer, Candidate, Dropped, Evidence, FailedLeg, NewTurn, Query, RecallFilter, reference_id
from ..memory.summarizing import trigger_of
from ..memory.traces import Json, answer_document, evidence_document, recall_document
from .contract import Context, Perceived, Resources

# After an interrupted import thousands of turns may wait; no single turn should pay for all of them.
_MOST_EMBEDDED = 64


class RecordInput(TypedDict):
    """What the node reads."""

    messages: list[AnyMessage]
    turn: Perceived
    proposed: list[Outcome]
    inquiry: Inquiry | None
    settled: list[Outcome]
    settled_by: Literal["floor", "model"] | None
    question: Question
    queries: list[Query]
    filter: RecallFilter
    confidence: float
    kept: list[Candidate]
    dropped: list[Dropped]
    failed: list[FailedLeg]
    evidence: list[Evidence]
    context: list[int]
    answer: Answer
    calls: list[ModelCall]
    timings: dict[str, float]


class RecordUpdate(TypedDict):
    """What the node writes."""

    messages: list[RemoveMessage]
    answer_id: str
    trigger: str | None


def record(state: RecordInput, runtime: Runtime[Context], *, resources: Resources) -> RecordUpdate:
    """Write the assistant's turn and the trace; decide whether the session is to be summarised."""
    turn, memory = state["turn"], resources.memory
    trigger, failed = None, state["failed"]
    if turn.number is not None:
        failed = [*failed, *_record_turn(state, runtime.context.terminal, resources)]
        trigger = _trigger(turn, resources)
    trace = _trace(state, failed, resources)
    answer_id = memory.save_answer(
        turn.user_id,
        turn.session_id,
        turn.text,
        trace,
        complained=turn.number is not None and complains(turn.text, turn.language),
        configuration=resources.configuration,
        now=resources.clock(),
    )
    # The log remembers the whole conversation; what is kept here is paid for at every checkpoint.
    surplus = state["messages"][: -2 * resources.buffer]
    return {
        "messages": [RemoveMessage(id=message.id) for message in surplus if message.id],
        "answer_id": answer_id,
        "trigger": trigger,
    }


def _trigger(turn: Perceived, resources: Resources) -> str | None:
    """Why to summarise now, if there is a reason."""
    memory = resources.memory
    attempts = memory.summary_attempts(turn.user_id, turn.session_id)
    pending = memory.unsummarised(turn.user_id, turn.session_id)
    return trigger_of(pending, threshold=resources.summary_after, attempts=attempts)


def _record_turn(state: RecordInput, terminal: str, resources: Resources) -> list[FailedLeg]:
    """Write the assistant's turn and embed what waits for it; what could not be embedded goes on waiting."""
    turn, answer, memory = state["turn"], state["answer"], resources.memory
    message = state["messages"][-1]
    now = resources.clock()
    spoken = NewTurn(
        user_id=turn.user_id,
        session_id=turn.session_id,
        external_id=str(message.id),
        role="assistant",
        source="ai_generated",
        speaker="assistant",
        text=answer.text,
        language=turn.language,
        observed_at=now,
        time_zone=turn.time_zone,
        # The floor only repeats what it quotes: nobody should find the echo in place of the voice.
        act="acknowledgement" if answer.mode == "floor" else "statement",
        citations=tuple(dict.fromkeys(cited.turn_id for cited in answer.citations if cited.turn_id)),
        terminal=terminal,
    )
    settles = None if answer.abstained else turn.number
    memory.record_answer(spoken, settles=settles, prompts=answer.prompts, now=now)
    reason = memory.embed_waiting(turn.user_id, limit=_MOST_EMBEDDED)
    return [] if reason is None else [FailedLeg("embedding", reason)]


def _trace(state: RecordInput, failed: Sequence[FailedLeg], resources: Resources) -> Json:
    turn = state["turn"]
    named = {candidate.turn for candidate in state["kept"]} | {chosen.turn for chosen in state["evidence"]}
    turns = resources.memory.turns(turn.user_id, named)
    recalled = recall_document(
        queries=state["queries"],
        filter=state["filter"],
        clauses=state["question"].clauses,
        confidence=state["confidence"],
        kept=state["kept"],
        dropped=state["dropped"],
        failed=failed,
        turns=turns,
        timings=state["timings"],
    )
    return {
        "question": turn.text,
        "asked_at": turn.observed_at.isoformat(),
        "session_id": turn.session_id,
        "turn_id": None if turn.number is None else f"t{turn.number}",
        "calls": [asdict(call) for call in state["calls"]],
        **answer_document(state["answer"]),
        **recalled,
        "evidence": evidence_document(state["evidence"], turns),
        "context": [reference_id(number) for number in state["context"]],
        "intents": errands_document(state["proposed"], state["settled"], state["settled_by"], state["inquiry"]),
    }
