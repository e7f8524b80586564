"""Times of the service on loopback: changes, streams, and a terminal that comes back after two hours.

python bench/service.py [--handles 1000] [--changes 400] [--clients 16]

The service's clock is set: while the changes are made it goes on by two hours.
"""

import argparse
import statistics
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import httpx
import uvicorn
from httpx_sse import connect_sse

from veridical.graph.build import build_graph
from veridical.graph.resources import open_resources
from veridical.graph.settings import Settings
from veridical.service.app import create_app
from veridical.service.client import MemoryClient
from veridical.service.options import ServiceOptions

_GAP = timedelta(hours=2)


class Clock:
    """A clock that is set forward."""

    def __init__(self) -> None:
        self.time = datetime.now(UTC) - _GAP

    def __call__(self) -> datetime:
        self.time += timedelta(microseconds=1)
        return self.time


def serve(stack: ExitStack, folder: Path, clock: Clock) -> str:
    resources = stack.enter_context(open_resources(Settings(data_dir=folder, embeddings="hashing:64")))
    resources = replace(resources, clock=clock)
    app = create_app(build_graph(resources), ServiceOptions(without_tokens=True, rate="1000000/second"))
    server = uvicorn.Server(uvicorn.Config(app, port=0, log_level="error", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    while not server.started:
        time.sleep(0.05)
    stack.callback(thread.join)
    stack.callback(lambda: setattr(server, "should_exit", True))
    return f"http://127.0.0.1:{server.servers[0].sockets[0].getsockname()[1]}"


def timed(call) -> float:
    begun = time.perf_counter()
    call()
    return time.perf_counter() - begun


def change(http: httpx.Client, clients: list[MemoryClient], handle: str, place: int) -> tuple[float, float]:
    """Seconds until a change is acknowledged, and until every terminal holds it."""
    begun = time.perf_counter()
    version = clients[0].replica.handles[handle]["version"]
    body = {"delta": {"place": place + 1}, "version": version}
    acknowledged = timed(lambda: http.patch(f"/v1/memory/{handle}", json=body).raise_for_status())
    for client in clients:
        client.wait_until(lambda replica: replica.handles[handle]["version"] > version, timeout=60)
    return acknowledged, time.perf_counter() - begun


def replay(url: str, since: int, until: int) -> None:
    """Read what a stream sends to one who knows the event of a number."""
    headers = {"Last-Event-ID": str(since)}
    with (
        httpx.Client(base_url=url, timeout=60) as http,
        connect_sse(http, "GET", "/v1/memory/events", headers=headers) as source,
    ):
        for sent in source.iter_sse():
            if sent.data and sent.json()["number"] >= until:
                return


def report(what: str, seconds: list[float]) -> None:
    ordered = sorted(1000 * one for one in seconds)
    print(
        f"{what:62} median {statistics.median(ordered):8.1f} ms   p95 {ordered[int(0.95 * (len(ordered) - 1))]:8.1f} ms"
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--handles", type=int, default=1000)
    parser.add_argument("--changes", type=int, default=400)
    parser.add_argument("--clients", type=int, default=16)
    given = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        clock = Clock()
        url = serve(stack, folder, clock)
        http = stack.enter_context(httpx.Client(base_url=url, timeout=60))
        body = {
            "source": "bench",
            "type": "note",
            "state": {"place": 0, "text": "twelve words of text, as a note may well have them here"},
        }
        made: list[str] = []
        report(
            "register",
            [
                timed(lambda: made.append(http.post("/v1/memory/register", json=body).json()["handle"]))
                for _ in range(given.handles)
            ],
        )

        clients = [stack.enter_context(MemoryClient(url)) for _ in range(given.clients)]
        for client in clients:
            client.wait_until_aligned(timeout=60)
        away, few = MemoryClient(url), MemoryClient(url)
        away._align()
        since = away.replica.number
        times = []
        for place in range(given.changes):
            if place == given.changes - 5:
                few._align()
            clock.time += _GAP / given.changes
            times.append(change(http, clients, made[place % len(made)], place))
        changed, reached = map(list, zip(*times, strict=True))
        report("change, acknowledged", changed)
        report(f"change, until {given.clients} terminals hold it", reached)
        missed = f"{given.changes} changes in {_GAP}"
        report(f"re-alignment after {missed}, {len(made)} handles", [timed(away._align)])
        report("re-alignment after the last 5 of these changes", [timed(few._align)])
        until = clients[0].replica.number
        report(f"the {until - since} events of these, replayed", [timed(lambda: replay(url, since, until))])
        report(f"first alignment, {len(made)} handles", [timed(MemoryClient(url)._align) for _ in range(5)])

        with ThreadPoolExecutor(8) as pool:
            begun = time.perf_counter()
            list(
                pool.map(lambda _: http.post("/v1/memory/register", json=body).raise_for_status(), range(given.changes))
            )
            print(f"{'registrations from 8 writers':62} {given.changes / (time.perf_counter() - begun):.0f} a second")
        size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
        turns = len(made) + 2 * given.changes
        print(f"{'disk':62} {size / turns / 1024:.1f} KiB for each change")


if __name__ == "__main__":
    main()
