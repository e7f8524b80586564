"""The same memory in both stores: a folder, and a PostgreSQL database beside a Chroma server."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from veridical.graph.build import build_graph
from veridical.graph.checkpointer import open_checkpointer
from veridical.memory.forgetting import Forgotten, What, forget
from veridical.memory.records import Answer
from veridical.memory.retrieval.embedders import open_embedder
from veridical.memory.retrieval.vectors import VectorIndex
from veridical.memory.storage.database import Database
from veridical.memory.store import Memory
from veridical.nodes.contract import Context, Resources

from .servers import Postgres, chroma, postgres

STORES = ("folder", "servers")
CHROMA_FROM = 6
"""So few vectors of a user are searched without Chroma, that every test of both stores asks it."""


ALWAYS = {
    "test_the_revisions_lead_to_the_tables_of_the_code_there_too",
    "test_what_was_said_is_answered_with_its_turn",
    "test_what_was_never_said_is_not_answered",
    "test_forgetting_leaves_nothing_behind",
    "test_documents_are_asked_and_their_clauses_found_by_number",
    "test_a_thread_goes_on_where_it_stood_and_belongs_to_its_user",
    "test_eight_writers_leave_no_gap_and_no_double_in_the_numbers",
    "test_what_one_process_writes_wakes_those_who_listen_in_another",
    "test_no_error_names_the_password",
}
"""A database of its own for each test takes seconds: these run each time, the others with the long ones."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let the tests of this folder speak to this machine, and to no other; keep the run of every day short."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.allow_hosts(["127.0.0.1"]))
            if getattr(item, "originalname", item.name) not in ALWAYS:
                item.add_marker(pytest.mark.long)


@pytest.fixture(scope="session")
def postgres_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Postgres]:
    # Not in the folder of pytest's, which may be cleaned up by another run of it.
    with TemporaryDirectory(prefix="veridical-pg-") as folder, postgres(Path(folder) / "data") as server:
        with closing(Database(tmp_path_factory.mktemp("none"), server.url(server.create()))):
            pass  # the first database is the pattern of all others
        yield server


@pytest.fixture(scope="session")
def chroma_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    with chroma(tmp_path_factory.mktemp("chroma")) as url:
        yield url


@dataclass
class Place:
    """Where a memory is."""

    folder: Path
    database_url: str = ""
    chroma_url: str = ""


class World:
    """A memory with a graph, whose clock goes on by a millisecond with each reading."""

    def __init__(self, place: Place) -> None:
        self.place = place
        urls = {"database_url": place.database_url, "chroma_url": place.chroma_url}
        self.memory = Memory(place.folder, open_embedder("hashing:256"), **urls)
        self.memory.vectors.close()
        self.memory.vectors = VectorIndex(
            self.memory.database,
            place.folder,
            self.memory.embedder,
            chroma_from=CHROMA_FROM,
            chroma_url=place.chroma_url,
        )
        self.saver = open_checkpointer(place.folder, place.database_url)
        self.time = datetime(2026, 3, 2, 9, tzinfo=UTC)
        self.resources = Resources(memory=self.memory, clock=self.clock, time_zone="UTC")
        self.graph = build_graph(self.resources, checkpointer=self.saver)

    def clock(self) -> datetime:
        self.time += timedelta(milliseconds=1)
        return self.time

    def say(self, *lines: str, user: str = "ann", session: str = "s1") -> Answer:
        for line in lines:
            config = {"configurable": {"thread_id": f"{user}/{session}"}}
            context = Context(user_id=user)
            answer: Answer = self.graph.invoke({"messages": [("user", line)]}, config, context=context)["answer"]
        return answer

    def forget(self, kind: str, *names: str, user: str = "ann") -> Forgotten:
        return forget(self.memory, self.saver, user, What(kind, names), now=self.clock())

    def close(self) -> None:
        self.saver.conn.close()
        self.memory.close()


@pytest.fixture
def place_in(tmp_path: Path, request: pytest.FixtureRequest) -> Callable[[str], Place]:
    """A place for a new memory in a store of that name."""

    def place(store: str) -> Place:
        folder = tmp_path / store
        if store == "folder":
            return Place(folder)
        server: Postgres = request.getfixturevalue("postgres_server")
        return Place(folder, server.url(server.create("store_1")), request.getfixturevalue("chroma_url"))

    return place


@pytest.fixture
def open_world(place_in: Callable[[str], Place]) -> Iterator[Callable[..., World]]:
    """Opens worlds by the name of a store or in a place, and closes them."""
    with ExitStack() as opened:

        def open_(where: str | Place) -> World:
            return opened.enter_context(closing(World(place_in(where) if isinstance(where, str) else where)))

        yield open_


@pytest.fixture(params=STORES)
def world(request: pytest.FixtureRequest, open_world: Callable[..., World]) -> World:
    """A new memory in each of the stores."""
    return open_world(request.param)
