"""Many writers and many listeners on loopback, and a service that is killed in the middle: nothing is lost or doubled."""

import asyncio
from pathlib import Path

import pytest

from .loading import Process, load


def run(folder: Path, *, users: int, clients: int, writers: int, changes: int, kill: bool) -> None:
    service = Process(folder)

    def strike() -> None:
        if kill:
            service.kill()
            service.start()

    names = [f"user {place}" for place in range(users)]
    service.start()
    try:
        asyncio.run(load(service.url, names, clients=clients, writers=writers, changes=changes, strike=strike))
    finally:
        service.kill()


@pytest.mark.requirement("SERVICE-LOAD", "EVENT-GAPLESS")
def test_nothing_is_lost_or_doubled_under_load(tmp_path: Path) -> None:
    run(tmp_path, users=2, clients=8, writers=4, changes=120, kill=False)


@pytest.mark.requirement("SERVICE-LOAD", "EVENT-GAPLESS")
def test_nothing_is_lost_or_doubled_when_the_service_is_killed(tmp_path: Path) -> None:
    run(tmp_path, users=2, clients=8, writers=4, changes=120, kill=True)


@pytest.mark.long
@pytest.mark.requirement("SERVICE-LOAD", "EVENT-GAPLESS")
@pytest.mark.parametrize("kill", [False, True])
def test_ten_thousand_changes_reach_sixty_four_terminals_once(tmp_path: Path, kill: bool) -> None:
    run(tmp_path, users=4, clients=64, writers=32, changes=10_000, kill=kill)
