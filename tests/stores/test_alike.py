"""Two stores are alike: the same by words, columns and filters, and nearly the same ranking of what is looked for."""

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from veridical.evals.datasets.jsonl import load
from veridical.evals.records import Dialogue, Source
from veridical.evals.stores import listening
from veridical.graph.recall import recall
from veridical.memory.retrieval import lexical
from veridical.nodes.contract import Context

from .conftest import STORES, World

pytestmark = pytest.mark.requirement("STORES-ALIKE")

BUNDLED = Path(__file__).parents[2] / "evals" / "bundled"
FILES = ("en/en02-orders.jsonl", "en/en05-lisbon.jsonl", "zh/zh02-订单.jsonl", "zh/zh07-云南.jsonl")
K = 10


@pytest.fixture(scope="module")
def dialogues() -> list[Dialogue]:
    return [one for file in FILES for one in load(Source(BUNDLED / file)).dialogues]


@pytest.fixture
def pair(open_world: Callable[..., World]) -> tuple[World, World]:
    first, second = (open_world(store) for store in STORES)
    return first, second


def test_bundled_dialogues_are_found_alike(pair: tuple[World, World], dialogues: list[Dialogue]) -> None:
    differing, recalls = [], {store: [] for store in STORES}
    for dialogue in dialogues:
        told = [listening(dialogue, world.resources) for world in pair]
        for resources, telling in told:
            telling.until(dialogue.utterances[-1].observed_at)
            assert resources.memory.vectors.pending() == 0
        for question in dialogue.questions:
            found = [retrieved(resources, telling, question.text, dialogue.id) for resources, telling in told]
            if found[0] != found[1]:
                differing.append((question.text, found))
            if question.gold:
                for store, ids in zip(STORES, found, strict=True):
                    recalls[store].append(len(set(ids) & set(question.gold)) / len(question.gold))
            for world_hits in zip(*(words(world, dialogue.id, question.text) for world in pair), strict=True):
                assert world_hits[0][0] == world_hits[1][0]
                assert world_hits[0][1] == pytest.approx(world_hits[1][1])
    means = [float(np.mean(recalls[store])) for store in STORES]
    assert len(recalls["folder"]) > 20
    assert abs(means[0] - means[1]) <= 0.01, (means, differing)


def retrieved(resources, telling, question: str, user: str) -> list[str]:
    found = recall(resources, question, Context(user_id=user, limit=K))
    return [telling.external.get(one["id"], one["id"]) for one in found["results"]][:K]


def words(world: World, user: str, text: str) -> list[tuple[int, float]]:
    with world.memory.database.read() as connection:
        return lexical.search(connection, user, text, 50)


QUESTIONS = (
    ("What did I say about order A-7731?", {}),
    ("订单 A-7731 是什么时候的？", {}),
    ("What did Ann say about the ferry?", {}),
    ("What did I say yesterday?", {}),
    ("Who mentioned the boathouse?", {}),
)


def test_exact_and_filtered_queries_find_the_same(pair: tuple[World, World]) -> None:
    for world in pair:
        world.say(
            "Order A-7731 is a blue kettle for 39 dollars.",
            "订单 A-7731 改到周五送。",
            "Ann: the ferry to Tarn leaves at 9.",
            "Bob: the ferry is late, A-7732 as well.",
            "My venue is the boathouse. It costs 3,100 dollars.",
            "I like C盘 and 3.5 litres of don't-know.",
        )
    for question, given in QUESTIONS:
        first, second = (recall(world.resources, question, Context(user_id="ann", **given)) for world in pair)
        assert first["filter"] == second["filter"]
        assert [one["id"] for one in first["results"]] == [one["id"] for one in second["results"]]
    for phrase in ("A-7731", "ferry", "送", "周五", "3.5", "5 litres", "don't", "C盘", "boat", "ferry is late", "the"):
        found = []
        for world in pair:
            with world.memory.database.read() as connection:
                found.append(
                    (lexical.mentioning(connection, "ann", phrase), lexical.rarities(connection, "ann", [phrase]))
                )
        assert found[0] == found[1], phrase
