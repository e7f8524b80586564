"""The client library: in step, offline, and in step again."""

import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from veridical.service.client import Conflict, MemoryClient, Refused

from .conftest import Service


def holds(handle: str, key: str, value: object) -> Callable:
    return lambda replica: replica.handles.get(handle, {}).get("state", {}).get(key) == value


@pytest.mark.requirement("CLIENT")
def test_two_terminals_hold_the_same_and_see_each_change_once_and_in_order(shared: Service, user: str) -> None:
    seen: list[dict] = []
    with (
        MemoryClient(shared.url, token=shared.token(user, "a"), source="app") as a,
        MemoryClient(shared.url, token=shared.token(user, "b"), source="web", on_change=seen.append) as b,
    ):
        assert a.wait_until_aligned()
        assert b.wait_until_aligned()
        handle = a.register("note", state={"place": 0})
        for place in range(1, 11):
            a.wait_until(holds(handle, "place", place - 1))
            a.update(handle, {"place": place})
        assert b.wait_until(holds(handle, "place", 10))
        assert a.wait_until(lambda replica: replica.number == b.replica.number)
        assert a.replica == b.replica
    assert [event["number"] for event in seen] == list(range(seen[0]["number"], seen[-1]["number"] + 1))
    assert [event["delta"]["place"] for event in seen if event["handle"] == handle] == list(range(11))


@pytest.mark.requirement("CLIENT", "EVENT-REPLAY")
def test_what_was_changed_offline_is_seen_at_once_and_sent_when_the_service_is_back(
    own: Callable[..., Service], tmp_path: Path
) -> None:
    service = own()
    token, store = service.token("ann", "phone"), tmp_path / "replica.json"
    with MemoryClient(service.url, token=token, source="app", store=store) as client:
        client.wait_until_aligned()
        handle = client.register("note", state={"place": 0})
        assert client.wait_until(holds(handle, "place", 0))
        service.stop()
        client.update(handle, {"place": 1})
        client.update(handle, {"colour": "red"})
        fresh = client.register("note", state={"new": True})
        assert client.state(handle) == {"place": 1, "colour": "red"}
        assert client.state(fresh) == {"new": True}
        assert client.waiting == 3
    with MemoryClient(service.url, token=token, source="app", store=store) as client:
        assert (client.waiting, client.state(handle)["place"]) == (3, 1)
        service.start()
        assert client.wait_until(lambda replica: holds(handle, "colour", "red")(replica) and len(replica.handles) == 3)
        assert client.waiting == 0
        assert client.state(fresh) == {"new": True}


@pytest.mark.requirement("CLIENT", "HANDLE-STALE")
def test_a_change_that_waited_and_came_too_late_is_told_and_dropped(
    own: Callable[..., Service], tmp_path: Path
) -> None:
    service = own()
    conflicts: list[Conflict] = []
    store = tmp_path / "replica.json"
    with MemoryClient(service.url, token=service.token("ann", "a"), store=store) as a:
        a.wait_until_aligned()
        handle = a.register("note", state={"place": 0})
        assert a.wait_until(holds(handle, "place", 0))
        token = service.token("ann", "a")
    offline = MemoryClient(service.url, token=token, store=store, on_conflict=conflicts.append)
    offline._http.close()
    offline._http = MemoryClient("http://127.0.0.1:9", token=token)._http
    offline.update(handle, {"place": 5})
    with service.http("ann", "b") as b:
        b.patch(f"/v1/memory/{handle}", json={"delta": {"place": 7}, "version": 1})
    with MemoryClient(service.url, token=token, store=store, on_conflict=conflicts.append) as back:
        assert back.wait_until(holds(handle, "place", 7))
        assert back.wait_until(lambda _: back.waiting == 0)
    (conflict,) = conflicts
    assert (conflict.delta, conflict.current["state"]) == ({"place": 5}, {"place": 7})


@pytest.mark.requirement("CLIENT")
def test_a_change_that_can_never_be_right_is_refused_and_does_not_wait(shared: Service, user: str) -> None:
    with MemoryClient(shared.url, token=shared.token(user)) as client:
        client.wait_until_aligned()
        with pytest.raises(Refused, match="mem_unknown"):
            client.update("mem_unknown", {"place": 1})
        assert client.waiting == 0


@pytest.mark.requirement("CLIENT", "ALIGN")
def test_a_terminal_that_was_away_for_long_is_in_line_again_by_itself(own: Callable[..., Service]) -> None:
    service = own()
    changed = threading.Event()
    token = service.token("ann", "a")
    with service.http("ann", "b") as b:
        for place in range(30):
            b.post("/v1/memory/register", json={"source": "s", "type": "note", "state": {"place": place}})
        with MemoryClient(service.url, token=token, on_change=lambda _: changed.set()) as client:
            assert client.wait_until_aligned()
            whole = b.get("/v1/memory/snapshot").json()
            assert dict(client.replica.handles) == whole["handles"]
            assert not changed.is_set()
