"""What a thread keeps of its turns: enough to go on, and no more with every turn."""

from contextlib import closing
from pathlib import Path

import pytest

from veridical.graph.build import build_graph
from veridical.graph.checkpointer import ThreadedSqliteSaver, open_checkpointer
from veridical.nodes.contract import Context, Resources


def _rows(saver: ThreadedSqliteSaver, table: str, thread: str) -> int:
    with saver.cursor(transaction=False) as cursor:
        counted = cursor.execute(f"SELECT count(*) FROM {table} WHERE thread_id = ?", (thread,))
        return int(counted.fetchone()[0])


@pytest.mark.requirement("GRAPH-RESUME")
def test_a_thread_keeps_the_checkpoints_of_its_last_turn_and_others_keep_theirs(tmp_path: Path, resources: Resources):
    saver = open_checkpointer(tmp_path)
    with closing(saver.conn):
        graph = build_graph(resources, checkpointer=saver)
        held = []
        for thread in ("s1", "s2", "s1", "s1"):
            config = {"configurable": {"thread_id": thread}}
            graph.invoke({"messages": [("user", "Good morning!")]}, config, context=Context(user_id="ann"))
            held.append([_rows(saver, table, "s1") for table in ("checkpoints", "writes")])
        assert held[0] == held[1] == held[2] == held[3]
        assert len(graph.get_state(config).values["messages"]) == 6
        saver.prune(["s1"], strategy="delete")
        assert [_rows(saver, "checkpoints", thread) > 0 for thread in ("s1", "s2")] == [False, True]
