"""A real server on loopback, over a memory in a temporary folder."""

import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest
import uvicorn
from fastapi import FastAPI

from veridical.graph.build import build_graph
from veridical.graph.checkpointer import open_checkpointer
from veridical.graph.resources import open_resources
from veridical.graph.settings import Settings
from veridical.memory.storage.tokens import create_token
from veridical.nodes.contract import Resources
from veridical.service.app import create_app
from veridical.service.options import ServiceOptions

LOOPBACK = "127.0.0.1"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let the tests of this folder speak to this machine, and to no other."""
    here = Path(__file__).parent
    for item in items:
        if here in item.path.parents:
            item.add_marker(pytest.mark.allow_hosts([LOOPBACK]))


class Service:
    """A service that can be stopped and started again on its port, as a terminal sees it."""

    def __init__(self, folder: Path, options: ServiceOptions) -> None:
        self.folder = folder
        self.options = options
        self.port = 0
        self._stack = ExitStack()

    @property
    def url(self) -> str:
        return f"http://{LOOPBACK}:{self.port}"

    def start(self) -> None:
        self.resources: Resources = self._stack.enter_context(
            open_resources(Settings(data_dir=self.folder, embeddings="hashing:64"))
        )
        saver = open_checkpointer(self.folder)
        self._stack.enter_context(closing(saver.conn))
        app = create_app(build_graph(self.resources, checkpointer=saver), self.options)
        self.port = self._stack.enter_context(running(app, self.port))

    def stop(self) -> None:
        self._stack.close()

    def token(self, user: str, terminal: str = "test") -> str:
        with self.resources.memory.database.write() as connection:
            return create_token(connection, user, terminal, now=self.resources.clock())[1]

    def http(self, user: str, terminal: str = "test", **headers: str) -> httpx.Client:
        given = {"Authorization": f"Bearer {self.token(user, terminal)}", **headers}
        return httpx.Client(base_url=self.url, headers=given, timeout=60)


@contextmanager
def running(app: FastAPI, port: int) -> Iterator[int]:
    """Serve an app in a thread; gives the port."""
    server = uvicorn.Server(
        uvicorn.Config(app, host=LOOPBACK, port=port, log_level="error", timeout_graceful_shutdown=1)
    )
    begun = threading.Event()
    startup = server.startup

    async def announced(*arguments: Any, **options: Any) -> None:
        await startup(*arguments, **options)
        begun.set()

    server.startup = announced  # type: ignore[method-assign]
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    assert begun.wait(20), "the server did not start"
    try:
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = True
        thread.join(20)


OPTIONS = ServiceOptions(poll_seconds=0.02, rate="100000/minute")


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """One service for the tests of a module; each test takes a user of its own."""
    service = Service(tmp_path_factory.mktemp("shared"), OPTIONS)
    service.start()
    yield service
    service.stop()


@pytest.fixture
def own(tmp_path: Path) -> Iterator[Callable[..., Service]]:
    """Services of a test's own, started with the options that it names."""
    with ExitStack() as stack:

        def make(options: ServiceOptions = OPTIONS) -> Service:
            service = Service(tmp_path / "data", options)
            service.start()
            stack.callback(service.stop)
            return service

        yield make


@pytest.fixture
def user(request: pytest.FixtureRequest) -> str:
    """A user of this test alone."""
    return f"user of {request.node.name}"
