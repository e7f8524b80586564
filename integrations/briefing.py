"""What an agent's model is told: MEMORY_STATE and the host's instructions first, the records before the question."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from langchain.agents.middleware.types import ModelRequest
from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, HumanMessage, ToolMessage

from ..memory.prompting import EVIDENCE_BUDGET, RECENT_BUDGET, dated_lines, harmless, history_line, state_section
from ..memory.records import Turn
from ..nodes.contract import Resources
from ..nodes.prompting import prompt
from ..prompts.library import Prompt
from ..prompts.reference import PromptRef
from .turns import Bearing, Turning

_RECENT = 5


@dataclass(frozen=True, slots=True)
class Briefed:
    """A request with what the memory has to say, and the prompt that says it."""

    request: ModelRequest[Any]
    prompt: PromptRef


def briefed(
    request: ModelRequest[Any],
    turning: Turning,
    bears: Bearing,
    messages: Sequence[AnyMessage],
    resources: Resources,
) -> Briefed:
    """Put MEMORY_STATE and the evidence into a request; the host's own messages stay as they are.

    Args:
        request: of the host.
        turning: the turn under way.
        bears: what may bear out its answer.
        messages: those of the request, as the model knows them.
        resources: from ``open_resources``.
    """
    chosen = prompt("agent", turning.perceived.language, resources)
    system, question = _rendered(chosen, request, turning, bears, resources)
    told = [_with_text(one, question) if one.id == turning.message_id else one for one in messages]
    return Briefed(request.override(system_message=system, messages=told), chosen.ref)


def feedback(
    said: Sequence[BaseMessage], faults: Sequence[str], turning: Turning, resources: Resources
) -> list[AnyMessage]:
    """A form that was filled wrongly, given back with what is wrong.

    Args:
        said: the model's message, and what was answered to it already.
        faults: what nothing bears out.
        turning: the turn under way.
        resources: from ``open_resources``.
    """
    message = next(one for one in said if isinstance(one, AIMessage))
    wrong = [*faults] or [one.text for one in said if isinstance(one, ToolMessage)]
    text = prompt("form_repair", turning.perceived.language, resources).render(faults="; ".join(map(harmless, wrong)))
    if not message.tool_calls:
        return [message, HumanMessage(text)]
    calls = [ToolMessage(text, tool_call_id=str(call["id"]), name=call["name"]) for call in message.tool_calls]
    return [message, *calls]


def _rendered(
    chosen: Prompt, request: ModelRequest[Any], turning: Turning, bears: Bearing, resources: Resources
) -> list[Any]:
    turn, memory = turning.perceived, resources.memory
    state = memory.state(turn.user_id)
    recent = _recent(request.messages, turning, resources)
    return chosen.messages(
        state=state_section(state, turn.language),
        updated=state.last_updated.isoformat() if state.last_updated else "-",
        instructions=request.system_message.text if request.system_message else "",
        evidence=dated_lines(bears.shown, turn.time_zone, turn.language, budget=EVIDENCE_BUDGET),
        history=history_line(recent, turn.language),
        recent=dated_lines(recent, turn.time_zone, turn.language, budget=RECENT_BUDGET),
        turn="" if turn.number is None else f"t{turn.number}",
        question="\n".join(map(harmless, turn.text.splitlines())),
    )


def _recent(messages: Sequence[AnyMessage], turning: Turning, resources: Resources) -> list[Turn]:
    """The last turns of the session that are not among the messages: the host sends no history, or cut it."""
    turn = turning.perceived
    recent = resources.memory.recent(turn.user_id, turn.session_id, _RECENT, before=turn.number)
    sent = {message.text for message in messages}
    return [one for one in recent if one.text not in sent]


def _with_text(message: AnyMessage, text: BaseMessage) -> AnyMessage:
    """A message with another text before whatever else it holds: pictures and files stay."""
    if isinstance(message.content, str):
        return message.model_copy(update={"content": text.text})
    others = [one for one in message.content if not isinstance(one, str) and one.get("type") != "text"]
    return message.model_copy(update={"content": [{"type": "text", "text": text.text}, *others]})
