"""The command line as tests drive it: in this process, or as a process of its own."""

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from veridical.cli.app import app

Run = Callable[..., Result]
RunProcess = Callable[..., subprocess.CompletedProcess[bytes]]


@pytest.fixture(autouse=True)
def small_embedder(monkeypatch: pytest.MonkeyPatch, data_dir: Path) -> None:
    """A deterministic embedder, and a data folder of the test's own."""
    monkeypatch.setenv("VERIDICAL_EMBEDDINGS", "hashing:256")
    monkeypatch.setenv("VERIDICAL_DATA_DIR", str(data_dir))
    monkeypatch.setenv("COLUMNS", "80")


@pytest.fixture
def run() -> Run:
    """Run a command in this process."""

    def run(*arguments: object, input: str | bytes | None = None) -> Result:
        return CliRunner().invoke(app, [str(argument) for argument in arguments], input=input)

    return run


@pytest.fixture
def run_process() -> RunProcess:
    """Run a command as a process of its own."""

    def run(*arguments: object, input: bytes = b"", **environment: str) -> subprocess.CompletedProcess[bytes]:
        command = [sys.executable, "-c", "from veridical.cli.app import main; main()", *map(str, arguments)]
        return subprocess.run(command, input=input, capture_output=True, env=os.environ | environment, timeout=120)

    return run


def lines(*said: str) -> str:
    """What somebody types, line by line."""
    return "".join(f"{line}\n" for line in said)
