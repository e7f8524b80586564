"""The memory as tools of an agent: a model asks for things, and the records, the user's words and the user decide.

Whose memory it is comes from the run, never from the model. What is to be remembered or corrected must be quoted from a
turn of the user's. Nothing is forgotten before a person has said yes to exactly what would go.
"""

import json
from collections.abc import Callable, Sequence
from typing import Annotated, Any, Literal, TypeVar

from langchain.tools import ToolRuntime
from langchain_core.tools import BaseTool, ToolException, tool
from langgraph.types import interrupt
from pydantic import Field, ValidationError

from ..memory.errors import VeridicalError
from ..memory.traces import Json
from ..nodes.contract import Resources
from .callers import caller
from .turns import OURS
from .user_memory import UserMemory

Question = Annotated[str, Field(description="What to look for, in English or Chinese", max_length=4000)]
TurnId = Annotated[str, Field(description="The id of a turn of the user's, such as t12")]
ItemId = Annotated[str, Field(description="The id of the item that is wrong, such as f3")]
Quotation = Annotated[str, Field(description="The words of that turn that say it, exactly as they stand there")]
Names = Annotated[list[str], Field(description="Ids of turns, or names or values, by the kind; none for all")]
Result = TypeVar("Result")
_Runtime = ToolRuntime[Any, Any]
_WORD = b"veridical.tools"
"""The word that confirms a forgetting goes to the host, never to the model: it tells what was shown, no secret."""


def memory_tools(resources: Resources) -> list[BaseTool]:
    """``recall``, ``remember``, ``correct`` and ``forget``, for an agent whose context names the user.

    ``forget`` interrupts the run with what would go. The host shows that to the user, and resumes with
    ``Command(resume=shown["confirm"])`` for a yes, with anything else for a no; that takes a checkpointer.

    Args:
        resources: from ``open_resources``.
    """
    tools = [_recall(resources), _remember(resources), _correct(resources), _forget(resources)]
    for one in tools:
        one.handle_tool_error = True
        one.handle_validation_error = _misused
    return tools


def _recall(resources: Resources) -> BaseTool:
    @tool(response_format="content_and_artifact")
    def recall(
        question: Question, runtime: _Runtime, limit: Annotated[int, Field(ge=1, le=50)] = 5
    ) -> tuple[str, Json]:
        """What was said about something: verbatim turns with id, speaker, source and date, the best first.

        `source` says whose words they are: `user_input` the user's, `ai_generated` an assistant's (no evidence about
        the user), `external_knowledge` those of a document. Nothing found means that it was never said.
        """
        found = _told(lambda: _memory(resources, runtime).recall(question, limit=limit))
        results = [one for one in found["results"] if one["turn_id"] != _under_way(runtime)]
        return _written({"results": results}), {OURS: [*dict.fromkeys(one["turn_id"] for one in results)]}

    return recall


def _remember(resources: Resources) -> BaseTool:
    @tool(response_format="content_and_artifact")
    def remember(
        turn_id: TurnId,
        quotation: Quotation,
        runtime: _Runtime,
        attribute: Annotated[str, Field(description="What of it, in snake_case, such as budget")] = "",
        value: Annotated[str, Field(description="The part of the quotation that is the value")] = "",
        about: Annotated[str, Field(description="Whom or what it is about")] = "user",
        kind: Literal["fact", "todo", "decision"] = "fact",
    ) -> tuple[str, Json]:
        """Keep a fact, a todo or a decision that a turn of the user's states; it must be quoted exactly."""
        item = _told(
            lambda: _memory(resources, runtime).remember(
                turn_id, quotation, attribute=attribute, value=value, about=about, kind=kind
            )
        )
        return _written(_shown(item)), {OURS: [item["turn_id"]]}

    return remember


def _correct(resources: Resources) -> BaseTool:
    @tool(response_format="content_and_artifact")
    def correct(
        item_id: ItemId,
        turn_id: TurnId,
        value: Annotated[str, Field(description="The right value, in the exact words of that turn")],
        runtime: _Runtime,
    ) -> tuple[str, Json]:
        """Replace what is wrong by what the user says in a turn; the old value stays in the history."""
        item = _told(lambda: _memory(resources, runtime).correct(item_id, turn_id, value))
        return _written(_shown(item)), {OURS: [item["turn_id"]]}

    return correct


def _forget(resources: Resources) -> BaseTool:
    @tool(response_format="content_and_artifact")
    def forget(
        kind: Literal["turn", "source", "session", "entity", "value", "all"], names: Names, runtime: _Runtime
    ) -> tuple[str, Json]:
        """Forget something for good, where the user asked for it: they are shown what would go, and decide."""
        memory = _memory(resources, runtime)
        planned = _told(lambda: memory.preview(kind, names))
        if not any(planned[what] for what in ("turns", "items", "documents")):
            return "There is nothing of that kind to forget.", {}
        answer = interrupt({"type": "veridical_forget", "kind": kind, "names": names, **planned})
        if answer != planned["confirm"]:
            return "The user did not agree: nothing was forgotten.", {}
        return _reported(_told(lambda: memory.forget(kind, names, answer))), {}

    return forget


def _memory(resources: Resources, runtime: _Runtime) -> UserMemory:
    """The memory of the user whom the run is for."""
    context = _told(lambda: caller(runtime.context, runtime.config.get("configurable")))
    return UserMemory(resources, context.user_id, str(context.session_id), context.terminal, _WORD)


def _under_way(runtime: _Runtime) -> str:
    """The id of the turn that the agent is in: what is asked now was not said before."""
    turning = runtime.state.get("veridical_turn") if isinstance(runtime.state, dict) else None
    number = None if turning is None else turning.perceived.number
    return "" if number is None else f"t{number}"


def _told(call: Callable[[], Result]) -> Result:
    """What a call returns.

    Raises:
        ToolException: it cannot be done as asked; the model reads the sentence that says what to do.
    """
    try:
        return call()
    except VeridicalError as error:
        raise ToolException(" ".join(str(error).split())) from error


def _misused(error: Any) -> str:
    """The sentence for arguments that will not do."""
    first = error.errors()[0] if isinstance(error, ValidationError) else {"loc": (), "msg": str(error)}
    name = ".".join(map(str, first["loc"])) or "given"
    return f"The argument {name} will not do ({first['msg']}): correct it, and call again."


def _reported(report: Json) -> str:
    gone = ", ".join([*report["turns"], *report["echoes"]]) or f"{report['documents']} documents"
    left = "" if report["clean"] else " Something of it is left in the files: `veridical doctor` tells what to do."
    return f"It is forgotten for good ({gone}).{left}"


def _shown(item: Json) -> Json:
    names: Sequence[str] = ("id", "kind", "entity", "attribute", "value", "quote", "turn_id")
    return {name: item[name] for name in names}


def _written(document: Json) -> str:
    return json.dumps(document, ensure_ascii=False)
