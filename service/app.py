"""The service put together: routes, doors, housekeeping."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress

import anyio.to_thread
from fastapi import FastAPI
from limits import parse
from limits.storage import MemoryStorage
from limits.strategies import MovingWindowRateLimiter

from .. import __version__
from ..graph.configurations import Assignment
from ..graph.guard import VeridicalGraph
from ..graph.settings import Configuration
from ..memory.errors import StoreError
from ..memory.handles.keeping import keep
from . import chat_routes, health, memory_routes, memory_view_routes, naming_routes, topology_routes
from .bell import Bell
from .embedding import Embedding
from .identity import Doorkeeper
from .limits import BodyLimit
from .measuring import Measured
from .metrics import Metrics
from .options import ServiceOptions
from .pages import pages
from .problems import RESPONSES, answer_with_problems

logger = logging.getLogger(__name__)


def create_app(
    graph: VeridicalGraph,
    options: ServiceOptions | None = None,
    configurations: Mapping[str, Configuration] | None = None,
) -> FastAPI:
    """The service over a compiled graph.

    Args:
        graph: from ``build_graph``; its resources are the memory that is served.
        options: how it is run.
        configurations: ways of answering that are compared, each for its share of the users.

    Raises:
        BadInput: the configurations are not possible.
    """
    chosen = options or ServiceOptions()
    resources, metrics = graph.resources, Metrics()
    app = FastAPI(
        title="Veridical Memory State Service",
        version=__version__,
        description="Many terminals, one memory: what was said and registered, its changes in order, and the agent.",
        lifespan=_running(chosen),
        # FastAPI's pages of the API load their scripts from elsewhere, which no page of this service does.
        docs_url=None,
        redoc_url=None,
    )
    limiter = MovingWindowRateLimiter(MemoryStorage())
    app.state.resources = resources
    app.state.metrics = metrics
    app.state.bell = Bell(resources.memory.database, poll_seconds=chosen.poll_seconds)
    app.state.embedding = Embedding(resources.memory)
    app.state.turns = chat_routes.Turns(Assignment(graph, configurations or {}), metrics, app.state.bell.ring)
    app.state.doorkeeper = Doorkeeper(resources, chosen, limiter, parse(chosen.rate))
    app.add_middleware(BodyLimit, largest=chosen.largest_body)
    app.add_middleware(Measured, metrics=metrics, written=app.state.bell.ring)
    answer_with_problems(app)
    # Before the handles, so that no handle's name hides a route.
    for routes in (memory_view_routes, topology_routes, naming_routes, memory_routes, chat_routes, health):
        app.include_router(routes.router, responses=RESPONSES)
    app.include_router(pages.router)
    return app


def _running(options: ServiceOptions) -> Callable[[FastAPI], AbstractAsyncContextManager[None]]:
    """What goes on beside the requests while the service runs."""

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        # LangGraph runs synchronous nodes in the loop's own pool, FastAPI synchronous routes in anyio's.
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor(options.workers, "veridical"))
        anyio.to_thread.current_default_thread_limiter().total_tokens = options.workers
        tasks = [asyncio.create_task(app.state.bell.watch()), asyncio.create_task(_housekeeping(app, options))]
        try:
            yield
        finally:
            for task in tasks:
                task.cancel()
            for task in tasks:
                with suppress(asyncio.CancelledError):
                    await task
            await app.state.turns.finish()
            await asyncio.to_thread(app.state.embedding.finish)

    return lifespan


async def _housekeeping(app: FastAPI, options: ServiceOptions) -> None:
    while True:
        try:
            await asyncio.to_thread(_keep, app, options)
        except StoreError as error:
            logger.warning("what is due waits for the next round: %s", error)
        await asyncio.sleep(options.keep_seconds)


def _keep(app: FastAPI, options: ServiceOptions) -> None:
    resources = app.state.resources
    with resources.memory.database.write() as connection:
        keep(connection, now=resources.clock(), retention=options.retention)
