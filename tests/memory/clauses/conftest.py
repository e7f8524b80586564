"""A memory to which documents of clauses are added from texts that a test writes down."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from veridical.memory.clauses.adding import Given
from veridical.memory.knowledge.reading import ReadDocument
from veridical.memory.knowledge.rows import Added
from veridical.memory.language.folding import detect_language
from veridical.memory.retrieval.embedders import open_embedder
from veridical.memory.store import Memory

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
Add = Callable[..., Added]


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory(tmp_path / "data", open_embedder("hashing:64")) as opened:
        yield opened


@pytest.fixture
def add(memory: Memory) -> Add:
    """Add a document of a name and a text, so many days after the start."""

    def add(name: str, text: str, *, user: str = "ann", day: float = 0, given: Given | None = None) -> Added:
        read = ReadDocument(name, "text/markdown", text, detect_language(text))
        return memory.knowledge.add(user, read, given=given, now=START + timedelta(days=day))

    return add
