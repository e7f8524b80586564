"""No unverified text reaches a stream, an event or a callback of the host, from whichever side it listens."""

import asyncio
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

import pytest
from langchain.agents.middleware import AgentMiddleware, ModelRequest
from langchain_core.callbacks import AsyncCallbackHandler, BaseCallbackHandler, get_usage_metadata_callback
from langchain_core.messages import AIMessage, AIMessageChunk
from langchain_core.tools import tool
from langchain_core.tracers.base import BaseTracer
from langchain_core.tracers.context import register_configure_hook
from langchain_core.tracers.schemas import Run

from tests.integrations.conftest import ANN, THREAD, Agent
from tests.integrations.speaking import calling

BUDGET = "My budget for Apollo is 48,500 dollars."
QUESTION = "What is my budget for Apollo?"
TRUE = "Your budget for Apollo is 48,500 dollars [t1]."
DRAFT = f"{TRUE} It was 52,000 dollars before."
USAGE = {"input_tokens": 7, "output_tokens": 3, "total_tokens": 10}
Agents = Callable[..., Agent]


@tool
def weather(city: str) -> str:
    """The weather in a city."""
    return "18°C and sunny"


def said(text: str) -> AIMessage:
    return AIMessage(text, usage_metadata=USAGE, response_metadata={"model_name": "scripted"})  # type: ignore[arg-type]


@pytest.fixture
def talk(agent: Agents) -> Agent:
    """An agent whose model calls a tool, lies beside that, and then lies after the truth."""
    talk = agent(tools=[weather])
    talk.says("Got it!").run(BUDGET)
    return talk.says(calling("weather", "It was 52,000 dollars.", city="Paris"), said(DRAFT), "NONE")


def asked() -> dict[str, Any]:
    return {"messages": [("user", QUESTION)]}


@pytest.mark.requirement("PLUG-SEALED", "NO-DRAFT-LEAKS")
def test_no_stream_mode_shows_a_draft_and_the_answer_comes_by_sentences(talk: Agent):
    modes: Any = ["messages", "updates", "values", "custom", "debug"]
    seen = list(talk.graph.stream(asked(), THREAD, context=ANN, stream_mode=modes))
    assert "52,000" not in str(seen)
    streamed = [part[0] for mode, part in seen if mode == "messages"]
    assert "".join(one.text for one in streamed if isinstance(one, AIMessageChunk)) == TRUE
    assert sum(isinstance(one, AIMessage) and one.text == TRUE for one in streamed) <= 1
    calls = [call for one in streamed if isinstance(one, AIMessageChunk) for call in one.tool_calls]
    assert [call["name"] for call in calls] == ["weather"]


@pytest.mark.requirement("PLUG-SEALED", "NO-DRAFT-LEAKS")
def test_no_event_shows_a_draft_and_the_verified_text_is_streamed_as_a_models(talk: Agent):
    async def heard() -> list[Any]:
        return [event async for event in talk.graph.astream_events(asked(), THREAD, context=ANN, version="v2")]

    seen = asyncio.run(heard())
    assert "52,000" not in str(seen)
    streamed = [one["data"]["chunk"].text for one in seen if one["event"] == "on_chat_model_stream"]
    assert "".join(streamed) == TRUE


class Listener(BaseCallbackHandler):
    """Writes down whatever it is told."""

    def __init__(self) -> None:
        self.heard: list[Any] = []

    def on_chat_model_start(self, *args: Any, **kwargs: Any) -> None:
        self.heard.append((args, kwargs))

    def on_llm_new_token(self, *args: Any, **kwargs: Any) -> None:
        self.heard.append((args, kwargs))

    def on_llm_end(self, *args: Any, **kwargs: Any) -> None:
        self.heard.append((args, kwargs))

    def on_chain_end(self, *args: Any, **kwargs: Any) -> None:
        self.heard.append((args, kwargs))


class AsyncListener(AsyncCallbackHandler):
    """The same, from a running loop."""

    def __init__(self) -> None:
        self.heard: list[Any] = []

    async def on_llm_new_token(self, *args: Any, **kwargs: Any) -> None:
        self.heard.append((args, kwargs))

    async def on_llm_end(self, *args: Any, **kwargs: Any) -> None:
        self.heard.append((args, kwargs))


_registered: ContextVar[Listener | None] = ContextVar("registered", default=None)
register_configure_hook(_registered, inheritable=True)


@pytest.mark.requirement("PLUG-SEALED", "NO-DRAFT-LEAKS")
def test_no_callback_hears_a_draft_and_each_hears_the_verified_text(talk: Agent):
    of_the_run, of_the_model, for_all = Listener(), Listener(), Listener()
    talk.model.callbacks = [of_the_model]
    token = _registered.set(for_all)
    try:
        talk.graph.invoke(asked(), {**THREAD, "callbacks": [of_the_run]}, context=ANN)
    finally:
        _registered.reset(token)
    assert of_the_model.heard == []
    for listener in (of_the_run, for_all):
        assert "52,000" not in str(listener.heard)
        assert TRUE in str(listener.heard)
    assert "MEM_START" not in str(of_the_run.heard)


@pytest.mark.requirement("PLUG-SEALED")
def test_asynchronous_runs_are_sealed_alike_and_usage_is_counted_once(talk: Agent):
    listener = AsyncListener()

    async def run() -> tuple[str, Any]:
        with get_usage_metadata_callback() as usage:
            result = await talk.graph.ainvoke(asked(), {**THREAD, "callbacks": [listener]}, context=ANN)
        return result["messages"][-1].text, usage.usage_metadata

    text, usage = asyncio.run(run())
    assert text == TRUE
    assert "52,000" not in str(listener.heard)
    assert TRUE in str(listener.heard)
    assert {name: usage["scripted"][name] for name in USAGE} == USAGE


class Runs(BaseTracer):
    """Keeps every run as a tracer has it at its end."""

    def __init__(self) -> None:
        super().__init__()
        self.ended: list[Run] = []

    def _persist_run(self, run: Run) -> None:
        """Nothing is sent anywhere."""

    def _end_trace(self, run: Run) -> None:
        self.ended.append(run)
        super()._end_trace(run)


@pytest.mark.requirement("PLUG-SEALED")
def test_traces_name_prompts_and_records_and_hold_no_draft(talk: Agent):
    tracer = Runs()
    talk.graph.invoke(asked(), {**THREAD, "callbacks": [tracer]}, context=ANN)
    assert "52,000" not in str([(run.inputs, run.outputs, run.events) for run in tracer.ended])
    ended = next(run for run in tracer.ended if run.run_type in {"llm", "chat_model"} and TRUE in str(run.outputs))
    marks = ended.extra["metadata"]
    assert (marks["veridical_turn"], marks["veridical_citations"]) == ("t3", ["t1"])
    assert any(one.startswith("agent/v1@") for one in marks["veridical_prompts"])


def test_middleware_before_it_sees_the_verified_text_only(agent: Agents):
    seen: list[str] = []

    class Onlooker(AgentMiddleware[Any, Any, Any]):
        def wrap_model_call(self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], Any]) -> Any:
            response = handler(request)
            seen.append(str(response.result))
            return response

    talk = agent(before=[Onlooker()])
    talk.says("Got it!").run(BUDGET)
    talk.says(DRAFT, "NONE").run(QUESTION)
    assert "52,000" not in str(seen)
    assert TRUE in seen[-1]
