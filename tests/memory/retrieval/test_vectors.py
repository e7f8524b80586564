"""Vectors: SQL is the truth, the outbox is applied exactly once, Chroma is derived, owned by one process, and repaired."""

import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest
from sqlalchemy import delete, func, select

from veridical.memory.errors import WrongEmbedder
from veridical.memory.retrieval import chroma
from veridical.memory.retrieval.embedders import HashingEmbedder, Matrix
from veridical.memory.retrieval.reindexing import reindex
from veridical.memory.retrieval.vectors import Faults, bump_epoch, stored_embedder
from veridical.memory.storage.database import Database
from veridical.memory.storage.tables import outbox, turns, vectors

from .stores import Store

WORDS = [
    "budget",
    "violin",
    "kitchen",
    "rocket",
    "garden",
    "printer",
    "holiday",
    "contract",
    "dentist",
    "bicycle",
    "预算",
    "钢琴",
    "厨房",
    "火箭",
    "花园",
]


def note(number: int) -> str:
    return f"{WORDS[number % len(WORDS)]} {WORDS[(number * 7 + 3) % len(WORDS)]} number {number}"


def fill(store: Store, count: int, *, user: str = "ann") -> None:
    for place in range(count):
        store.say(note(place + 1), user=user)
    store.vectors.apply_outbox()


def rows(store: Store, table: object) -> int:
    with store.database.read() as connection:
        return int(connection.execute(select(func.count()).select_from(table)).scalar_one())


class CountingEmbedder(HashingEmbedder):
    """Counts what it embeds, and stops at a text that it is told to fail on."""

    def __init__(self) -> None:
        super().__init__(256)
        self.documents: list[str] = []
        self.queries: list[str] = []
        self.fails_on = ""

    def embed_documents(self, texts: list[str]) -> Matrix:
        if self.fails_on and any(self.fails_on in text for text in texts):
            raise ConnectionError(self.fails_on)
        self.documents.extend(texts)
        return super().embed_documents(texts)

    def embed_query(self, texts: list[str]) -> Matrix:
        self.queries.extend(texts)
        return super().embed_documents(texts)


def test_applying_the_outbox_stores_one_vector_per_turn_and_empties_it(store: Store) -> None:
    for text in ("my budget is 5000", "the violin is old"):
        store.say(text)
    assert store.dense("budget") == []

    assert store.vectors.apply_outbox() == 2
    assert store.vectors.apply_outbox() == 0
    assert (rows(store, vectors), rows(store, outbox)) == (2, 0)
    assert store.dense("the budget") == [1, 2]


def test_progress_is_reported_and_a_limit_kept(store: Store) -> None:
    for place in range(70):
        store.say(f"turn {place}")
    seen: list[tuple[int, int]] = []

    assert store.vectors.apply_outbox("ann", limit=65, on_progress=lambda *step: seen.append(step)) == 65
    assert seen == [(64, 65), (65, 65)]
    assert store.vectors.pending() == 5
    assert store.vectors.pending("bob") == 0


def test_one_users_outbox_can_be_applied_alone(store: Store) -> None:
    store.say("hers")
    store.say("his", user="bob")

    assert store.vectors.apply_outbox("bob") == 1
    assert (store.vectors.pending("ann"), store.vectors.pending("bob")) == (1, 0)


def test_an_embedder_that_fails_loses_no_turn(open_store: Callable[..., Store]) -> None:
    embedder = CountingEmbedder()
    store = open_store(embedder=embedder)
    store.say("the weather is fine")
    embedder.fails_on = "weather"
    with pytest.raises(ConnectionError):
        store.vectors.apply_outbox()
    assert store.vectors.pending() == 1

    embedder.fails_on = ""
    assert store.vectors.apply_outbox() == 1
    assert store.dense("weather") == [1]


def test_a_turn_that_is_gone_leaves_the_outbox_without_a_vector(store: Store) -> None:
    store.say("to be forgotten")
    with store.database.write() as connection:
        connection.execute(delete(turns))

    store.vectors.apply_outbox()
    assert (rows(store, vectors), rows(store, outbox)) == (0, 0)


def test_no_query_is_embedded_twice(open_store: Callable[..., Store]) -> None:
    embedder = CountingEmbedder()
    store = open_store(embedder=embedder)

    first = store.vectors.embed_queries(["a", "b", "a"])
    again = store.vectors.embed_queries(["b"])
    assert embedder.queries == ["a", "b"]
    assert (first[1] == again[0]).all()
    assert len(store.vectors.embed_queries([])) == 0


@pytest.mark.requirement("C36")
def test_eight_threads_writing_beside_readers_lose_and_double_nothing(store: Store) -> None:
    store.say("the first turn", apply=True)

    def write(user: str) -> None:
        for place in range(25):
            store.say(f"{WORDS[place % 10]} of {user}", user=user)
            store.vectors.apply_outbox(user)

    def read(_: str) -> None:
        for _ in range(25):
            store.recall("the first budget")

    with ThreadPoolExecutor(10) as pool:
        work = [pool.submit(write, f"u{number % 4}") for number in range(8)]
        work += [pool.submit(read, "ann") for _ in range(2)]
    for future in work:
        future.result()
    store.vectors.apply_outbox()

    assert (rows(store, vectors), rows(store, outbox)) == (201, 0)
    for user in ("u0", "u1", "u2", "u3"):
        assert len(store.dense("budget", user=user, k=500)) == 50


@pytest.mark.requirement("C32", "P6")
@pytest.mark.parametrize("chroma_from", [1, 20_000])
def test_users_with_confusing_ids_have_vectors_of_their_own(open_store: Callable[..., Store], chroma_from: int) -> None:
    store = open_store(chroma_from=chroma_from)
    users = ["a", "A", "ab", "a_b", "a-b", "%", "ann@example.org", "x.y", "王伟", "a'b", "../a"]
    for place, user in enumerate(users):
        fill(store, place + 1, user=user)

    for place, user in enumerate(users):
        assert sorted(store.dense("budget", user=user)) == list(range(1, place + 2))
    assert store.dense("budget", user="nobody") == []


def test_chroma_and_the_exact_search_agree(open_store: Callable[..., Store], tmp_path: Path) -> None:
    store = open_store(chroma_from=1)
    fill(store, 700)
    exact = open_store(store.folder, chroma_from=10**9)
    found = 0
    for word in WORDS:
        asked = store.vectors.embed_queries([f"the {word}"])
        (truth,), (near,) = exact.vectors.search("ann", asked, 100), store.vectors.search("ann", asked, 100)
        # Turns that are equally near may take each other's place.
        found += sum(cosine >= truth[-1][1] - 1e-5 for _, cosine in near)

    assert store.vectors.faults("ann") is not None, "Chroma was not in use"
    assert found / (100 * len(WORDS)) >= 0.99


def test_vectors_that_chroma_does_not_hold_yet_are_found_beside_those_it_holds(
    open_store: Callable[..., Store],
) -> None:
    store = open_store(chroma_from=300)
    fill(store, 300)
    late = store.say("a submarine at last", apply=True)
    faults = store.vectors.faults("ann")

    assert faults is not None
    assert late.number not in faults.missing, "it is pending, not missing"
    assert store.dense("submarine")[0] == late.number
    assert store.dense("submarine", before=late.number)[0] != late.number
    assert len(set(store.dense("budget", k=400))) >= 298


def test_turns_before_a_bound_are_found_exactly(open_store: Callable[..., Store]) -> None:
    store = open_store(chroma_from=1)
    fill(store, 300)

    assert sorted(store.dense("budget", k=500, before=101)) == list(range(1, 101))


@pytest.mark.requirement("C30")
def test_another_embedder_is_refused_with_the_command_that_re_embeds(open_store: Callable[..., Store]) -> None:
    store = open_store()
    fill(store, 3)
    store.close()

    with pytest.raises(WrongEmbedder, match="veridical reindex"):
        open_store(embedder=HashingEmbedder(32))
    assert open_store().dense("budget")


def test_a_store_without_vectors_takes_the_embedder_it_is_opened_with(open_store: Callable[..., Store]) -> None:
    open_store().close()
    store = open_store(embedder=HashingEmbedder(32))
    fill(store, 2)

    with store.database.read() as connection:
        assert stored_embedder(connection) == "hashing:32"


@pytest.mark.requirement("C30", "P7")
def test_reindexing_embeds_everything_anew_and_an_open_store_of_the_old_kind_says_so(
    open_store: Callable[..., Store],
) -> None:
    old = open_store(chroma_from=1)
    fill(old, 30)
    seen: list[tuple[int, int]] = []
    database = Database(old.folder)

    assert reindex(database, old.folder, HashingEmbedder(32), on_progress=lambda *step: seen.append(step)) == 30
    database.close()
    assert seen[-1] == (30, 30)
    with pytest.raises(WrongEmbedder):
        old.dense("budget")
    old.close()
    new = open_store(embedder=HashingEmbedder(32), chroma_from=1)
    assert len(new.dense("budget", k=100)) == 30
    assert new.lexical("budget")


def test_an_interrupted_reindexing_goes_on_where_it_stopped(open_store: Callable[..., Store]) -> None:
    store = open_store(embedder=HashingEmbedder(32))
    fill(store, 130)
    store.close()
    database = Database(store.folder)
    embedder = CountingEmbedder()
    embedder.fails_on = "number 100"
    with pytest.raises(ConnectionError):
        reindex(database, store.folder, embedder)
    done = len(embedder.documents)
    embedder.fails_on = ""

    assert reindex(database, store.folder, embedder) == 130 - done
    database.close()
    assert done >= 64
    assert len(embedder.documents) == 130


@pytest.mark.requirement("P7")
def test_a_deleted_chroma_folder_is_filled_again_from_sql(open_store: Callable[..., Store]) -> None:
    store = open_store(chroma_from=1)
    fill(store, 300)
    store.close()
    shutil.rmtree(store.folder / chroma.FOLDER)

    again = open_store(chroma_from=1)
    assert again.dense(note(77))[0] == 77
    again.say("one more", apply=True)
    assert again.vectors.faults("ann") == Faults(frozenset(), frozenset())
    assert again.dense(note(77))[0] == 77
    assert (again.folder / chroma.FOLDER).is_dir()


@pytest.mark.requirement("P7")
@pytest.mark.parametrize(
    "damaged", ["*/chroma.sqlite3", "*/*/data_level0.bin", "*/*/header.bin", "*/manifest.json", "folder"]
)
def test_a_damaged_chroma_folder_is_replaced_without_being_asked(
    open_store: Callable[..., Store], damaged: str
) -> None:
    store = open_store(chroma_from=1)
    fill(store, 1100)
    store.close()
    folder = store.folder / chroma.FOLDER
    if damaged == "folder":
        shutil.rmtree(folder)
        folder.write_text("not a folder", encoding="utf-8")
    else:
        for path in (found := list(folder.glob(damaged))):
            path.write_bytes(bytes(range(256)) * 64)

        assert found

    again = open_store(chroma_from=1)
    assert again.dense(note(676), k=2000)[0] == 676
    again.vectors.rebuild("ann")
    found = again.dense(note(676), k=2000)
    assert found[0] == 676
    assert len(set(found)) >= 1089, "an index by neighbourhood may miss one in a hundred"
    assert again.vectors.faults("ann") == Faults(frozenset(), frozenset())


def test_a_collection_that_holds_what_sql_has_not_is_dropped(open_store: Callable[..., Store]) -> None:
    store = open_store(chroma_from=1)
    fill(store, 300)
    with store.database.write() as connection:
        connection.execute(delete(vectors).where(vectors.c.turn == 1))
        bump_epoch(connection)

    faults = store.vectors.faults("ann")
    assert faults is not None
    assert faults.stray == {1}
    found = store.dense("budget", k=500)
    assert 1 not in found
    assert len(found) >= 296


def test_rebuilding_embeds_turns_that_have_no_vector(store: Store) -> None:
    fill(store, 5)
    with store.database.write() as connection:
        connection.execute(delete(vectors).where(vectors.c.turn.in_([2, 4])))

    store.vectors.rebuild("ann")
    assert sorted(store.dense("budget")) == [1, 2, 3, 4, 5]


def test_the_second_opener_of_a_folder_does_not_own_chroma_and_finds_the_same(
    open_store: Callable[..., Store],
) -> None:
    first = open_store(chroma_from=1)
    second = open_store(first.folder, chroma_from=1)
    fill(first, 300)
    fresh = second.say("a submarine", apply=True)

    assert (first.vectors.owner, second.vectors.owner) == (True, False)
    assert first.dense("a submarine")[0] == second.dense("a submarine")[0] == fresh.number
    assert second.vectors.faults("ann") is None
    first.close()
    third = open_store(first.folder, chroma_from=1)
    assert third.vectors.owner
    assert third.dense("a submarine")[0] == fresh.number


def test_stored_vectors_are_what_the_embedder_gave(open_store: Callable[..., Store]) -> None:
    for chroma_from in (1, 20_000):
        store = open_store(chroma_from=chroma_from)
        if chroma_from == 1:
            fill(store, 300)
        numbers, found = store.vectors.vectors_of("ann", [7, 3, 9999])
        expected = HashingEmbedder(256).embed_documents([note(3), note(7)])
        assert numbers.tolist() == [3, 7]
        assert np.allclose(found, expected)
        store.close()
