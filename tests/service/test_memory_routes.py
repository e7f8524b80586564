"""Handles over HTTP: the field names, the versions, the doors."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import httpx
import pytest

from veridical.memory.handles.replica import Replica, replayed
from veridical.memory.storage.tokens import list_tokens, revoke_token
from veridical.service.options import ServiceOptions
from veridical.service.problems import TYPES

from .conftest import Service

REPORT = {
    "source": "mobile_app",
    "type": "medical_report",
    "metadata": {"patient_id": "p-7", "report_date": "2026-02-20", "source_hash": "ab12"},
    "state": {"glucose": {"value": 12.3, "unit": "mmol/L"}, "blood_pressure": "158/96"},
}


def register(http: httpx.Client, **changes: object) -> str:
    answer = http.post("/v1/memory/register", json={**REPORT, **changes})
    assert answer.status_code == 201, answer.text
    return answer.json()["handle"]


@pytest.mark.requirement("HANDLE", "SERVICE-ROUTES")
def test_a_registered_document_is_read_with_who_changed_it_last(shared: Service, user: str) -> None:
    with shared.http(user, "phone-1") as phone, shared.http(user, "web-1") as web:
        answer = phone.post("/v1/memory/register", json=REPORT).json()
        assert set(answer) == {"handle", "version", "expires_at"}
        assert answer["handle"].startswith("mem_")
        changed = web.patch(
            f"/v1/memory/{answer['handle']}",
            json={"delta": {"glucose": {"value": 11.9}}, "version": 1, "source": "web_app"},
        ).json()
        read = phone.get(f"/v1/memory/{answer['handle']}").json()
    assert read == changed
    assert read["state"]["glucose"] == {"value": 11.9, "unit": "mmol/L"}
    assert (read["version"], read["last_updated_by"], read["last_updated_source"], read["source"]) == (
        2,
        "web-1",
        "web_app",
        "mobile_app",
    )


@pytest.mark.requirement("HANDLE-STALE")
def test_an_old_version_is_answered_409_with_the_current_one(shared: Service, user: str) -> None:
    with shared.http(user) as http:
        handle = register(http)
        current = http.patch(f"/v1/memory/{handle}", json={"delta": {"pulse": 70}, "version": 1}).json()
        late = http.patch(f"/v1/memory/{handle}", json={"delta": {"pulse": 80}, "version": 1})
    assert late.status_code == 409
    assert late.headers["content-type"] == "application/problem+json"
    assert late.json()["current"] == current


@pytest.mark.requirement("SERVICE-IDEMPOTENT")
def test_the_same_request_under_the_same_key_is_done_once(shared: Service, user: str) -> None:
    with shared.http(user) as http:
        first, again = (
            http.post("/v1/memory/register", json=REPORT, headers={"Idempotency-Key": "k1"}).json() for _ in range(2)
        )
        other = http.post("/v1/memory/register", json={**REPORT, "type": "x"}, headers={"Idempotency-Key": "k1"})
        handles = http.get("/v1/memory/handles").json()["handles"]
    assert first == again
    assert other.status_code == 422
    assert [one["handle"] for one in handles] == [first["handle"]]


@pytest.mark.requirement("HANDLE-EXPIRY")
def test_what_has_expired_is_gone_and_a_past_end_is_refused(shared: Service, user: str) -> None:
    with shared.http(user) as http:
        past = (datetime.now(UTC) - timedelta(hours=1)).isoformat()
        refused = http.post("/v1/memory/register", json={**REPORT, "expires_at": past})
        naive = http.post("/v1/memory/register", json={**REPORT, "expires_at": "2030-01-01T00:00:00"})
        later = http.post("/v1/memory/register", json={**REPORT, "expires_at": "2030-01-01T00:00:00Z"})
    assert [one.status_code for one in (refused, naive, later)] == [400, 422, 201]
    assert "expires_at" in naive.json()["detail"]


@pytest.mark.requirement("SERVICE-ROUTES")
def test_handles_are_listed_a_page_at_a_time(shared: Service, user: str) -> None:
    with shared.http(user) as http:
        made = sorted(register(http, state={"place": place}) for place in range(5))
        listed, after = [], ""
        while after is not None:
            page = http.get("/v1/memory/handles", params={"limit": 2, "after": after}).json()
            listed += [one["handle"] for one in page["handles"]]
            after = page["next"]
    assert listed == made


@pytest.mark.requirement("SNAPSHOT")
def test_a_snapshot_gives_what_held_at_a_moment(shared: Service, user: str) -> None:
    with shared.http(user) as http:
        handle = register(http)
        then = datetime.now(UTC).isoformat()
        http.patch(f"/v1/memory/{handle}", json={"delta": {"pulse": 70}, "version": 1})
        old = http.get("/v1/memory/snapshot", params={"as_of": then}).json()["handles"][handle]
        new = http.get("/v1/memory/snapshot").json()["handles"][handle]
    assert "pulse" not in old["state"]
    assert new["state"]["pulse"] == 70


@pytest.mark.requirement("P6", "SERVICE-TOKENS")
def test_a_token_opens_one_user_and_nothing_else_opens_any(shared: Service, user: str) -> None:
    with shared.http(user) as mine, shared.http(f"{user} 2") as other:
        handle = register(mine)
        assert other.get(f"/v1/memory/{handle}").status_code == 404
        assert other.patch(f"/v1/memory/{handle}", json={"delta": {"a": 1}, "version": 1}).status_code == 404
        assert other.get("/v1/memory/handles").json()["handles"] == []
        assert handle not in other.get("/v1/memory/snapshot").text
        good = mine.headers["Authorization"]
    flipped = good[:-1] + ("A" if good[-1] != "A" else "B")
    for bad in (None, "Bearer x", "Bearer", flipped, good.replace("Bearer", "Basic"), f"{good}x"):
        headers = {} if bad is None else {"Authorization": bad}
        answer = httpx.get(f"{shared.url}/v1/memory/handles", headers=headers)
        assert (answer.status_code, answer.headers["www-authenticate"]) == (401, "Bearer"), bad
    assert httpx.get(f"{shared.url}/v1/memory/handles", params={"token": good}).status_code == 401


@pytest.mark.requirement("SERVICE-TOKENS")
def test_a_revoked_token_opens_nothing(shared: Service, user: str) -> None:
    with shared.http(user) as http:
        assert http.get("/v1/memory/handles").status_code == 200
        with shared.resources.memory.database.write() as connection:
            (token,) = list_tokens(connection, user)
            assert token.last_used_at is not None
            revoke_token(connection, token.token_id, now=shared.resources.clock())
        assert http.get("/v1/memory/handles").status_code == 401


@pytest.mark.requirement("SERVICE-LIMITS")
def test_what_is_too_large_or_not_understood_is_a_problem_that_says_what_to_do(shared: Service, user: str) -> None:
    with shared.http(user) as http:
        handle = register(http)
        large = http.post("/v1/memory/register", json={**REPORT, "state": {"text": "x" * 2_000_000}})
        chunked = http.post("/v1/memory/register", content=(b"x" * 100_000 for _ in range(20)))
        answers = {
            (413, "too-large"): [large, chunked],
            (422, "not-understood"): [
                http.post("/v1/memory/register", json={"type": "x"}),
                http.post("/v1/memory/register", json={**REPORT, "surprise": 1}),
                http.post("/v1/memory/register", content=b"{", headers={"Content-Type": "application/json"}),
                http.patch(f"/v1/memory/{handle}", json={"delta": {}, "version": 0}),
                http.get("/v1/memory/UPPER"),
                http.get("/v1/memory/snapshot", params={"as_of": "yesterday"}),
                http.get("/v1/memory/snapshot", params={"as_of": "2026-03-02T09:00:00"}),
            ],
            (404, "not-found"): [http.get("/v1/memory/mem_unknown")],
            (404, "not-served"): [http.get("/v1/nothing")],
            (400, "bad-request"): [http.post("/v1/memory/forget", json={"kind": "value"})],
        }
    for (status, kind), given in answers.items():
        for answer in given:
            assert answer.status_code == status, answer.text
            assert answer.headers["content-type"] == "application/problem+json"
            assert (answer.json()["status"], answer.json()["type"]) == (status, TYPES + kind)
            assert answer.json()["detail"]


@pytest.mark.requirement("SERVICE-LIMITS")
def test_one_token_may_not_ask_more_often_than_is_allowed(own: Callable[..., Service]) -> None:
    service = own(ServiceOptions(rate="5/minute"))
    with service.http("ann") as ann, service.http("bob") as bob:
        statuses = [ann.get("/v1/memory/handles").status_code for _ in range(7)]
        assert statuses == [200] * 5 + [429] * 2
        assert bob.get("/v1/memory/handles").status_code == 200


@pytest.mark.requirement("SERVICE-LOOPBACK")
def test_without_tokens_only_names_of_this_machine_are_answered(own: Callable[..., Service]) -> None:
    service = own(ServiceOptions(without_tokens=True))
    url = f"{service.url}/v1/memory/handles"
    assert httpx.get(url, headers={"X-Veridical-User": "ann"}).status_code == 200
    assert httpx.get(url, headers={"Host": "rebound.example"}).status_code == 421


@pytest.mark.requirement("SERVICE-HEADERS")
def test_every_answer_forbids_a_browser_what_it_needs_not(shared: Service) -> None:
    for path in ("/healthz", "/v1/memory/handles", "/nothing"):
        headers = httpx.get(shared.url + path, headers={"Origin": "https://elsewhere.example"}).headers
        assert "default-src 'self'" in headers["content-security-policy"]
        assert headers["x-content-type-options"] == "nosniff"
        assert "access-control-allow-origin" not in headers


@pytest.mark.requirement("SERVICE-HEALTH")
def test_the_service_says_whether_it_lives_and_what_carries_it(shared: Service) -> None:
    assert httpx.get(f"{shared.url}/healthz").json() == {"status": "ok"}
    ready = httpx.get(f"{shared.url}/readyz").json()
    assert ready["ready"]
    assert set(ready["legs"]) == {"sql", "vectors", "embedder", "model"}
    assert (ready["legs"]["sql"], ready["legs"]["embedder"]) == ("ok", "ok")
    assert "veridical_requests_total" in httpx.get(f"{shared.url}/metrics").text


@pytest.mark.requirement("SERVICE-FORGET", "P8")
def test_what_is_forgotten_is_gone_from_handles_events_and_snapshots(shared: Service, user: str) -> None:
    with shared.http(user) as http, shared.http(user, "clinic") as clinic:
        handle = register(http, state={"password_hint": "violet-anchor-93", "pulse": 70})
        change = {"delta": {"pulse": 72}, "version": 1, "source": "lab"}
        clinic.patch(f"/v1/memory/{handle}", json=change).raise_for_status()
        assert "violet-anchor-93" in http.get("/v1/memory/history").text
        report = http.post("/v1/memory/forget", json={"kind": "value", "names": ["violet-anchor-93"]}).json()
        assert report["residue"] == []
        for path in (f"/v1/memory/{handle}", "/v1/memory/history", "/v1/memory/snapshot", "/v1/memory/memory_state"):
            assert "violet-anchor-93" not in http.get(path).text, path
        told = http.get("/v1/memory/history").json()["events"]
        now = http.get("/v1/memory/snapshot").json()
    assert [event["number"] for event in told] == list(range(1, len(told) + 1))
    assert replayed(Replica(), told) == Replica(now["number"], now["handles"])
    assert {one["last_updated_by"] for one in now["handles"].values()} == {"test"}, "who forgot is not told"
    assert "MEMORY_FORGOTTEN" in {event["event_type"] for event in told}
