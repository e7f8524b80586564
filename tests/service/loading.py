"""What a load is made of: services in processes of their own, terminals that listen, and terminals that write."""

import asyncio
import itertools
import os
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
from httpx_sse import SSEError, aconnect_sse

from veridical.memory.handles.replica import Replica, replayed

LOOPBACK = "127.0.0.1"
_COMMAND = "from veridical.cli.app import main; main()"
_GAVE_UP = 600


class Process:
    """`veridical serve` in a process of its own, which can be killed and started again."""

    def __init__(self, folder: Path, **environment: str) -> None:
        self.folder = folder
        with socket.socket() as free:
            free.bind((LOOPBACK, 0))
            self.port = free.getsockname()[1]
        self.url = f"http://{LOOPBACK}:{self.port}"
        self._environment = {"VERIDICAL_EMBEDDINGS": "hashing:16", **environment}

    def start(self) -> None:
        options = ["--without-tokens", "--port", str(self.port), "--data", str(self.folder), "--rate", "1000000/second"]
        environment = {**os.environ, **self._environment}
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


async def snapshots(url: str, users: Sequence[str]) -> dict[str, dict[str, Any]]:
    """What a service tells each user, as soon as it answers."""
    async with connected(url, {}) as http:
        return {
            user: (await http.get("/v1/memory/snapshot", headers={"X-Veridical-User": user})).json() for user in users
        }


async def load(
    url: str, users: Sequence[str], *, clients: int, writers: int, changes: int, strike: Callable[[], None]
) -> dict[str, dict[str, Any]]:
    """Have everybody write and listen, strike in the middle, and compare what everybody holds at the end.

    Returns:
        The snapshots of the users.
    """
    each = changes // writers
    writing = [Writer(users[place % len(users)], place, each) for place in range(writers)]
    listening = [Listener(users[place % len(users)], url) for place in range(clients)]
    ticks = itertools.count(1)

    def tick() -> None:
        if next(ticks) == changes // 2:
            strike()

    ears = [asyncio.create_task(listener.listen()) for listener in listening]
    await asyncio.gather(*(writer.write(url, tick) for writer in writing))
    told = await snapshots(url, users)
    async with asyncio.timeout(_GAVE_UP):
        await asyncio.gather(*(listener.reach(told[listener.user]["number"]) for listener in listening))
    for ear in ears:
        ear.cancel()

    assert sum(writer.acknowledged for writer in writing) == each * writers
    for listener in listening:
        snapshot = told[listener.user]
        assert listener.numbers == list(range(1, snapshot["number"] + 1)), "a gap or a double"
        assert listener.resets == 0
        assert dict(listener.replica.handles) == snapshot["handles"]
    for user in users:
        counters = [one for one in told[user]["handles"].values() if one["type"] == "counter"]
        assert [one["state"]["count"] for one in counters] == [each - 1] * (writers // len(users))
    return told


@asynccontextmanager
async def dealt(instances: Sequence[Process]) -> AsyncIterator[str]:
    """An address in front of several services: each connection goes to the next of them that takes it."""
    order = itertools.cycle(instances)

    async def dealing(near: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        await _joined((near, back), [next(order).port for _ in instances])

    server = await asyncio.start_server(dealing, LOOPBACK, 0)
    yield f"http://{LOOPBACK}:{server.sockets[0].getsockname()[1]}"
    server.close()


_Ends = tuple[asyncio.StreamReader, asyncio.StreamWriter]


async def _joined(near: _Ends, ports: Sequence[int]) -> None:
    """Join a connection to the first port that takes it, until either side ends it."""
    async with AsyncExitStack() as opened:
        opened.push_async_callback(_closed, near[1])
        for port in ports:
            with suppress(ConnectionRefusedError):
                far = await asyncio.open_connection(LOOPBACK, port)
                opened.push_async_callback(_closed, far[1])
                pipes = [asyncio.create_task(_piped(*ends)) for ends in ((near[0], far[1]), (far[0], near[1]))]
                try:
                    await asyncio.wait(pipes, return_when=asyncio.FIRST_COMPLETED)
                finally:
                    for pipe in pipes:
                        pipe.cancel()
                return


async def _piped(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while part := await source.read(65_536):
            sink.write(part)
            await sink.drain()


async def _closed(writer: asyncio.StreamWriter) -> None:
    writer.close()
    with suppress(OSError):
        await writer.wait_closed()
