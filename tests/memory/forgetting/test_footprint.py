"""Everything that a value leaves behind in a data folder, and forgetting it by each selector."""

from collections.abc import Callable
from pathlib import Path

import pytest

from veridical.graph.logs import write_logs
from veridical.graph.threads import forget_again
from veridical.memory.backups import back_up, restore
from veridical.memory.handles import registry
from veridical.memory.handles.records import NewHandle, Origin
from veridical.memory.handles.repeating import once
from veridical.memory.knowledge.reading import ReadDocument
from veridical.memory.storage.items import list_items

from ...graph.test_logs import log  # noqa: F401 - a fixture, which puts the loggers back
from .conftest import World, holding

SECRET = "zorblax-48215"
TOLD = f"My access code is {SECRET}."


def leave_traces(world: World) -> None:
    """Say it, ask for it, complain, be summarised; register it under a key, change it, and keep something beside it."""
    for text in (
        TOLD,
        "What is my access code?",
        "That is wrong.",
        TOLD,
        "My favourite colour is green.",
        "thanks, bye",
    ):
        world.say(text)
    world.say("What is my access code?", session="other", record=False)
    with world.memory.database.write("ann") as connection:
        new = NewHandle("badge", {"name": "B7"}, {"code": SECRET, "floor": "3"})

        def register() -> dict[str, object]:
            made = registry.register(connection, "ann", new, Origin("phone", "crm"), now=world.clock())
            return {"handle": made.handle, "state": made.state}

        told = once(connection, "ann", f"key {SECRET}", {"code": SECRET}, register, now=world.clock())
        delta = {"code": f"{SECRET}-b"}
        origin = Origin("web", "crm")
        registry.change(connection, "ann", str(told["handle"]), delta, version=1, origin=origin, now=world.clock())
    world.memory.embed_waiting()


@pytest.mark.requirement("FORGET-FOOTPRINT", "P8", "C34", "C35")
@pytest.mark.parametrize(
    ("kind", "names"),
    [("value", (SECRET,)), ("all", ()), ("source", ("user_input", "external_knowledge"))],
    ids=["value", "all", "source"],
)
def test_no_file_of_the_folder_holds_it_afterwards(
    open_world: Callable[..., World], kind: str, names: tuple[str, ...]
) -> None:
    world = open_world(summary_after=4)
    leave_traces(world)
    assert len(holding(world.folder, SECRET)) >= 2
    report = world.forget(kind, *names)
    assert report.clean, report.document()
    assert holding(world.folder, SECRET, "zorblax", "48215") == []
    assert "48215" not in world.say("What is my access code?", session="new")
    with world.memory.database.read() as connection:
        left = {item.value for item in list_items(connection, "ann", live_only=False)}
    assert kind != "value" or "green" in left


def add_documents(world: World) -> None:
    """Two versions of a document that says it as well."""
    for text in (f"# Badges\n\nThe badge code is {SECRET}.\n", f"# Badges\n\nThe badge code is {SECRET} again.\n"):
        read = ReadDocument("badge.md", "text/markdown", text, "en")
        world.memory.knowledge.add("ann", read, now=world.clock())
    world.memory.knowledge.embed("ann")


@pytest.mark.requirement("FORGET-FOOTPRINT", "P8", "LOGS-WITHOUT-TEXT")
@pytest.mark.parametrize(
    ("kind", "names"),
    [("value", (SECRET,)), ("all", ()), ("source", ("user_input", "external_knowledge"))],
    ids=["value", "all", "source"],
)
def test_neither_a_log_nor_a_document_nor_a_copy_that_is_restored_keeps_it_and_a_copy_in_the_folder_is_named(
    open_world: Callable[..., World],
    tmp_path: Path,
    log: object,  # noqa: F811
    kind: str,
    names: tuple[str, ...],
) -> None:
    world = open_world(summary_after=4)
    with (world.folder / "log.jsonl").open("w", encoding="utf-8") as written:
        write_logs("debug", written)
        leave_traces(world)
        add_documents(world)
        assert SECRET in world.say("What is the badge code?")
        back_up(world.folder, world.folder / "copy")
        report = world.forget(kind, *names)
    assert (world.folder / "log.jsonl").stat().st_size > 1000
    assert {found.file.partition("/")[0] for found in report.residue} == {"copy"}
    kept_documents = kind == "value"  # they are no words of the user's, and are named
    assert bool(report.still_said) == kept_documents
    (world.folder / "copy").rename(tmp_path / "copy")
    if kept_documents:
        world.memory.knowledge.remove("ann", "badge.md", now=world.clock())
    assert world.forget(kind, *names).clean
    assert holding(world.folder, SECRET, "zorblax", "48215") == []
    world.close()
    restore(tmp_path / "copy", world.folder, replace=True)
    again = open_world()
    forget_again(again.memory, now=again.clock())
    assert "48215" not in again.say("What is my access code?", session="new", record=False)
    documents = {"veridical.db"} if kept_documents else set()  # it had not been removed when the copy was made
    assert set(holding(again.folder, SECRET, "zorblax", "48215")) == documents
