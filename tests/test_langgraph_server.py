"""The graph behind a LangGraph server: the built wheel in an environment of its own, started without a network."""

import asyncio
import json
import os
import pwd
import re
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from langgraph.pregel.remote import RemoteException, RemoteGraph
from langgraph_cli.config import validate_config_file
from langgraph_sdk import get_client, get_sync_client
from langgraph_sdk.client import SyncLangGraphClient

from veridical.graph import VeridicalGraph

from .source import ROOT

BUDGET = "The budget of Apollo is 48,500 dollars."
QUESTION = "What is the budget of Apollo?"
ANN = {"user_id": "ann"}
CARA = {"user_id": "cara"}
"""Somebody to whom no other test has told anything."""
NODES = ["perceive", "route", "rewrite", "retrieve", "calibrate", "compress", "answer", "record", "summarize", "store"]


@pytest.mark.requirement("LANGGRAPH-SERVER")
def test_what_the_configuration_names_is_a_graph_and_an_app(data_dir: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("VERIDICAL_DATA_DIR", str(data_dir))
    monkeypatch.setenv("VERIDICAL_EMBEDDINGS", "hashing:64")
    config = validate_config_file(ROOT / "langgraph.json")
    studio, name = config["graphs"]["veridical"]["path"].split(":")
    place, app = config["http"]["app"].split(":")
    module = import_module(studio)
    graph = asyncio.run(getattr(module, name)())
    try:
        assert isinstance(graph, VeridicalGraph)
        assert [node for node in graph.get_graph().nodes if not node.startswith("__")] == NODES
        # The server asks for the graph with every run, and puts its own checkpointer into a copy of it.
        assert asyncio.run(getattr(module, name)()) is graph
        assert type(graph.copy({"checkpointer": None})) is type(graph)
        mounted = getattr(import_module(place), app)
        assert isinstance(mounted, FastAPI)
        assert mounted.state.resources is graph.resources
        with pytest.raises(ValueError, match="No user was named"):
            asyncio.run(graph.ainvoke(said(BUDGET)))
    finally:
        module.close()


def said(text: str) -> dict[str, Any]:
    """A message as it travels."""
    return {"messages": [{"role": "user", "content": text}]}


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The programs of a fresh environment with what the lock of the server names, and the wheel."""
    folder = tmp_path_factory.mktemp("environment")
    subprocess.run([sys.executable, "-m", "venv", str(folder)], check=True)
    install = [str(folder / "bin/python"), "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    # The home of the machine, for its settings and its cache of packages.
    home = {**os.environ, "HOME": pwd.getpwuid(os.getuid()).pw_dir}
    lock = str(ROOT / "requirements-server.lock")
    subprocess.run([*install, "--require-hashes", "-r", lock], check=True, env=home)
    subprocess.run([*install, "--no-deps", str(wheel)], check=True, env=home)
    return folder / "bin"


@dataclass(frozen=True)
class Served:
    """A server that is up."""

    url: str
    variables: dict[str, str]
    environment: Path

    def run(self, *command: str) -> str:
        """What a command of the environment prints, in the data folder of the server."""
        run = subprocess.run(
            [str(self.environment / command[0]), *command[1:]],
            env=self.variables,
            capture_output=True,
            text=True,
            check=True,
        )
        return run.stdout


def is_up(url: str, process: "subprocess.Popen[bytes]") -> bool:
    """Knock until somebody opens; a machine that is busy may take minutes."""
    with httpx.Client(timeout=60, trust_env=False) as client:
        for _ in range(900):
            try:
                return client.get(f"{url}/ok").json()["ok"] is True
            except httpx.ConnectError:
                with suppress(subprocess.TimeoutExpired):
                    process.wait(0.3)
                    return False
    return False


@pytest.fixture(scope="module")
def served(environment: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """`langgraph dev --no-browser`, in a folder with our langgraph.json and nothing else of ours."""
    folder = tmp_path_factory.mktemp("server")
    (folder / "langgraph.json").write_bytes((ROOT / "langgraph.json").read_bytes())
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    nowhere = "http://127.0.0.1:9"
    variables = {
        "PATH": str(environment),
        "HOME": str(folder),
        "VERIDICAL_DATA_DIR": str(folder / "data"),
        "VERIDICAL_EMBEDDINGS": "hashing:256",
        # Whatever wanted to speak to another machine would fail.
        **dict.fromkeys(("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"), nowhere),
        "NO_PROXY": "127.0.0.1",
    }
    command = [str(environment / "langgraph"), "dev", "--no-browser", "--no-reload", "--port", str(port)]
    with (folder / "log").open("w", encoding="utf-8") as log:
        process = subprocess.Popen(command, cwd=folder, env=variables, stdout=log, stderr=subprocess.STDOUT)
        try:
            url = f"http://127.0.0.1:{port}"
            assert is_up(url, process), (folder / "log").read_text(encoding="utf-8")
            yield Served(url, variables, environment)
        finally:
            process.terminate()
            process.wait(30)


@pytest.fixture
def client(served: Served) -> Iterator[SyncLangGraphClient]:
    """The server's own client."""
    with get_sync_client(url=served.url) as client:
        yield client


@pytest.fixture
def graph(client: SyncLangGraphClient) -> RemoteGraph:
    """The graph from afar."""
    return RemoteGraph("veridical", sync_client=client)


@pytest.fixture
def thread(client: SyncLangGraphClient) -> Any:
    """The config of a new thread."""
    return {"configurable": {"thread_id": client.threads.create()["thread_id"]}}


pytestmark = pytest.mark.allow_hosts(["127.0.0.1"])
server_test = pytest.mark.requirement("LANGGRAPH-SERVER")


@pytest.mark.long
@server_test
def test_it_is_invoked_and_streamed_from_afar(served: Served, graph: RemoteGraph, thread: Any):
    assert "Noted" in graph.invoke(said(BUDGET), thread, context=CARA)["messages"][-1]["content"]

    async def asynchronously() -> list[str]:
        async with get_client(url=served.url) as client:
            graph = RemoteGraph("veridical", client=client)
            invoked = await graph.ainvoke(said(QUESTION), context=CARA)
            parts = graph.astream(said(QUESTION), context=CARA, stream_mode="messages")
            pieces = [part[0]["content"] async for part in parts]
        return [invoked["messages"][-1]["content"], "".join(pieces)]

    parts = list(graph.stream(said(QUESTION), thread, context=CARA, stream_mode=["messages", "updates"]))
    streamed = "".join(part.data[0]["content"] for part in parts if part.event == "messages")
    assert [name for part in parts if part.event == "updates" for name in part.data][:2] == ["perceive", "route"]
    answers = {streamed, *asyncio.run(asynchronously())}
    assert len(answers) == 1
    assert "48,500 dollars" in streamed


@pytest.mark.long
@server_test
@pytest.mark.requirement("ERRORS-ONE-SENTENCE", "THREAD-OWNER")
def test_a_run_without_a_user_or_on_anothers_thread_is_an_error_in_one_sentence(graph: RemoteGraph, thread: Any):
    graph.invoke(said(BUDGET), thread, context=ANN)
    with pytest.raises(RemoteException, match="No user was named"):
        graph.invoke(said(BUDGET))
    with pytest.raises(RemoteException, match="belongs to another user"):
        graph.invoke(said(QUESTION), thread, context={"user_id": "bob"})
    with pytest.raises(RemoteException, match="as_of '2026' will not do"):
        graph.invoke(said(QUESTION), context={**ANN, "as_of": "2026"})


@pytest.mark.long
@server_test
def test_studio_is_shown_the_nodes_by_name_and_the_fields_of_the_context(client: SyncLangGraphClient):
    (assistant,) = client.assistants.search()
    drawn = client.assistants.get_graph(assistant["assistant_id"])
    assert [node["id"] for node in drawn["nodes"]] == ["__start__", *NODES, "__end__"]
    schemas = client.assistants.get_schemas(assistant["assistant_id"])
    assert {"user_id", "language", "as_of"} <= set(schemas["context_schema"]["properties"])


@pytest.mark.long
@server_test
@pytest.mark.requirement("SERVICE-TOKENS", "SERVICE-HEADERS")
def test_the_service_answers_beside_it_on_the_same_memory_and_lets_in_nobody_without_a_token(
    served: Served, graph: RemoteGraph
):
    graph.invoke(said(BUDGET), context=ANN)
    token = served.run("veridical", "token", "create", "--user", "ann", "--terminal", "phone").split()[-1]
    with httpx.Client(base_url=served.url, trust_env=False) as client:
        assert client.get("/v1/memory/turns").status_code == 401
        known = client.get("/v1/memory/turns", headers={"Authorization": f"Bearer {token}"}).json()
        assert BUDGET in json.dumps(known)
        assert "text/html" in client.get("/").headers["content-type"]
        elsewhere = client.get("/info", headers={"Origin": "https://elsewhere.example"})
        assert "access-control-allow-origin" not in elsewhere.headers
        studio = client.get("/info", headers={"Origin": "https://smith.langchain.com"})
        assert studio.headers["access-control-allow-origin"] == "https://smith.langchain.com"


@pytest.mark.long
@pytest.mark.requirement("WHEEL-AT-HOME", "DOCS-TRUE")
def test_in_a_fresh_environment_the_readme_is_true(environment: Path, tmp_path: Path):
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    variables = {"PATH": "", "HOME": str(tmp_path), "LANG": "C.UTF-8"}

    def run(*command: str, said: str | None = None) -> str:
        told = subprocess.run(
            [str(environment / command[0]), *command[1:]],
            cwd=tmp_path,
            env=variables,
            input=said,
            capture_output=True,
            text=True,
            check=False,
        )
        assert told.returncode == 0, told.stderr
        return told.stdout

    transcript = re.search(r"```console\n\$ printf '(.*?)' \| make -s chat\n(.*?)```", readme, re.DOTALL)
    assert transcript is not None
    shown = run("veridical", "chat", said=transcript[1].replace("\\n", "\n"))
    assert "52,000 dollars" in shown
    assert "Noted: Apollo budget = 48,500 dollars [t1]" in shown
    program = re.search(r"```python\n(.*?)```", readme, re.DOTALL)
    assert program is not None
    assert "dollars" in run("python", "-c", program[1])
    for command in set(re.findall(r"^\| `veridical ([a-z]+)", readme, re.MULTILINE)):
        assert "Usage" in run("veridical", command, "--help")
    run("python", "-m", "pip", "check")
