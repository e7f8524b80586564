"""A turn of somebody else's agent: what the user says in it, what was found for that, and what tools returned."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, cast

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage
from langgraph.runtime import Runtime
from langgraph.types import Overwrite

from ..graph.recall import search
from ..memory.grounding.checks.reading import read
from ..memory.grounding.checks.segments import states
from ..memory.models.client import ModelCall
from ..memory.records import Answer, Turn, reference_number
from ..memory.storage.states import MemoryState
from ..nodes.compress import CompressInput, compress
from ..nodes.contract import Context, Perceived, Resources, State
from ..nodes.perceive import perceive
from ..nodes.rewrite import RewriteInput, rewrite
from ..nodes.route import RouteInput, route

OURS = "veridical"
"""Under this name stands what belongs to the memory in an artifact of a tool and in the metadata of a message."""
_STATED = frozenset({"fact", "event", "decision", "choice", "agreement"})
_TOOLS = 1 << 30
"""Numbers of turns that stand for what tools returned begin here. They are never stored."""


@dataclass(frozen=True, slots=True)
class Turning:
    """A turn under way."""

    message_id: str
    """Of the user's message."""
    context: Context
    state: State
    """What the nodes made of it."""
    calls: tuple[ModelCall, ...] = ()
    answer: Answer | None = None
    """The answer that was released, once there is one."""
    answer_id: str = ""
    """The id of the message that holds it."""
    closed: bool = False
    """Whether the turn ends with this answer, although what the host asked for is not there."""

    @property
    def perceived(self) -> Perceived:
        """What the user says."""
        return self.state["turn"]


def begun(messages: Sequence[AnyMessage], context: Context, resources: Resources) -> Turning:
    """Record what the user says, and look up what the memory has on it: the nodes of the graph, up to the answer."""
    runtime = Runtime(context=context)
    conversation = spoken(messages)
    found: dict[str, Any] = {**perceive({"messages": conversation}, runtime, resources=resources)}
    found = {name: value.value if isinstance(value, Overwrite) else value for name, value in found.items()}
    found |= route(cast(RouteInput, found), runtime, resources=resources)
    if found["recall"] or found["settles"]:
        found |= _looked_up(found, runtime, resources)
    return Turning(str(asked(messages).id), context, cast(State, {"messages": conversation, **found}))


def _looked_up(found: dict[str, Any], runtime: Runtime[Context], resources: Resources) -> dict[str, Any]:
    rewritten = rewrite(cast(RewriteInput, found), runtime, resources=resources)
    if not rewritten["recall"]:
        return {**rewritten}
    gathered = search(found["turn"], rewritten["question"], rewritten, runtime, resources=resources)
    made: dict[str, Any] = {**rewritten, **gathered.judged, "failed": [*gathered.failed]}
    made |= compress(cast(CompressInput, {**found, **made}), runtime, resources=resources)
    timings = {**found["timings"], **rewritten["timings"], **gathered.timings, **made["timings"]}
    return (
        made
        | {"calls": [*rewritten["calls"], *made["calls"]], "used": [*rewritten["used"], *made["used"]]}
        | {"timings": timings}
    )


def spoken(messages: Sequence[AnyMessage]) -> list[AnyMessage]:
    """What was said between user and assistant: neither tool calls nor their results, nor what middleware put in."""
    return [
        message
        for message in messages
        if (isinstance(message, HumanMessage) and "lc_source" not in message.additional_kwargs)
        or (isinstance(message, AIMessage) and not message.tool_calls)
    ]


def asked(messages: Sequence[AnyMessage]) -> HumanMessage:
    """The user's last message; an empty one where the host sent none."""
    said = [message for message in spoken(messages) if isinstance(message, HumanMessage)]
    return said[-1] if said else HumanMessage("")


def is_same(turning: Turning | None, messages: Sequence[AnyMessage]) -> bool:
    """Whether a turn is still the one under way; a summary may have taken the place of its message."""
    return turning is not None and asked(messages).id in {turning.message_id, None}


@dataclass(frozen=True, slots=True)
class Bearing:
    """What may bear out the answer of a turn: records, and what tools returned in it."""

    records: tuple[Turn, ...]
    shown: tuple[Turn, ...]
    """Those of them that the model is shown as records."""
    results: Mapping[int, ToolMessage] = field(default_factory=dict)
    tools: tuple[Turn, ...] = ()
    """What tools returned, as the verifier reads it."""

    @property
    def everything(self) -> list[Turn]:
        """All of it: what tools returned first, for it was asked for in this turn."""
        return [*self.tools, *self.records]


def bearing(turning: Turning, messages: Sequence[AnyMessage], resources: Resources) -> Bearing:
    """What may bear out what is said now: what was kept, MEMORY_STATE, this turn, and what tools returned in it.

    A question supports nothing but that it was asked. Of this turn only that counts which was noted as what is so: that
    something is wanted does not show that it is done. What a tool returned is ``external_knowledge`` and counts in this
    turn only; what our own tools returned names records, and these count.
    """
    turn, state, memory = turning.perceived, turning.state, resources.memory
    returned = list(_returned(messages, turning.message_id))
    named = [number for result in returned for number in _named(result)]
    kept = memory.digests.turns_behind(turn.user_id, [candidate.turn for candidate in state["kept"]])
    numbers = list(dict.fromkeys([*named, *kept, *_behind(memory.state(turn.user_id))]))
    found = memory.turns(turn.user_id, numbers) | _noted(turn, resources)
    numbers = list(dict.fromkeys([*numbers, *([] if turn.number is None else [turn.number])]))
    records = [found[number] for number in numbers if number in found and found[number].text]
    records = [one for one in records if states(one) or state["question"].about_questions]
    context = memory.digests.turns_behind(turn.user_id, state["context"])
    calls = _calls(messages)
    results = {
        _TOOLS + place: result
        for place, result in enumerate(one for one in returned if not _is_ours(one) and one.text.strip())
    }
    tools = tuple(_as_turn(number, one, calls.get(one.tool_call_id, {}), turn) for number, one in results.items())
    return Bearing(tuple(records), tuple(one for one in records if one.number in context), results, tools)


def _returned(messages: Sequence[AnyMessage], message_id: str) -> Iterator[ToolMessage]:
    """What tools returned since the user's message, the latest first."""
    for message in reversed(messages):
        if message.id == message_id:
            return
        if isinstance(message, ToolMessage) and message.status != "error":
            yield message


def _is_ours(result: ToolMessage) -> bool:
    return isinstance(result.artifact, Mapping) and OURS in result.artifact


def _named(result: ToolMessage) -> list[int]:
    """The records that a result of one of our own tools names."""
    return [reference_number(one) for one in result.artifact[OURS]] if _is_ours(result) else []


def _calls(messages: Sequence[AnyMessage]) -> dict[str, Mapping[str, Any]]:
    """With which arguments tools were called, by the ids of the calls."""
    said = [message for message in messages if isinstance(message, AIMessage)]
    return {str(call["id"]): call["args"] for message in said for call in message.tool_calls}


def _as_turn(number: int, result: ToolMessage, arguments: Mapping[str, Any], turn: Perceived) -> Turn:
    """What a tool returned, as evidence, behind the names and numbers of the user's that it was called with."""
    given = [str(one) for one in arguments.values() if isinstance(one, str | int | float) and str(one) in turn.text]
    about = ", ".join(one for one in given if only_names(one, turn))
    return Turn(
        user_id=turn.user_id,
        number=number,
        session_id=turn.session_id,
        position=0,
        external_id=result.tool_call_id,
        role="assistant",
        source="external_knowledge",
        speaker=result.name or "tool",
        text=f"{about}: {result.text}" if about else result.text,
        language=turn.language,
        observed_at=turn.observed_at,
        time_zone=turn.time_zone,
        recorded_at=turn.observed_at,
        act="statement",
    )


def only_names(text: str, turn: Perceived) -> bool:
    """Whether a text holds nothing but names, numbers and times: no word of what is or was done with them."""
    reading = read(text, turn.observed_at, turn.time_zone)
    named = " ".join(reading.names)
    return not reading.empty and all(unit in named for unit in reading.units)


def _behind(state: MemoryState) -> list[int]:
    """The turns that MEMORY_STATE quotes for what holds; what is still to be done is none of it."""
    held = [*(one.turn_id for one in state.current_facts), *(one.turn_id for one in state.agreements)]
    return [reference_number(one) for one in dict.fromkeys(held)]


def _noted(turn: Perceived, resources: Resources) -> dict[int, Turn]:
    """This turn, as far as it states what is so: the clauses that were noted from it, exactly as they stand there."""
    if turn.number is None:
        return {}
    memory = resources.memory
    items = memory.items(turn.user_id, [turn.number]).get(turn.number, [])
    quotes = dict.fromkeys(item.quote for item in items if item.kind in _STATED and item.modality == "asserted")
    said = memory.turns(turn.user_id, [turn.number])[turn.number]
    return {turn.number: replace(said, text="\n".join(quotes))}


def settled(turning: Turning, answer: Answer, message_id: str, calls: Sequence[ModelCall]) -> Turning:
    """The turn with its answer."""
    return replace(turning, answer=answer, answer_id=message_id, calls=(*turning.calls, *calls))
