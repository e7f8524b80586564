"""The memory as middleware of an agent: what the user says is kept, what the model says is verified first."""

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Generator, Sequence
from dataclasses import replace
from time import monotonic
from typing import Annotated, Any, NotRequired
from uuid import uuid4

from langchain.agents.middleware import AgentMiddleware, AgentState, hook_config
from langchain.agents.middleware.types import ExtendedModelResponse, ModelRequest, ModelResponse, PrivateStateAttr
from langchain.agents.structured_output import StructuredOutputError
from langchain_core.messages import AIMessage, AnyMessage, BaseMessage
from langgraph.channels.untracked_value import UntrackedValue
from langgraph.config import get_config
from langgraph.runtime import Runtime
from langgraph.types import Command

from ..graph.marks import marks_of
from ..memory.models.client import Model, ModelCall
from ..memory.records import Answer
from ..memory.traces import Json, answer_document
from ..nodes.contract import Resources
from ..prompts.tokens import count_tokens
from .briefing import briefed, feedback
from .callers import caller
from .recording import recorded
from .sealing import asay, asealed, say, sealed, without_listeners
from .structured import unsupported
from .turns import OURS, Turning, bearing, begun, is_same, settled
from .verifying import Verifying

_MOST_CALLS = 2
"""A structured answer that nothing bears out is given back once."""
_MOST_DRAFTS = 256
_KEPT = frozenset(
    {"finish_reason", "stop_reason", "model", "model_name", "model_provider", "service_tier", "system_fingerprint"}
)
"""What a provider says of a message that cannot hold any of its text."""


class VeridicalState(AgentState[Any]):
    """What the middleware adds to the state of an agent: the turn under way, in no checkpoint and no output."""

    veridical_turn: NotRequired[Annotated[Turning, UntrackedValue, PrivateStateAttr]]


_Calls = Generator[ModelRequest[Any], ModelResponse[Any], tuple[ModelResponse[Any], Turning]]
_Handler = Callable[[ModelRequest[Any]], ModelResponse[Any]]
_AsyncHandler = Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]]


class VeridicalMemory(AgentMiddleware[VeridicalState, Any, Any]):
    """Gives an agent a memory that does not lie.

    Before the model is called the user's message is recorded, and MEMORY_STATE and what was found for it are put into
    the request. What the model says is verified claim by claim inside ``wrap_model_call``; only what is borne out by
    records, or by what tools returned in this turn, leaves it. After the agent the answer is recorded with its
    citations. The verified message carries them in ``response_metadata["veridical"]``.

    Put it last in the list: middleware before it sees verified messages only, middleware behind it sees drafts.
    """

    state_schema = VeridicalState

    def __init__(self, resources: Resources, *, timeout: float = 30.0) -> None:
        """Make the middleware.

        Args:
            resources: from ``open_resources``; the models that they name rewrite questions, as in the graph.
            timeout: seconds that a call of the agent's model for a repair or for general knowledge may take.
        """
        super().__init__()
        self.tools = []
        self._resources = resources
        self._timeout = timeout
        self._drafts: OrderedDict[str, AIMessage] = OrderedDict()

    def before_model(self, state: VeridicalState, runtime: Runtime[Any]) -> dict[str, Any] | None:
        """Record the user's message, once per turn, and look up what the memory has on it.

        Raises:
            UserRequired: the run's context names no user.
            BadInput: there is no text to answer.
            ThreadOwned: the thread belongs to another user.
        """
        if is_same(state.get("veridical_turn"), state["messages"]):
            return None
        return {"veridical_turn": self._begun(state, runtime)}

    def wrap_model_call(self, request: ModelRequest[Any], handler: _Handler) -> ExtendedModelResponse[Any]:
        """Call the model where nobody listens, and let out what is verified."""
        calls, response = self._calls(request), None
        while not isinstance(step := _advanced(calls, response), tuple):
            response = _called_back(step, handler)
        made, turning = step
        for message in _spoken(made):
            say(message, request.messages, _metadata(turning))
        return ExtendedModelResponse(made, Command(update={"veridical_turn": turning}))

    async def awrap_model_call(self, request: ModelRequest[Any], handler: _AsyncHandler) -> ExtendedModelResponse[Any]:
        """The same from a running loop: everything but the calls themselves runs in a thread."""
        calls, response = self._calls(request), None
        while not isinstance(step := await asyncio.to_thread(_advanced, calls, response), tuple):
            response = await _acalled_back(step, handler)
        made, turning = step
        for message in _spoken(made):
            await asay(message, request.messages, _metadata(turning))
        return ExtendedModelResponse(made, Command(update={"veridical_turn": turning}))

    @hook_config(can_jump_to=["end"])
    def after_model(self, state: VeridicalState, runtime: Runtime[Any]) -> dict[str, Any] | None:
        """End the turn where the form that the host asked for cannot be filled truthfully."""
        turning = state.get("veridical_turn")
        return {"jump_to": "end"} if turning is not None and turning.closed else None

    def after_agent(self, state: VeridicalState, runtime: Runtime[Any]) -> dict[str, Any] | None:
        """Record what the assistant said, with what it rests on."""
        last = next((one for one in reversed(state["messages"]) if isinstance(one, AIMessage)), None)
        if last is None:
            return None
        turning = state.get("veridical_turn") or self._begun(state, runtime)
        answer_id = recorded(turning, last, state.get("structured_response"), self._resources)
        metadata = {**last.response_metadata.get(OURS, {}), "answer_id": answer_id}
        told = last.model_copy(update={"response_metadata": {**last.response_metadata, OURS: metadata}})
        return {"messages": [told]}

    def _begun(self, state: VeridicalState, runtime: Runtime[Any]) -> Turning:
        context = caller(runtime.context, get_config().get("configurable"))
        return begun(state["messages"], context, self._resources)

    def _calls(self, request: ModelRequest[Any]) -> _Calls:
        """Yield the requests to call the model with, and return what leaves."""
        turning: Turning = request.state["veridical_turn"]  # type: ignore[typeddict-item]
        verifying = self._verifying(request, turning)
        if not (verifying.bears.results or turning.calls) and (challenged := verifying.premise()):
            return _answered(challenged, AIMessage("", id=f"answer-{uuid4().hex}"), turning, ())
        to_call = briefed(request, turning, verifying.bears, self._originals(request.messages), self._resources)
        verifying.used.append(to_call.prompt)
        sent = to_call.request.override(model=without_listeners(request.model))
        calls: list[ModelCall] = []
        while True:
            start = monotonic()
            response = yield sent
            calls.append(_called(sent, response, start))
            faults = self._faults(response, request, verifying)
            if faults is None:
                return self._let_out(response, request, verifying, calls)
            if len(calls) == _MOST_CALLS:
                return _given_up(response, verifying, calls)
            given_back = feedback(response.result, faults, turning, self._resources)
            sent = sent.override(messages=[*sent.messages, *given_back])

    def _verifying(self, request: ModelRequest[Any], turning: Turning) -> Verifying:
        chat = without_listeners(request.model)
        model = Model(chat, str(getattr(chat, "model_name", chat.get_name())), timeout=self._timeout)
        instructions = [request.system_message] if request.system_message else []
        bears = bearing(turning, request.messages, self._resources)
        return Verifying(turning, bears, [*instructions, *turning.state["messages"]], self._resources, model)

    def _faults(
        self, response: ModelResponse[Any], request: ModelRequest[Any], verifying: Verifying
    ) -> Sequence[str] | None:
        """What of a structured answer nothing bears out, or that it has no such form; ``None`` where all is well."""
        if request.response_format is None or _acts(response, request):
            return None
        if response.structured_response is None:
            return ()
        return unsupported(response.structured_response, verifying) or None

    def _let_out(
        self, response: ModelResponse[Any], request: ModelRequest[Any], verifying: Verifying, calls: Sequence[ModelCall]
    ) -> tuple[ModelResponse[Any], Turning]:
        """What of a response may leave."""
        draft = next(one for one in response.result if isinstance(one, AIMessage))
        turning = verifying.turning
        if request.response_format is None and not draft.tool_calls:
            return _answered(verifying.answer(draft.text), draft, turning, calls)
        # What is said beside tool calls is said before their results are there: it is withheld.
        text = "" if draft.tool_calls or draft.invalid_tool_calls else draft.text
        message = _message(draft, text, {})
        self._remember(draft)
        others = [one for one in response.result if one is not draft]
        return (
            ModelResponse([message, *others], response.structured_response),
            replace(turning, calls=(*turning.calls, *calls)),
        )

    def _remember(self, draft: AIMessage) -> None:
        """Keep a draft for the model's own eyes: some providers want their reasoning back with the tools' results."""
        if draft.id is not None:
            self._drafts[draft.id] = draft
            while len(self._drafts) > _MOST_DRAFTS:
                self._drafts.popitem(last=False)

    def _originals(self, messages: Sequence[AnyMessage]) -> list[AnyMessage]:
        """The messages as the model said them, as far as they are remembered."""
        return [self._drafts.get(message.id or "", message) for message in messages]


def _called_back(request: ModelRequest[Any], handler: _Handler) -> ModelResponse[Any]:
    """What the model says where nobody listens; a form that it filled wrongly is no error yet."""
    try:
        return sealed(lambda: handler(request))
    except StructuredOutputError as wrong:
        return ModelResponse([wrong.ai_message])


async def _acalled_back(request: ModelRequest[Any], handler: _AsyncHandler) -> ModelResponse[Any]:
    """The same from a running loop."""
    try:
        return await asealed(lambda: handler(request))
    except StructuredOutputError as wrong:
        return ModelResponse([wrong.ai_message])


def _advanced(
    calls: _Calls, response: ModelResponse[Any] | None
) -> ModelRequest[Any] | tuple[ModelResponse[Any], Turning]:
    """The next request, or what leaves in the end."""
    try:
        return next(calls) if response is None else calls.send(response)
    except StopIteration as done:
        return done.value  # type: ignore[no-any-return]


def _acts(response: ModelResponse[Any], request: ModelRequest[Any]) -> bool:
    """Whether a response calls one of the agent's tools."""
    names = {one.get("name") if isinstance(one, dict) else one.name for one in request.tools}
    return any(
        call["name"] in names for one in response.result if isinstance(one, AIMessage) for call in one.tool_calls
    )


def _answered(
    answer: Answer, draft: AIMessage, turning: Turning, calls: Sequence[ModelCall]
) -> tuple[ModelResponse[Any], Turning]:
    """A response that holds a verified answer and nothing else."""
    bare = draft.model_copy(update={"tool_calls": [], "invalid_tool_calls": []})
    message = _message(bare, answer.text, {OURS: _without_text(answer)})
    return ModelResponse([message]), settled(turning, answer, str(message.id), calls)


def _given_up(
    response: ModelResponse[Any], verifying: Verifying, calls: Sequence[ModelCall]
) -> tuple[ModelResponse[Any], Turning]:
    """The end of a turn without the form that the host asked for: what can be said instead."""
    draft = next(one for one in response.result if isinstance(one, AIMessage))
    made, turning = _answered(verifying.declined(), draft, verifying.turning, calls)
    return made, replace(turning, closed=True)


def _message(draft: AIMessage, text: str, metadata: Json) -> AIMessage:
    """A message with the verified text and the tool calls of a draft, and nothing else of what it said."""
    told = {name: value for name, value in draft.response_metadata.items() if name in _KEPT}
    return AIMessage(
        content=text,
        id=draft.id,
        name=draft.name,
        tool_calls=draft.tool_calls,
        invalid_tool_calls=draft.invalid_tool_calls,
        usage_metadata=draft.usage_metadata,
        response_metadata={**told, **metadata},
    )


def _without_text(answer: Answer) -> Json:
    document = answer_document(answer)
    return {name: document[name] for name in ("mode", "abstained", "claims", "citations", "prompts")}


def _called(request: ModelRequest[Any], response: ModelResponse[Any], start: float) -> ModelCall:
    message = next((one for one in response.result if isinstance(one, AIMessage)), None)
    usage = message.usage_metadata if message is not None else None
    tokens = usage["total_tokens"] if usage else _counted([*request.messages, *response.result])
    name = str(getattr(request.model, "model_name", request.model.get_name()))
    return ModelCall("agent", name, "ok", tokens, round((monotonic() - start) * 1000, 1))


def _counted(messages: Sequence[BaseMessage]) -> int:
    return sum(count_tokens(message.text) for message in messages)


def _spoken(response: ModelResponse[Any]) -> list[AIMessage]:
    return [one for one in response.result if isinstance(one, AIMessage)]


def _metadata(turning: Turning) -> dict[str, Any]:
    """What traces may know of a turn: ids and prompt versions, no text."""
    marks = marks_of({"turn": turning.perceived, "answer": turning.answer})
    return {f"veridical_{name}": value for name, value in marks.items()}
