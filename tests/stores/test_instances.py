"""Two services on one database, of which one is killed while everybody writes and listens through both."""

import asyncio
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path

import pytest

from veridical.service.client import MemoryClient

from ..service.loading import Process, dealt, load, snapshots
from .servers import Postgres

USERS = ["ann", "bob"]


@pytest.fixture
def instances(tmp_path: Path, postgres_server: Postgres) -> Iterator[list[Process]]:
    """Two services that were started at the same moment on an empty database, each with a data folder of its own."""
    url = postgres_server.url(postgres_server.create())
    made = [Process(tmp_path / name, VERIDICAL_DATABASE_URL=url) for name in ("first", "second")]
    for one in made:
        one.start()
    yield made
    for one in made:
        one.kill()


@pytest.mark.requirement("SERVICE-LOAD", "EVENT-GAPLESS", "STORES-TOGETHER")
def test_one_of_two_services_is_killed_and_nothing_is_lost_or_doubled(instances: list[Process]) -> None:
    asyncio.run(_struck(*instances))


async def _struck(first: Process, second: Process) -> None:
    for one in (first, second):
        await snapshots(one.url, USERS)
    async with dealt([first, second]) as url:
        with ExitStack() as opened:
            # The client library, twice for each user: an instance each, until one is gone.
            terminals = [
                (user, opened.enter_context(MemoryClient(url, headers={"X-Veridical-User": user})))
                for user in USERS * 2
            ]
            told = await load(url, USERS, clients=8, writers=8, changes=400, strike=first.kill)
            for user, terminal in terminals:
                reached = await asyncio.to_thread(
                    terminal.wait_until, lambda replica, user=user: replica.number == told[user]["number"], timeout=30
                )
                assert reached
                assert dict(terminal.replica.handles) == told[user]["handles"]
            assert all(terminal.connected for _, terminal in terminals)
    first.start()
    assert await snapshots(first.url, USERS) == await snapshots(second.url, USERS) == told
