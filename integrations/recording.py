"""What the assistant said becomes a turn, with what it rests on, and the way to it a trace: as in the graph."""

from typing import Any

from langchain_core.messages import AIMessage
from langgraph.runtime import Runtime
from pydantic import TypeAdapter

from ..memory.records import Answer
from ..nodes.contract import Resources
from ..nodes.record import RecordInput, record
from ..nodes.store import store
from ..nodes.summarize import summarize
from .turns import Turning


def recorded(turning: Turning, message: AIMessage, structured: Any, resources: Resources) -> str:
    """Record the assistant's turn, and summarise the session where it is time to.

    Args:
        turning: the turn that ends.
        message: the agent's last message.
        structured: its answer in a form of the host's, if it has one.
        resources: from ``open_resources``.

    Returns:
        The id of the trace, for ``veridical why``.
    """
    runtime = Runtime(context=turning.context)
    told = _answer(turning, message, structured)
    spoken = message if message.id else message.model_copy(update={"id": f"answer-{turning.message_id}"})
    state: dict[str, Any] = {**turning.state, "messages": [*turning.state["messages"], spoken], "answer": told}
    state["calls"] = [*turning.state["calls"], *turning.calls]
    made = record(RecordInput(**state), runtime, resources=resources)  # type: ignore[typeddict-item]
    if made["trigger"]:
        summary = summarize({"turn": turning.perceived, "trigger": made["trigger"]}, runtime, resources=resources)
        store({"turn": turning.perceived, "answer_id": made["answer_id"], **summary}, runtime, resources=resources)
    return made["answer_id"]


def _answer(turning: Turning, message: AIMessage, structured: Any) -> Answer:
    """What left: the verified answer, or what other middleware put in its place."""
    if turning.answer is not None and message.id == turning.answer_id and message.text == turning.answer.text:
        return turning.answer
    text = message.text or ("" if structured is None else _written(structured))
    return Answer(text, False, "model", model_calls=len(turning.calls))


def _written(structured: Any) -> str:
    return TypeAdapter(Any).dump_json(structured).decode()
