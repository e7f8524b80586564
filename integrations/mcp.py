"""The memory as a server of the Model Context Protocol: tools for a host's model, and MEMORY_STATE as a resource.

Whatever comes through a tool was written by the host's model. That it repeats the user's words is not known, so that
``note`` asks the user, where the host can; without their yes it is kept as the assistant's, and bears out nothing about
the user. Forgetting takes two calls, and the user's yes where the host can ask for it.
"""

import logging
from time import perf_counter
from typing import Annotated, Any, Literal

from mcp.server.elicitation import AcceptedElicitation, ElicitationResult
from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError
from mcp.server.mcpserver.resolve import Elicit, Resolve
from mcp.types import CallToolResult, InputRequiredResult, ToolAnnotations
from pydantic import BaseModel, Field, ValidationError

from .. import __version__
from ..graph.marks import user_mark
from ..memory.errors import BadInput, VeridicalError
from ..memory.language.folding import clean, detect_language
from ..memory.traces import Json
from ..prompts.library import load
from .user_memory import UserMemory

logger = logging.getLogger(__name__)

STATE_URI = "veridical://memory_state"
INSTRUCTIONS = (
    "A memory of what the user said, verbatim. Call recall or ask before you say anything about the past, and quote "
    "with the ids you are given; what is not there was never said. Call note with the user's own words, unchanged, "
    "when they tell you something worth keeping. Call forget only when the user asks for it."
)
_FAULT = "A fault of the memory server, and nothing that was recorded is lost: try again, or see its log."
_SPEAKER = "assistant"
_MOST_SHOWN = 10
_READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
_WRITES = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)
_DESTROYS = ToolAnnotations(read_only_hint=False, destructive_hint=True, open_world_hint=False)

Question = Annotated[str, Field(description="What to look for, in English or Chinese", max_length=4000)]
Words = Annotated[str, Field(description="What the user said, word for word", max_length=20000)]
TurnId = Annotated[str, Field(description="The id of a turn of the user's, such as t12")]
Quotation = Annotated[str, Field(description="The words of that turn that say it, exactly as they stand there")]
Names = Annotated[list[str], Field(description="Ids of turns, or names or values, by the kind; none for all")]
Forgettable = Literal["turn", "source", "session", "entity", "value", "all"]
Confirming = Annotated[str, Field(description="Empty for a preview; then the word `confirm` of that preview")]


class Yes(BaseModel):
    """What a person is shown: accepting it is a yes."""

    agreed: bool = Field(True, title="Yes", description="是 / yes")


class MemoryServer(MCPServer[Any]):
    """A server whose errors are one sentence each, and whose log tells of calls and not of what they say."""

    def __init__(self, memory: UserMemory) -> None:
        """Begin a server without tools for one user's memory."""
        super().__init__("veridical", version=__version__, instructions=INSTRUCTIONS, log_level="CRITICAL")
        self._user = user_mark(memory.user_id)

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """Call a tool.

        Raises:
            ToolError: the call failed; the message is one sentence that says what to do.
        """
        start = perf_counter()
        try:
            result = await super().call_tool(name, arguments, context)
        except ToolError as error:
            self._log(name, start, type(error.__cause__).__name__)
            raise ToolError(_sentence(error)) from error
        self._log(name, start, "ok" if isinstance(result, CallToolResult) else "asks")
        return result

    def _log(self, tool: str, start: float, outcome: str) -> None:
        spent = round((perf_counter() - start) * 1000, 1)
        named = {"tool": tool if tool in _TOOLS else "unknown", "user": self._user}
        logger.info("tool called", extra={"fields": {**named, "ms": spent, "outcome": outcome}})


_TOOLS = frozenset({"recall", "ask", "note", "remember", "correct", "why", "forget"})


def build_server(memory: UserMemory, *, trusts_host: bool = False) -> MemoryServer:
    """The server of one user's memory.

    Args:
        memory: whose it is, and where.
        trusts_host: whether what the host passes to ``note`` counts as the user's own words without asking them.
    """
    server = MemoryServer(memory)
    _add_reading(server, memory)
    _add_noting(server, memory, trusts_host=trusts_host)
    _add_forgetting(server, memory)

    @server.resource(STATE_URI, name="MEMORY_STATE", mime_type="application/json")
    def memory_state() -> Json:
        """What holds now: facts, agreements, open questions and todos, errands, conflicts, each with its turn."""
        return memory.state()

    return server


def _add_reading(server: MemoryServer, memory: UserMemory) -> None:
    @server.tool(annotations=_READS)
    def recall(question: Question, limit: Annotated[int, Field(ge=1, le=50)] = 5) -> Json:
        """What was said about something: verbatim turns with id, speaker, source and date, the best first.

        `source` says whose words they are: `user_input` the user's, `ai_generated` an assistant's (no evidence about
        the user), `external_knowledge` those of a document or service. Nothing found means that it was never said.
        """
        return memory.recall(question, limit=limit)

    @server.tool(annotations=_READS)
    def ask(question: Question) -> Json:
        """A checked answer from the records, quoted and cited, with an id for `why`; or that there is none."""
        return memory.ask(question)

    @server.tool(annotations=_READS)
    def why(id: Annotated[str, Field(description="Of an answer (a7), an item (f3) or a turn (t12)")]) -> Json:
        """How an answer came about, or what an item or a turn is: its quotation, its source, what replaced it."""
        return memory.why(id)


def _add_noting(server: MemoryServer, memory: UserMemory, *, trusts_host: bool) -> None:
    def asked(text: Words, ctx: Context[Any, Any]) -> Yes | Elicit[Yes]:
        """Ask the user whether they said that; where nobody can be asked, or need be, the answer is not read."""
        words = clean(text).strip()
        if trusts_host or not words or not _can_ask(ctx):
            return Yes(agreed=True)
        return Elicit(_text("words", words, text=words), Yes)

    @server.tool(annotations=_WRITES)
    def note(text: Words, outcome: Annotated[ElicitationResult[Yes], Resolve(asked)], ctx: Context[Any, Any]) -> Json:
        """Record what the user just said, word for word. Facts, todos and decisions in it are noted by themselves.

        The user may be asked whether these are their words. Where that is not possible they are recorded as yours
        (`source`: `ai_generated`), and are no evidence about the user.
        """
        by_user = trusts_host or _can_ask(ctx)
        if by_user and not _agreed(outcome):
            message = "The user did not confirm that these are their words: nothing was noted."
            raise BadInput(message)
        return memory.note(text, speaker="" if by_user else _SPEAKER)

    @server.tool(annotations=_WRITES)
    def remember(
        turn_id: TurnId,
        quotation: Quotation,
        attribute: Annotated[str, Field(description="What of it, in snake_case, such as budget")] = "",
        value: Annotated[str, Field(description="The part of the quotation that is the value")] = "",
        about: Annotated[str, Field(description="Whom or what it is about")] = "user",
        kind: Literal["fact", "todo", "decision"] = "fact",
    ) -> Json:
        """Keep a fact, a todo or a decision that a turn of the user's states; it must be quoted exactly.

        Only turns in the user's own words count. `recall` and `note` give the ids of turns.
        """
        return memory.remember(turn_id, quotation, attribute=attribute, value=value, about=about, kind=kind)

    @server.tool(annotations=_WRITES)
    def correct(
        item_id: Annotated[str, Field(description="The id of the item that is wrong, such as f3")],
        turn_id: TurnId,
        value: Annotated[str, Field(description="The right value, in the words of that turn")],
    ) -> Json:
        """Replace the value of an item by what a turn of the user's says is right. The old one stays citable."""
        return memory.correct(item_id, turn_id, value)


def _add_forgetting(server: MemoryServer, memory: UserMemory) -> None:
    def asked(kind: Forgettable, names: Names, confirm: Confirming, ctx: Context[Any, Any]) -> Yes | Elicit[Yes]:
        """Ask the user whether that may go, once it is to go; where nobody can be asked the answer is not read."""
        if not confirm or not _can_ask(ctx):
            return Yes(agreed=True)
        turns = memory.confirmed(kind, names, confirm).turns
        shown = [{"id": turn.id, "speaker": turn.speaker, "text": turn.text} for turn in turns[:_MOST_SHOWN]]
        said = "".join(turn.text for turn in turns[:_MOST_SHOWN])
        return Elicit(_text("forget", said, turns=shown, more=max(len(turns) - _MOST_SHOWN, 0)), Yes)

    @server.tool(annotations=_DESTROYS)
    def forget(
        kind: Forgettable,
        names: Names,
        outcome: Annotated[ElicitationResult[Yes], Resolve(asked)],
        ctx: Context[Any, Any],
        confirm: Confirming = "",
    ) -> Json:
        """Forget something for good, in two calls: the first shows what would go, the second does it.

        Show the user the preview and let them decide; then call again with its `confirm`. They may be asked once more.
        """
        if not confirm:
            return memory.preview(kind, names)
        if kind == "all" and not _can_ask(ctx):
            message = "Everything can only be forgotten by the user, who runs `veridical forget --all`."
            raise BadInput(message)
        if not _agreed(outcome):
            message = "The user did not agree: nothing was forgotten."
            raise BadInput(message)
        return memory.forget(kind, names, confirm)


def _can_ask(context: Context[Any, Any]) -> bool:
    """Whether the host lets a server ask its user something by a form."""
    capabilities = context.client_capabilities
    asking = None if capabilities is None else capabilities.elicitation
    return asking is not None and (asking.form is not None or asking.url is None)


def _agreed(outcome: ElicitationResult[Yes]) -> bool:
    return isinstance(outcome, AcceptedElicitation) and outcome.data.agreed


def _text(part: str, spoken: str, **given: Any) -> str:
    """What the user is asked, in the language of what it is about."""
    variables = {"text": "", "turns": [], "more": 0} | given
    return load("mcp_texts", detect_language(spoken)).render(part=part, **variables).strip()


def _sentence(error: ToolError) -> str:
    """What a failed call tells the model: our own sentences as they are, of anything else no words."""
    cause = error.__cause__
    if isinstance(cause, VeridicalError | ToolError):
        return " ".join(str(cause).split())
    if isinstance(cause, ValidationError):
        first = cause.errors()[0]
        name = ".".join(map(str, first["loc"]))
        return f"The argument {name} will not do ({first['msg']}): correct it, and call again."
    if cause is None:
        return " ".join(str(error).split())
    logger.error("a tool failed", exc_info=cause)
    return _FAULT
