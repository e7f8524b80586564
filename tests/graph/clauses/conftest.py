"""A graph over a shelf of contracts and statutes."""

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.graph import papers
from tests.graph.conftest import Clock
from veridical.memory.retrieval.embedders import open_embedder
from veridical.memory.store import Memory
from veridical.nodes.contract import Resources


@pytest.fixture(scope="session")
def shelved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with all the papers, made once and copied for each test."""
    folder = tmp_path_factory.mktemp("shelved") / "data"
    with Memory(folder, open_embedder("hashing:256")) as memory:
        papers.add(Resources(memory=memory, clock=Clock(datetime(2026, 3, 1, tzinfo=UTC)), time_zone="UTC"))
    return folder


@pytest.fixture
def shelf(resources: Resources) -> None:
    """Says that the papers are there: ``resources`` opens a copy of them."""


@pytest.fixture
def resources(request: pytest.FixtureRequest, tmp_path: Path, clock: Clock) -> Iterator[Resources]:
    if "shelf" in request.fixturenames:
        shutil.copytree(request.getfixturevalue("shelved"), tmp_path / "data")
    with Memory(tmp_path / "data", open_embedder("hashing:256")) as memory:
        yield Resources(memory=memory, clock=clock, time_zone="UTC")
