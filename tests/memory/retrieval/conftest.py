"""Fixtures that open stores of turns."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from veridical.memory.retrieval.embedders import Embedder, HashingEmbedder
from veridical.memory.retrieval.vectors import VectorIndex
from veridical.memory.storage.database import Database

from .stores import Store


@pytest.fixture
def open_store(data_dir: Path) -> Iterator[Callable[..., Store]]:
    """Opens stores, by default on one folder, and closes those that are still open."""
    opened: list[Store] = []

    def open_(folder: Path = data_dir, embedder: Embedder | None = None, **settings: int) -> Store:
        folder.mkdir(exist_ok=True)
        database = Database(folder)
        vectors = VectorIndex(database, folder, embedder or HashingEmbedder(256), **settings)
        opened.append(Store(folder, database, vectors))
        return opened[-1]

    yield open_
    for store in opened:
        store.close()


@pytest.fixture
def store(open_store: Callable[..., Store]) -> Store:
    """One open store."""
    return open_store()
