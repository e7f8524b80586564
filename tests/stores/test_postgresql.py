"""What only a server's database has: its address, its password, its other users, and several processes at once."""

import asyncio
import logging
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from pydantic import SecretStr
from typer.testing import CliRunner

from veridical.cli.app import app
from veridical.graph.checkpointer import open_checkpointer
from veridical.graph.settings import Settings
from veridical.memory.errors import BadInput, StoreBusy, StoreError, VeridicalError
from veridical.memory.retrieval.vectors import VectorIndex
from veridical.memory.storage.database import Database
from veridical.memory.storage.events import Change, append_event, events_after, last_number
from veridical.memory.storage.stream_tables import events
from veridical.memory.storage.tables import metadata
from veridical.memory.storage.upserts import insert_into
from veridical.service.bell import Bell

from .conftest import CHROMA_FROM, World
from .servers import Postgres

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
SECRET = "pa55word-of-mine"


@pytest.fixture
def world(open_world: Callable[..., World]) -> World:
    return open_world("servers")


@pytest.fixture
def database(world: World) -> Database:
    return world.memory.database


@pytest.mark.requirement("STORES-BEHAVE")
def test_the_revisions_lead_to_the_tables_of_the_code_there_too(database: Database) -> None:
    assert events.name in metadata.tables
    with database.read() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": False})
        changes = compare_metadata(context, metadata)
    known = {"full_text", "full_text_by_key", "items_by_normal"}
    other = [it for it in changes if not known & {getattr(it[1], "name", "")} and "checkpoint" not in str(it[1])]
    assert other == []


@pytest.mark.requirement("STORES-TOGETHER")
def test_writers_of_one_user_wait_for_each_other_and_not_for_those_of_another(database: Database) -> None:
    with database.write("ann") as mine:
        append_event(mine, "ann", Change("MEMORY_UPDATED", "mem_1", 1, {}), now=NOW)
        with database.write("bob") as other:
            append_event(other, "bob", Change("MEMORY_UPDATED", "mem_2", 1, {}), now=NOW)
        with pytest.raises(StoreBusy, match="busy: try again"), database.engine.connect() as impatient:
            impatient.exec_driver_sql("SET lock_timeout = 50")
            with database._kind.explained():
                database._kind.begin(impatient, ("ann",))
        with pytest.raises(StoreBusy), database.engine.connect() as everybody:
            everybody.exec_driver_sql("SET lock_timeout = 50")
            with database._kind.explained():
                database._kind.begin(everybody, ())


_WRITER = """
import sys
from datetime import UTC, datetime
from pathlib import Path
from veridical.memory.storage.database import Database
from veridical.memory.storage.events import Change, append_event
database = Database(Path(sys.argv[1]), sys.argv[2])
for place in range(int(sys.argv[4])):
    with database.write("ann") as connection:
        append_event(connection, "ann", Change("MEMORY_UPDATED", sys.argv[3], place, {}), now=datetime.now(UTC))
"""


@pytest.mark.requirement("STORES-TOGETHER", "EVENT-GAPLESS")
def test_processes_that_write_at_once_number_without_a_gap(world: World) -> None:
    command = [sys.executable, "-W", "ignore", "-c", _WRITER, str(world.place.folder), world.place.database_url]
    running = [subprocess.Popen([*command, f"mem_{writer}", "40"]) for writer in range(3)]
    assert [process.wait(120) for process in running] == [0, 0, 0]
    with world.memory.database.read() as connection:
        told = events_after(connection, "ann", 0)
    assert [event.number for event in told] == list(range(1, 121))
    for writer in range(3):
        assert [event.version for event in told if event.handle == f"mem_{writer}"] == list(range(40))


@pytest.mark.requirement("STORES-TOGETHER")
def test_what_one_process_writes_wakes_those_who_listen_in_another(world: World) -> None:
    database = world.memory.database
    command = [sys.executable, "-W", "ignore", "-c", _WRITER, str(world.place.folder), world.place.database_url]

    async def listen() -> bool:
        bell = Bell(database, poll_seconds=3600)  # so long that only the other's word can wake
        watching = asyncio.create_task(bell.watch())
        with bell.listening("ann", "web"):
            writer = await asyncio.create_subprocess_exec(*command, "mem_1", "1")
            while not (woken := await bell.after("ann", 0)) and writer.returncode is None:
                pass
            await writer.wait()
        watching.cancel()
        return woken

    assert asyncio.run(listen())
    with database.read() as connection:
        assert last_number(connection, "ann") == 1


@pytest.mark.requirement("STORES-TOGETHER")
def test_two_memories_see_what_the_other_says_and_forgets(world: World, open_world: Callable[..., World]) -> None:
    other = open_world(world.place)
    lines = [f"Berth number {place} belongs to the ship Tern{place}." for place in range(CHROMA_FROM + 2)]
    world.say(*lines)
    assert "Tern5" in other.say("Which ship does berth number 5 belong to?", session="s2").text
    assert other.forget("turn", "t11").clean
    query = world.memory.vectors.embed_queries([lines[5]])
    (found,) = world.memory.vectors.search("ann", query, 50)
    assert 11 not in dict(found)
    assert "Tern5" not in world.say("Which ship does berth number 5 belong to?", session="s3").text


@pytest.mark.requirement("STORES-BEHAVE")
def test_a_chroma_server_that_went_away_costs_no_result(world: World) -> None:
    lines = [f"Locker {place} holds the mask of Zorro{place}." for place in range(CHROMA_FROM + 2)]
    world.say(*lines)
    memory = world.memory
    away = VectorIndex(
        memory.database,
        world.place.folder,
        memory.embedder,
        chroma_from=CHROMA_FROM,
        chroma_url="http://127.0.0.1:9",
    )
    query = away.embed_queries([lines[3]])
    asked, instead = (index.search("ann", query, 50)[0] for index in (memory.vectors, away))
    assert len(instead) == 2 * len(lines)
    assert dict(asked) == pytest.approx(dict(instead), abs=1e-5)


@pytest.mark.requirement("STORES-SECRET")
@pytest.mark.parametrize(
    "url",
    [
        f"postgresql+psycopg://ann:{SECRET}@127.0.0.1:9/none",
        f"postgresql://ann:{SECRET}@127.0.0.1:9/none",
        f"mysql://ann:{SECRET}@127.0.0.1/none",
        f"postgresql+psycopg://ann:{SECRET}@127.0.0.1:port/none",
        f"ann:{SECRET}",
    ],
)
def test_no_error_names_the_password(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    told = []
    for open_ in (lambda: Database(tmp_path, url), lambda: open_checkpointer(tmp_path, url)):
        with pytest.raises(VeridicalError) as raised:
            open_()
        assert isinstance(raised.value, BadInput | StoreError)
        told.append(str(raised.value))
    settings = Settings(data_dir=tmp_path, database_url=SecretStr(url))
    monkeypatch.setenv("VERIDICAL_DATABASE_URL", url)
    monkeypatch.setenv("VERIDICAL_CHROMA_URL", f"http://ann:{SECRET}@127.0.0.1:9")
    for command in (["config"], ["config", "--json"], ["state", "--user", "ann"], ["doctor", "--verbose"]):
        result = CliRunner().invoke(app, [*command, "--data", str(tmp_path)])
        told += [result.output, repr(result.exception)]
        assert result.exit_code == (0 if command[0] == "config" else 2), result.output
    assert SECRET not in "\n".join([*told, repr(settings), str(settings), caplog.text])
    assert "VERIDICAL_DATABASE_URL" in told[0] or "database_url" in told[0]


@pytest.mark.requirement("STORES-BEHAVE")
def test_a_database_of_another_program_is_left_alone(postgres_server: Postgres, tmp_path: Path) -> None:
    name = postgres_server.create()
    postgres_server.run("CREATE TABLE users (id int)", name)
    with pytest.raises(StoreError, match="tables of another program"):
        Database(tmp_path, postgres_server.url(name))
    found = postgres_server.run("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'", name)
    assert found == [(1,)]


@pytest.mark.requirement("STORES-BEHAVE")
def test_several_processes_may_make_the_tables_at_once(postgres_server: Postgres, tmp_path: Path) -> None:
    url = postgres_server.url(postgres_server.create())

    def open_(_place: int) -> int:
        saver = open_checkpointer(tmp_path, url)
        saver.conn.close()
        database = Database(tmp_path, url)
        with database.read() as connection:
            revisions = connection.exec_driver_sql("SELECT count(*) FROM alembic_version").scalar_one()
        database.close()
        return int(revisions)

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(open_, range(4))) == [1, 1, 1, 1]


@pytest.mark.requirement("STORES-BEHAVE")
def test_what_postgresql_cannot_store_is_said_in_a_sentence(database: Database) -> None:
    user = metadata.tables["users"]
    with pytest.raises(BadInput, match="NUL"), database.write("a\x00b") as connection:
        connection.execute(insert_into(connection, user).values(user_id="a\x00b", created_at=NOW))


@pytest.mark.requirement("STORES-BEHAVE", "FORGET-RESIDUE")
def test_the_files_of_the_tables_hold_nothing_of_what_was_forgotten(world: World, postgres_server: Postgres) -> None:
    world.say("My access code is zorblax-48215.", "我的暗号是魑魅魍魉。", "The ferry leaves at nine.")
    name = world.memory.database.engine.url.database
    postgres_server.run("ANALYZE", name)  # as the server does by itself now and then: it samples values
    postgres_server.run("CHECKPOINT")
    assert _holding(postgres_server, name, "zorblax", "魑魅")
    report = world.forget("turn", "t1", "t3")
    assert report.clean
    assert len(report.beyond) == 2
    assert any(one.file == "table turns" for one in report.scanned)
    postgres_server.run("CHECKPOINT")
    assert _holding(postgres_server, name, "zorblax", "魑魅") == []


def _holding(server: Postgres, name: str, *wanted: str) -> list[str]:
    (oid,) = server.run(f"SELECT oid FROM pg_database WHERE datname = '{name}'")[0]
    files = [path for path in (server.folder / "base" / str(oid)).iterdir() if path.is_file()]
    return [path.name for path in files if any(text.encode() in path.read_bytes() for text in wanted)]
