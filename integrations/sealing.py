"""Calls of a host's model that nobody listens to, and the call that everybody may listen to: that of the verified text.

A draft is nobody's business but the verifier's. Callbacks reach a call in four ways: through the run's config, through
variables of the context (handlers that were registered for all calls, tracing), through the model itself, and through
whoever wraps the call from outside. The first three are cut here; from outside only the verified message is seen.
"""

import asyncio
import contextvars
from collections.abc import Awaitable, Callable, Iterator
from typing import Any, TypeVar

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, AnyMessage, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables.config import var_child_runnable_config
from langsmith import tracing_context

from ..nodes.release import pieces

Result = TypeVar("Result")


def without_listeners(model: BaseChatModel) -> BaseChatModel:
    """A model that carries no callbacks of its own."""
    return model.model_copy(update={"callbacks": None}) if getattr(model, "callbacks", None) else model


def sealed(call: Callable[[], Result]) -> Result:
    """What a call returns that no callback, stream or trace of the host's sees."""

    def quietly() -> Result:
        with tracing_context(enabled=False):
            return call()

    return _apart().run(quietly)


async def asealed(call: Callable[[], Awaitable[Result]]) -> Result:
    """What an asynchronous call returns that no callback, stream or trace of the host's sees."""

    async def quietly() -> Result:
        with tracing_context(enabled=False):
            return await call()

    return await asyncio.create_task(quietly(), context=_apart())


def _apart() -> contextvars.Context:
    """A context of its own: the run's config without its callbacks, and no variable that registers others."""
    context = contextvars.Context()
    config = var_child_runnable_config.get() or {}
    context.run(var_child_runnable_config.set, {**config, "callbacks": [], "tags": ["nostream"]})
    return context


class VerifiedText(BaseChatModel):
    """Says what was verified, as a model says it: sentence by sentence, to every callback and stream of the host."""

    message: AIMessage

    @property
    def _llm_type(self) -> str:
        return "veridical"

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        said = self.message
        for piece in pieces(said.text):
            chunk = ChatGenerationChunk(message=AIMessageChunk(content=piece, id=said.id))
            if run_manager is not None:
                run_manager.on_llm_new_token(piece, chunk=chunk)
            yield chunk
        last = ChatGenerationChunk(message=_ending(said))
        if run_manager is not None:
            run_manager.on_llm_new_token("", chunk=last)
        yield last

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=self.message.model_copy())])


def _ending(said: AIMessage) -> AIMessageChunk:
    """What belongs to a message besides its text."""
    return AIMessageChunk(
        content="",
        id=said.id,
        name=said.name,
        tool_calls=said.tool_calls,
        invalid_tool_calls=said.invalid_tool_calls,
        usage_metadata=said.usage_metadata,
        response_metadata=said.response_metadata,
        chunk_position="last",
    )


def say(message: AIMessage, heard: list[AnyMessage], metadata: dict[str, Any]) -> None:
    """Let the host's callbacks and streams hear a verified message as the answer to its own messages."""
    VerifiedText(message=message, cache=False).invoke(heard, {"metadata": metadata, "run_name": "veridical"})


async def asay(message: AIMessage, heard: list[AnyMessage], metadata: dict[str, Any]) -> None:
    """The same from a running loop."""
    await VerifiedText(message=message, cache=False).ainvoke(heard, {"metadata": metadata, "run_name": "veridical"})
