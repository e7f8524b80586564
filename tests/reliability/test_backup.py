"""A copy made while the memory is used is whole, and brings nothing back that was forgotten."""

import json
import shutil
import sqlite3
import threading
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from typer.testing import Result

from tests.reliability.conftest import World
from veridical.memory.backups import back_up, restore
from veridical.memory.errors import StoreBusy
from veridical.memory.forgetting import What, forget
from veridical.memory.records import NewTurn

Run = Callable[..., Result]
Open = Callable[..., World]


class Writers:
    """Three that go on saying things until told to stop: one through the graph, two into the log."""

    def __init__(self, world: World) -> None:
        self.said: list[str] = []
        self.faults: list[BaseException] = []
        self.begun = threading.Event()
        self._world, self._over = world, threading.Event()
        self._threads = [threading.Thread(target=self._go_on, args=(name,)) for name in ("talk", "left", "right")]
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        self._over.set()
        for thread in self._threads:
            thread.join()

    def _go_on(self, name: str) -> None:
        place = 0
        try:
            while not self._over.is_set():
                place += 1
                self.said.append(self._talk(place) if name == "talk" else self._note(place, name))
                if len(self.said) > 12:
                    self.begun.set()
        except BaseException as fault:  # noqa: BLE001 - whatever it is, the test must show it
            self.faults.append(fault)
            self.begun.set()

    def _talk(self, place: int) -> str:
        text = f"The budget of shelf {place} is {place + 100} dollars."
        self._world.say(text, session="talk")
        return text

    def _note(self, place: int, name: str) -> str:
        text, now = f"Crate {place} of {name} holds lamps.", self._world.clock()
        new = NewTurn("ann", name, f"{name}-{place}", "user", "user_input", "user", text, "en", now, "UTC", "statement")
        self._world.memory.record(new, now=now)
        return text


@pytest.mark.requirement("BACKUP")
def test_a_backup_made_between_writes_and_turns_has_all_that_was_said_before_it(tmp_path: Path, open_world: Open):
    world = open_world()
    writers, before = Writers(world), []
    assert writers.begun.wait(120)
    for copy in range(2):
        before.append(list(writers.said))
        back_up(world.memory.folder, tmp_path / f"copy {copy}")
    writers.stop()
    assert writers.faults == []
    for copy, acknowledged in enumerate(before):
        restore(tmp_path / f"copy {copy}", tmp_path / f"restored {copy}")
        again = open_world(tmp_path / f"restored {copy}")
        assert again.problems() == []
        held = Counter(turn.text for turn in again.memory.turns("ann", range(1, 5000)).values())
        assert {held[text] for text in acknowledged} == {1}, "what was said before the backup is there, once"
        assert "52" in again.say("The budget of Apollo is 52 dollars.", session="talk")


@pytest.mark.requirement("BACKUP", "FORGET-BACKUP")
def test_what_was_forgotten_after_a_backup_is_forgotten_when_it_is_restored(
    run: Run, tmp_path: Path, data_dir: Path, open_world: Open
):
    world = open_world()
    world.say("My access code is zorblax-77.")
    world.say("My favourite colour is green.")
    world.close()
    assert run("backup", tmp_path / "copy").exit_code == 0
    assert b"zorblax" in (tmp_path / "copy" / "veridical.db").read_bytes()
    assert run("forget", "--user", "ann", "--value", "zorblax-77", "--yes").exit_code == 0

    refused = run("restore", tmp_path / "copy")
    assert (refused.exit_code, "--replace" in refused.stderr, "Traceback" in refused.stderr) == (2, True, False)
    restored = json.loads(run("restore", tmp_path / "copy", "--replace", "--json").stdout)
    assert restored["forgotten_again"] == 2, "what was said, and the answer that repeats it"
    assert [path for path in data_dir.rglob("*") if path.is_file() and b"zorblax" in path.read_bytes()] == []
    assert run("doctor").exit_code == 0
    assert "green" in run("ask", "--user", "ann", "What is my favourite colour?").stdout


@pytest.mark.requirement("BACKUP", "ERRORS-ONE-SENTENCE")
def test_a_backup_is_refused_with_one_sentence_where_it_would_harm(
    run: Run, tmp_path: Path, data_dir: Path, open_world: Open, monkeypatch: pytest.MonkeyPatch
):
    def refused(*arguments: object) -> str:
        result = run(*arguments)
        assert result.exit_code == 2, result.output
        assert len(result.stderr.splitlines()) == 1
        return result.stderr

    assert "There is no memory in" in refused("backup", tmp_path / "copy")
    open_world().say("My favourite colour is green.")
    assert run("backup", tmp_path / "copy").exit_code == 0
    assert "something at" in refused("backup", tmp_path / "copy")
    assert "no backup in" in refused("restore", tmp_path)
    with pytest.raises(StoreBusy, match="stop it"):
        restore(tmp_path / "copy", data_dir, replace=True)
    damaged = tmp_path / "damaged"
    shutil.copytree(tmp_path / "copy", damaged)
    content = (damaged / "veridical.db").read_bytes()
    (damaged / "veridical.db").write_bytes(content[: len(content) // 2])
    assert "is damaged" in refused("restore", damaged, "--data", tmp_path / "new")
    assert not (tmp_path / "new" / "veridical.db").exists()
    monkeypatch.setenv("VERIDICAL_DATABASE_URL", "postgresql://ann:secret@host/memory")
    told = refused("backup", tmp_path / "server")
    assert "pg_dump" in told
    assert "secret" not in told


@pytest.mark.requirement("BACKUP", "P8")
def test_a_forgetting_beside_a_backup_is_not_undone_by_it(tmp_path: Path, open_world: Open):
    world = open_world()
    world.say("My access code is zorblax-77.")
    back_up(world.memory.folder, tmp_path / "copy")
    forget(world.memory, world.saver, "ann", What("value", ("zorblax-77",)), now=world.clock())
    shutil.copy(world.memory.folder / "forgotten.jsonl", tmp_path / "copy")
    restore(tmp_path / "copy", tmp_path / "restored")
    again = open_world(tmp_path / "restored")
    assert again.memory.turns("ann", range(1, 9)) == {}
    with closing(sqlite3.connect(tmp_path / "restored" / "checkpoints.db")) as threads:
        assert threads.execute("SELECT count(*) FROM checkpoints").fetchone() == (0,)
