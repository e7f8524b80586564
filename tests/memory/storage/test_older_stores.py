"""Stores of other versions: each older one opens and keeps what is in it, a newer one is refused."""

import sqlite3
from datetime import UTC, datetime
from pathlib import Path

import pytest
from alembic import command
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from sqlalchemy import create_engine

from veridical.memory.errors import StoreNewer
from veridical.memory.records import NewTurn
from veridical.memory.retrieval.embedders import open_embedder
from veridical.memory.storage import database
from veridical.memory.storage.database import FILE_NAME, Database
from veridical.memory.storage.tables import metadata
from veridical.memory.store import Memory

MIGRATIONS = Path(database.__file__).parent / "migrations"
REVISIONS = sorted(path.name[1:5] for path in (MIGRATIONS / "versions").glob("r*.py"))
START = datetime(2026, 3, 2, 9, tzinfo=UTC)
BUDGET = "The budget of Apollo is 48,500 dollars."


def bring(folder: Path, revision: str) -> None:
    """Bring the store in a folder, or a new one, to a revision."""
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    engine = create_engine(f"sqlite:///{folder / FILE_NAME}")
    with engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, revision)
    engine.dispose()


def turn(text: str, number: int) -> NewTurn:
    return NewTurn(
        user_id="ann",
        session_id="s",
        external_id=f"m{number}",
        role="user",
        source="user_input",
        speaker="user",
        text=text,
        language="en",
        observed_at=START,
        time_zone="UTC",
        act="statement",
    )


@pytest.mark.requirement("MIGRATIONS")
@pytest.mark.parametrize("revision", REVISIONS)
def test_a_store_of_every_earlier_revision_opens_with_what_was_said(tmp_path: Path, revision: str):
    bring(tmp_path, revision)
    with sqlite3.connect(tmp_path / FILE_NAME) as old:
        old.execute("INSERT INTO users (user_id, created_at) VALUES ('ann', 0)")
        columns = {row[1]: row for row in old.execute("PRAGMA table_info(turns)")}
        known = {"user_id": "ann", "number": 1, "session_id": "s", "external_id": "m1", "role": "user", "text": BUDGET}
        known |= {"source": "user_input", "speaker": "user", "language": "en", "time_zone": "UTC", "act": "statement"}
        known["citations"] = "[]"
        needed = {name: known.get(name, 0) for name, row in columns.items() if row[3] and row[4] is None and not row[5]}
        old.execute(
            f"INSERT INTO turns ({', '.join(needed)}) VALUES ({', '.join('?' * len(needed))})", [*needed.values()]
        )
        old.execute("INSERT INTO counters (user_id, name, value) VALUES ('ann', 'turn', 1)")
    old.close()
    with Memory(tmp_path, open_embedder("hashing:64")) as memory:
        with memory.database.read() as connection:
            assert compare_metadata(MigrationContext.configure(connection), metadata) == []
        memory.record(turn("Thanks!", 2), now=START)
        assert [(one.number, one.text) for one in memory.opening("ann", "s", 10)] == [(1, BUDGET), (2, "Thanks!")]


@pytest.mark.requirement("MIGRATIONS", "ERRORS-ONE-SENTENCE")
def test_a_store_of_a_newer_version_is_refused_and_stays_as_it_is(tmp_path: Path):
    Database(tmp_path).close()
    with sqlite3.connect(tmp_path / FILE_NAME) as newer:
        newer.execute("UPDATE alembic_version SET version_num = '9999'")
    newer.close()
    with pytest.raises(StoreNewer, match="update Veridical"):
        Database(tmp_path)
    with sqlite3.connect(tmp_path / FILE_NAME) as newer:
        assert newer.execute("SELECT version_num FROM alembic_version").fetchall() == [("9999",)]
    newer.close()
