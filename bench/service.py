"""Times of the service on loopback: changes, streams, and a terminal that comes back.

python bench/service.py [--handles 1000] [--changes 400] [--clients 16]
"""

import argparse
import statistics
import tempfile
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import httpx
import uvicorn

from veridical.graph.build import build_graph
from veridical.graph.resources import open_resources
from veridical.graph.settings import Settings
from veridical.service.app import create_app
from veridical.service.client import MemoryClient
from veridical.service.options import ServiceOptions


def serve(stack: ExitStack, folder: Path) -> str:
    resources = stack.enter_context(open_resources(Settings(data_dir=folder, embeddings="hashing:64")))
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


def report(what: str, seconds: list[float]) -> None:
    ordered = sorted(1000 * one for one in seconds)
    print(
        f"{what:58} median {statistics.median(ordered):8.1f} ms   p95 {ordered[int(0.95 * (len(ordered) - 1))]:8.1f} ms"
    )


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--handles", type=int, default=1000)
    parser.add_argument("--changes", type=int, default=400)
    parser.add_argument("--clients", type=int, default=16)
    given = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        url = serve(stack, folder)
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
        away = MemoryClient(url)
        away._align()
        changed, reached = map(
            list,
            zip(
                *(change(http, clients, made[place % len(made)], place) for place in range(given.changes)), strict=True
            ),
        )
        report("change, acknowledged", changed)
        report(f"change, until {given.clients} terminals hold it", reached)
        report(f"re-alignment after {given.changes} missed changes, {len(made)} handles", [timed(away._align)])
        report(f"first alignment, {len(made)} handles", [timed(MemoryClient(url)._align) for _ in range(5)])

        with ThreadPoolExecutor(8) as pool:
            begun = time.perf_counter()
            list(
                pool.map(lambda _: http.post("/v1/memory/register", json=body).raise_for_status(), range(given.changes))
            )
            print(f"{'registrations from 8 writers':58} {given.changes / (time.perf_counter() - begun):.0f} a second")
        size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
        turns = len(made) + 2 * given.changes
        print(f"{'disk':58} {size / turns / 1024:.1f} KiB for each change")


if __name__ == "__main__":
    main()
