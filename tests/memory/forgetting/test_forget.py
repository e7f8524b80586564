"""Forgetting, on real files: nothing is left of it, and nothing else is touched."""

import sqlite3
from contextlib import closing

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select

from veridical.memory.errors import NotFound
from veridical.memory.forgetting import preview
from veridical.memory.forgetting.request import What
from veridical.memory.knowledge.reading import read_document
from veridical.memory.storage.items import list_items
from veridical.memory.storage.summaries import list_summaries
from veridical.memory.storage.tables import answers, turns
from veridical.memory.storage.turns import count_turns

from .conftest import World, holding

SECRETS = [
    pytest.param("My access code is zorblax-48215.", "What is my access code?", ("zorblax", "48215"), id="code"),
    pytest.param("My landlord is Quillfeather.", "Who is my landlord?", ("Quillfeather", "quillfeath"), id="name"),
    pytest.param("我的银行卡号是6222021234567890。", "我的银行卡号是多少？", ("6222021234567890",), id="card-zh"),
    pytest.param("我的房东叫魑魅燚。", "我的房东叫什么？", ("魑魅", "魑 魅", "魅燚"), id="name-zh"),
    pytest.param("奖金定为83万7千元。", "奖金是多少？", ("83万7千", "837000"), id="amount-zh"),
]


def fill(world: World, count: int) -> None:
    """Talk of other things."""
    for number in range(count):
        world.say(f"Box {number} holds {number + 3} green plates.", session=f"s{number % 3}")


@pytest.mark.requirement("P8", "C34", "C35")
@pytest.mark.parametrize(("told", "asked", "gone"), SECRETS)
def test_a_forgotten_turn_is_in_no_file(world, told, asked, gone):
    world.say("The budget of Apollo is 48,500 dollars.")
    world.say(told)
    fill(world, 6)
    world.say(asked)
    world.say(asked, session="s9")
    world.say("thanks, bye")
    assert holding(world.folder, *gone)

    report = world.forget("turn", "t3")

    assert report.clean
    assert report.phrases > 0
    assert holding(world.folder, *gone) == []
    assert not any(text in world.say(asked, session="s10") for text in gone)
    assert "48,500" in world.say("What is the budget of Apollo?")


@pytest.mark.requirement("P8", "C34", "C35")
@pytest.mark.parametrize(("told", "asked", "gone"), SECRETS)
def test_a_forgotten_value_goes_from_every_turn_that_holds_it(world, told, asked, gone):
    world.say(told)
    world.say(asked)
    world.say(f"I repeat: {told}", session="s2")
    fill(world, 3)
    report = world.forget("value", gone[0])
    assert report.clean
    assert holding(world.folder, *gone) == []


@pytest.mark.requirement("C35")
def test_a_summary_loses_the_entry_and_keeps_the_others(open_world):
    world = open_world(summary_after=6)
    world.say("My access code is zorblax-48215.")
    world.say("The budget of Apollo is 48,500 dollars.")
    fill(world, 6)
    world.say("thanks, bye")
    with world.memory.database.read() as connection:
        assert "zorblax" in str(list_summaries(connection, "ann"))
    assert world.forget("turn", "t1").clean
    with world.memory.database.read() as connection:
        left = str(list_summaries(connection, "ann"))
    assert "zorblax" not in left
    assert "48,500" in left


@pytest.mark.requirement("C35")
def test_a_trace_of_another_question_stays_without_the_forgotten_result(world):
    world.say("My access code is zorblax-48215.")
    world.say("My gate code is 7741-green.")
    world.say("What is my gate code?")
    number = world.memory.answer("ann")["answer_id"]
    assert "zorblax" in str(world.memory.answer("ann"))
    world.forget("turn", "t1")
    trace = world.memory.answer("ann")
    assert trace["answer_id"] == number
    assert "7741-green" in trace["text"]
    assert "zorblax" not in str(trace)


@pytest.mark.requirement("P8")
def test_the_state_is_derived_anew(world):
    world.say("Open [DOC_ID:ZX81] of project Zorblax: its budget is 48,500 dollars.")
    world.say("My favourite colour is green.")
    world.forget("turn", "t1")
    shown = world.memory.state("ann").model_dump_json()
    assert "ZX81" not in shown
    assert "orblax" not in shown
    assert "green" in shown


@pytest.mark.requirement("P8")
def test_ids_of_others_stay_and_a_number_is_not_given_again(world):
    world.say("My access code is zorblax-48215.")
    world.say("My favourite colour is green.")
    report = world.forget("turn", "t1", "t3", "t4")
    assert report.turns == ("t1", "t2", "t3", "t4")
    assert "[t5]" in world.say("My favourite food is rice.")


@pytest.mark.requirement("FORGET-HISTORY")
def test_what_a_forgotten_turn_had_replaced_holds_again(world):
    world.say("The budget of Apollo is 48,500 dollars.")
    world.say("The budget of Apollo is now 52,000 dollars.")
    world.forget("turn", "t3")
    assert "48,500" in world.say("What is the budget of Apollo?")
    with world.memory.database.read() as connection:
        (item,) = list_items(connection, "ann", kind="fact", live_only=False)
    assert (item.live, item.superseded_by, item.valid_to) == (True, None, None)


@pytest.mark.requirement("FORGET-HISTORY")
def test_a_version_in_the_middle_leaves_its_neighbours_linked(world):
    for amount in ("48,500", "50,000", "52,000"):
        world.say(f"The budget of Apollo is now {amount} dollars.")
    world.forget("turn", "t3")
    with world.memory.database.read() as connection:
        after, before = list_items(connection, "ann", kind="fact", live_only=False)
    assert (before.superseded_by, before.live, after.live) == (after.number, False, True)


@pytest.mark.requirement("FORGET-HISTORY")
def test_what_another_turn_says_as_well_stays(world):
    world.say("My access code is zorblax-48215.")
    world.say("My access code is zorblax-48215.", session="s2")
    report = world.forget("turn", "t1")
    assert report.clean
    assert report.still_said == ("t3",)
    assert len(report.restated) == 1
    assert "[t3]" in world.say("What is my access code?", session="s3")


@pytest.mark.requirement("P8")
@pytest.mark.parametrize(
    ("kind", "name", "gone", "kept"),
    [
        ("session", "ann/s2", "zorblax", "48,500"),
        ("entity", "Apollo", "48,500", "zorblax"),
        ("source", "user_input", "zorblax", None),
    ],
)
def test_a_session_an_entity_and_a_source_can_be_forgotten(world, kind, name, gone, kept):
    world.say("The budget of Apollo is 48,500 dollars.")
    world.say("My access code is zorblax-48215.", session="s2")
    world.say("What is the budget of Apollo?")
    assert world.forget(kind, name).clean
    assert holding(world.folder, gone) == []
    assert kept is None or holding(world.folder, kept)


@pytest.mark.requirement("P8")
def test_the_words_of_a_speaker_can_be_forgotten(world):
    world.say("My access code is zorblax-48215.")
    assert preview(world.memory, "ann", What("source", ("Nobody",))).turns == ()
    assert len(preview(world.memory, "ann", What("source", ("User",))).chosen) == 1


@pytest.mark.requirement("P8", "C34")
def test_forgetting_everything_leaves_not_even_the_user(world):
    world.say("My access code is zorblax-48215.", user="quetzal")
    world.say("Open [DOC_ID:ZX81] now.", user="quetzal", session="s2")
    world.say("What is my access code?", user="quetzal")
    assert world.forget("all", user="quetzal").clean
    assert holding(world.folder, "zorblax", "48215", "ZX81", "quetzal") == []
    assert "[t1]" in world.say("My access code is green-1.", user="quetzal")


@pytest.mark.requirement("P8")
def test_forgetting_twice_is_no_error_and_cleans_again(world):
    world.say("My access code is zorblax-48215.")
    world.forget("turn", "t1")
    again = world.forget("turn", "t1")
    assert (again.turns, again.clean) == ((), True)
    with pytest.raises(NotFound, match="t7"):
        world.forget("turn", "t7")


@pytest.mark.requirement("P8", "C34")
def test_chroma_keeps_neither_the_vector_nor_its_row(open_world):
    world = open_world(chroma_from=4)
    world.say("My access code is zorblax-48215.")
    fill(world, 8)
    world.memory.vectors.rebuild("ann")
    _, (vector,) = world.memory.vectors.vectors_of("ann", [1])
    files = [path for path in (world.folder / "chroma").rglob("*") if path.is_file()]
    assert any(vector.astype("<f4").tobytes() in path.read_bytes() for path in files)

    assert world.forget("turn", "t1").clean

    left = [path for path in world.folder.rglob("*") if path.is_file()]
    assert not any(vector.astype("<f4").tobytes() in path.read_bytes() for path in left)
    world.memory.vectors.rebuild("ann")
    assert world.memory.vectors.faults("ann").missing == frozenset()
    found = world.memory.vectors.search("ann", np.stack([vector]), 50)[0]
    assert 1 not in [number for number, _ in found]


@pytest.mark.requirement("P8")
def test_another_memory_on_the_folder_resurrects_nothing(open_world):
    one, other = open_world(), open_world()
    one.say("My access code is zorblax-48215.")
    one.say("My favourite colour is green.")
    assert "zorblax" in other.say("What is my access code?", session="other")
    assert one.forget("turn", "t1").clean
    assert "zorblax" not in other.say("What is my access code?", session="other")
    other.memory.vectors.rebuild("ann")
    other.say("thanks, bye", session="other")
    assert holding(one.folder, "zorblax", "48215") == []


@pytest.mark.requirement("P8")
def test_a_reader_that_stays_open_is_reported_and_the_next_try_succeeds(world, monkeypatch):
    monkeypatch.setattr("veridical.memory.forgetting.cleaning._WAIT_SECONDS", 0.05)
    world.say("My access code is zorblax-48215.")
    with closing(sqlite3.connect(world.folder / "veridical.db", isolation_level=None)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM turns").fetchone()
        report = world.forget("turn", "t1")
        assert not report.clean
        assert "veridical.db" in report.problems[0]
    assert world.forget("turn", "t1").clean
    assert holding(world.folder, "zorblax") == []


@pytest.mark.requirement("C33")
def test_forgetting_leaves_another_user_as_they_were(world):
    for user in ("ann", "bob"):
        world.say("My access code is zorblax-48215.", user=user)
        world.say("My favourite colour is green.", user=user)
    before = world.say("What is my access code?", user="bob", record=False)
    trace, state = world.memory.answer("bob"), world.memory.state("bob")
    report = world.forget("all")
    assert report.clean
    assert (world.memory.state("bob"), world.memory.answer("bob")) == (state, trace)
    assert world.say("What is my access code?", user="bob", record=False) == before
    with world.memory.database.read() as connection:
        assert (count_turns(connection, "bob"), count_turns(connection, "ann")) == (4, 0)


@pytest.mark.requirement("C33")
@settings(max_examples=8, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    said=st.lists(
        st.sampled_from(["My code is zorblax-1.", "我的花名叫小鱼。", "I like rice.", "The budget is 5万。"]),
        max_size=4,
    ),
    kind=st.sampled_from(["all", "source", "value"]),
)
def test_whatever_one_forgets_the_other_keeps(open_world, tmp_path_factory, said, kind):
    world = open_world(tmp_path_factory.mktemp("data"))
    for text in said:
        world.say(text, user="ann")
        world.say(text, user="a_n")
    rows = select(turns.c.number, turns.c.text, turns.c.citations).where(turns.c.user_id == "a_n")
    traces = select(answers.c.document).where(answers.c.user_id == "a_n")
    with world.memory.database.read() as connection:
        before = connection.execute(rows).all(), connection.execute(traces).all(), list_items(connection, "a_n")
    world.forget(kind, *{"source": ("user_input",), "value": ("zorblax-1",), "all": ()}[kind])
    with world.memory.database.read() as connection:
        after = connection.execute(rows).all(), connection.execute(traces).all(), list_items(connection, "a_n")
    assert after == before


def add_document(world: World, text: str, user: str = "ann") -> None:
    path = world.folder.parent / "rates.md"
    path.write_text(text, encoding="utf-8")
    world.memory.knowledge.add(user, read_document(path), now=world.clock())
    world.memory.knowledge.embed(user)


@pytest.mark.requirement("P8", "C34")
@pytest.mark.parametrize(("kind", "names"), [("source", ("external_knowledge",)), ("all", ())])
def test_documents_go_with_what_was_read_and_with_everything(world, kind, names):
    add_document(world, "# Rates\n\nThe zorblax fee is 48,215 dollars.\n\n邮寄魑魅燚的费用是五元。\n")
    world.say("How much is the zorblax fee?")
    assert holding(world.folder, "48,215", "魑魅")
    report = world.forget(kind, *names)
    assert (report.clean, report.documents) == (True, 1)
    assert holding(world.folder, "48,215", "魑魅", "魑 魅") == []
    assert "48,215" not in world.say("How much is the fee?")


@pytest.mark.requirement("P8", "FORGET-HISTORY")
def test_what_a_document_says_as_well_stays_and_is_named(world):
    add_document(world, "# Rates\n\nThe code of the gate is zorblax-48215.\n")
    world.say("My access code is zorblax-48215.")
    report = world.forget("value", "zorblax-48215")
    assert (report.clean, report.still_said) == (True, ("c1",))
    with world.memory.database.read() as connection:
        assert count_turns(connection, "ann") == 0
