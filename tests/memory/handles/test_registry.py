"""Handles: registered, read, changed by version, recalled; every change an event in the same transaction."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from veridical.memory.errors import BadInput, NotFound
from veridical.memory.handles.history import align, event_json, keep_daily, present, snapshot
from veridical.memory.handles.keeping import keep
from veridical.memory.handles.records import Handle, NewHandle, Origin, StaleVersion
from veridical.memory.handles.registry import change, list_handles, read, register
from veridical.memory.handles.replica import Replica, replayed
from veridical.memory.retrieval.embedders import open_embedder
from veridical.memory.storage.events import events_after, last_number
from veridical.memory.store import Memory

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
PHONE = Origin("phone-1", "mobile_app")
WEB = Origin("web-1", "web_app")
REPORT = NewHandle(
    "medical_report",
    {"patient_id": "p-7", "report_date": "2026-02-20", "source_hash": "ab12"},
    {"glucose": {"value": 12.3, "unit": "mmol/L"}, "blood_pressure": {"value": "158/96", "unit": "mmHg"}},
)


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    with Memory(tmp_path, open_embedder("hashing:64")) as opened:
        yield opened


def registered(memory: Memory, new: NewHandle = REPORT, user: str = "ann", now: datetime = NOW) -> Handle:
    with memory.database.write() as connection:
        return register(connection, user, new, PHONE, now=now)


def changed(memory: Memory, handle: Handle, delta: dict, *, version: int | None = None, at: datetime = NOW) -> Handle:
    with memory.database.write() as connection:
        known = handle.version if version is None else version
        return change(connection, handle.user_id, handle.handle, delta, version=known, origin=WEB, now=at)


def events(memory: Memory, user: str = "ann", after: int = 0) -> list[dict]:
    with memory.database.read() as connection:
        return [event_json(event) for event in events_after(connection, user, after)]


@pytest.mark.requirement("HANDLE")
def test_what_was_registered_is_read_by_its_handle_alone(memory: Memory) -> None:
    handle = registered(memory)
    assert handle.handle.startswith("mem_")
    with memory.database.read() as connection:
        assert read(connection, "ann", handle.handle, now=NOW) == handle
        with pytest.raises(NotFound):
            read(connection, "bob", handle.handle, now=NOW)


@pytest.mark.requirement("HANDLE")
def test_a_change_says_who_made_it_and_carries_only_what_changed(memory: Memory) -> None:
    handle = registered(memory)
    before = len(events(memory))
    after = changed(memory, handle, {"glucose": {"value": 11.9}}, at=NOW + timedelta(hours=1))
    assert (after.version, after.updated_by, after.updated_source, after.source) == (
        2,
        "web-1",
        "web_app",
        "mobile_app",
    )
    told = [one for one in events(memory)[before:] if one["handle"] == handle.handle]
    assert [(one["event_type"], one["delta"], one["terminal"]) for one in told] == [
        ("MEMORY_UPDATED", {"glucose": {"value": 11.9}}, "web-1")
    ]


@pytest.mark.requirement("HANDLE-STALE")
def test_a_change_of_an_old_version_is_refused_with_the_current_one(memory: Memory) -> None:
    handle = registered(memory)
    current = changed(memory, handle, {"pulse": 70})
    told = len(events(memory))
    with pytest.raises(StaleVersion) as refused:
        changed(memory, handle, {"pulse": 80}, version=1)
    assert refused.value.current == current
    assert len(events(memory)) == told


def test_a_change_that_changes_nothing_makes_no_version_and_no_event(memory: Memory) -> None:
    handle = registered(memory)
    told = len(events(memory))
    assert changed(memory, handle, {"glucose": {"unit": "mmol/L"}, "unknown": None}) == handle
    assert len(events(memory)) == told


@pytest.mark.requirement("P1", "P2", "HANDLE")
def test_what_a_handle_says_is_quoted_from_a_turn_of_the_service(memory: Memory) -> None:
    registered(memory)
    facts = {fact.attribute: fact for fact in memory.state("ann").current_facts}
    assert {name: facts[name].value for name in facts} == {
        "blood_sugar": "12.3 mmol/L",
        "blood_pressure": "158/96 mmHg",
    }
    turn = memory.turns("ann", [1])[1]
    assert (turn.source, turn.speaker, turn.observed_at.date().isoformat()) == (
        "external_knowledge",
        "mobile_app",
        "2026-02-20",
    )
    for item in memory.items("ann", [1])[1]:
        assert item.value_span.cut(turn.text) == item.value
        assert item.source == "external_knowledge"


def test_a_changed_value_supersedes_and_a_removed_one_is_retracted(memory: Memory) -> None:
    handle = registered(memory)
    handle = changed(memory, handle, {"glucose": {"value": 11.9}}, at=NOW + timedelta(hours=1))
    assert {fact.value for fact in memory.state("ann").current_facts} == {"11.9 mmol/L", "158/96 mmHg"}
    changed(memory, handle, {"blood_pressure": None}, at=NOW + timedelta(hours=2))
    assert "blood_pressure" not in {fact.attribute for fact in memory.state("ann").current_facts}


@pytest.mark.requirement("HANDLE")
def test_documents_with_names_of_their_own_are_kept_apart(memory: Memory) -> None:
    registered(memory, NewHandle("contract", {"name": "Contract A"}, {"deposit": "5,000 yuan"}))
    registered(memory, NewHandle("contract", {"name": "Contract B"}, {"deposit": "8,000 yuan"}))
    held = {fact.entity: fact.value for fact in memory.state("ann").current_facts}
    assert held == {"contract:a": "5,000 yuan", "contract:b": "8,000 yuan"}


@pytest.mark.requirement("HANDLE-EXPIRY")
def test_an_expired_handle_is_not_valid_and_every_terminal_is_told(memory: Memory) -> None:
    ends = NOW + timedelta(days=1)
    handle = registered(memory, NewHandle("note", {}, {"text": "hello"}, expires_at=ends))
    later = ends + timedelta(seconds=1)
    with memory.database.read() as connection:
        assert [one.handle for one in list_handles(connection, "ann", now=ends - timedelta(seconds=1))] == [
            handle.handle
        ]
        assert list_handles(connection, "ann", now=later) == []
        with pytest.raises(NotFound):
            read(connection, "ann", handle.handle, now=later)
    with memory.database.write() as connection:
        assert keep(connection, now=later).expired == 1
    assert events(memory)[-1]["event_type"] == "MEMORY_EXPIRED"
    with memory.database.read() as connection:
        assert handle.handle not in present(connection, "ann").handles


@pytest.mark.requirement("SNAPSHOT")
def test_a_snapshot_of_a_moment_is_what_held_then(memory: Memory) -> None:
    handle = registered(memory)
    changed(memory, handle, {"glucose": {"value": 11.9}}, at=NOW + timedelta(hours=2))
    with memory.database.read() as connection:
        then = snapshot(connection, "ann", NOW + timedelta(hours=1)).handles[handle.handle]
        now = present(connection, "ann").handles[handle.handle]
        assert snapshot(connection, "ann", NOW - timedelta(hours=1)).handles == {}
    assert (then["state"]["glucose"]["value"], then["version"]) == (12.3, 1)
    assert (now["state"]["glucose"]["value"], now["version"], now["last_updated_by"]) == (11.9, 2, "web-1")


@pytest.mark.requirement("SNAPSHOT")
def test_a_daily_snapshot_is_made_once_and_changes_no_answer(memory: Memory) -> None:
    handle = registered(memory)
    with memory.database.write() as connection:
        before = present(connection, "ann")
        assert keep_daily(connection, "ann", now=NOW)
        assert not keep_daily(connection, "ann", now=NOW + timedelta(hours=1))
        assert present(connection, "ann") == before
    changed(memory, handle, {"pulse": 70}, at=NOW + timedelta(days=1))
    whole = replayed(Replica(), events(memory))
    with memory.database.read() as connection:
        assert present(connection, "ann") == whole


@pytest.mark.requirement("EVENT-RETENTION")
def test_what_is_older_than_the_retention_goes_and_the_present_stays(memory: Memory) -> None:
    handle = registered(memory)
    with memory.database.write() as connection:
        keep(connection, now=NOW)
    later = NOW + timedelta(days=8)
    with memory.database.write() as connection:
        longer: dict[str, Any] = {"expires_at": NOW + timedelta(days=90)}
        handle = change(connection, "ann", handle.handle, {}, version=1, origin=WEB, now=NOW, **longer)
        # Of the events only this last one stays.
        assert keep(connection, now=later - timedelta(minutes=1)).dropped > 0
        told = {name: one["last_updated_by"] for name, one in present(connection, "ann").handles.items()}
    assert told == {handle.handle: "web-1", "memory_state": "phone-1"}
    changed(memory, handle, {"pulse": 70}, at=later)
    with memory.database.read() as connection:
        before = present(connection, "ann")
    with memory.database.write() as connection:
        keep(connection, now=later)
        assert present(connection, "ann") == before
        with pytest.raises(BadInput, match="later moment"):
            snapshot(connection, "ann", NOW - timedelta(hours=1))
        assert snapshot(connection, "ann", later - timedelta(hours=1)).handles[handle.handle]["version"] == 2


@pytest.mark.requirement("ALIGN")
def test_a_terminal_takes_what_differs_and_everything_from_ten_on(memory: Memory) -> None:
    few = [registered(memory, NewHandle("note", {}, {"place": place})) for place in range(9)]
    with memory.database.read() as connection:
        held = {name: one["version"] for name, one in present(connection, "ann").handles.items()}
        assert align(connection, "ann", held).handles == {}
        del held[few[0].handle]
        some = align(connection, "ann", {**held, few[1].handle: 7, "mem_gone": 1})
        everything = align(connection, "ann", {})
        whole = present(connection, "ann").handles
    assert (some.full, set(some.handles), some.gone) == (False, {few[0].handle, few[1].handle}, ("mem_gone",))
    assert everything.full
    assert everything.handles == whole


@pytest.mark.requirement("P6", "EVENT-GAPLESS")
@settings(max_examples=25)
@given(st.lists(st.tuples(st.sampled_from(["a", "ab", "a_b", "%", "小明"]), st.integers(0, 3)), max_size=12))
def test_each_user_has_their_own_numbers_without_gap_or_double(tmp_path_factory, steps) -> None:
    with Memory(tmp_path_factory.mktemp("stream"), open_embedder("hashing:16")) as memory:
        held: dict[str, list[Handle]] = {}
        for place, (user, which) in enumerate(steps):
            mine = held.setdefault(user, [])
            if which < len(mine):
                mine[which] = changed(memory, mine[which], {"place": place})
            else:
                mine.append(registered(memory, NewHandle("note", {}, {"place": place}), user))
        for user, mine in held.items():
            told = events(memory, user)
            assert [event["number"] for event in told] == list(range(1, len(told) + 1))
            names = {event["handle"] for event in told} - {"memory_state"}
            assert names == {handle.handle for handle in mine}
            with memory.database.read() as connection:
                assert present(connection, user) == replayed(Replica(), told)
                assert last_number(connection, user) == len(told)


@pytest.mark.requirement("EVENT-GAPLESS")
def test_a_change_that_fails_leaves_no_event_and_no_gap(memory: Memory) -> None:
    handle = registered(memory)
    told = len(events(memory))
    with pytest.raises(RuntimeError), memory.database.write() as connection:
        change(connection, "ann", handle.handle, {"pulse": 1}, version=1, origin=WEB, now=NOW)
        raise RuntimeError
    changed(memory, handle, {"pulse": 2})
    numbers = [event["number"] for event in events(memory)]
    assert numbers == list(range(1, len(numbers) + 1))
    assert len(numbers) > told


@pytest.mark.requirement("HANDLE")
@pytest.mark.parametrize(
    ("kind", "metadata", "state", "delta", "text"),
    [
        ("order", {"number": "#881"}, {"status": "packed"}, {"status": "sent"}, "order #881: status sent."),
        ("order", {}, {"number": "#881", "status": "packed"}, {"status": "sent"}, "order #881: status sent."),
        ("order", {}, {"number": 881, "status": "packed"}, {"status": "sent"}, "order 881: status sent."),
        ("order", {"id": "x9", "name": "Lamp"}, {"status": "packed"}, {"status": "sent"}, "order Lamp: status sent."),
        ("order", {"id": "x9"}, {"status": "packed"}, {"status": "sent"}, "order x9: status sent."),
        ("合同", {"title": "甲方合同"}, {"状态": "已签"}, {"状态": "已盖章"}, "合同 甲方合同: 状态 已盖章."),
        ("order", {}, {"number": "#881"}, {"number": "#882"}, "order: number #882."),
        ("order", {}, {"id": {"value": 7}, "status": "packed"}, {"status": "sent"}, "order: status sent."),
        ("order", {"owner": "Ada"}, {"status": "packed"}, {"status": "sent"}, "order: status sent."),
    ],
)
def test_what_a_change_is_about_is_said_with_it(memory: Memory, kind, metadata, state, delta, text) -> None:
    changed(memory, registered(memory, NewHandle(kind, metadata, state)), delta)
    assert memory.turns("ann", [2])[2].text == text
