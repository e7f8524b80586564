"""The schema, and what a file that is no database says."""

from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import insert, select

from veridical.memory.errors import StoreCorrupt
from veridical.memory.storage.database import FILE_NAME, Database
from veridical.memory.storage.intent_tables import intents
from veridical.memory.storage.stream_tables import events
from veridical.memory.storage.tables import meta, metadata

assert {"intents", "events"} <= metadata.tables.keys(), (intents, events)  # known once their modules are imported

READERS = 30
"""With the one who writes, nearly all that the pool has."""


@pytest.mark.requirement("MIGRATIONS")
def test_the_revisions_lead_from_blank_to_the_tables_of_the_code(tmp_path: Path):
    database = Database(tmp_path)
    with database.read() as connection:
        assert compare_metadata(MigrationContext.configure(connection), metadata) == []
    database.close()


@pytest.mark.requirement("MIGRATIONS")
def test_opening_again_keeps_what_is_there(tmp_path: Path):
    first = Database(tmp_path)
    with first.write() as connection:
        connection.execute(insert(meta).values(key="kept", value="yes"))
    first.close()
    second = Database(tmp_path)
    with second.read() as connection:
        assert connection.execute(select(meta.c.value).where(meta.c.key == "kept")).scalar() == "yes"
    second.close()


def test_a_failed_transaction_leaves_nothing(tmp_path: Path):
    database = Database(tmp_path)
    with pytest.raises(RuntimeError), database.write() as connection:
        connection.execute(insert(meta).values(key="half", value="done"))
        raise RuntimeError
    with database.read() as connection:
        assert connection.execute(select(meta)).all() == []
    database.close()


@pytest.mark.requirement("ERRORS-ONE-SENTENCE")
def test_a_file_that_is_no_database_is_said_so(tmp_path: Path):
    (tmp_path / FILE_NAME).write_text("this is not a database " * 100, encoding="utf-8")
    with pytest.raises(StoreCorrupt, match="restore it from a backup"):
        Database(tmp_path)


def test_turns_are_written_through_to_the_disk_before_a_transaction_ends(tmp_path: Path):
    database = Database(tmp_path)
    with database.read() as connection:
        assert connection.exec_driver_sql("PRAGMA synchronous").scalar() == 2
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert connection.exec_driver_sql("PRAGMA secure_delete").scalar() == 1
    database.close()


def test_writers_who_wait_keep_no_connection_from_those_who_read(tmp_path: Path):
    database = Database(tmp_path)
    writers = 33  # more than the pool has connections

    def write(place: int) -> None:
        with database.write("ann") as connection:
            connection.execute(insert(meta).values(key=f"writer {place}", value="was here"))

    with ThreadPoolExecutor(writers) as pool:
        with database.write("ann"):
            waiting = [pool.submit(write, place) for place in range(writers)]
            with ExitStack() as opened:
                for _ in range(READERS):
                    connection = opened.enter_context(database.read())
                    assert connection.execute(select(meta)).all() == []
            assert not any(one.done() for one in waiting)
        for one in waiting:
            one.result(timeout=20)
    with database.read() as connection:
        assert len(connection.execute(select(meta)).all()) == writers
    database.close()
