"""What turns take on a disk, in a folder and in a PostgreSQL database: those that are imported, and those of a chat.

python bench/disk.py [--imported 10000] [--chatted 300] [--store folder postgres]

Everything goes the way of every turn: items, full text, vectors of 384 dimensions, events, traces of answers, threads.
"""

import argparse
import sqlite3
import statistics
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack, closing
from itertools import islice
from pathlib import Path

from corpus import Corpus, Line
from servers import postgres
from sqlalchemy import text
from stores import START, USER, new_turn

from veridical.graph.build import build_graph
from veridical.graph.checkpointer import open_checkpointer
from veridical.graph.resources import now
from veridical.memory.retrieval.embedders import open_embedder
from veridical.memory.storage.database import Database
from veridical.memory.store import Memory
from veridical.nodes.contract import Context, Resources

_BATCH = 200
_SESSION = 20
_KINDS = {"turns_fts": "full text", "full_text": "full text", "checkpoint": "threads", "writes": "threads"}
_SQLITE = """
    SELECT coalesce((SELECT tbl_name FROM sqlite_master WHERE name = dbstat.name), name), sum(pgsize)
    FROM dbstat GROUP BY 1
"""
_IN_USE = """
    SELECT (page_count - freelist_count) * page_size FROM pragma_page_count, pragma_freelist_count, pragma_page_size
"""
_POSTGRESQL = """
    SELECT relname, pg_total_relation_size(oid) FROM pg_class
    WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
"""


class Store:
    """An empty store with a graph on it."""

    def __init__(self, opened: ExitStack, folder: Path, url: str) -> None:
        self.folder = folder
        self.memory = opened.enter_context(closing(Memory(folder, open_embedder("hashing:384"), database_url=url)))
        saver = open_checkpointer(folder, url)
        opened.enter_context(closing(saver.conn))
        resources = Resources(memory=self.memory, clock=now, time_zone="UTC")
        self.graph = build_graph(resources, checkpointer=saver)

    def fill(self, lines: Iterator[Line], size: int) -> None:
        turns = (new_turn(line, place) for place, line in enumerate(islice(lines, size)))
        while batch := list(islice(turns, _BATCH)):
            self.memory.record_many(batch, now=START)
            self.memory.embed_waiting()

    def say(self, messages: list[str]) -> None:
        for place, message in enumerate(messages):
            config = {"configurable": {"thread_id": f"chat {place // _SESSION}"}}
            self.graph.invoke({"messages": [("user", message)]}, config, context=Context(user_id=USER))

    def sizes(self) -> Counter[str]:
        """Bytes by what they hold."""
        sizes: Counter[str] = Counter()
        for table, size in self._tables(self.memory.database):
            kind = next((kind for start, kind in _KINDS.items() if table.startswith(start)), table)
            sizes[kind] += int(size)
        threads = self.folder / "checkpoints.db"
        if threads.is_file():
            with closing(sqlite3.connect(threads)) as connection:
                sizes["threads"] += connection.execute(_IN_USE).fetchone()[0]
        return sizes

    def _tables(self, database: Database) -> list[tuple[str, int]]:
        if not database.on_server:
            with database.read() as connection:
                return [(name, size) for name, size in connection.execute(text(_SQLITE))]
        with database.alone() as connection:
            connection.execute(text("VACUUM ANALYZE"))
            return [(name, size) for name, size in connection.execute(text(_POSTGRESQL))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--imported", type=int, default=10_000, help="turns of both speakers")
    parser.add_argument("--chatted", type=int, default=300, help="messages, each with its answer")
    parser.add_argument("--store", choices=["folder", "postgres"], nargs="+", default=["folder", "postgres"])
    given = parser.parse_args()
    for store in given.store:
        with ExitStack() as opened:
            folder = Path(opened.enter_context(tempfile.TemporaryDirectory(prefix="veridical-bench-")))
            url = opened.enter_context(postgres(folder / "pg")) if store == "postgres" else ""
            measure(Store(opened, folder / "data", url), store, given)


def measure(store: Store, name: str, given: argparse.Namespace) -> None:
    corpus = Corpus()
    empty = store.sizes()
    store.fill(corpus.lines(10**9), given.imported)
    filled = store.sizes()
    said = [line.text for line in islice(Corpus(seed=8).lines(10**9), given.chatted // 2)]
    asked = corpus.questions(given.chatted - len(said))
    messages = [one for pair in zip(said, asked, strict=True) for one in pair]
    store.say(messages)
    characters = statistics.mean(len(line.text) for line in Corpus().lines(given.imported))
    _print(f"{name}: a turn imported, of {characters:.0f} characters", filled - empty, given.imported)
    _print(f"{name}: a turn of a chat, half of them answers", store.sizes() - filled, 2 * given.chatted)


def _print(what: str, grown: Counter[str], turns: int) -> None:
    whole = grown.total() / turns
    parts = ", ".join(f"{kind} {size / turns / 1000:.2f}" for kind, size in grown.most_common(6))
    print(f"{what}: {whole / 1000:.2f} kB ({parts}); a million: {whole / 1000:.1f} GB", flush=True)


if __name__ == "__main__":
    main()
