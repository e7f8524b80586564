"""A turn that is stopped before any of its steps, and goes on from the checkpoint, ends as if nothing had been."""

import sqlite3
from pathlib import Path
from typing import Any

import pytest

from veridical.graph import Context, build_builder, open_checkpointer
from veridical.graph.reviving import revive
from veridical.memory.clauses.records import ClauseNumber
from veridical.memory.records import RecallFilter
from veridical.nodes.contract import Resources

ANN = Context(user_id="ann")
TOLD = ["The budget of Apollo is 48,500 dollars.", "Please track my order #12345."]
ASKED = {
    "What is the budget of Apollo?": "48,500 dollars",
    "If it hasn't shipped, can I cancel order #12345?": "#12345",
}


@pytest.mark.requirement("GRAPH-RESUME")
@pytest.mark.parametrize("question", ASKED)
def test_a_turn_goes_on_from_the_checkpoint_before_each_of_its_steps(
    resources: Resources, tmp_path: Path, question: str
):
    thread: Any = {"configurable": {"thread_id": "t"}}
    for text in TOLD:
        build_builder(resources).compile().invoke({"messages": [("user", text)]}, thread, context=ANN)
    given: Any = {"messages": [("user", question)]}
    steps = []
    while given is not None or steps[-1]:
        # What a process knows is gone with it: the next one has the file alone.
        saver = open_checkpointer(tmp_path)
        graph = build_builder(resources).compile(saver, interrupt_before="*")
        result = graph.invoke(given, thread, context=ANN, durability="sync")
        steps.append(graph.get_state(thread).next)
        saver.conn.close()
        given = None
    assert {"perceive", "answer", "record"} <= {name for step in steps for name in step}
    assert ASKED[question] in result["answer"].text
    assert [citation.quote for citation in result["answer"].citations]


def test_what_a_checkpoint_made_lists_of_is_tuples_again_and_what_it_left_alone_is_the_same():
    wanted: Any = RecallFilter(entities=["apollo"], kinds=["fact"])  # type: ignore[arg-type]
    assert revive(wanted) == RecallFilter(entities=("apollo",), kinds=("fact",))
    number: Any = ClauseNumber([5, 2])  # type: ignore[arg-type]
    assert type(revive([number])[0].parts) is tuple
    whole = [RecallFilter(entities=("apollo",))]
    assert revive(whole)[0] is whole[0]
    assert revive([("a", 1), ("b", 2)]) == [("a", 1), ("b", 2)]


@pytest.mark.requirement("GRAPH-RESUME")
def test_a_thread_goes_on_from_a_checkpoint_whose_types_are_no_longer_where_they_were(
    resources: Resources, tmp_path: Path
):
    thread: Any = {"configurable": {"thread_id": "t"}}
    for text in (TOLD[0], "What is the budget of Apollo?"):
        saver = open_checkpointer(tmp_path)
        graph = build_builder(resources).compile(saver)
        result = graph.invoke({"messages": [("user", text)]}, thread, context=ANN)
        saver.conn.close()
        with sqlite3.connect(tmp_path / "checkpoints.db") as file:
            for table, column in (("checkpoints", "checkpoint"), ("writes", "value")):
                for row, blob in file.execute(f"SELECT rowid, {column} FROM {table}").fetchall():
                    moved = blob.replace(b"veridical.memory.records", b"veridical.memory.movedon")
                    file.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", (moved, row))
        file.close()
    assert "48,500" in result["answer"].text
    assert result["messages"][0].text == TOLD[0]
