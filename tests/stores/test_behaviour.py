"""What the memory does, through its public functions, in both stores."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from langchain_core.messages import HumanMessage

from tests.graph.errands import STORY, errands, steps, todos
from veridical.graph.recall import recall
from veridical.memory.bundles import export_bundle, import_bundle
from veridical.memory.correcting import correct, retract
from veridical.memory.doctor import examine, repair
from veridical.memory.errors import BadInput, ThreadOwned
from veridical.memory.handles.history import align, present
from veridical.memory.handles.records import NewHandle, Origin, StaleVersion
from veridical.memory.handles.registry import change, read, register
from veridical.memory.knowledge.reading import ReadDocument
from veridical.memory.retrieval import lexical
from veridical.memory.storage.events import events_after
from veridical.memory.storage.item_rows import history_of, list_items
from veridical.nodes.contract import Context

from .conftest import STORES, World

pytestmark = pytest.mark.requirement("STORES-BEHAVE")

TALK = (
    "My budget for the wedding is 48,500 dollars.",
    "我的花名叫小鱼，部署方案在C盘。",
    "The venue is the boathouse at Lake Tarn.",
    "我的预算是五万元。",
)
CONTRACT = """# Contract A

## 1. Parties

1.1 The supplier is Tarn Boats Ltd.
1.2 The customer is Lake Hotels plc.

## 2. Payment

2.1 Payment is due within 30 days of the invoice.
2.2 Late payment bears interest of 4% a year.

## 3. Term

3.1 The term of this contract is two years.
3.2 Either party may terminate it with three months' notice.
"""
PHONE = Origin("phone-1", "mobile_app")


def examined(world: World) -> set[str]:
    index = world.memory.vectors
    report = examine(world.memory.database, embedder=world.memory.embedder.name, index=index)
    return {problem.check for one in report.checks for problem in one.problems}


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("What is my wedding budget?", "48,500"),
        ("我的花名是什么？", "小鱼"),
        ("Which venue is it?", "boathouse"),
        ("部署方案在哪里？", "C盘"),
    ],
)
def test_what_was_said_is_answered_with_its_turn(world: World, question: str, said: str) -> None:
    world.say(*TALK)
    answer = world.say(question, session="s2")
    assert said in answer.text
    assert answer.citations


def test_what_was_never_said_is_not_answered(world: World) -> None:
    world.say(*TALK)
    assert world.say("What is the name of my dentist?").abstained
    assert world.say("我的牙医叫什么名字？").abstained


def test_recall_looks_at_words_vectors_and_facts(world: World) -> None:
    world.say(*TALK, "A seventh line, about a ferry to the north.")
    found = recall(world.resources, "How much money is there for the wedding?", Context(user_id="ann"))
    assert "failed" not in found
    assert found["results"][0]["text"] == TALK[0]
    assert recall(world.resources, "the wedding", Context(user_id="bob"))["results"] == []


def test_a_correction_retires_the_old_value_and_a_retraction_ends_it(world: World) -> None:
    world.say(TALK[0])
    database = world.memory.database
    with database.write("ann") as connection:
        (held,) = list_items(connection, "ann", attribute="budget")
        made = correct(connection, "ann", held.number, "52,000 dollars", time_zone="UTC", now=world.clock())
    assert "52,000" in world.say("What is my wedding budget?").text
    with database.write("ann") as connection:
        assert [item.value for item in history_of(connection, "ann", made.number)] == [
            "48,500 dollars",
            "52,000 dollars",
        ]
        retract(connection, "ann", made.number, now=world.clock())
        assert list_items(connection, "ann", attribute="budget") == []
    assert examined(world) == set()


def test_forgetting_leaves_nothing_behind(world: World) -> None:
    world.say("My access code is zorblax-48215.", "Where is my access code?", *TALK, "My cat is Quillfeather.")
    world.say("我的暗号是魑魅魍魉。")
    report = world.forget("turn", "t1")
    assert report.clean, report
    assert report.threads
    assert world.forget("value", "魑魅魍魉").clean
    assert "zorblax" not in world.say("What is my access code?", session="s9").text
    assert "Quillfeather" in world.say("What is my cat called?", session="s9").text
    with world.memory.database.read() as connection:
        assert lexical.mentioning(connection, "ann", "zorblax") == []
        documents = [event.document for event in events_after(connection, "ann", 0)]
    assert "zorblax" not in repr(documents)
    assert examined(world) == set()
    everything = world.forget("all")
    assert everything.clean
    assert world.memory.turns("ann", range(1, 30)) == {}


def test_documents_are_asked_and_their_clauses_found_by_number(world: World) -> None:
    read_ = ReadDocument("contract_a.md", "text/markdown", CONTRACT, "en")
    added = world.memory.knowledge.add("ann", read_, now=world.clock())
    world.memory.embed_waiting("ann")
    assert added.clauses
    assert "4%" in world.say("What does clause 2.2 of contract A say?").text
    assert world.memory.knowledge.add("ann", read_, now=world.clock()).known
    world.memory.knowledge.remove("ann", "contract_a.md", now=world.clock())
    assert "4%" not in world.say("What does clause 2.2 of contract A say?").text
    assert examined(world) == set()


@pytest.mark.parametrize("language", ["en", "zh"])
def test_an_errand_goes_through_its_states_and_back(world: World, language: str) -> None:
    states = []
    for line in STORY[language]:
        world.say(line)
        states.append(errands(world.resources)["order:12345"].state)
    assert states == ["order_query", "order_cancel", "shipping_update", "order_query", "shipping_update"]
    assert len(todos(world.resources)) == 1
    assert [step.number for step in steps(world.resources)] == list(range(1, len(steps(world.resources)) + 1))


def test_a_talk_that_ends_is_summarised_and_found_as_a_whole(world: World) -> None:
    world.say(*TALK, "Thanks, bye!")
    overview = world.say("What did we talk about last time?", session="s2")
    assert "boathouse" in overview.text or "48,500" in overview.text
    assert examined(world) == set()


def test_a_thread_goes_on_where_it_stood_and_belongs_to_its_user(
    world: World, open_world: Callable[..., World]
) -> None:
    world.say(TALK[0])
    again = open_world(world.place)
    config = {"configurable": {"thread_id": "ann/s1"}}
    assert len(again.graph.get_state(config).values["messages"]) == 2
    again.say(TALK[2])
    assert len(world.graph.get_state(config).values["messages"]) == 4
    with pytest.raises(ThreadOwned):
        world.graph.invoke({"messages": [HumanMessage("hi")]}, config, context=Context(user_id="bob"))


def test_a_bundle_of_one_store_is_the_same_memory_in_the_other(
    tmp_path: Path, open_world: Callable[..., World]
) -> None:
    first, second = (open_world(store) for store in STORES)
    first.say(*TALK, *STORY["en"][:3], "Thanks, bye!")
    export_bundle(first.memory.database, "ann", tmp_path / "one", now=first.clock())
    import_bundle(second.memory, "ann", tmp_path / "one", now=second.clock())
    second.memory.embed_waiting()
    assert examined(second) == set()
    export_bundle(second.memory.database, "ann", tmp_path / "two", now=first.clock())
    lines = [(tmp_path / name).read_text(encoding="utf-8").splitlines()[1:] for name in ("one", "two")]
    assert lines[0] == lines[1]
    with pytest.raises(BadInput):
        import_bundle(second.memory, "ann", _other(first, tmp_path / "three"), now=second.clock())


def _other(world: World, path: Path) -> Path:
    world.say("The band plays until two.")
    export_bundle(world.memory.database, "ann", path, now=world.clock())
    return path


@pytest.mark.requirement("EVENT-GAPLESS")
def test_eight_writers_leave_no_gap_and_no_double_in_the_numbers(world: World) -> None:
    database = world.memory.database
    new = NewHandle("note", {}, {"n": 0})
    with database.write("ann") as connection:
        handle = register(connection, "ann", new, PHONE, now=world.clock()).handle

    def work(writer: int) -> int:
        refused = 0
        for place in range(12):
            try:
                with database.write("ann") as connection:
                    known = read(connection, "ann", handle, now=world.time)
                    # A transaction that fails gives its numbers back.
                    version = known.version - (place % 4 == 3)
                    delta = {f"w{writer}": place}
                    change(connection, "ann", handle, delta, version=version, origin=PHONE, now=world.time)
            except StaleVersion:
                refused += 1
        return refused

    with ThreadPoolExecutor(8) as pool:
        refused = sum(pool.map(work, range(8)))
    assert refused == 8 * 3
    with database.read() as connection:
        numbers = [event.number for event in events_after(connection, "ann", 0)]
        now = present(connection, "ann")
        alignment = align(connection, "ann", {})
    assert numbers == list(range(1, len(numbers) + 1))
    assert now.handles[handle]["version"] == 1 + 8 * 9
    assert now.handles[handle]["state"] == {"n": 0} | {f"w{writer}": 10 for writer in range(8)}
    assert alignment.handles.keys() == now.handles.keys()


def test_the_doctor_finds_and_repairs_what_is_derived(world: World) -> None:
    world.say(*TALK)
    database = world.memory.database
    with database.write() as connection:
        lexical.drop(connection, "ann")
        connection.exec_driver_sql("DELETE FROM vectors WHERE turn = 1")
        connection.exec_driver_sql("DELETE FROM counters WHERE name = 'item'")
    assert examined(world) == {"full text", "embeddings", "numbers", "vector index"}
    repair(database, now=world.clock(), index=world.memory.vectors)
    assert examined(world) == set()
    assert "48,500" in world.say("What is my wedding budget?").text


def test_ids_and_texts_may_be_long_and_hold_what_others_use_as_signs(world: World) -> None:
    user = "ann%' OR 1=1; -- 用户 🦊" + "x" * 200
    world.say("My code is 'a_b%c\\d\"; DROP TABLE turns;'.", user=user)
    long = "Note: " + " ".join(f"word{place}" for place in range(600)) + " and the end is marzipan."
    world.say(long, user=user)
    with world.memory.database.read() as connection:
        assert lexical.mentioning(connection, user, "end is marzipan") == [3]
        assert lexical.mentioning(connection, user, "word599 and") == [3]
        assert lexical.mentioning(connection, user, "is end marzipan") == []
        assert lexical.mentioning(connection, "ann", "marzipan") == []
    assert world.memory.turns(user, [3])[3].text == long
    assert examined(world) == set()
