"""Two processes on one data folder: both write, both find everything, neither harms the other."""

import json
import subprocess
import sys
from collections.abc import Callable

import pytest
from sqlalchemy import func, select

from veridical.memory.storage.tables import vectors

from .stores import Store

_WRITER = """
import json, sys
from datetime import UTC, datetime
from pathlib import Path
from veridical.memory.records import NewTurn
from veridical.memory.retrieval import lexical
from veridical.memory.retrieval.embedders import HashingEmbedder
from veridical.memory.retrieval.vectors import VectorIndex
from veridical.memory.storage.database import Database
from veridical.memory.storage.turns import append_turn

folder, name, count = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
database = Database(folder)
index = VectorIndex(database, folder, HashingEmbedder(256), chroma_from=50)
now = datetime.now(UTC)
for place in range(count):
    new = NewTurn("ann", name, f"{name}-{place}", "user", "user_input", "user", f"note {place} of {name}", "en", now, "UTC", "statement")
    with database.write() as connection:
        turn, _ = append_turn(connection, new, now=now)
        lexical.add_turn(connection, turn)
    index.apply_outbox()
(hits,) = index.search("ann", index.embed_queries([f"note of {name}"]), 1000)
print(json.dumps({"owner": index.owner, "found": len(hits), "faults": None if index.faults("ann") is None else True}))
index.close()
database.close()
"""


def _start(store: Store, name: str, count: int) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", _WRITER, str(store.folder), name, str(count)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def _result(process: subprocess.Popen[str]) -> dict[str, object]:
    output, errors = process.communicate(timeout=120)
    assert process.returncode == 0, errors
    return json.loads(output)  # type: ignore[no-any-return]


@pytest.mark.requirement("C36", "TWO-PROCESSES")
def test_two_processes_write_at_once_and_nothing_is_lost(open_store: Callable[..., Store]) -> None:
    store = open_store(chroma_from=50)
    store.close()
    processes = [_start(store, name, 80) for name in ("left", "right")]
    results = [_result(process) for process in processes]

    assert sum(bool(result["owner"]) for result in results) >= 1
    again = open_store(store.folder, chroma_from=50)
    again.vectors.apply_outbox()
    again.close()
    again = open_store(store.folder, chroma_from=10**9)
    with again.database.read() as connection:
        assert connection.execute(select(func.count()).select_from(vectors)).scalar_one() == 160
    assert sorted(again.dense("note", k=1000)) == list(range(1, 161))
    assert len(again.lexical("note", k=1000)) == 160


@pytest.mark.requirement("TWO-PROCESSES")
def test_a_process_beside_the_owner_is_no_owner_and_finds_what_the_owner_wrote(
    open_store: Callable[..., Store],
) -> None:
    store = open_store(chroma_from=50)
    for place in range(100):
        store.say(f"a note of mine {place}")
    store.vectors.apply_outbox()

    result = _result(_start(store, "other", 5))
    assert result == {"owner": False, "found": 105, "faults": None}
    assert {101, 102, 103, 104, 105} <= set(store.dense("note of other", k=10)), "the owner finds what the other wrote"
