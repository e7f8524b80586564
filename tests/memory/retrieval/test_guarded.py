"""An embedder that fails leaves recall without nearness, is told of once, and is asked again later."""

import logging
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from langchain_core.embeddings import DeterministicFakeEmbedding, Embeddings

from tests.fakes import StatusError
from veridical.memory.errors import EmbedderFailed
from veridical.memory.retrieval.embedders import LangChainEmbedder
from veridical.memory.retrieval.guarded import GuardedEmbedder
from veridical.memory.retrieval.reindexing import reindex
from veridical.memory.retrieval.vectors import VectorIndex
from veridical.memory.storage.database import Database

from .stores import Store


class Provider(Embeddings):
    """Gives vectors of some size, or fails as it is told to: an error, an event that it waits for, an answer."""

    def __init__(self, size: int = 12) -> None:
        self.fails: Any = None
        self.calls = 0
        self.model = DeterministicFakeEmbedding(size=size)

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        self.calls += 1
        if isinstance(self.fails, Exception):
            raise self.fails
        if isinstance(self.fails, threading.Event):
            self.fails.wait(10)
        return self.fails if isinstance(self.fails, list) else self.model.embed_documents(texts)

    def embed_query(self, text: str) -> list[float]:
        return self.embed_documents([text])[0]


class APIConnectionError(Exception):
    """What OpenAI's library raises where nobody listens."""


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def provider() -> Provider:
    return Provider()


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def store(tmp_path: Path, provider: Provider, clock: Clock) -> Iterator[Store]:
    embedder = LangChainEmbedder("fake:model", provider, timeout=0.2)
    with closing(Database(tmp_path)) as database:
        index = VectorIndex(database, tmp_path, GuardedEmbedder(embedder, rest=10, clock=clock))
        with closing(index):
            yield Store(tmp_path, database, index)


FAILURES: dict[str, Callable[[], Any]] = {
    "refused": lambda: APIConnectionError("http://secret"),
    "time-out": threading.Event,
    "wrong key": lambda: StatusError(401),
    "rate limit": lambda: StatusError(429),
    "no vectors": lambda: [["a", "b"]],
    "no numbers": lambda: [[float("nan")] * 12],
    "other size": lambda: [[1.0] * 7],
}


@pytest.mark.requirement("EMBEDDER-AWAY")
@pytest.mark.parametrize("kind", FAILURES)
def test_a_failure_leaves_recall_to_the_words_and_is_told_of_once(
    store: Store, provider: Provider, kind: str, caplog: pytest.LogCaptureFixture
) -> None:
    store.say("The budget of Apollo is 48,500 dollars.", apply=True)
    store.say("My sister plays the violin.", apply=True)
    caplog.set_level(logging.WARNING)
    failure = FAILURES[kind]()
    provider.fails = failure
    found = store.recall("What is the budget?", "How much money?")
    if isinstance(failure, threading.Event):
        failure.set()

    assert found[0].turn == 1
    assert all("dense" not in candidate.channels for candidate in found)
    assert store.vectors.failure_of("What is the budget?")
    assert len(caplog.records) == 1
    assert "secret" not in caplog.text


@pytest.mark.requirement("EMBEDDER-AWAY")
def test_what_could_not_be_embedded_waits_and_is_embedded_once_the_embedder_is_back(
    store: Store, provider: Provider, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    provider.fails = StatusError(503)
    store.say("The budget of Apollo is 48,500 dollars.")
    for _ in range(2):
        with pytest.raises(EmbedderFailed, match="run the command again"):
            store.vectors.apply_outbox()
    assert (store.vectors.pending(), provider.calls, len(caplog.records)) == (1, 1, 1)

    provider.fails, clock.now = None, 11.0
    assert store.vectors.apply_outbox() == 1
    assert store.vectors.failure_of("budget") is None
    provider.fails = StatusError(503)
    store.say("The deadline of Apollo is May 8.")
    with pytest.raises(EmbedderFailed):
        store.vectors.apply_outbox()
    assert len(caplog.records) == 2


def test_vectors_of_another_size_are_never_stored(store: Store, provider: Provider) -> None:
    store.say("The budget of Apollo is 48,500 dollars.", apply=True)
    provider.model = DeterministicFakeEmbedding(size=7)
    store.say("The deadline of Apollo is May 8.")
    with pytest.raises(EmbedderFailed, match=r"7 numbers, and those of this store 12.*veridical reindex"):
        store.vectors.apply_outbox()
    assert store.vectors.pending() == 1


def test_a_store_opens_without_asking_the_embedder(tmp_path: Path) -> None:
    provider = Provider()
    with (
        closing(Database(tmp_path)) as database,
        closing(VectorIndex(database, tmp_path, LangChainEmbedder("fake:model", provider))) as index,
    ):
        assert index.search("ann", np.zeros((1, 1), dtype=np.float32), 5) == [[]]
    assert provider.calls == 0


@pytest.mark.requirement("EMBEDDER-AWAY")
def test_reindexing_with_an_embedder_that_is_away_changes_nothing(store: Store, provider: Provider) -> None:
    store.say("The budget of Apollo is 48,500 dollars.", apply=True)
    other = Provider()
    other.fails = APIConnectionError()
    with pytest.raises(EmbedderFailed, match="other:model"):
        reindex(store.database, store.folder, LangChainEmbedder("other:model", other))
    assert store.dense("The budget of Apollo is 48,500 dollars.") == [1]


def test_a_text_that_a_provider_would_refuse_for_its_length_is_sent_in_part() -> None:
    sent: list[str] = []

    class Measuring(Provider):
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            sent.extend(texts)
            return super().embed_documents(texts)

    LangChainEmbedder("fake:model", Measuring()).embed_documents(["word " * 10_000])
    assert len(sent[0]) == 6000
