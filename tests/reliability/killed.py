"""A process that works on a memory until it kills itself, at a moment or at a named point, both given.

One process imports everything and forks a life for each task it reads from its standard input: that costs a tenth of
starting anew. A life opens the store as every command does, tells what it holds, works, and writes and flushes a line
after each operation that has returned. What it wrote before it was killed was acknowledged.
"""

import functools
import importlib
import json
import os
import signal
import sys
import threading
import time
import traceback
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import chromadb.api.client  # noqa: F401 - what is imported here need not be imported in each life
import langchain_chroma  # noqa: F401
from chromadb.api.models.Collection import Collection
from langchain_core.messages import HumanMessage
from sqlalchemy import Engine, event, select

from veridical.graph.build import build_graph
from veridical.graph.checkpointer import open_checkpointer
from veridical.graph.in_threads import InThreads
from veridical.graph.resources import now, open_resources
from veridical.graph.settings import Settings
from veridical.memory.correcting import correct
from veridical.memory.doctor import examine
from veridical.memory.forgetting import What, forget, ledger
from veridical.memory.ingestion.importing import Selection, import_turns, survey
from veridical.memory.knowledge.reading import ReadDocument
from veridical.memory.retrieval.chroma import ChromaIndex
from veridical.memory.retrieval.embedders import open_embedder
from veridical.memory.retrieval.reindexing import reindex
from veridical.memory.retrieval.vectors import VectorIndex, stored_embedder
from veridical.memory.storage.database import Database
from veridical.memory.storage.items import list_items
from veridical.memory.storage.tables import documents, items, summaries, turns
from veridical.nodes.contract import Context

USER = "ann"
_CHROMA_FROM = 6
"""So few vectors are searched without Chroma, that every store of a test has its collections."""


class Voice:
    """Writes lines, whole and at once; silent while the process warms up."""

    silent = False

    def __call__(self, **line: Any) -> None:
        """Write one line."""
        if not self.silent:
            os.write(1, f"{json.dumps(line, ensure_ascii=False)}\n".encode())


tell = Voice()


class Reaper:
    """Counts what passes the named points, and kills at the one that was chosen."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self._kill: dict[str, Any] = {}

    def arm(self, kill: dict[str, Any]) -> None:
        """From now on: after so many seconds, or after so many passages of a point."""
        self.counts.clear()
        self._kill = kill
        if "seconds" in kill:
            timer = threading.Timer(kill["seconds"], self._strike)
            timer.daemon = True
            timer.start()

    def watch(self) -> None:
        """Put the points in place: statements and commits, checkpoints, steps of a forgetting, writes to Chroma."""
        event.listen(Engine, "before_cursor_execute", lambda *_: self.passes("statement"))
        event.listen(Engine, "commit", lambda _: self.passes("commit"))
        self._around(InThreads, "put", "checkpoint")
        forgetting = importlib.import_module("veridical.memory.forgetting.forget")
        for owner, name in (
            (ledger, "write_entry"),
            (forgetting, "_delete_threads"),
            (forgetting, "compact"),
            (VectorIndex, "purge"),
        ):
            self._around(owner, name, "forgetting")
        for owner, name in (
            (Collection, "upsert"),
            (Collection, "modify"),
            (ChromaIndex, "drop"),
            (ChromaIndex, "discard"),
        ):
            self._around(owner, name, "chroma")

    def passes(self, point: str) -> None:
        """One passage."""
        self.counts[point] += 1
        if self._kill.get("point") == point and self.counts[point] >= self._kill["count"]:
            self._strike()

    def _around(self, owner: Any, name: str, point: str) -> None:
        inner: Callable[..., Any] = getattr(owner, name)

        @functools.wraps(inner)
        def outer(*arguments: Any, **options: Any) -> Any:
            self.passes(point)
            result = inner(*arguments, **options)
            self.passes(point)
            return result

        setattr(owner, name, outer)

    @staticmethod
    def _strike() -> None:
        os.kill(os.getpid(), signal.SIGKILL)


class Life:
    """A store that is open, and what can be done with it."""

    def __init__(self, task: dict[str, Any]) -> None:
        self._urls = {"database_url": task["database_url"], "chroma_url": task["chroma_url"]}
        self.folder = Path(task["folder"])
        with closing(Database(self.folder, task["database_url"])) as database, database.read() as connection:
            embedder = stored_embedder(connection) or task["embedder"]
        self._open(embedder)

    def _open(self, embedder: str) -> None:
        settings = Settings(data_dir=self.folder, embeddings=embedder, **self._urls)
        self._opened = open_resources(settings)
        self.resources = self._opened.__enter__()
        self.memory = self.resources.memory
        self.saver = open_checkpointer(self.folder, self._urls["database_url"])
        self.graph = build_graph(self.resources, checkpointer=self.saver)

    def close(self) -> None:
        self.saver.conn.close()
        self._opened.__exit__(None, None, None)

    def held(self, *, examined: bool) -> dict[str, Any]:
        """What is in the store, and what the doctor finds."""
        memory, own = self.memory, lambda table: table.c.user_id == USER
        with memory.database.view() as connection:
            said = connection.execute(select(turns).where(own(turns)).order_by(turns.c.number)).all()
            facts = connection.execute(select(items.c.value, items.c.closed_by).where(own(items))).all()
            papers = connection.execute(select(documents.c.name, documents.c.text).where(own(documents))).all()
            told = connection.execute(select(summaries.c.number).where(own(summaries))).scalars().all()
        report = examine(memory.database, embedder=memory.embedder.name, index=memory.vectors) if examined else None
        return {
            "turns": [[row.number, row.role, row.external_id, row.text] for row in said],
            "items": [list(row) for row in facts],
            "documents": [list(row) for row in papers],
            "summaries": [f"s{number}" for number in told],
            "problems": [f"{one.check} {one.subject}: {one.detail}" for one in (report.problems if report else ())],
        }

    def turn(self, task: dict[str, Any]) -> dict[str, Any]:
        """One turn through the graph; that it was recorded is told as soon as it is."""
        config = {"configurable": {"thread_id": task["session"]}}
        message = {"messages": [HumanMessage(task["text"], id=task["id"])]}
        answer_id = None
        for update in self.graph.stream(message, config, context=Context(user_id=USER), stream_mode="updates"):
            if "perceive" in update:
                tell(recorded=task["id"], number=update["perceive"]["turn"].number)
            answer_id = update.get("record", {}).get("answer_id", answer_id)
        trace = self.memory.answer(USER, int(str(answer_id)[1:])) or {}
        return {"answer": trace["text"], "summary": trace.get("summary")}

    def document(self, task: dict[str, Any]) -> dict[str, Any]:
        """Add a document and embed its chunks."""
        read = ReadDocument(task["name"], "text/markdown", task["text"], "en")
        added = self.memory.knowledge.add(USER, read, now=now())
        self.memory.knowledge.embed(USER)
        return {"chunks": len(added.chunks)}

    def correction(self, task: dict[str, Any]) -> dict[str, Any]:
        """Correct the value of a fact that still holds."""
        with self.memory.database.write(USER) as connection:
            found = [item for item in list_items(connection, USER) if item.value == task["old"]]
            if not found:
                return {"corrected": False}
            correct(connection, USER, found[0].number, task["new"], time_zone="UTC", now=now())
        return {"corrected": True}

    def forgetting(self, task: dict[str, Any]) -> dict[str, Any]:
        """Forget whatever says a secret."""
        report = forget(self.memory, self.saver, USER, What("value", (task["secret"],)), now=now())
        return {"turns": len(report.turns), "residue": [list(one) for one in report.residue], "left": report.problems}

    def importing(self, task: dict[str, Any]) -> dict[str, Any]:
        """Import a conversation; each batch is told as soon as it is durable."""
        selection = Selection(Path(task["path"]), "jsonl", USER)
        batches = lambda count: tell(imported=task["id"], count=count)  # noqa: E731
        done = import_turns(self.memory, selection, survey(selection), on_progress=batches)
        self.memory.embed_waiting(USER)
        return {"recorded": done.recorded, "known": done.known}

    def reindexing(self, task: dict[str, Any]) -> dict[str, Any]:
        """Make every index anew with another embedder, as the command does: nothing else has the store open."""
        self.close()
        with closing(Database(self.folder, self._urls["database_url"])) as database:
            embedder = open_embedder(task["embedder"])
            embedded = reindex(database, self.folder, embedder, chroma_url=self._urls["chroma_url"])
        self._open(task["embedder"])
        return {"embedded": embedded}


def live(task: dict[str, Any], reaper: Reaper) -> None:
    """One life: tell what is held, then work until the end or until killed."""
    began = time.monotonic()
    life = Life(task)
    tell(held=life.held(examined=task["examined"]), opened=round(time.monotonic() - began, 3))
    for operation in task["operations"]:
        began = time.monotonic()
        if task["kill"].get("during") == operation["id"]:
            reaper.arm(task["kill"])
        before = reaper.counts.copy()
        tell(begun=operation["id"])
        result = getattr(life, operation["kind"])(operation)
        counts = dict(reaper.counts - before) | {"seconds": round(time.monotonic() - began, 3)}
        tell(done=operation["id"], result=result, counts=counts)
    life.close()
    tell(ended=True)


_WARMING = [
    {"kind": "turn", "id": "w1", "session": "s", "text": "The budget of Apollo is 48,500 dollars."},
    {"kind": "turn", "id": "w2", "session": "s", "text": "What is the budget of Apollo?"},
    {"kind": "turn", "id": "w3", "session": "s", "text": "Thanks, bye!"},
    {"kind": "document", "id": "w4", "name": "a.md", "text": "# Prices\n\nThe plan costs 20 dollars.\n"},
    {"kind": "correction", "id": "w5", "old": "48,500 dollars", "new": "52,000 dollars"},
    {"kind": "forgetting", "id": "w6", "secret": "52,000 dollars"},
]


def warm_up() -> None:
    """Load, compile and cache once what every life would have to; without Chroma, whose threads no fork would have."""
    share_compiled_statements()
    with TemporaryDirectory() as scratch:
        life = Life({"folder": scratch, "database_url": "", "chroma_url": "", "embedder": "hashing:48"})
        for operation in _WARMING:
            getattr(life, operation["kind"])(operation)
        life.held(examined=True)
        life.close()


def share_compiled_statements() -> None:
    """Let every engine use the statements that another has compiled."""
    module = importlib.import_module("veridical.memory.storage.sqlite")
    create, compiled = module.create_engine, {}

    def created(*arguments: Any, **options: Any) -> Engine:
        engine: Engine = create(*arguments, **options)
        engine._compiled_cache = compiled
        return engine

    module.create_engine = created


def main() -> None:
    """Fork a life for every task, one after the other; say how each ended."""
    reaper = Reaper()
    reaper.watch()
    tell.silent = True
    warm_up()
    tell.silent = False
    VectorIndex.__init__.__kwdefaults__["chroma_from"] = _CHROMA_FROM
    for line in sys.stdin:
        child = os.fork()
        if child == 0:
            try:
                live(json.loads(line), reaper)
            except BaseException:  # noqa: BLE001 - whatever it is, the one who reads must see it
                tell(fault=traceback.format_exc())
            os._exit(0)
        _, status = os.waitpid(child, 0)
        tell(signal=os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0)


if __name__ == "__main__":
    main()
