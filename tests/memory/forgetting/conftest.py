"""A graph with a real checkpointer on a real store, and what a data folder holds byte for byte."""

from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from veridical.graph.build import build_graph
from veridical.graph.checkpointer import open_checkpointer
from veridical.memory.forgetting import Forgotten, What, forget
from veridical.memory.retrieval.embedders import open_embedder
from veridical.memory.retrieval.vectors import VectorIndex
from veridical.memory.store import Memory
from veridical.nodes.contract import Context, Resources


class World:
    """A memory with a graph, whose clock goes on by a millisecond with each reading."""

    def __init__(self, folder: Path, *, chroma_from: int | None = None, summary_after: int = 20) -> None:
        self.folder = folder
        self.memory = Memory(folder, open_embedder("hashing:256"))
        if chroma_from is not None:
            self.memory.vectors.close()
            self.memory.vectors = VectorIndex(
                self.memory.database, folder, self.memory.embedder, chroma_from=chroma_from
            )
        self.saver = open_checkpointer(folder)
        self.time = datetime(2026, 3, 2, 9, tzinfo=UTC)
        resources = Resources(
            memory=self.memory, clock=self.clock, time_zone="UTC", summary_after=summary_after, configuration="trial"
        )
        self.graph = build_graph(resources, checkpointer=self.saver)

    def clock(self) -> datetime:
        self.time += timedelta(milliseconds=1)
        return self.time

    def say(self, text: str, *, user: str = "ann", session: str = "s1", record: bool = True) -> str:
        context = Context(user_id=user, record=record)
        config = {"configurable": {"thread_id": f"{user}/{session}"}}
        return str(self.graph.invoke({"messages": [("user", text)]}, config, context=context)["messages"][-1].text)

    def forget(self, kind: str, *names: str, user: str = "ann") -> Forgotten:
        return forget(self.memory, self.saver, user, What(kind, names), now=self.clock())

    def close(self) -> None:
        self.saver.conn.close()
        self.memory.close()


@pytest.fixture
def open_world(data_dir: Path) -> Iterator[Callable[..., World]]:
    """Opens worlds, by default on one folder, and closes them."""
    opened: list[World] = []

    def open_(folder: Path = data_dir, **settings: int) -> World:
        opened.append(World(folder, **settings))
        return opened[-1]

    yield open_
    for world in opened:
        with closing(world):
            pass


@pytest.fixture
def world(open_world: Callable[..., World]) -> World:
    """One open world."""
    return open_world()


def holding(folder: Path, *wanted: str) -> list[str]:
    """The files that hold one of the texts, in UTF-8, in UTF-16 or escaped as in JSON."""
    forms = [
        form
        for text in wanted
        for form in (text.encode(), text.encode("utf-16-le"), text.encode("ascii", "backslashreplace"))
    ]
    files = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return [str(path.relative_to(folder)) for path in files if any(form in path.read_bytes() for form in forms)]
