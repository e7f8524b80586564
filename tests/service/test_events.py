"""The stream of events: replayed from any number, live, told when something is missing."""

import asyncio
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path

import httpx
import pytest
from httpx_sse import EventSource, ServerSentEvent, connect_sse

from veridical.memory.storage.database import Database
from veridical.memory.storage.events import Change, append_event
from veridical.service.bell import Bell

from .conftest import Service

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)


@contextmanager
def listening(http: httpx.Client, after: int | None = None) -> Iterator[Iterator[ServerSentEvent]]:
    headers = {} if after is None else {"Last-Event-ID": str(after)}
    with connect_sse(http, "GET", "/v1/memory/events", headers=headers) as source:
        assert isinstance(source, EventSource)
        assert source.response.status_code == 200
        yield source.iter_sse()


def note(http: httpx.Client, place: int) -> str:
    answer = http.post("/v1/memory/register", json={"source": "s", "type": "note", "state": {"place": place}})
    return answer.json()["handle"]


@pytest.mark.requirement("EVENT-REPLAY")
def test_a_stream_goes_on_after_the_last_event_that_was_seen(shared: Service, user: str) -> None:
    with shared.http(user) as http:
        for place in range(3):
            note(http, place)
        told = http.get("/v1/memory/history").json()["events"]
        with listening(http, 2) as stream:
            replayed = list(islice(stream, len(told) - 2))
    assert [one.json() for one in replayed] == told[2:]
    assert [int(one.id) for one in replayed] == list(range(3, len(told) + 1))
    assert {one.event for one in replayed} <= {"MEMORY_REGISTERED", "MEMORY_UPDATED"}


@pytest.mark.requirement("EVENT-REPLAY")
def test_what_happens_while_somebody_listens_reaches_them_and_nobody_else(shared: Service, user: str) -> None:
    with shared.http(user) as http, shared.http(f"{user} 2") as other:
        with listening(http, 0) as stream, listening(other, 0) as strange:
            handle = note(http, 1)
            first = next(stream)
            foreign = note(other, 2)
            assert next(strange).json()["handle"] == foreign
        assert first.json()["handle"] == handle
        assert first.json()["delta"] == {"place": 1}


@pytest.mark.requirement("EVENT-REPLAY")
def test_a_number_that_never_was_is_answered_by_a_reset(shared: Service, user: str) -> None:
    with shared.http(user) as http:
        note(http, 1)
        with listening(http, 999) as stream:
            reset = next(stream)
            last = http.get("/v1/memory/history").json()["last"]
            assert (reset.event, reset.json()["number"]) == ("reset", last)


@pytest.mark.requirement("C31", "EVENT-DELTA")
def test_a_turn_in_one_terminal_is_told_to_the_others_with_who_said_it(shared: Service, user: str) -> None:
    with shared.http(user, "phone") as phone, shared.http(user, "web") as web, listening(web, 0) as stream:
        phone.post("/v1/chat", json={"message": "My budget is 48,500 dollars.", "session": f"s {user}"})
        event = next(stream).json()
    assert (event["handle"], event["terminal"]) == ("memory_state", "phone")
    assert [fact["value"] for fact in event["delta"]["current_facts"].values()] == ["48,500 dollars"]


@pytest.mark.requirement("EVENT-GAPLESS")
def test_events_that_just_came_are_read_once_for_all_and_nobody_gets_a_part_of_what_is_missing(tmp_path: Path) -> None:
    with closing(Database(tmp_path)) as database:

        def change(times: int) -> None:
            with database.write("ann") as connection:
                for _ in range(times):
                    append_event(connection, "ann", Change("MEMORY_UPDATED", "mem_1", 1, {}), now=NOW)

        async def heard() -> None:
            bell = Bell(database, poll_seconds=60)
            with bell.listening("ann", "phone"):
                change(2)
                await bell.look()  # who begins to listen reads for themself
                assert bell.fresh("ann", 0) is None
                change(3)
                await bell.look()
                assert bell.fresh("ann", 1) is None
                assert [one.number for one in bell.fresh("ann", 2) or ()] == [3, 4, 5]
                assert [one.number for one in bell.fresh("ann", 4) or ()] == [5]
                assert bell.fresh("ann", 5) is None
            assert bell.fresh("ann", 2) is None

        asyncio.run(heard())
