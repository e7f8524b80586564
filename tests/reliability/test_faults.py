"""Disks, files and clocks that fail: one sentence that says what to do or a poorer answer, and nothing is lost."""

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from typer.testing import Result

from tests.reliability.conftest import World
from veridical.graph.steady_clock import SteadyClock
from veridical.memory.errors import StoreError
from veridical.memory.forgetting import What, forget, ledger
from veridical.memory.storage.faults import what_to_do

Run = Callable[..., Result]
Open = Callable[..., World]
COLOUR = "My favourite colour is green."
ASKED = ("ask", "--user", "ann", "What is my favourite colour?")


def sentence(result: Result) -> str:
    """What a command that failed says: one line, and no traceback."""
    said = [line for line in result.stderr.splitlines() if line.strip()]
    assert result.exit_code == 2, result.output
    assert len(said) == 1, result.stderr
    assert said[0].startswith("veridical: ")
    return said[0]


@pytest.fixture
def small_disk(data_dir: Path) -> Iterator[Callable[[str], None]]:
    """A disk of two megabytes under the data folder; gives what mounts it anew with other options."""
    data_dir.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "none", str(data_dir)], capture_output=True)
    if mounted.returncode:
        pytest.skip(f"a disk of its own needs root: {mounted.stderr.decode().strip()}")

    def again(options: str) -> None:
        subprocess.run(["mount", "-o", f"remount,{options}", str(data_dir)], check=True)

    yield again
    subprocess.run(["umount", "--lazy", str(data_dir)], check=True)


@pytest.mark.requirement("FAULTS", "ERRORS-ONE-SENTENCE")
def test_a_disk_that_is_full_is_said_so_and_keeps_all_that_was_recorded(
    run: Run, small_disk: Callable[[str], None], data_dir: Path, open_world: Open
) -> None:
    world, said = open_world(), [COLOUR]
    world.say(COLOUR)
    with pytest.raises(StoreError, match=r"no room|full"):
        for place in range(200):
            text = f"Note {place}: {'a long story of crates and lamps ' * 200}"
            world.say(text)
            said.append(text)
    world.close()
    assert "room" in sentence(run("memory", "correct", "f1", "blue " * 30_000, "--user", "ann"))

    small_disk("size=64m")
    again = open_world()
    assert again.problems() == []
    held = {turn.text for turn in again.memory.turns("ann", range(1, 1000)).values()}
    assert set(said) <= held
    assert "green" in again.say("What is my favourite colour?")


@pytest.mark.requirement("FAULTS", "ERRORS-ONE-SENTENCE")
def test_the_service_says_of_a_full_disk_what_the_command_line_says(
    small_disk: Callable[[str], None], open_world: Open
) -> None:
    from veridical.service.app import create_app
    from veridical.service.options import ServiceOptions

    world, body = open_world(), {"source": "s", "type": "n", "state": {"text": "crate " * 4_000}}
    app = create_app(world.graph, ServiceOptions(without_tokens=True))
    with TestClient(app, base_url="http://localhost", raise_server_exceptions=False) as http:
        taken = 0
        while (answer := http.post("/v1/memory/register", json=body)).is_success:
            taken += 1
        assert len(http.get("/v1/memory/snapshot").json()["handles"]) >= taken > 0
    assert answer.status_code == 500
    assert "There is no room left" in answer.json()["detail"]
    assert "Traceback" not in answer.text


@pytest.mark.requirement("FAULTS", "P8")
def test_a_forgetting_that_has_no_room_to_clean_is_finished_at_the_next_start(
    small_disk: Callable[[str], None], data_dir: Path, open_world: Open
) -> None:
    world = open_world()
    world.say("My access code is zorblax-77.")
    world.say(COLOUR)
    filler = data_dir / "filler"
    with suppress(OSError), filler.open("wb") as file:
        while True:
            file.write(bytes(1024))
    filler.write_bytes(bytes(max(0, filler.stat().st_size - 200_000)))  # room for the transaction, none for a rewriting
    report = forget(world.memory, world.saver, "ann", What("value", ("zorblax-77",)), now=world.clock())
    assert report.problems
    world.close()
    filler.unlink()
    open_world().close()
    assert [path for path in data_dir.iterdir() if b"zorblax" in path.read_bytes()] == []


@pytest.mark.requirement("FAULTS", "FORGET-BACKUP")
def test_a_line_of_the_list_of_forgettings_that_was_cut_short_counts_for_nothing(
    data_dir: Path, open_world: Open
) -> None:
    world = open_world()
    world.say("My access code is zorblax-77.")
    world.say(COLOUR)
    forget(world.memory, world.saver, "ann", What("value", ("zorblax-77",)), now=world.clock())
    listed = data_dir / "forgotten.jsonl"
    whole = listed.read_bytes()
    listed.write_bytes(whole + whole[:30])
    world.close()
    again = open_world()
    assert len(ledger.read_entries(data_dir)) == 1
    forget(again.memory, again.saver, "ann", What("value", ("green",)), now=again.clock())
    assert listed.read_bytes().startswith(whole)
    assert len(ledger.read_entries(data_dir)) == 2
    assert ledger.merged(whole + whole[:30], listed.read_bytes()) == listed.read_bytes()


@pytest.mark.requirement("FAULTS", "ERRORS-ONE-SENTENCE")
def test_a_folder_that_cannot_be_written_is_said_so(
    run: Run, small_disk: Callable[[str], None], data_dir: Path, open_world: Open
) -> None:
    small_disk("size=32m")
    world = open_world()
    world.say(COLOUR)
    world.close()
    small_disk("ro")
    assert "writable" in sentence(run("chat", "--user", "ann", input="My cat is grey.\n"))
    assert "writable" in sentence(run("forget", "--user", "ann", "--all", "--yes"))
    small_disk("rw")
    assert "green" in run(*ASKED).stdout


@pytest.mark.requirement("FAULTS", "ERRORS-ONE-SENTENCE")
@pytest.mark.parametrize("damage", ["cut in half", "emptied", "overwritten", "no database"])
def test_a_damaged_database_is_said_so_and_left_as_it_is(
    run: Run, data_dir: Path, open_world: Open, damage: str
) -> None:
    world = open_world()
    for place in range(12):
        world.say(f"The budget of shelf {place} is {place + 100} dollars.")
    world.close()
    path = data_dir / "veridical.db"
    content = path.read_bytes()
    broken = {
        "cut in half": content[: len(content) // 2],
        "emptied": b"",
        "overwritten": content[:4096] + bytes(range(256)) * ((len(content) - 4096) // 256),
        "no database": b"this is not a database " * 1000,
    }[damage]
    path.write_bytes(broken)
    for command in (
        ("ask", "--user", "ann", "What is the budget of shelf 3?"),
        ("doctor",),
        ("state", "--user", "ann"),
    ):
        result = run(*command)
        if result.exit_code == 1:  # the doctor could read enough of it to tell
            assert command == ("doctor",)
            assert "Traceback" not in result.output
        else:
            assert "not a readable database" in sentence(result)
    path.write_bytes(content)
    assert "103" in run("ask", "--user", "ann", "What is the budget of shelf 3?").stdout


@pytest.mark.requirement("FAULTS")
def test_damaged_checkpoints_cost_a_conversation_its_place_and_nothing_else(
    run: Run, data_dir: Path, open_world: Open
) -> None:
    world = open_world()
    world.say(COLOUR)
    world.close()
    threads = data_dir / "checkpoints.db"
    threads.write_bytes(b"this is not a database " * 1000)
    assert "checkpoints.db is not a readable database: move it away" in sentence(
        run("chat", "--user", "ann", input="Hi\n")
    )
    assert "green" in run(*ASKED).stdout
    threads.unlink()
    assert "green" in run("chat", "--user", "ann", "--session", "s1", input="What is my favourite colour?\n").stdout


@pytest.mark.requirement("FAULTS", "REPLAYED-HISTORY")
def test_a_thread_without_its_checkpoints_keeps_what_is_said_again_in_the_same_words(open_world: Open) -> None:
    world = open_world()
    for _ in range(2):
        for line in ("What is my locker code?", "Thanks, bye!"):
            world.say(line)
        world.saver.delete_thread("s1")
    said = [turn.text for turn in world.memory.opening("ann", "s1", 20) if turn.role == "user"]
    assert said == ["What is my locker code?", "Thanks, bye!"] * 2


@pytest.mark.requirement("FAULTS")
def test_a_damaged_index_is_replaced_and_the_doctor_finds_nothing(data_dir: Path, open_world: Open) -> None:
    def talking() -> World:
        opened = open_world()
        for vectors in (opened.memory.vectors, opened.memory.knowledge.vectors, opened.memory.digests.vectors):
            vectors._chroma_from = 4
        return opened

    rooms = {"deleted": "attic", "a file of it cut": "cellar", "its list of files gone": "garage"}
    for damage, room in rooms.items():
        world = talking()
        for place in range(4):
            world.say(f"Shelf {place} in the {room} holds lamps.")
        assert world.memory.vectors.faults("ann") is not None, "Chroma is in use"
        world.close()
        folder = data_dir / "chroma"
        if damage == "deleted":
            shutil.rmtree(folder)
        elif damage == "a file of it cut":
            next(folder.glob("*/chroma.sqlite3")).write_bytes(b"SQLite format 3\x00")
        else:
            for listed in folder.glob("*/manifest.json"):
                listed.unlink()
        again = talking()
        assert again.problems() == []
        assert "lamps" in again.say(f"What does shelf 2 in the {room} hold?"), damage
        assert again.problems() == []
        again.close()


@pytest.mark.requirement("FAULTS")
def test_what_is_said_after_the_clock_was_set_back_still_replaces_what_was_said_before(open_world: Open) -> None:
    world = open_world()
    world.say("The budget of Apollo is 48,500 dollars.")
    world.say("Remind me to call Mira.")
    world.time -= timedelta(days=3)
    world.say("The budget of Apollo is now 52,000 dollars.")
    assert "52,000" in world.say("What is the budget of Apollo?").splitlines()[0]
    world.close()

    again = open_world()
    again.time -= timedelta(days=1)
    again.say("I have called Mira.")
    assert "52,000" in again.say("What is the budget of Apollo?").splitlines()[0]
    assert "48,500" in again.say("What was the budget of Apollo before that?").splitlines()[0]
    assert again.problems() == []


def test_a_clock_stands_while_it_is_behind_and_a_date_far_ahead_counts_for_nothing() -> None:
    shown = datetime(2026, 3, 2, tzinfo=UTC)
    clock = SteadyClock(lambda: shown, after=shown + timedelta(days=3))
    first, second = clock(), clock()
    assert shown + timedelta(days=3) < first < second < shown + timedelta(days=3, seconds=1)
    shown += timedelta(days=4)
    assert clock() == shown
    shown -= timedelta(days=400)
    assert clock() == shown
    assert SteadyClock(lambda: shown, after=shown + timedelta(days=400))() == shown


@pytest.mark.parametrize(
    ("statement", "words"),
    [("PRAGMA max_page_count = 1", "no room"), ("PRAGMA query_only = ON", "writable")],
)
def test_sqlites_own_errors_become_sentences(tmp_path: Path, statement: str, words: str) -> None:
    with closing(sqlite3.connect(tmp_path / "a.db")) as connection:
        connection.execute(statement)
        with pytest.raises(sqlite3.Error) as caught:
            connection.execute(f"CREATE TABLE a AS SELECT zeroblob({2**20})")
    assert words in str(what_to_do(caught.value, "a.db"))
    assert what_to_do(ValueError("no error of SQLite's"), os.fspath(tmp_path)) is None
