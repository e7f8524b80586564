"""What a LangSmith server is sent of a turn: ids, versions and times; what was said only where that is allowed."""

import asyncio
import json
import re
import threading
from collections.abc import Iterator
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from langchain_core.tracers.langchain import LangChainTracer
from langgraph.graph import END, START, StateGraph
from langsmith import Client, traceable, tracing_context
from typing_extensions import TypedDict

from veridical.graph import Context, Resources, build_graph
from veridical.graph.tracing import PREFIX, traced
from veridical.memory.models.client import Model
from veridical.memory.models.roles import Models

from ..fakes import ScriptedModel

pytestmark = [pytest.mark.requirement("TRACES-WITHOUT-TEXT"), pytest.mark.allow_hosts(["127.0.0.1"])]

KEY = "lsv2-the-key"
SAID = "The budget of Apollo is 48,500 dollars."
ASKED = "Apollo 的预算是多少？"
DRAFT = "The budget of Apollo is 99,999 dollars."
TEXTS = ("Apollo", "48,500", "预算", "99,999", "ann@example.org")


class Recording(BaseHTTPRequestHandler):
    """Takes whatever it is sent, and keeps it with its server."""

    def do_POST(self) -> None:
        length = int(self.headers.get("content-length") or 0)
        self.server.bodies.append(self.rfile.read(length) if length else b"".join(self._chunks()))
        self.send_response(202)
        self.send_header("content-length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def _chunks(self) -> Iterator[bytes]:
        while size := int(self.rfile.readline(), 16):
            yield self.rfile.read(size)
            self.rfile.readline()
        self.rfile.readline()

    def log_message(self, *_said: object) -> None:
        """Say nothing."""


class LangSmith:
    """A server of our own in the place of LangSmith's, and a real client of it."""

    def __init__(self) -> None:
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Recording)
        self.server.bodies = []
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        multipart = {"use_multipart_endpoint": True, "size_limit": 100, "size_limit_bytes": 1 << 20}
        self.client = Client(
            api_url=f"http://127.0.0.1:{self.server.server_port}",
            api_key=KEY,
            info={"batch_ingest_config": multipart | {"scale_up_nthreads_limit": 1, "scale_up_qsize_trigger": 1000}},
        )

    def close(self) -> None:
        self.client.cleanup()
        self.server.shutdown()
        self.server.server_close()

    def sent(self) -> str:
        """Everything that was sent, with characters in the place of JSON's escapes."""
        self.client.flush()
        text = b"".join(self.server.bodies).decode()
        return re.sub(r"\\u([0-9a-f]{4})", lambda match: chr(int(match[1], 16)), text)

    def runs(self) -> dict[str, dict]:
        """The metadata that the last run of each name ended with: the server gets them in any order."""
        text = self.sent()
        names = dict(re.findall(r'"id":"([0-9a-f-]{36})"[^\n]*?"name":"(\w+)"', text))
        extras = re.findall(
            r'name="(post|patch)\.([0-9a-f-]{36})\.extra"\r?\n.*?\r?\n\r?\n(\{.*?\})\r?\n--', text, re.DOTALL
        )
        # The ids begin with the time (UUID version 7), and a run is patched after it was posted.
        ordered = sorted(extras, key=lambda sent: (sent[1], sent[0] == "patch"))
        return {names[run]: json.loads(extra)["metadata"] for _, run, extra in ordered if run in names}


@pytest.fixture
def langsmith() -> Iterator[LangSmith]:
    recording = LangSmith()
    with tracing_context(enabled=True, client=recording.client):
        yield recording
    recording.close()


@pytest.fixture
def drafting(resources: Resources) -> Resources:
    """Resources with a model that drafts what nobody said."""
    rewriting = Model(ScriptedModel(script=["none", "none"]), "scripted", wait=lambda _: None)
    drafting = Model(ScriptedModel(script=[DRAFT, DRAFT]), "scripted", wait=lambda _: None)
    return replace(resources, models=Models(drafting, rewriting, None))


def say(graph, text: str, **config: object):
    context = Context(user_id="ann@example.org", session_id="s1")
    return graph.invoke({"messages": [("user", text)]}, config or None, context=context)


def test_no_word_of_a_turn_and_no_key_is_sent(drafting, langsmith):
    graph = build_graph(drafting)
    say(graph, SAID)
    assert say(graph, ASKED)["answer"].model_calls == 4
    sent = langsmith.sent()
    assert {"veridical", "perceive", "retrieve", "answer", "record"} <= langsmith.runs().keys()
    assert [text for text in (*TEXTS, KEY) if text in sent] == []


def test_the_turn_the_answer_the_evidence_and_the_prompts_are_named(graph, langsmith):
    say(graph, SAID)
    said = say(graph, ASKED)
    runs = langsmith.runs()
    turn = {name.removeprefix(PREFIX): value for name, value in runs["veridical"].items() if name.startswith(PREFIX)}
    (prompt,) = said["answer"].prompts
    assert (turn["turn"], turn["answer"], turn["session"], turn["mode"]) == ("t3", "a2", "s1", "floor")
    assert turn["citations"] == ["t1"]
    assert turn["prompts"] == [f"{prompt.name}/v{prompt.version}@{prompt.sha256[:12]}"]
    assert f'"prompt:{prompt.name}/v{prompt.version}"' in langsmith.sent()
    assert "t1" in runs["calibrate"][f"{PREFIX}kept"] or runs["calibrate"][f"{PREFIX}kept"][0].startswith("f")
    assert runs["answer"][f"{PREFIX}turn"] == "t3"


def test_text_is_sent_where_the_settings_allow_it(resources, langsmith):
    say(build_graph(replace(resources, trace_text=True)), SAID)
    assert SAID in langsmith.sent()


def test_what_went_wrong_is_named_without_its_words(resources, langsmith):
    def broken():
        raise RuntimeError(SAID)

    with pytest.raises(RuntimeError):
        say(build_graph(replace(resources, clock=broken)), SAID)
    sent = langsmith.sent()
    assert '\r\n"RuntimeError"\r\n' in sent
    assert [text for text in TEXTS if text in sent] == []


class HostState(TypedDict):
    messages: list
    number: int


def test_a_host_that_traces_sees_our_runs_in_its_own_tree_without_text(graph, langsmith):
    builder = StateGraph(HostState)
    builder.add_node("count", lambda _state: {"number": 7})
    builder.add_node("remember", lambda _state: {"number": len(say(graph, SAID)["messages"])})
    builder.add_edge(START, "count")
    builder.add_edge("count", "remember")
    builder.add_edge("remember", END)
    tracer = LangChainTracer(client=langsmith.client)
    outer = builder.compile(name="host")
    asyncio.run(outer.ainvoke({"messages": [], "number": 0}, {"callbacks": [tracer]}))
    sent, runs = langsmith.sent(), langsmith.runs()
    assert {"host", "count", "remember", "veridical", "perceive"} <= runs.keys()
    assert len(set(re.findall(r'"trace_id":"([0-9a-f-]+)"', sent))) == 1
    assert '"number":7' in sent
    assert f"{PREFIX}turn" not in runs["host"]
    assert [text for text in TEXTS if text in sent] == []


def test_a_host_function_that_is_traced_is_the_parent_of_the_turn(graph, langsmith):
    @traceable(name="ours")
    def ours() -> str:
        return say(graph, SAID)["answer_id"]

    assert ours() == "a1"
    sent = langsmith.sent()
    assert len(set(re.findall(r'"trace_id":"([0-9a-f-]+)"', sent))) == 1
    assert [text for text in TEXTS if text in sent] == []


def test_the_callbacks_of_a_run_are_left_alone_where_nothing_is_traced():
    assert traced({"configurable": {"thread_id": "s1"}}, marks={"user": "x"}, text=False) is None
