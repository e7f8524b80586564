"""Intents are forgotten with their turns, travel in a bundle, and are looked at by the doctor."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import update

from veridical.memory.bundles import export_bundle, import_bundle
from veridical.memory.doctor import examine, repair
from veridical.memory.errors import BadFile
from veridical.memory.forgetting import What, forget
from veridical.memory.storage.intent_tables import intent_steps, intents
from veridical.memory.storage.intents import list_intents

from .conftest import NOW, Talk


def told(talk: Talk) -> None:
    for line in ("Where is order 5?", "Ship it by SF.", "Add a second charger to order 5.", "Cancel order 66."):
        talk.say(line)


def forgotten(talk: Talk, kind: str, *names: str) -> None:
    forget(talk.memory, None, "ann", What(kind, names), now=talk.time)


@pytest.mark.requirement("INTENT-KEPT", "P8")
def test_a_forgotten_turn_takes_its_step_along(talk: Talk):
    told(talk)
    forgotten(talk, "turn", "t3")
    intent = talk.intent("order:5")
    assert (intent.state, intent.slots["shipping_preference"]) == ("shipping_update", "sf")
    assert "charger" not in json.dumps([row.document for row in talk.rows("order:5")])
    forgotten(talk, "turn", "t2")
    intent = talk.intent("order:5")
    assert (intent.state, intent.slots["shipping_preference"], intent.left) == ("order_query", "original", {})
    assert talk.states() == {"order:5": "order_query", "order:66": "order_cancel"}


@pytest.mark.requirement("INTENT-KEPT", "P8")
def test_an_order_that_no_turn_names_any_more_is_gone(talk: Talk):
    told(talk)
    forgotten(talk, "value", "66")
    assert talk.states() == {"order:5": "items_update"}
    forgotten(talk, "turn", "t1", "t3")
    with talk.memory.database.read() as connection:
        assert list_intents(connection, "ann") == []


@pytest.mark.requirement("INTENT-KEPT", "P6", "P8")
def test_forgetting_everything_leaves_the_others_as_they_were(talk: Talk):
    told(talk)
    talk.say("Cancel order 5.", user="bob")
    forgotten(talk, "all")
    assert (talk.states(), talk.states(user="bob")) == ({}, {"order:5": "order_cancel"})


@pytest.mark.requirement("INTENT-KEPT", "EXPORT-LOSSLESS")
def test_a_bundle_brings_intents_back_with_their_history(talk: Talk, open_talk: Callable[..., Talk], tmp_path: Path):
    told(talk)
    talk.say("Undo that.")
    path = tmp_path / "ann.jsonl"
    export_bundle(talk.memory.database, "ann", path, now=NOW)
    other = open_talk()
    import_bundle(other.memory, "ann", path, now=NOW)
    other.time = talk.time
    assert other.states() == talk.states()
    assert other.rows("order:5") == talk.rows("order:5")
    other.say("Redo that.")
    assert other.states() == {"order:5": "items_update", "order:66": "order_cancel"}


@pytest.mark.requirement("INTENT-KEPT", "EXPORT-LOSSLESS")
def test_a_step_that_does_not_quote_its_turn_is_no_bundle(talk: Talk, open_talk: Callable[..., Talk], tmp_path: Path):
    told(talk)
    path = tmp_path / "ann.jsonl"
    export_bundle(talk.memory.database, "ann", path, now=NOW)
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    step = next(line for line in lines if line["type"] == "step" and line["quote"])
    step["quote"] = "something else"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    with pytest.raises(BadFile, match="does not read as it is quoted"):
        import_bundle(open_talk().memory, "ann", path, now=NOW)


@pytest.mark.requirement("INTENT-KEPT", "DOCTOR")
def test_the_doctor_finds_what_does_not_quote_and_mends_what_is_derived(talk: Talk):
    told(talk)
    database = talk.memory.database
    assert [it for it in examine(database, embedder="hashing:64").problems if it.check in {"steps", "intents"}] == []
    with database.write() as connection:
        connection.execute(update(intents).where(intents.c.entity == "order:5").values(state="order_return"))
        connection.execute(update(intent_steps).where(intent_steps.c.number == 1).values(quote="never said"))
    found = {it.check for it in examine(database, embedder="hashing:64").problems}
    assert {"steps", "intents"} <= found
    repair(database, now=NOW)
    assert talk.states()["order:5"] == "items_update"
    assert "steps" in {it.check for it in examine(database, embedder="hashing:64").problems}
