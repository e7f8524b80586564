"""The knowledge base of a data folder: versions, isolation, removal, and the doctor over all of it."""

import sqlite3
from datetime import timedelta
from pathlib import Path

import pytest
from alembic import command
from alembic.config import Config
from sqlalchemy import create_engine, delete, select, text, update

import veridical.memory.storage.database as database_module
from veridical.memory.doctor import examine, repair
from veridical.memory.errors import NotFound
from veridical.memory.records import Query, RecallFilter
from veridical.memory.retrieval import lexical
from veridical.memory.retrieval.embedders import open_embedder
from veridical.memory.retrieval.namespaces import CHUNKS
from veridical.memory.retrieval.reindexing import reindex
from veridical.memory.storage.database import FILE_NAME, Database
from veridical.memory.storage.tables import chunk_outbox, chunk_vectors, chunks, documents
from veridical.memory.store import Memory

from .conftest import START, Add

LEAVE = "# Leave\n\nEmployees get {} vacation days per year.\n\n# Parking\n\nParking is free.\n"


def find(memory: Memory, words: str, user: str = "ann", **limits: object) -> list[str]:
    queries, wanted = [Query(words)], RecallFilter(**limits)
    hits = memory.knowledge.search(user, 0, queries[0], wanted)
    return [candidate.id for candidate in memory.knowledge.rank(user, queries, hits)]


@pytest.mark.requirement("KNOWLEDGE-VERSIONS")
def test_the_same_content_again_is_a_no_op(memory: Memory, add: Add):
    first, second = add(LEAVE.format(28)), add(LEAVE.format(28), day=1)
    assert (second.known, second.document, second.chunks) == (True, first.document, first.chunks)


@pytest.mark.requirement("KNOWLEDGE-VERSIONS")
def test_a_changed_file_is_a_new_version_and_the_old_one_is_found_as_of_its_time(memory: Memory, add: Add):
    add(LEAVE.format(28))
    changed = add(LEAVE.format(30), day=10)
    old, new = memory.knowledge.documents("ann", everything=True)
    assert (old.version, new.version, changed.document) == (1, 2, new)
    assert old.valid_to == old.closed_at == new.valid_from == START + timedelta(days=10)
    assert find(memory, "vacation days")[0] == "c3"
    assert "c1" not in find(memory, "vacation days")
    assert find(memory, "vacation days", as_of=START + timedelta(days=5))[0] == "c1"
    assert find(memory, "vacation days", recorded_as_of=START + timedelta(days=5))[0] == "c1"
    assert find(memory, "vacation days", history=True)[0] == "c1"
    assert find(memory, "vacation days", as_of=START - timedelta(days=1)) == []
    assert memory.turns("ann", [-1])[-1].mark == "c1: handbook.md v1"


@pytest.mark.requirement("KNOWLEDGE-CHUNK-QUOTES", "KNOWLEDGE-NO-USER-FACTS")
def test_a_chunk_is_a_slice_of_its_document_with_the_source_of_a_document(memory: Memory, add: Add):
    added = add(LEAVE.format(28))
    with memory.database.read() as connection:
        whole = connection.execute(select(documents.c.text)).scalar_one()
        rows = connection.execute(select(chunks).order_by(chunks.c.number)).all()
    assert [whole[row.start : row.end] for row in rows] == [row.text for row in rows]
    reference = memory.turns("ann", [-1])[-1]
    assert (reference.id, reference.source, reference.text) == ("c1", "external_knowledge", rows[0].text)
    assert added.chunks == (1, 2)


@pytest.mark.requirement("KNOWLEDGE-ANSWERS")
def test_chunks_are_found_by_words_and_meaning_in_both_languages(memory: Memory, add: Add):
    add(LEAVE.format(28))
    add("# 假期\n\n员工每年有15天年假。\n\n# 停车\n\n停车免费。\n", name="手册.md")
    (hit, *_) = memory.knowledge.search("ann", 0, Query("员工年假"), RecallFilter())
    assert (hit.turn, hit.channel) == (-3, "lexical")
    found = memory.knowledge.search("ann", 0, Query("parking for free"), RecallFilter())
    assert {hit.channel for hit in found if hit.turn == -2} == {"lexical", "dense"}


@pytest.mark.requirement("P6", "KNOWLEDGE-ADD")
def test_documents_are_their_users_own_and_numbered_per_user(memory: Memory, add: Add):
    add(LEAVE.format(28))
    mine = add(LEAVE.format(30), user="ann\x00")
    assert (mine.document.id, mine.chunks) == ("d1", (1, 2))
    assert find(memory, "vacation days", user="bob") == []
    assert memory.turns("bob", [-1]) == {}
    assert "30 vacation" in memory.turns("ann\x00", [-1])[-1].text


@pytest.mark.requirement("KNOWLEDGE-REMOVE")
@pytest.mark.parametrize(("given", "left"), [("handbook.md", []), ("d2", ["d1"]), ("c3", ["d1"])])
def test_a_removed_document_leaves_every_layer_and_its_numbers(memory: Memory, add: Add, given: str, left: list[str]):
    add("# Leave\n\nThe quokka clause grants 28 days.\n\n# Parking\n\nFree.")
    add("# Leave\n\nThe wombat clause grants 30 days.\n", day=1)
    memory.knowledge.remove("ann", given, now=START + timedelta(days=2))
    assert [document.id for document in memory.knowledge.documents("ann", everything=True)] == left
    assert memory.turns("ann", [-3]) == {}
    assert set(find(memory, "wombat clause")) == ({"c1", "c2"} if left else set())  # what it had replaced holds again
    assert examine(memory.database, embedder="hashing:256", index=memory.vectors).healthy
    assert add("# Leave\n\nThe wombat clause grants 30 days.\n", day=3).chunks == (4,)


@pytest.mark.requirement("KNOWLEDGE-REMOVE")
def test_no_byte_of_a_removed_document_is_left_in_the_database(memory: Memory, add: Add):
    add("# Leave\n\nThe quokka clause grants 28 days.\n")
    memory.knowledge.remove("ann", "d1", now=START)
    with memory.database.engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA wal_checkpoint(TRUNCATE)")
    assert b"quokka" not in (memory.folder / FILE_NAME).read_bytes()


@pytest.mark.requirement("KNOWLEDGE-REMOVE", "ERRORS-ONE-SENTENCE")
def test_what_is_not_there_cannot_be_removed(memory: Memory, add: Add):
    add(LEAVE.format(28))
    for given in ("other.md", "d9", "c9", "c", ""):
        with pytest.raises(NotFound, match="knowledge list"):
            memory.knowledge.remove("ann", given, now=START)


@pytest.mark.requirement("DOCTOR")
@pytest.mark.parametrize(
    ("check", "subject", "damage", "repairable"),
    [
        ("chunks", "c1", update(chunks).values(start=3), False),
        ("full text", "c1", "full text", True),
        ("embeddings", "c1", delete(chunk_vectors).where(chunk_vectors.c.chunk == 1), True),
        ("embeddings", "c1", update(chunk_vectors).where(chunk_vectors.c.chunk == 1).values(embedding=b"x"), True),
        ("orphans", "c9", chunk_outbox.insert().values(user_id="ann", chunk=9, created_at=START), True),
        ("numbers", "c2", text("DELETE FROM counters WHERE name = 'chunk'"), True),
    ],
)
def test_the_doctor_covers_chunks(memory: Memory, add: Add, check: str, subject: str, damage: object, repairable: bool):
    add(LEAVE.format(28))
    with memory.database.write() as connection:
        if damage == "full text":
            lexical.drop(connection, "ann", CHUNKS)
        else:
            connection.execute(damage)
    problems = examine(memory.database, embedder="hashing:256", index=memory.vectors).problems
    assert (check, subject) in {(problem.check, problem.subject) for problem in problems}
    repair(memory.database, now=START, index=memory.vectors)
    assert examine(memory.database, embedder="hashing:256", index=memory.vectors).healthy is repairable


@pytest.mark.requirement("REINDEX")
def test_reindexing_embeds_chunks_as_well(memory: Memory, add: Add, tmp_path: Path):
    add(LEAVE.format(28))
    memory.close()
    embedder = open_embedder("hashing:64")
    database = Database(tmp_path / "data")
    assert reindex(database, tmp_path / "data", embedder) == 2
    with Memory(tmp_path / "data", embedder) as again:
        assert find(again, "vacation days")[0] == "c1"
        assert examine(again.database, embedder="hashing:64", index=again.vectors).healthy
    database.close()


@pytest.mark.requirement("KNOWLEDGE-ANSWERS")
def test_many_chunks_are_searched_in_a_collection_of_their_own(tmp_path: Path):
    with Memory(tmp_path / "data", open_embedder("hashing:64")) as memory:
        memory.vectors._chroma_from = 10
        memory.knowledge.vectors._chroma_from = 10
        for number in range(40):
            read_text = f"Lamp {number} stands in room {number * 3}.\n"
            read = database_read(f"lamp-{number}.txt", read_text)
            memory.knowledge.add("ann", read, now=START)
        memory.knowledge.embed("ann")
        assert memory.knowledge.vectors.faults("ann") is not None
        (nearest, *_) = memory.knowledge.search("ann", 0, Query("Lamp 7 stands in room 21."), RecallFilter(), k=5)
        assert nearest.turn == -8


def database_read(name: str, content: str) -> object:
    from veridical.memory.knowledge.reading import ReadDocument

    return ReadDocument(name, "text/plain", content, "en")


@pytest.mark.requirement("MIGRATIONS")
def test_a_store_of_the_first_schema_gets_a_knowledge_base(tmp_path: Path):
    path = tmp_path / database_module.FILE_NAME
    config = Config()
    config.set_main_option("script_location", str(Path(database_module.__file__).parent / "migrations"))
    engine = create_engine(f"sqlite:///{path}")
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "0001")
        connection.execute(text("INSERT INTO users (user_id, created_at) VALUES ('ann', 0)"))
    engine.dispose()
    with Memory(tmp_path, open_embedder("hashing:64")) as memory:
        memory.require_user("ann")
        memory.knowledge.add("ann", database_read("a.txt", "One sentence.\n"), now=START)
    with sqlite3.connect(path) as connection:
        assert connection.execute("SELECT count(*) FROM chunks").fetchone() == (1,)
    connection.close()
