"""An agent's model that says what a script tells it: texts, tool calls, forms; as a whole or token by token."""

import re
from collections.abc import Iterator, Sequence
from typing import Any

from langchain_core.callbacks import CallbackManagerForLLMRun
from langchain_core.language_models import BaseChatModel
from langchain_core.language_models.base import LanguageModelInput
from langchain_core.messages import AIMessage, AIMessageChunk, BaseMessage, HumanMessage, ToolCall
from langchain_core.outputs import ChatGeneration, ChatGenerationChunk, ChatResult
from langchain_core.runnables import Runnable
from pydantic import Field


class AgentModel(BaseChatModel):
    """Says message after message of `script`, and remembers what it was asked with which tools."""

    script: list[Any] = Field(default_factory=list)
    asked: list[list[BaseMessage]] = Field(default_factory=list)
    tools: list[list[str]] = Field(default_factory=list)

    @property
    def _llm_type(self) -> str:
        return "scripted-agent"

    def bind_tools(self, tools: Sequence[Any], **kwargs: Any) -> Runnable[LanguageModelInput, AIMessage]:
        self.tools.append([one["name"] if isinstance(one, dict) else one.name for one in tools])
        return self.bind(**{name: value for name, value in kwargs.items() if value is not None})

    def _next(self, messages: list[BaseMessage]) -> AIMessage:
        self.asked.append(list(messages))
        assert self.script, "the model was called once more than the script foresees"
        said = self.script.pop(0)
        if isinstance(said, Exception):
            raise said
        return AIMessage(said) if isinstance(said, str) else said.model_copy()

    def _generate(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> ChatResult:
        return ChatResult(generations=[ChatGeneration(message=self._next(messages))])

    def _stream(
        self,
        messages: list[BaseMessage],
        stop: list[str] | None = None,
        run_manager: CallbackManagerForLLMRun | None = None,
        **kwargs: Any,
    ) -> Iterator[ChatGenerationChunk]:
        said = self._next(messages)
        pieces = [AIMessageChunk(word) for word in re.split(r"(?<= )", said.text)]
        pieces.append(AIMessageChunk(content="", tool_calls=said.tool_calls))
        for piece in pieces:
            chunk = ChatGenerationChunk(message=piece)
            if run_manager is not None:
                run_manager.on_llm_new_token(piece.text, chunk=chunk)
            yield chunk

    def told(self, call: int = -1) -> str:
        """Everything that the model was told at a call."""
        return "\n".join(message.text for message in self.asked[call])

    def question(self, call: int = -1) -> str:
        """The last message of a person at a call."""
        return [message.text for message in self.asked[call] if isinstance(message, HumanMessage)][-1]


def calling(name: str, text: str = "", **arguments: Any) -> AIMessage:
    """A message that calls a tool."""
    return AIMessage(text, tool_calls=[ToolCall(name=name, args=arguments, id=f"call-{name}", type="tool_call")])
