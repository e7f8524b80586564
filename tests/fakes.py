"""A chat model that says what a script tells it, and remembers what it was asked."""

import threading
from collections.abc import Iterator
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from pydantic import Field


class ScriptedModel(BaseChatModel):
    """Answers call after call from `script`: a text, a list of pieces, an error to raise, or an event to wait for.

    Within a list of pieces an exception breaks the stream off. When the script is exhausted the test has a fault.
    """

    script: list[Any] = Field(default_factory=list)
    calls: list[list[BaseMessage]] = Field(default_factory=list)

    @property
    def _llm_type(self) -> str:
        return "scripted"

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        self.calls.append(list(messages))
        assert self.script, "the model was called once more than the script foresees"
        said = self.script.pop(0)
        for piece in said if isinstance(said, list) else [said]:
            if isinstance(piece, Exception):
                raise piece
            if isinstance(piece, threading.Event):
                piece.wait(10)
                continue
            chunk = ChatGenerationChunk(message=AIMessageChunk(piece))
            if run_manager is not None:
                run_manager.on_llm_new_token(piece, chunk=chunk)
            yield chunk

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        text = "".join(chunk.text for chunk in self._stream(messages))
        return ChatResult(generations=[ChatGeneration(message=AIMessage(text))])


class StatusError(Exception):
    """A provider's error with a status code and, perhaps, a Retry-After header."""

    def __init__(self, status: int, retry_after: str | None = None) -> None:
        super().__init__("secret prompt text")
        self.status_code = status
        self.response = type("Response", (), {"headers": {"retry-after": retry_after} if retry_after else {}})()
