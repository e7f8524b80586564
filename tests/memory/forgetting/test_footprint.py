"""Everything that a value leaves behind in a data folder, and forgetting it by each selector."""

from collections.abc import Callable

import pytest

from veridical.memory.handles import registry
from veridical.memory.handles.records import NewHandle, Origin
from veridical.memory.handles.repeating import once
from veridical.memory.storage.items import list_items

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
