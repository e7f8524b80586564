"""Many turns through the whole graph on one store, with the time, the memory and the file handles of each.

``python tests/reliability/soak.py 10000 [FOLDER]`` prints the figures of `docs/reliability.md`.
"""

import json
import random
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

import numpy as np
import psutil
from sqlalchemy import func, select

from veridical.graph.build import build_graph
from veridical.graph.checkpointer import open_checkpointer
from veridical.memory.retrieval.embedders import open_embedder
from veridical.memory.storage.tables import vectors
from veridical.memory.store import Memory
from veridical.nodes.contract import Context, Resources

EMBEDDER = "hashing:256"
USER = "ann"
_SESSION_TURNS = 40
_ENDLESS = "the session that is never closed"
_FORENAMES = ("Mira", "Omar", "Lena", "Tariq", "Ines", "Jonas", "Priya", "Sven", "张伟", "李娜")
_THINGS = ("tower", "bridge", "garden", "archive", "harbour", "museum", "station", "theatre", "library", "market")
_ATTRIBUTES = ("budget", "deadline", "manager", "venue", "supplier")
_PLACES = ("Berlin", "Lisbon", "Oslo", "Kyoto", "Leeds", "Porto", "Turin", "Ghent")
_OVERVIEWS = ("What did we talk about last time?", "What do I still have to do?", "我们上次聊了什么？")
_TALK = ("Thanks, that helps.", "Hello again.", "好的，谢谢。", "今天天气真好", "Okay, let us go on.", "Good morning!")


@dataclass
class Measured:
    """What each turn took, and what the process held after every hundredth."""

    wall: list[float] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    held: list[dict[str, float]] = field(default_factory=list)

    def p95(self, times: str, first: int, last: int) -> float:
        """Milliseconds."""
        return round(float(np.percentile(getattr(self, times)[first:last], 95)), 1)

    def median(self, times: str, first: int, last: int) -> float:
        """Milliseconds."""
        return round(float(np.median(getattr(self, times)[first:last])), 1)


def lines(count: int, seed: int = 8) -> Iterator[str]:
    """What somebody with ever more projects says and asks, in both languages: the same for the same seed."""
    chance = random.Random(seed)
    shares = [share for share, _ in _SPOKEN]
    for index in range(count):
        (_, make), *_ = chance.choices(_SPOKEN, shares)
        yield make(chance, index)


def _fact(chance: random.Random, index: int) -> str:
    attribute = chance.choice(_ATTRIBUTES)
    values = {"manager": chance.choice(_FORENAMES), "venue": chance.choice(_PLACES), "supplier": chance.choice(_PLACES)}
    return f"The {attribute} of {_project(chance)} is {values.get(attribute, f'{1000 + 7 * index} dollars')}."


def _project(chance: random.Random) -> str:
    return f"the {chance.choice(_FORENAMES[:8])} {chance.choice(_THINGS)}"


def _story(chance: random.Random, _index: int) -> str:
    words = (*_THINGS, *_PLACES, *_ATTRIBUTES, "we", "saw", "and", "then")
    return (
        f"Yesterday {' '.join(chance.choice(words) for _ in range(25))}, which took {chance.randrange(2, 90)} minutes."
    )


_SPOKEN: tuple[tuple[int, Callable[[random.Random, int], str]], ...] = (
    (30, _fact),
    (8, lambda chance, index: f"{chance.choice(_THINGS)}项目的预算定为{1000 + 7 * index}元。"),
    (8, lambda chance, _: f"Remind me to call {chance.choice(_FORENAMES)} about {_project(chance)} on Friday."),
    (4, lambda chance, _: f"I've called {chance.choice(_FORENAMES)}, that is done."),
    (3, lambda chance, _: f"Please cancel order #{chance.randrange(10000, 99999)}."),
    (7, _story),
    (25, lambda chance, _: f"What is the {chance.choice(_ATTRIBUTES)} of {_project(chance)}?"),
    (5, lambda chance, _: f"{chance.choice(_THINGS)}项目的预算是多少？"),
    (2, lambda chance, _: chance.choice(_OVERVIEWS)),
    (2, lambda chance, _: f"Who is the dentist of {chance.choice(_FORENAMES)}?"),
    (6, lambda chance, _: chance.choice(_TALK)),
)
"""Kinds of lines with their shares in percent."""


def session_of(index: int) -> str:
    """Conversations of forty turns; every tenth turn goes on with one that has no end."""
    return _ENDLESS if index % 10 == 9 else f"session {index // _SESSION_TURNS}"


def soak(folder: Path, count: int, *, every: int = 100, tell: bool = False) -> Measured:
    """Say so many turns to a new memory in a folder."""
    process, measured = psutil.Process(), Measured()
    clock = _Clock()
    with Memory(folder, open_embedder(EMBEDDER)) as memory:
        saver = open_checkpointer(folder)
        with closing(saver.conn):
            graph = build_graph(Resources(memory=memory, clock=clock, time_zone="UTC"), checkpointer=saver)
            for index, line in enumerate(lines(count)):
                session = session_of(index)
                config = {"configurable": {"thread_id": session}}
                began, used = time.perf_counter(), time.process_time()
                graph.invoke({"messages": [("user", line)]}, config, context=Context(user_id=USER))
                measured.wall.append(1000 * (time.perf_counter() - began))
                measured.cpu.append(1000 * (time.process_time() - used))
                if (index + 1) % every == 0:
                    measured.held.append(_held(process, memory, folder, index + 1))
                    if tell:
                        _tell(measured, index + 1)
    return measured


class _Clock:
    """A minute between two readings."""

    def __init__(self) -> None:
        self._now = datetime(2026, 1, 5, 8, tzinfo=UTC)

    def __call__(self) -> datetime:
        self._now += timedelta(minutes=1)
        return self._now


def _held(process: psutil.Process, memory: Memory, folder: Path, turns: int) -> dict[str, float]:
    taken, indexed = process.memory_full_info(), _bytes_of_vectors(memory)
    sizes = {path.name: path.stat().st_size for path in folder.iterdir() if path.is_file()}
    return {
        "turns": turns,
        "rss_mb": round(taken.rss / 1e6, 1),
        "own_mb": round((_own_bytes(taken.uss) - indexed) / 1e6, 1),
        "vectors_mb": round(indexed / 1e6, 1),
        "handles": process.num_fds(),
        "threads": process.num_threads(),
        **{f"{name}_mb": round(size / 1e6, 1) for name, size in sizes.items() if size > 1e5},
    }


def _bytes_of_vectors(memory: Memory) -> int:
    """The vectors of what was said, which exact search keeps in memory: they grow with the record as they should."""
    with memory.database.read() as connection:
        return int(connection.execute(select(func.sum(func.length(vectors.c.embedding)))).scalar() or 0)


def _own_bytes(otherwise: int) -> int:
    """Memory without the pages of files that are mapped: the system takes those back whenever it needs them."""
    status = Path("/proc/self/status")
    if not status.is_file():
        return otherwise
    fields = dict(line.split(":", 1) for line in status.read_text(encoding="utf-8").splitlines() if ":" in line)
    return 1024 * int(fields["RssAnon"].split()[0])


def _tell(measured: Measured, turns: int) -> None:
    first = max(0, turns - 500)
    figures = {"p50_cpu": measured.median("cpu", first, turns), "p95_cpu": measured.p95("cpu", first, turns)}
    figures |= {"p95_wall": measured.p95("wall", first, turns)}
    print(json.dumps(measured.held[-1] | figures), flush=True)  # noqa: T201


def main() -> None:
    """Run as long as asked and tell."""
    count = int(sys.argv[1])
    with tempfile.TemporaryDirectory() as scratch:
        measured = soak(Path(sys.argv[2] if len(sys.argv) > 2 else scratch) / "data", count, tell=True)
    warm = 100
    for times in ("cpu", "wall"):
        first, last = (warm, warm + min(1000, count // 2)), (count - min(1000, count // 2), count)
        print(times, "first", measured.p95(times, *first), "last", measured.p95(times, *last))  # noqa: T201


if __name__ == "__main__":
    main()
