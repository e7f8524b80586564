"""What is measured: recall and its parts, bare Chroma beside it, whole turns, ingest, start-up."""

import contextlib
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
from stores import START, USER, Filler, new_turn

from veridical.memory.calibration.expansion import expand
from veridical.memory.calibration.questions import analyse
from veridical.memory.language.folding import detect_language
from veridical.memory.records import Query, RecallFilter
from veridical.memory.retrieval import channels, exact, fusion, lexical
from veridical.memory.retrieval.embedders import open_embedder
from veridical.memory.store import Memory

DEPTH = channels.DEPTH


TIMERS = {"wall": time.perf_counter, "cpu": time.process_time}


class Clock:
    """Times by name, in milliseconds."""

    timer = staticmethod(time.perf_counter)
    """Wall time; on a machine that is busy otherwise, the processor's time says more."""

    def __init__(self) -> None:
        self.times: dict[str, list[float]] = {}

    @contextlib.contextmanager
    def measuring(self, name: str) -> Iterator[None]:
        started = self.timer()
        yield
        self.times.setdefault(name, []).append(1000 * (self.timer() - started))

    def percentiles(self) -> dict[str, dict[str, float]]:
        return {
            name: {"p50": round(float(np.percentile(times, 50)), 2), "p95": round(float(np.percentile(times, 95)), 2)}
            for name, times in self.times.items()
        }


def recall_times(filler: Filler, questions: list[str]) -> dict[str, dict[str, float]]:
    """Recall of one user at the store's size: everything but the embedding, its parts, and bare Chroma beside it."""
    memory, clock = filler.memory, Clock()
    with _bare_chroma(memory) as bare:
        for place, text in enumerate([*questions[:5], *questions]):
            timing = clock if place >= 5 else Clock()  # the first ones load what is loaded once
            with timing.measuring("rewrite"):
                queries, wanted = _rewrite(text)
            with timing.measuring("embedding"):
                vectors = memory.vectors.embed_queries([query.text for query in queries])
            with timing.measuring("recall without embedding"):
                hits = [
                    hit
                    for index, query in enumerate(queries)
                    for hit in channels.search(memory, USER, index, query, wanted)
                ]
                fusion.fuse(memory, USER, queries, hits, wanted)
            with timing.measuring("bare Chroma, the same queries in one batch"):
                bare(vectors)
            _parts(memory, queries, wanted, vectors, hits, timing)
    return clock.percentiles()


def _parts(
    memory: Memory, queries: list[Query], wanted: RecallFilter, vectors: np.ndarray, hits: list[object], clock: Clock
) -> None:
    """The same once more, part by part."""
    with memory.database.read() as connection:
        with clock.measuring("· lexical"):
            for query in queries:
                lexical.search(connection, USER, query.text, DEPTH)
        with clock.measuring("· exact"):
            for query in queries:
                exact.matches(connection, USER, query, wanted)
    with clock.measuring("· dense"):
        for row in vectors:
            memory.vectors.search(USER, row[None], DEPTH)
    with clock.measuring("· fusion"):
        fusion.fuse(memory, USER, queries, hits, wanted)


def _rewrite(text: str) -> tuple[list[Query], RecallFilter]:
    return expand(analyse(text, detect_language(text), START, "UTC"))


@contextlib.contextmanager
def _bare_chroma(memory: Memory) -> Iterator[Callable[[np.ndarray], object]]:
    """A plain collection of the same vectors with Chroma's defaults (cosine), asked for as many neighbours."""
    from chromadb import PersistentClient
    from chromadb.config import Settings

    with memory.database.read() as connection:
        rows = connection.exec_driver_sql("SELECT turn, embedding FROM vectors ORDER BY id").all()
    with tempfile.TemporaryDirectory() as folder:
        client = PersistentClient(path=folder, settings=Settings(anonymized_telemetry=False))
        collection = client.create_collection("bare", configuration={"hnsw": {"space": "cosine"}})
        for start in range(0, len(rows), 1000):
            batch = rows[start : start + 1000]
            vectors = np.frombuffer(b"".join(row[1] for row in batch), dtype="<f4").reshape(len(batch), -1)
            collection.add(ids=[str(row[0]) for row in batch], embeddings=vectors)
        count = min(DEPTH, len(rows))
        yield lambda vectors: collection.query(query_embeddings=vectors, n_results=count, include=["distances"])
        client.close()


def turn_times(memory: Memory, messages: list[str]) -> dict[str, dict[str, float]]:
    """Whole turns through the graph, with the times of its nodes."""
    from veridical.graph.build import build_graph
    from veridical.graph.resources import now
    from veridical.nodes.contract import Context, Resources

    resources = Resources(memory=memory, clock=now, time_zone="UTC")
    graph, clock = build_graph(resources), Clock()
    for place, text in enumerate([*messages[:3], *messages]):
        timing = clock if place >= 3 else Clock()
        context = Context(user_id=USER, session_id=f"bench-{place // 10}")
        with timing.measuring("turn"):
            for mode, update in graph.stream(
                {"messages": [{"role": "user", "content": text}]}, context=context, stream_mode=["updates"]
            ):
                for node_update in update.values() if mode == "updates" else ():
                    _note_parts(timing, node_update)
    return clock.percentiles()


def _note_parts(clock: Clock, update: object) -> None:
    spent = update.get("timings") if isinstance(update, dict) else None
    spent = getattr(spent, "value", spent)
    for name, milliseconds in (spent or {}).items():
        clock.times.setdefault(f"· {name}", []).append(milliseconds)


def ingest_rate(count: int, embedder: str) -> dict[str, float]:
    """Turns per second into an empty store: recorded with their items, and then embedded."""
    from corpus import Corpus

    with (
        tempfile.TemporaryDirectory() as folder,
        contextlib.closing(Memory(Path(folder), open_embedder(embedder))) as memory,
    ):
        turns = [new_turn(line, index) for index, line in enumerate(Corpus().lines(count))]
        started = time.perf_counter()
        for start in range(0, count, 50):
            memory.record_many(turns[start : start + 50], now=START)
        recorded = time.perf_counter()
        memory.vectors.apply_outbox()
        embedded = time.perf_counter()
    return {
        "recorded per second": round(count / (recorded - started), 1),
        "embedded per second": round(count / (embedded - recorded), 1),
    }


def start_up() -> dict[str, float]:
    """Seconds of fresh processes, the best of three; modules are compiled by the first, as on any second start."""
    commands = {
        "veridical --help": ["-m", "veridical.cli.app", "--help"],
        "import veridical.graph": ["-c", "import veridical.graph"],
        "import langgraph.graph, sqlalchemy.orm": ["-c", "import langgraph.graph, sqlalchemy.orm"],
        "import veridical.memory.retrieval.vectors": ["-c", "import veridical.memory.retrieval.vectors"],
    }
    return {name: round(min(_seconds(arguments) for _ in range(3)), 2) for name, arguments in commands.items()}


def _seconds(arguments: list[str]) -> float:
    started = time.perf_counter()
    as_users_have_it = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    subprocess.run([sys.executable, *arguments], check=True, capture_output=True, env=as_users_have_it)
    return time.perf_counter() - started


def peak_memory() -> float:
    """The most memory that this process ever had, in megabytes."""
    return round(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024, 1)
