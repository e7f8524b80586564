"""Cases C31 to C38 as terminals meet them: over HTTP, several at once."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import combinations

import httpx
import pytest

from .conftest import Service
from .test_chat import say

USERS = ["a", "ab", "a_b", "a-b", "%", "ann@example.com", "j.doe", "小明"]

ANIMALS = ["walrus", "heron", "badger", "lynx", "otter", "gecko", "puffin", "tapir"]


def told(http: httpx.Client, question: str, **given: object) -> str:
    return say(http, question, **given)[-1][1]["text"]


@pytest.mark.requirement("C31")
def test_a_fact_of_one_terminal_is_known_in_a_new_one(shared: Service, user: str) -> None:
    with shared.http(user, "phone") as phone:
        say(phone, "My locker number is 4417.")
    with shared.http(user, "tablet") as tablet:
        assert "4417" in told(tablet, "What is my locker number?")


@pytest.mark.requirement("C32", "P6")
def test_users_with_ids_that_resemble_each_other_are_never_mixed(own: Callable[..., Service]) -> None:
    service = own()
    clients = {name: service.http(name) for name in USERS}
    secrets = dict(zip(USERS, ANIMALS, strict=True))
    handles = {}
    for name, http in clients.items():
        say(http, f"My favourite animal is the {secrets[name]}.")
        body = {"source": "s", "type": "note", "state": {"code": f"the {secrets[name]}"}}
        handles[name] = http.post("/v1/memory/register", json=body).json()["handle"]
    for name, http in clients.items():
        answer = told(http, "What is my favourite animal?")
        seen = [answer, *(http.get(f"/v1/memory/{path}").text for path in ("snapshot", "history", "turns", "items"))]
        assert secrets[name] in answer
        assert not [one for one in USERS if one != name for text in seen if secrets[one] in text]
    for one, other in combinations(USERS, 2):
        assert clients[one].get(f"/v1/memory/{handles[other]}").status_code == 404
    for http in clients.values():
        http.close()


@pytest.mark.requirement("C33", "C34", "C35")
def test_forgetting_one_users_memory_leaves_nothing_of_it_and_all_of_anothers(own: Callable[..., Service]) -> None:
    service = own()
    with service.http("ann") as ann, service.http("bob") as bob:
        for http, secret in ((ann, "crimson walrus"), (bob, "teal heron")):
            say(http, f"My passphrase is {secret}.")
            body = {"source": "s", "type": "note", "metadata": {"name": "N1"}, "state": {"phrase": secret}}
            http.post("/v1/memory/register", json=body)
        before = bob.get("/v1/memory/snapshot").json(), told(bob, "What is my passphrase?", record=False)
        report = ann.post("/v1/memory/forget", json={"kind": "all"}).json()
        assert report["residue"] == []
        assert "crimson" not in told(ann, "What is my passphrase?", record=False)
        for path in ("snapshot", "history", "handles", "turns", "items"):
            assert "walrus" not in ann.get(f"/v1/memory/{path}").text
        assert (bob.get("/v1/memory/snapshot").json(), told(bob, "What is my passphrase?", record=False)) == before
    service.stop()
    held = {path.name: path.read_bytes() for path in service.folder.rglob("*") if path.is_file()}
    assert not [name for name, octets in held.items() if b"walrus" in octets]
    assert any(b"heron" in octets for octets in held.values())


@pytest.mark.requirement("C36")
def test_writers_and_readers_at_once_see_no_error_and_lose_nothing(shared: Service, user: str) -> None:
    writers, each = 8, 12

    def write(place: int) -> list[int]:
        with shared.http(user, f"w{place}") as http:
            made = http.post("/v1/memory/register", json={"source": "s", "type": "n", "state": {"count": 0}}).json()
            path = f"/v1/memory/{made['handle']}"
            changes = [{"delta": {"count": count}, "version": count} for count in range(1, each)]
            return [http.patch(path, json=body).status_code for body in changes]

    def look(_: int) -> list[int]:
        with shared.http(user, "reader") as http:
            return [http.get(f"/v1/memory/{path}").status_code for path in ("snapshot", "handles", "history") * each]

    with ThreadPoolExecutor(writers + 2) as pool:
        reading = [pool.submit(look, place) for place in range(2)]
        written = list(pool.map(write, range(writers)))
        seen = [status for future in reading for status in future.result()]
    assert {status for statuses in written for status in statuses} == {200}
    assert set(seen) == {200}
    with shared.http(user) as http:
        handles = http.get("/v1/memory/snapshot").json()["handles"]
    counts = [one["state"]["count"] for name, one in handles.items() if name != "memory_state"]
    assert counts == [each - 1] * writers
