"""The command line on a folder of the test's own, and a memory with a graph whose clock a test can set back."""

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from veridical.cli.app import app
from veridical.graph.build import build_graph
from veridical.graph.checkpointer import open_checkpointer
from veridical.graph.steady_clock import SteadyClock
from veridical.graph.threads import forget_again
from veridical.memory.doctor import examine
from veridical.memory.retrieval.embedders import open_embedder
from veridical.memory.store import Memory
from veridical.nodes.contract import Context, Resources

EMBEDDER = "hashing:64"


@pytest.fixture(autouse=True)
def small_embedder(monkeypatch: pytest.MonkeyPatch, data_dir: Path) -> None:
    monkeypatch.setenv("VERIDICAL_EMBEDDINGS", EMBEDDER)
    monkeypatch.setenv("VERIDICAL_DATA_DIR", str(data_dir))


@pytest.fixture
def run() -> Callable[..., Result]:
    """Run a command in this process."""

    def run(*arguments: object, input: str | None = None) -> Result:
        return CliRunner().invoke(app, [str(argument) for argument in arguments], input=input)

    return run


@pytest.fixture
def run_process() -> Callable[..., subprocess.CompletedProcess[str]]:
    """Run a command as a process of its own."""

    def run(*arguments: object, input: str = "") -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-c", "from veridical.cli.app import main; main()", *map(str, arguments)]
        return subprocess.run(command, input=input, capture_output=True, env=os.environ, timeout=300, encoding="utf-8")

    return run


class World:
    """A memory with its threads, opened as every command opens it."""

    def __init__(self, folder: Path) -> None:
        self.time = datetime(2026, 3, 2, 9, tzinfo=UTC)
        self.memory = Memory(folder, open_embedder(EMBEDDER))
        self.clock = SteadyClock(self._shown, after=self.memory.last_recorded())
        forget_again(self.memory, now=self.clock())
        self.saver = open_checkpointer(folder)
        self.graph = build_graph(
            Resources(memory=self.memory, clock=self.clock, time_zone="UTC"), checkpointer=self.saver
        )

    def _shown(self) -> datetime:
        self.time += timedelta(milliseconds=1)
        return self.time

    def say(self, text: str, *, user: str = "ann", session: str = "s1") -> str:
        config = {"configurable": {"thread_id": session}}
        said = self.graph.invoke({"messages": [("user", text)]}, config, context=Context(user_id=user))
        return str(said["messages"][-1].text)

    def problems(self) -> list[str]:
        report = examine(self.memory.database, embedder=EMBEDDER, index=self.memory.vectors)
        return [f"{one.check} {one.subject}: {one.detail}" for one in report.problems]

    def close(self) -> None:
        self.saver.conn.close()
        self.memory.close()


@pytest.fixture
def open_world(data_dir: Path) -> Iterator[Callable[..., World]]:
    """Opens memories, and closes them."""
    with ExitStack() as opened:
        yield lambda folder=data_dir: opened.enter_context(closing(World(folder)))
