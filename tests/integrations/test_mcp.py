"""The memory as an MCP server, asked by the protocol's own client: within this process, and over standard input and output."""

import io
import json
import os
import re
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

import anyio
import pytest
from mcp import Client, StdioServerParameters
from mcp.client.stdio import stdio_client
from mcp.types import ElicitResult

from veridical.graph import Context, Resources, build_graph
from veridical.integrations.mcp import STATE_URI, build_server
from veridical.integrations.user_memory import UserMemory
from veridical.memory.retrieval.embedders import open_embedder
from veridical.memory.store import Memory

from ..graph.test_logs import log  # noqa: F401 - a fixture

pytestmark = pytest.mark.requirement("MCP-SERVER")

BUDGET = "The budget of Apollo is 48,500 dollars."
NAME = "我叫王慕辰。"


class Person:
    """Somebody who is asked by the host, and answers what the test says."""

    def __init__(self, action: str = "accept") -> None:
        self.action = action
        self.asked: list[str] = []

    async def __call__(self, _context: object, params: object) -> ElicitResult:
        self.asked.append(params.message)
        content = {"agreed": True} if self.action == "accept" else None
        return ElicitResult(action=self.action, content=content)


class Host:
    """A host with a client of the protocol's library."""

    def __init__(self, client: Client) -> None:
        self.client = client

    async def call(self, tool: str, **arguments: object) -> dict:
        result = await self.client.call_tool(tool, arguments)
        assert not result.is_error, result.content
        return result.structured_content

    async def fail(self, tool: str, **arguments: object) -> str:
        result = await self.client.call_tool(tool, arguments)
        assert result.is_error, result
        (said,) = result.content
        return said.text


Play = Callable[[Host], Awaitable[None]]


@pytest.fixture
def resources(tmp_path: Path) -> Iterator[Resources]:
    with Memory(tmp_path / "data", open_embedder("hashing:64")) as memory:
        yield Resources(memory=memory, clock=lambda: datetime.now(UTC), time_zone="UTC")


@pytest.fixture
def play(resources: Resources) -> Callable[..., None]:
    """Let a host play a scene with the memory of ann."""

    def _play(scene: Play, person: Person | None = None, *, mode: str = "auto", trusts_host: bool = False) -> None:
        memory = UserMemory(resources, "ann", "mcp-1", "mcp")

        async def run() -> None:
            server = build_server(memory, trusts_host=trusts_host)
            async with Client(server, mode=mode, elicitation_callback=person) as client:
                await scene(Host(client))

        anyio.run(run)

    return _play


@pytest.mark.parametrize("mode", ["auto", "legacy"])
@pytest.mark.parametrize(
    ("said", "question", "value"),
    [(BUDGET, "What is the budget of Apollo?", "48,500 dollars"), (NAME, "我叫什么名字？", "王慕辰")],
)
def test_what_the_user_confirms_is_their_word_and_is_answered_with_it(play, mode, said, question, value):
    person = Person()

    async def scene(host: Host) -> None:
        noted = await host.call("note", text=said)
        assert (noted["source"], noted["role"], noted["items"][0]["value"]) == ("user_input", "user", value)
        answer = await host.call("ask", question=question)
        assert value in answer["text"]
        assert answer["citations"][0]["turn_id"] == noted["id"]
        assert (await host.call("why", id=answer["answer_id"]))["question"] == question
        (first, *_) = (await host.call("recall", question=question))["results"]
        assert (first["turn_id"], first["source"], first["text"]) == (noted["id"], "user_input", said)

    play(scene, person, mode=mode)
    assert [said in asked for asked in person.asked] == [True]
    assert bool(re.search("[\u4e00-\u9fff]", person.asked[0].replace(said, ""))) == (said is NAME)


@pytest.mark.requirement("P2")
@pytest.mark.parametrize("said", [BUDGET, NAME])
def test_what_only_the_model_says_that_the_user_said_is_nobodys_fact(play, resources, said):
    async def scene(host: Host) -> None:
        noted = await host.call("note", text=said)
        assert (noted["source"], noted["role"], noted["items"]) == ("ai_generated", "assistant", [])
        sentence = await host.fail("remember", turn_id=noted["id"], quotation=said)
        assert "user's own words" in sentence
        assert (await host.call("recall", question=said))["results"][0]["source"] == "ai_generated"

    play(scene)
    assert resources.memory.state("ann").current_facts == ()


@pytest.mark.requirement("P2")
def test_a_host_that_is_trusted_passes_the_users_words(play):
    person = Person()

    async def scene(host: Host) -> None:
        assert (await host.call("note", text=BUDGET))["source"] == "user_input"

    play(scene, person, trusts_host=True)
    assert person.asked == []


@pytest.mark.parametrize("action", ["decline", "cancel"])
def test_what_the_user_does_not_confirm_is_not_noted(play, resources, action):
    async def scene(host: Host) -> None:
        assert "nothing was noted" in await host.fail("note", text=BUDGET)

    play(scene, Person(action))
    assert resources.memory.recent("ann", "mcp-1", 10) == []


@pytest.mark.requirement("P1")
def test_only_what_a_turn_of_the_users_says_is_remembered(play, resources):
    graph = build_graph(resources)
    context = Context(user_id="ann", session_id="chat")
    for text in ("Wang Muchen leads Apollo from May on.", "Should I buy the red one?", "It was Wang Ming, sorry."):
        graph.invoke({"messages": [("user", text)]}, context=context)

    async def scene(host: Host) -> None:
        quoted = {"turn_id": "t1", "quotation": "Wang Muchen leads Apollo", "attribute": "lead", "about": "apollo"}
        item = await host.call("remember", **quoted, value="Wang Muchen")
        assert (item["entity"], item["attribute"], item["value"], item["turn_id"]) == (
            "apollo",
            "lead",
            "Wang Muchen",
            "t1",
        )
        assert (await host.call("remember", **quoted, value="Wang Muchen"))["id"] == item["id"]
        assert (await host.call("why", id=item["id"]))["turn"]["text"] == "Wang Muchen leads Apollo from May on."
        assert "exactly" in await host.fail("remember", turn_id="t1", quotation="Wang Ming leads Apollo")
        assert "not part of the quotation" in await host.fail("remember", **quoted, value="May")
        assert "only asks" in await host.fail("remember", turn_id="t3", quotation="I buy the red one")
        assert "not in the user's words" in await host.fail("remember", turn_id="t2", quotation="Apollo")
        assert "no turn 't99'" in await host.fail("remember", turn_id="t99", quotation="Apollo")
        state = json.loads((await host.client.read_resource(STATE_URI)).contents[0].text)
        assert item["id"] in [fact["id"] for fact in state["current_facts"]]
        right = await host.call("correct", item_id=item["id"], turn_id="t5", value="Wang Ming")
        assert (right["value"], right["turn_id"]) == ("Wang Ming", "t5")
        assert (await host.call("why", id=item["id"]))["item"]["closed_by"] == "correction"
        assert "does not contain" in await host.fail("correct", item_id=right["id"], turn_id="t5", value="Wang Fang")

    play(scene)


@pytest.mark.requirement("P8")
@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_forgetting_takes_a_preview_its_word_and_the_users_yes(play, resources, mode):
    person = Person()

    async def scene(host: Host) -> None:
        await host.call("note", text=BUDGET)
        meant = {"kind": "value", "names": ["48,500"]}
        shown = await host.call("forget", **meant)
        assert [turn["id"] for turn in shown["turns"]] == ["t1"]
        assert "preview" in await host.fail("forget", **meant, confirm="000000000000")
        assert "preview" in await host.fail("forget", kind="turn", names=["t1"], confirm=shown["confirm"])
        assert person.asked == [person.asked[0]]
        person.action = "decline"
        assert "nothing was forgotten" in await host.fail("forget", **meant, confirm=shown["confirm"])
        assert (await host.call("why", id="t1"))["turn"]["text"] == BUDGET
        person.action = "accept"
        done = await host.call("forget", **meant, confirm=shown["confirm"])
        assert (done["turns"], done["clean"]) == (["t1"], True)
        assert "no turn 't1'" in await host.fail("why", id="t1")

    play(scene, person, mode=mode)
    assert [BUDGET in asked for asked in person.asked] == [True, True, True]


@pytest.mark.requirement("P8")
def test_a_model_alone_needs_two_calls_to_forget_and_cannot_forget_everything(play, resources):
    async def scene(host: Host) -> None:
        await host.call("note", text=BUDGET)
        everything = await host.call("forget", kind="all", names=[])
        sentence = await host.fail("forget", kind="all", names=[], confirm=everything["confirm"])
        assert "veridical forget --all" in sentence
        one = await host.call("forget", kind="turn", names=["t1"])
        await host.call("note", text=BUDGET)
        assert (await host.call("forget", kind="turn", names=["t1"], confirm=one["confirm"]))["turns"] == ["t1"]

    play(scene, trusts_host=True)
    assert [turn.id for turn in resources.memory.recent("ann", "mcp-1", 10)] == ["t2"]


@pytest.mark.requirement("ERRORS-ONE-SENTENCE")
def test_every_error_is_one_sentence_and_a_fault_tells_no_words(play, resources, monkeypatch):
    async def scene(host: Host) -> None:
        said = [
            await host.fail("recall"),
            await host.fail("recall", question="x", limit=0),
            await host.fail("note", text="  "),
            await host.fail("forget", kind="turn", names=["x"]),
            await host.fail("forget", kind="all", names=["x"]),
            await host.fail("why", id="q7"),
            await host.fail("unheard_of"),
        ]
        assert [text for text in said if "\n" in text or not text.strip() or "Error" in text] == []
        monkeypatch.setattr(resources.memory, "answer", lambda *_: json.loads(BUDGET))
        assert "fault" in await host.fail("why", id="a1")
        assert "Apollo" not in await host.fail("why", id="a1")

    play(scene)


@pytest.mark.requirement("LOGS-WITHOUT-TEXT")
def test_calls_are_logged_without_what_they_say(play, log: io.StringIO):  # noqa: F811
    async def scene(host: Host) -> None:
        await host.call("note", text=BUDGET)
        await host.fail("remember", turn_id="t1", quotation="Apollo is red")
        await host.fail("why Apollo", id="a1")

    play(scene, trusts_host=True)
    lines = [json.loads(line) for line in log.getvalue().splitlines()]
    called = [(line["tool"], line["outcome"]) for line in lines if line["event"] == "tool called"]
    assert called == [("note", "ok"), ("remember", "BadInput"), ("unknown", "NoneType")]
    assert [word for word in ("Apollo", "48,500", "red", "ann") if word in log.getvalue()] == []


@pytest.mark.requirement("P6")
def test_another_users_memory_is_not_in_reach(play, resources):
    context = Context(user_id="bob", session_id="of bob")
    build_graph(resources).invoke({"messages": [("user", BUDGET)]}, context=context)

    async def scene(host: Host) -> None:
        assert (await host.call("recall", question=BUDGET))["results"] == []
        assert "no turn 't1'" in await host.fail("why", id="t1")
        assert "no answer 'a1'" in await host.fail("why", id="a1")

    play(scene)


@asynccontextmanager
async def started(data: Path, person: Person | None, errors: Path) -> AsyncIterator[Host]:
    """The command as a host starts it."""
    command = ["-c", "from veridical.cli.app import main; main()", "mcp", "--user", "ann", "--data", str(data)]
    variables = {"VERIDICAL_EMBEDDINGS": "hashing:64", "VERIDICAL_LOG": "debug", "PATH": os.environ["PATH"]}
    server = StdioServerParameters(command=sys.executable, args=command, env=variables)
    with errors.open("w", encoding="utf-8") as stderr:
        async with Client(stdio_client(server, errlog=stderr), elicitation_callback=person) as client:
            yield Host(client)


@pytest.mark.long
def test_a_host_starts_the_command_and_speaks_to_it_over_its_streams(tmp_path):
    errors = tmp_path / "stderr"

    async def run() -> None:
        async with started(tmp_path / "data", Person(), errors) as host:
            assert {tool.name for tool in (await host.client.list_tools()).tools} == {
                "ask",
                "correct",
                "forget",
                "note",
                "recall",
                "remember",
                "why",
            }
            await host.call("note", text=BUDGET)
            await host.call("note", text=NAME)
        async with started(tmp_path / "data", None, errors) as host:
            assert "48,500" in (await host.call("ask", question="What is the budget of Apollo?"))["text"]
            assert "王慕辰" in (await host.call("ask", question="我叫什么名字？"))["text"]
            state = json.loads((await host.client.read_resource(STATE_URI)).contents[0].text)
            assert {fact["value"] for fact in state["current_facts"]} >= {"48,500 dollars", "王慕辰"}
            shown = await host.call("forget", kind="turn", names=["t1"])
            assert (await host.call("forget", kind="turn", names=["t1"], confirm=shown["confirm"]))["clean"]

    anyio.run(run)
    lines = [json.loads(line) for line in errors.read_text(encoding="utf-8").splitlines()]
    assert [line["tool"] for line in lines if line["event"] == "tool called"] == ["ask", "ask", "forget", "forget"]
    assert not any(word in errors.read_text(encoding="utf-8") for word in ("Apollo", "48,500", "王慕辰"))
