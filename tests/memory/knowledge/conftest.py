"""A memory with documents: real SQLite and Chroma's lock, a deterministic embedder, a clock that moves by itself."""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from veridical.memory.knowledge.reading import ReadDocument
from veridical.memory.knowledge.rows import Added
from veridical.memory.language.folding import detect_language
from veridical.memory.records import Item, NewTurn
from veridical.memory.retrieval.embedders import open_embedder
from veridical.memory.store import Memory

START = datetime(2026, 3, 2, 9, tzinfo=UTC)
Add = Callable[..., Added]
Say = Callable[..., tuple[Item, ...]]


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory(tmp_path / "data", open_embedder("hashing:256")) as opened:
        yield opened


@pytest.fixture
def add(memory: Memory) -> Add:
    """Add a document that a test writes down, so many days after the start."""

    def add(text: str, name: str = "handbook.md", user: str = "ann", day: float = 0) -> Added:
        read = ReadDocument(name, "text/markdown", text, detect_language(text))
        added = memory.knowledge.add(user, read, now=START + timedelta(days=day))
        memory.knowledge.embed(user)
        return added

    return add


@pytest.fixture
def say(memory: Memory) -> Say:
    """Say something as a user, and get the items that were noted."""

    def say(text: str, user: str = "ann", day: float = 1) -> tuple[Item, ...]:
        moment = START + timedelta(days=day)
        new = NewTurn(
            user_id=user,
            session_id="s1",
            external_id=f"{day}:{text}",
            role="user",
            source="user_input",
            speaker="user",
            text=text,
            language=detect_language(text),
            observed_at=moment,
            time_zone="UTC",
            act="statement",
        )
        return memory.record(new, now=moment).items

    return say
