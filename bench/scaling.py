"""What one and what several `veridical serve` on one database do: changes, reads, and chat turns at the same time.

python bench/scaling.py [--processes 1 4] [--store postgres|folder] [--turns 1 8 16 32 64]

Every caller has a token, sends one request after the other, and is dealt to the next process. The model is
bench/slow_model.py; the generator of the load runs on the same machine. What the services and the database computed for
each request is read from /proc: it says what a core can do, also where others keep the machine busy.
"""

import argparse
import http.client
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import TypeVar

from servers import postgres

from veridical.memory.storage.database import Database
from veridical.memory.storage.tokens import create_token

_FACT = "The budget of Apollo is 48,500 dollars."
_QUESTION = "What is the budget of Apollo?"
_REPORT = {"glucose": {"value": 12.3, "unit": "mmol/L"}, "blood_pressure": "158/96", "note": "fasting, in the morning"}
_IDLE = 2.0
"""Seconds after which a connection is made anew: the service ends those that are idle for five."""
_PYTHON = [sys.executable, "-c", "from veridical.cli.app import main; main()"]


Given = TypeVar("Given")


class Caller:
    """One who sends requests over one connection, under a token of its own."""

    def __init__(self, port: int, user: str, token: str) -> None:
        self._session = f"talk of {user}"
        self._http = http.client.HTTPConnection("127.0.0.1", port, timeout=120)
        self._headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        self.handle = ""
        self.version = 0
        self._used = 0.0
        self.waits: list[float] = []
        """Of each turn, the seconds until its first sentence."""

    def ask(self, method: str, path: str, body: object = None) -> dict:
        response = self._sent(method, path, body)
        told = json.loads(response.read())
        if response.status >= 400:
            raise RuntimeError(f"{method} {path}: {response.status} {told}")
        return told

    def register(self) -> None:
        body = {"source": "bench", "type": "medical_report", "state": _REPORT}
        self.handle = self.ask("POST", "/v1/memory/register", body)["handle"]
        self.version = 1

    def change(self) -> None:
        body = {"delta": {"glucose": {"value": self.version}}, "version": self.version}
        self.version = self.ask("PATCH", f"/v1/memory/{self.handle}", body)["version"]

    def read(self) -> None:
        self.ask("GET", f"/v1/memory/{self.handle}")

    def turn(self, message: str = _QUESTION) -> None:
        begun = time.perf_counter()
        response = self._sent("POST", "/v1/chat", {"message": message, "session": self._session})
        said: list[bytes] = []
        while line := response.readline():
            if line == b"event: sentence\n" and line not in said:
                self.waits.append(time.perf_counter() - begun)
            said.append(line)
        if b"event: done\n" not in said or b"event: error\n" in said:
            raise RuntimeError(b"".join(said).decode())

    def _sent(self, method: str, path: str, body: object) -> http.client.HTTPResponse:
        if time.monotonic() - self._used > _IDLE:
            self._http.close()
        self._used = time.monotonic()
        self._http.request(method, path, None if body is None else json.dumps(body), self._headers)
        return self._http.getresponse()


class Services:
    """Several processes on one database, and the tokens to speak with them."""

    def __init__(self, opened: ExitStack, processes: int, store: str, model_port: int) -> None:
        folder = Path(opened.enter_context(tempfile.TemporaryDirectory(prefix="veridical-bench-")))
        url = opened.enter_context(postgres(folder / "pg")) if store == "postgres" else ""
        self._database = opened.enter_context(closing(Database(_made(folder / "data 0"), url)))
        settings = {
            "VERIDICAL_DATABASE_URL": url,
            "VERIDICAL_EMBEDDINGS": "hashing:384",
            "VERIDICAL_MODEL": "openai:slow",
            "OPENAI_API_KEY": "none",
            "OPENAI_BASE_URL": f"http://127.0.0.1:{model_port}/v1",
        }
        folders = [folder / (f"data {place}" if url else "data 0") for place in range(processes)]
        serving = [opened.enter_context(_serving(one, settings)) for one in folders]
        self.ports = [port for _, port in serving]
        self._own = [pid for pid, _ in serving]
        self._server = int((folder / "pg" / "postmaster.pid").read_text(encoding="utf-8").split()[0]) if url else 0

    def computed(self) -> tuple[float, float]:
        """Seconds of the processor that the services and the database have used so far."""
        return sum(map(_cpu, self._own)), _cpu(self._server, 4) + sum(map(_cpu, _children(self._server)))

    def callers(self, number: int, *, of_one_user: bool = False) -> list[Caller]:
        users = ["one" if of_one_user else f"user {place}" for place in range(number)]
        return [
            Caller(self.ports[place % len(self.ports)], user, self._token(user, place))
            for place, user in enumerate(users)
        ]

    def _token(self, user: str, place: int) -> str:
        with self._database.write(user) as connection:
            return create_token(connection, user, f"terminal {place}", now=datetime.now(UTC))[1]


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True)
    return folder


@contextmanager
def _serving(folder: Path, settings: dict[str, str]) -> Iterator[tuple[int, int]]:
    """A service; gives the process and the port."""
    command = [*_PYTHON, "serve", "--port", "0", "--rate", "1000000/second", "--data", str(folder)]
    process = subprocess.Popen(command, env={**os.environ, **settings}, stderr=subprocess.PIPE, text=True)
    try:
        said = process.stderr.readline()
        if "http://" not in said:
            raise RuntimeError(said + process.stderr.read())
        threading.Thread(target=lambda: sys.stderr.write(process.stderr.read()), daemon=True).start()
        port = int(said.split("http://127.0.0.1:")[1].split()[0])
        while not _listens(port):
            time.sleep(0.1)
        yield process.pid, port
    finally:
        process.terminate()
        process.wait()


def _listens(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port)).close()
    except ConnectionRefusedError:
        return False
    return True


@contextmanager
def _slow_model(seconds: float) -> Iterator[int]:
    command = [sys.executable, str(Path(__file__).with_name("slow_model.py")), str(seconds), _FACT]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield int(process.stdout.readline())
        finally:
            process.kill()


def kept_up(callers: list[Caller], work: Callable[[Caller], None], seconds: float) -> tuple[float, list[float]]:
    """Have every caller work again and again; how often a second it was done, and the seconds that each took."""
    begun = time.perf_counter()

    def again(caller: Caller) -> list[float]:
        took = []
        while (started := time.perf_counter()) < begun + seconds:
            work(caller)
            took.append(time.perf_counter() - started)
        return took

    took = [one for taken in _together(callers, again) for one in taken]
    return len(took) / (time.perf_counter() - begun), took


def _together(callers: list[Caller], work: Callable[[Caller], Given]) -> list[Given]:
    with ThreadPoolExecutor(len(callers)) as pool:
        return list(pool.map(work, callers))


def _stat(pid: int) -> list[str]:
    try:
        return Path(f"/proc/{pid}/stat").read_text(encoding="utf-8").rpartition(")")[2].split()
    except OSError:  # it has ended, or there is none
        return []


def _cpu(pid: int, fields: int = 2) -> float:
    """Of the process alone, or with four fields of its children that have ended as well."""
    return sum(map(int, _stat(pid)[11 : 11 + fields])) / os.sysconf("SC_CLK_TCK")


def _children(parent: int) -> list[int]:
    pids = [int(path.name) for path in Path("/proc").iterdir() if path.name.isdecimal()]
    return [pid for pid in pids if _stat(pid)[1:2] == [str(parent)]] if parent else []


class Sheet:
    """The rows of one number of processes, measured one after the other and printed as they are known."""

    def __init__(self, services: Services, processes: int, seconds: float) -> None:
        self._services = services
        self._processes = processes
        self._seconds = seconds

    def row(self, what: str, callers: list[Caller], work: Callable[[Caller], None]) -> None:
        for caller in callers:
            caller.waits.clear()
        before = self._services.computed()
        rate, took = kept_up(callers, work, self._seconds)
        after = self._services.computed()
        own, database = (1000 * (late - early) / len(took) for early, late in zip(before, after, strict=True))
        waits = [wait for caller in callers for wait in caller.waits]
        first = f"{1000 * statistics.median(waits):.0f}" if waits else ""
        middle, late = 1000 * statistics.median(took), 1000 * statistics.quantiles(took, n=20)[-1]
        cells = [
            self._processes,
            what,
            f"{rate:.1f}",
            f"{middle:.0f} / {late:.0f}",
            first,
            f"{own:.1f} + {database:.1f}",
        ]
        print(f"| {' | '.join(map(str, cells))} |", flush=True)


def measure(processes: int, given: argparse.Namespace, model_port: int) -> None:
    with ExitStack() as opened:
        services = Services(opened, processes, given.store, model_port)
        sheet = Sheet(services, processes, given.seconds)
        for what, one in (("changes, a user each", False), ("changes, all of one user", True)):
            callers = services.callers(given.callers, of_one_user=one)
            _together(callers, Caller.register)
            sheet.row(f"{what}, {given.callers} callers", callers, Caller.change)
        sheet.row(f"reads, {given.callers} callers", callers, Caller.read)
        callers = services.callers(max(given.turns))
        _together(callers, lambda caller: caller.turn(_FACT))
        _together(callers[:processes], Caller.turn)  # loads what only a question with a model needs
        for number in given.turns:
            sheet.row(f"chat turns, {number} at once", callers[:number], Caller.turn)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--processes", type=int, nargs="+", default=[1, 4])
    parser.add_argument("--store", choices=["postgres", "folder"], default="postgres")
    parser.add_argument("--seconds", type=float, default=15.0, help="that each row is measured for")
    parser.add_argument("--callers", type=int, default=16, help="who change and read")
    parser.add_argument("--turns", type=int, nargs="+", default=[1, 8, 16, 32, 64], help="chat turns at the same time")
    parser.add_argument("--model-seconds", type=float, default=1.0, help="that the model streams an answer for")
    given = parser.parse_args()
    columns = ["processes", "what", "a second", "ms, median / p95", "first sentence, ms", "CPU ms, services + database"]
    print(f"| {' | '.join(columns)} |\n{'|---' * len(columns)}|")
    with _slow_model(given.model_seconds) as model_port:
        for processes in given.processes:
            measure(processes, given, model_port)


if __name__ == "__main__":
    main()
