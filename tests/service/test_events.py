"""The stream of events: replayed from any number, live, told when something is missing."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import islice

import httpx
import pytest
from httpx_sse import EventSource, ServerSentEvent, connect_sse

from .conftest import Service


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
