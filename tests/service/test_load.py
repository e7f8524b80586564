"""Many writers and many listeners on loopback, and a service that is killed in the middle: nothing is lost or doubled."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
from httpx_sse import SSEError, aconnect_sse

from veridical.memory.handles.replica import Replica, replayed

from .conftest import LOOPBACK

_COMMAND = "from veridical.cli.app import main; main()"
_GAVE_UP = 600


class Process:
    """`veridical serve` in a process of its own, which can be killed and started again."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        with socket.socket() as free:
            free.bind((LOOPBACK, 0))
            self.port = free.getsockname()[1]
        self.url = f"http://{LOOPBACK}:{self.port}"

    def start(self) -> None:
        options = ["--without-tokens", "--port", str(self.port), "--data", str(self.folder), "--rate", "1000000/second"]
        environment = {**os.environ, "VERIDICAL_EMBEDDINGS": "hashing:16"}
        self.process = subprocess.Popen([sys.executable, "-c", _COMMAND, "serve", *options], env=environment)

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()


@dataclass
class Listener:
    """A terminal that replays what it is sent, and goes on from there after a disconnection."""

    user: str
    url: str
    numbers: list[int] = field(default_factory=list)
    replica: Replica = field(default_factory=Replica)
    resets: int = 0
    moved: asyncio.Condition = field(default_factory=asyncio.Condition)

    async def listen(self) -> None:
        async with connected(self.url, {"X-Veridical-User": self.user}) as http:
            while True:
                with suppress(httpx.HTTPError, SSEError):
                    await self._stream(http)

    async def reach(self, number: int) -> None:
        async with self.moved:
            await self.moved.wait_for(lambda: self.replica.number >= number)

    async def _stream(self, http: httpx.AsyncClient) -> None:
        headers = {"Last-Event-ID": str(self.replica.number)}
        async with aconnect_sse(http, "GET", "/v1/memory/events", headers=headers) as source:
            async for sent in source.aiter_sse():
                if sent.event == "reset":
                    self.resets += 1
                    continue
                if not sent.data:  # a sign of life
                    continue
                event = sent.json()
                self.numbers.append(event["number"])
                async with self.moved:
                    self.replica = replayed(self.replica, [event])
                    self.moved.notify_all()


@dataclass
class Writer:
    """Registers a document and changes it again and again, each change under a key, until each is acknowledged."""

    user: str
    name: int
    changes: int
    acknowledged: int = 0

    async def write(self, url: str, tick: Callable[[], None]) -> None:
        headers = {"X-Veridical-User": self.user, "X-Veridical-Terminal": f"w{self.name}"}
        async with connected(url, headers) as http:
            body: dict[str, Any] = {"source": "load", "type": "counter", "state": {"count": 0, "writer": self.name}}
            made = await _until_taken(
                lambda key: http.post("/v1/memory/register", json=body, headers=key), f"{self.name}-0"
            )
            for count in range(1, self.changes):
                body = {"delta": {"count": count}, "version": count}
                path, key = f"/v1/memory/{made['handle']}", f"{self.name}-{count}"
                await _until_taken(lambda headers, b=body, p=path: http.patch(p, json=b, headers=headers), key)
                tick()
            self.acknowledged = self.changes


async def _until_taken(send: Callable[[dict[str, str]], Awaitable[httpx.Response]], key: str) -> dict[str, Any]:
    while True:
        try:
            response = await send({"Idempotency-Key": key})
        except httpx.HTTPError:
            continue
        if response.status_code >= 500:
            continue
        assert response.is_success, response.text
        return dict(response.json())


def connected(url: str, headers: dict[str, str]) -> httpx.AsyncClient:
    """A client that waits ever longer between attempts while nobody answers."""
    transport = httpx.AsyncHTTPTransport(retries=12)
    return httpx.AsyncClient(base_url=url, headers=headers, timeout=60, transport=transport)


async def load(service: Process, *, users: int, clients: int, writers: int, changes: int, kill: bool) -> None:
    names = [f"user {place}" for place in range(users)]
    each = changes // writers
    writing = [Writer(names[place % users], place, each) for place in range(writers)]
    listening = [Listener(names[place % users], service.url) for place in range(clients)]
    last: dict[str, int] = {}
    ticks = 0

    def tick() -> None:
        nonlocal ticks
        ticks += 1
        if kill and ticks == changes // 2:
            service.kill()
            service.start()

    ears = [asyncio.create_task(listener.listen()) for listener in listening]
    await asyncio.gather(*(writer.write(service.url, tick) for writer in writing))
    snapshots = {}
    async with connected(service.url, {}) as http:
        for name in names:
            answer = await http.get("/v1/memory/snapshot", headers={"X-Veridical-User": name})
            snapshots[name] = answer.json()
            last[name] = snapshots[name]["number"]
    async with asyncio.timeout(_GAVE_UP):
        await asyncio.gather(*(listener.reach(last[listener.user]) for listener in listening))
    for ear in ears:
        ear.cancel()

    assert sum(writer.acknowledged for writer in writing) == each * writers
    for listener in listening:
        assert listener.numbers == list(range(1, last[listener.user] + 1)), "a gap or a double"
        assert listener.resets == 0
        assert dict(listener.replica.handles) == snapshots[listener.user]["handles"]
    for name in names:
        counters = [one for one in snapshots[name]["handles"].values() if one["type"] == "counter"]
        assert [one["state"]["count"] for one in counters] == [each - 1] * (writers // users)


def run(folder: Path, **shape: Any) -> None:
    service = Process(folder)
    service.start()
    try:
        asyncio.run(load(service, **shape))
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
