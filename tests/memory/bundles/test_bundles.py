"""Export and import: nothing is lost, nothing is written in part, and every error names its line."""

import json
import stat
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

import pytest

from veridical.graph.build import build_graph
from veridical.memory.bundles import export_bundle, import_bundle
from veridical.memory.errors import BadFile, BadInput
from veridical.memory.forgetting import What, forget
from veridical.memory.knowledge.reading import read_document
from veridical.memory.retrieval.embedders import open_embedder
from veridical.memory.storage.items import history_of, list_items
from veridical.memory.store import Memory
from veridical.nodes.contract import Context, Resources

TICKS = count()
NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
TALK = [
    "The budget of Apollo is 48,500 dollars.",
    "The budget of Apollo is now 52,000 dollars.",
    "我的花名叫小鱼，不对，叫大鱼。",
    "Remind me to call the client tomorrow at 3 pm.",
    "What is the budget of Apollo?",
    "thanks, bye",
]


@pytest.fixture
def open_memory(tmp_path: Path) -> Iterator[Callable[[str], Memory]]:
    """Opens memories in folders of their own."""
    with ExitStack() as opened:
        yield lambda name: opened.enter_context(Memory(tmp_path / name, open_embedder("hashing:256")))


def say(memory: Memory, *lines: str, user: str = "ann", record: bool = True) -> str:
    """Say lines and return the last answer."""
    resources = Resources(memory=memory, clock=lambda: NOW + timedelta(seconds=next(TICKS)), time_zone="UTC")
    graph = build_graph(resources)
    context = Context(user_id=user, session_id=f"{user}-s1", record=record)
    for line in lines:
        result = graph.invoke({"messages": [("user", line)]}, context=context)
    return str(result["messages"][-1].text)


def export(memory: Memory, path: Path, user: str = "ann") -> list[dict]:
    export_bundle(memory.database, user, path, now=NOW, replace=True)
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def written(tmp_path: Path, lines: list[dict]) -> Path:
    path = tmp_path / "changed.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    return path


@pytest.fixture
def source(open_memory: Callable[[str], Memory], tmp_path: Path) -> Memory:
    """A memory with something of every kind."""
    memory = open_memory("source")
    say(memory, *TALK)
    (tmp_path / "rates.md").write_text("# Rates\n\nThe delivery fee is 15 dollars.\n", encoding="utf-8")
    memory.knowledge.add("ann", read_document(tmp_path / "rates.md"), now=NOW)
    memory.knowledge.embed("ann")
    say(memory, "My code is zorblax-1.", user="bob")
    return memory


@pytest.mark.requirement("EXPORT-LOSSLESS")
def test_a_bundle_brings_back_the_same_ids_histories_and_answers(source, open_memory, tmp_path):
    lines = export(source, tmp_path / "ann.jsonl")
    assert [line["type"] for line in lines[:2]] == ["header", "turn"]
    assert {line["type"] for line in lines} >= {
        "turn",
        "item",
        "conflict",
        "document",
        "chunk",
        "summary",
        "state",
        "answer",
    }
    assert "zorblax" not in str(lines)

    target = open_memory("target")
    imported = import_bundle(target, "carla", tmp_path / "ann.jsonl", now=NOW)
    target.vectors.apply_outbox("carla")
    target.knowledge.embed("carla")

    assert imported.counts == lines[0]["counts"]
    again = export(target, tmp_path / "again.jsonl", user="carla")
    assert again[1:] == lines[1:]
    assert {**again[0], "user": "ann"} == lines[0]
    with source.database.read() as one, target.database.read() as other:
        items = list_items(one, "ann", live_only=False)
        assert [item.id for item in items] == [item.id for item in list_items(other, "carla", live_only=False)]
        for item in items:
            histories = history_of(one, "ann", item.number), history_of(other, "carla", item.number)
            assert len({tuple(version.id for version in history) for history in histories}) == 1
    assert say(source, "What was the budget of Apollo before that?", record=False).startswith("48,500")
    for question in (
        "What was the budget of Apollo before that?",
        "我的花名叫什么？",
        "What do I have to do?",
        "What is the delivery fee?",
    ):
        assert say(source, question, record=False) == say(target, question, user="carla", record=False)
    assert say(source, "I like rice.") == say(target, "I like rice.", user="carla")


@pytest.mark.requirement("EXPORT-LOSSLESS")
def test_a_repeated_import_changes_nothing_and_a_different_memory_is_refused(source, open_memory, tmp_path):
    lines = export(source, tmp_path / "ann.jsonl")
    assert import_bundle(source, "ann", tmp_path / "ann.jsonl", now=NOW).known
    assert export(source, tmp_path / "again.jsonl") == lines
    with pytest.raises(BadInput, match="'bob' has a memory that differs"):
        import_bundle(source, "bob", tmp_path / "ann.jsonl", now=NOW)


@pytest.mark.requirement("EXPORT-LOSSLESS", "FORGET-BACKUP")
def test_an_import_does_not_bring_back_what_was_forgotten_unless_told_to(source, tmp_path):
    export(source, tmp_path / "ann.jsonl")
    forget(source, None, "ann", What("all"), now=NOW + timedelta(days=1))
    imported = import_bundle(source, "ann", tmp_path / "ann.jsonl", now=NOW + timedelta(days=2))
    assert imported.left_out == imported.counts["turn"]
    forget(source, None, "ann", What("all"), now=NOW + timedelta(days=3))
    again = import_bundle(source, "ann", tmp_path / "ann.jsonl", now=NOW + timedelta(days=4), with_forgotten=True)
    assert again.left_out == 0
    assert "52,000" in say(source, "What is the budget of Apollo?", record=False)


@pytest.mark.requirement("EXPORT-LOSSLESS")
def test_a_bundle_is_readable_by_its_owner_alone_and_replaces_nothing_unasked(source, tmp_path):
    path = tmp_path / "ann.jsonl"
    export(source, path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    with pytest.raises(BadFile, match="exists already"):
        export_bundle(source.database, "ann", path, now=NOW)
    with pytest.raises(BadFile, match="cannot be written"):
        export_bundle(source.database, "ann", tmp_path / "nowhere" / "ann.jsonl", now=NOW)


def first(lines: list[dict], kind: str) -> int:
    return next(place for place, line in enumerate(lines) if line["type"] == kind)


def changed(kind: str, **values: object):
    def change(lines: list[dict]) -> int:
        place = first(lines, kind)
        lines[place] |= values
        return place + 1

    return change


def shortened(lines: list[dict]) -> int:
    del lines[-1]
    return len(lines)


FAULTS = [
    pytest.param(changed("header", version=2), "version 2", id="version"),
    pytest.param(changed("header", format="other"), "no bundle", id="format"),
    pytest.param(changed("turn", text=None), "'text' is null", id="null"),
    pytest.param(changed("turn", number="1"), "'number'", id="type"),
    pytest.param(changed("turn", source="hearsay"), "'source'", id="source"),
    pytest.param(changed("turn", text="\ud800"), "'text'", id="surrogate"),
    pytest.param(changed("turn", number=1 << 70), "'number'", id="too-large"),
    pytest.param(changed("turn", observed_at="2026-03-02"), "'observed_at' has no offset", id="naive"),
    pytest.param(changed("turn", surprise=1), "'surprise' is not known", id="unknown"),
    pytest.param(changed("turn", number=3), "given already", id="twice"),
    pytest.param(changed("item", quote="never said"), "does not read as it is quoted", id="quote"),
    pytest.param(changed("item", turn=99), "t99 is not in the bundle", id="turn"),
    pytest.param(changed("conflict", other=99), "items that the bundle does not have", id="conflict"),
    pytest.param(changed("state", document={"surprise": 1}), "MemoryState", id="state"),
    pytest.param(shortened, "the file ends with", id="cut-off"),
]


@pytest.mark.requirement("EXPORT-LOSSLESS", "ERRORS-ONE-SENTENCE")
@pytest.mark.parametrize(("change", "said"), FAULTS)
def test_a_faulty_line_is_named_and_nothing_is_written(source, open_memory, tmp_path, change, said):
    lines = export(source, tmp_path / "ann.jsonl")
    line = change(lines)
    if said == "given already":
        line += 2  # t1 became a second t3, which shows where the other one stands
    target = open_memory("target")
    with pytest.raises(BadFile, match=said) as raised:
        import_bundle(target, "ann", written(tmp_path, lines), now=NOW)
    assert f"line {line}:" in str(raised.value)
    assert "\n" not in str(raised.value)
    with target.database.read() as connection:
        assert connection.exec_driver_sql("SELECT count(*) FROM turns").scalar() == 0
        assert connection.exec_driver_sql("SELECT count(*) FROM users").scalar() == 0
