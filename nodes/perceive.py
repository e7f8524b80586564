"""Perceive: understand the new message and make it durable, with what the floor extracts from it."""

from dataclasses import replace
from uuid import uuid4

from langchain_core.messages import AnyMessage, HumanMessage, ToolMessage
from langgraph.runtime import Runtime
from langgraph.types import Overwrite
from typing_extensions import TypedDict

from ..intents.inquiries import Inquiry
from ..intents.outcomes import Outcome
from ..memory.calibration.questions import Question
from ..memory.clauses.asking import is_reference
from ..memory.errors import BadInput
from ..memory.extraction.acts import classify_act
from ..memory.language.folding import clean, detect_language
from ..memory.records import Act, Candidate, Dropped, Evidence, Language, NewTurn, Query, RecallFilter, Turn
from ..memory.understanding import understand
from .clock import spent
from .contract import Context, Input, Perceived, Resources
from .incoming import replayed_turn, trailing_messages
from .settling import propose


class PerceiveUpdate(TypedDict):
    """What the node writes: the understood turn, and everything of the last turn reset."""

    turn: Perceived
    question: Question
    recall: bool
    proposed: list[Outcome]
    inquiry: Inquiry | None
    settles: bool
    settled: list[Outcome]
    settled_by: None
    queries: list[Query]
    filter: RecallFilter
    hits: Overwrite
    failed: Overwrite
    asked: int
    enough: bool
    confidence: float
    kept: list[Candidate]
    dropped: list[Dropped]
    evidence: list[Evidence]
    context: list[int]
    trigger: None
    summary: None
    calls: Overwrite
    used: Overwrite
    timings: Overwrite


def perceive(state: Input, runtime: Runtime[Context], *, resources: Resources) -> PerceiveUpdate:
    """Record the new turns in one transaction each, read the last one as a question, and propose what it moves.

    Raises:
        BadInput: there is no message to answer, or the context names no session.
        ThreadOwned: the session belongs to another user.
    """
    with spent("perceive") as timings:
        turn = _perceived(state["messages"], runtime.context, resources)
        context = runtime.context
        times = (context.as_of, context.recorded_as_of)
        question = understand(resources.memory, turn, before=turn.number, as_of=times[0], recorded_as_of=times[1])
        # What a statute says of returns is no wish to return anything.
        asks_clauses = question.clauses is not None and question.clauses.wants != "scope"
        inquiry, proposed = (None, []) if asks_clauses else propose(turn, resources)
    return {
        "turn": turn,
        "question": question,
        "recall": False,
        "proposed": proposed,
        "inquiry": inquiry,
        "settles": False,
        "settled": [],
        "settled_by": None,
        "queries": [],
        "filter": RecallFilter(),
        "hits": Overwrite([]),
        "failed": Overwrite([]),
        "asked": 0,
        "enough": True,
        "confidence": 0.0,
        "kept": [],
        "dropped": [],
        "evidence": [],
        "context": [],
        "trigger": None,
        "summary": None,
        "calls": Overwrite([]),
        "used": Overwrite([]),
        "timings": Overwrite(dict(timings)),
    }


def _perceived(messages: list[AnyMessage], context: Context, resources: Resources) -> Perceived:
    """The message to answer, as a turn: recorded with those before it, or only read."""
    said = trailing_messages(messages)
    if not context.record:
        # Whoever asks without recording wants an answer, whatever form the words have.
        return _as_perceived(_new_turn(said[-1], context, resources), act="question")
    if not context.session_id:
        message = "No session was named: give Context(session_id=...), or a thread id to the graph."
        raise BadInput(message)
    resources.memory.claim(context.session_id, context.user_id, now=resources.clock())
    turn = [_recorded(message, messages, context, resources) for message in said][-1]
    items = resources.memory.items(context.user_id, [turn.number]).get(turn.number, [])
    noted = any(item.kind != "question" for item in items) or bool(resources.memory.closed_by(turn))
    return replace(_as_perceived(turn, act=turn.act), number=turn.number, noted=noted)


def _recorded(
    message: HumanMessage | ToolMessage, messages: list[AnyMessage], context: Context, resources: Resources
) -> Turn:
    new = _new_turn(message, context, resources)
    known = replayed_turn(resources.memory, new.user_id, new.session_id, messages, message)
    return known or resources.memory.record(new, now=resources.clock()).turn


def _new_turn(message: HumanMessage | ToolMessage, context: Context, resources: Resources) -> NewTurn:
    text = clean(message.text)
    language = context.language or detect_language(text)
    spoken = isinstance(message, HumanMessage)
    return NewTurn(
        user_id=context.user_id,
        session_id=context.session_id or "",
        external_id=message.id or uuid4().hex,
        role="user" if spoken else "assistant",
        # Where a text came through decides what it may support, whatever it says of itself.
        source="user_input" if spoken else "external_knowledge",
        speaker="user" if spoken else message.name or "tool",
        text=text,
        language=language,
        observed_at=resources.clock(),
        time_zone=context.time_zone or resources.time_zone,
        act=_act(text, language) if spoken else "statement",
        terminal=context.terminal,
    )


def _act(text: str, language: Language) -> Act:
    """What a message does; one that only names a clause asks for it, and tells nothing that could be quoted."""
    return "question" if is_reference(text) else classify_act(text, language)


def _as_perceived(turn: NewTurn | Turn, act: Act) -> Perceived:
    return Perceived(
        user_id=turn.user_id,
        session_id=turn.session_id,
        text=turn.text,
        language=turn.language,
        act=act,
        observed_at=turn.observed_at,
        time_zone=turn.time_zone,
    )
