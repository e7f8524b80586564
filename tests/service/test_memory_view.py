"""What a person looks at and changes over HTTP: turns, items, summaries, recalls, answers, topology, export."""

import json
from pathlib import Path

import httpx
import pytest

from veridical.memory.bundles import import_bundle
from veridical.service.problems import TYPES

from .conftest import Service
from .test_chat import say
from .test_events import listening, note


def turns(http: httpx.Client, **given: object) -> list[dict]:
    return http.get("/v1/memory/turns", params=given).raise_for_status().json()["turns"]


def items(http: httpx.Client, **given: object) -> list[dict]:
    return http.get("/v1/memory/items", params=given).raise_for_status().json()["items"]


@pytest.mark.requirement("VIEW-TURNS")
def test_turns_are_read_page_by_page_with_their_items_and_the_answers_of_their_session(
    shared: Service, user: str
) -> None:
    session = f"s {user}"
    with shared.http(user, "phone") as http:
        say(http, "My budget is 48,500 dollars.", session=session)
        done = say(http, "What is my budget?", session=session)[-1][1]
        page = http.get("/v1/memory/turns", params={"session": session, "limit": 3}).json()
        rest = turns(http, session=session, before=page["before"])
        known = http.get("/v1/memory/sessions").json()["sessions"]
    assert [turn["text"] for turn in rest] == ["My budget is 48,500 dollars."]
    assert [(item["attribute"], item["value"], item["live"]) for item in rest[0]["items"]] == [
        ("budget", "48,500 dollars", True)
    ]
    assert rest[0]["terminal"] == "phone"
    assert page["turns"][-1]["answer"]["answer_id"] == done["answer_id"]
    assert page["turns"][-1]["answer"]["citations"][0]["turn_id"] == rest[0]["id"]
    assert [(one["session"], one["turns"], one["opening"]) for one in known] == [(session, 4, rest[0]["text"])]


@pytest.mark.requirement("VIEW-CHANGE", "C18")
def test_an_item_is_corrected_and_retracted_by_its_id_and_every_version_stays(shared: Service, user: str) -> None:
    with shared.http(user, "desk") as http:
        say(http, "My budget is 48,500 dollars.")
        (old,) = items(http, kind="fact")
        right = http.post(f"/v1/memory/items/{old['id']}/correct", json={"value": "52,000 dollars"}).json()
        seen = http.get(f"/v1/memory/items/{right['id']}").json()
        http.post(f"/v1/memory/items/{right['id']}/retract").raise_for_status()
        again = http.post(f"/v1/memory/items/{right['id']}/retract")
        closed = http.post(f"/v1/memory/items/{old['id']}/correct", json={"value": "1 dollar"})
        same = http.post(f"/v1/memory/items/{old['id']}/correct", json={"value": old["value"]})
        last = http.get("/v1/memory/changes", params={"limit": 1}).json()["events"][0]
        left = items(http, kind="fact", live_only=True)
        answer = say(http, "What is my budget?")[-1][1]
    assert [(one["value"], one["closed_by"]) for one in seen["versions"]] == [
        ("48,500 dollars", "correction"),
        ("52,000 dollars", None),
    ]
    assert left == []
    assert (again.status_code, "retraction" in again.json()["detail"]) == (400, True)
    kinds = [one.json()["type"].removeprefix(TYPES) for one in (again, closed, same)]
    assert kinds == ["already-closed", "already-closed", "same-value"]
    assert last["delta"]["current_facts"] == {right["id"]: None}
    assert last["terminal"] == "desk"
    assert "52,000" not in answer["text"].split("\n")[0]


@pytest.mark.requirement("VIEW-SEARCH")
def test_a_search_gives_results_with_their_trace_and_an_answer_its_way(shared: Service, user: str) -> None:
    with shared.http(user) as http:
        say(http, "My dentist is Dr. Wu.")
        done = say(http, "Who is my dentist?")[-1][1]
        found = http.post("/v1/memory/recall", json={"question": "dentist"}).json()
        trace = http.get(f"/v1/memory/answers/{done['answer_id']}").json()
        missing = http.get("/v1/memory/answers/a999")
    assert found["results"][0]["text"] == "My dentist is Dr. Wu."
    assert {"queries", "filter", "dropped", "timings_ms"} <= found.keys()
    assert (trace["question"], trace["text"]) == ("Who is my dentist?", done["text"])
    assert missing.status_code == 404


@pytest.mark.requirement("VIEW-TURNS")
def test_fields_steps_and_values_are_called_as_people_of_a_language_call_them(shared: Service, user: str) -> None:
    keys = ["budget", "orders/shipping_update", "orders/shipping_preference/sf", "locker_code", "x/y"]
    with shared.http(user) as http:
        chinese = http.get("/v1/names", params={"language": "zh", "key": keys}).json()["names"]
        english = http.get("/v1/names", params={"key": keys}).json()["names"]
    assert [chinese[key] for key in keys[:3]] == ["预算", "修改配送", "顺丰"]
    assert [english[key] for key in (keys[0], keys[3])] == ["budget", "locker code"]
    assert chinese["x/y"] == english["x/y"] == "x/y"


@pytest.mark.requirement("VIEW-FORGET")
def test_what_a_forgetting_would_take_is_shown_and_nothing_is_changed(shared: Service, user: str) -> None:
    with shared.http(user) as http:
        say(http, "My dentist is Dr. Wu.")
        say(http, "Who is my dentist?")
        said = turns(http)
        would = http.post("/v1/memory/forget/preview", json={"kind": "turn", "names": [said[0]["id"]]}).json()
        kept = turns(http)
    assert [turn["id"] for turn in would["turns"]] == [said[0]["id"]]
    assert {turn["role"] for turn in would["echoes"]} == {"assistant"}
    assert would["items"] >= 1
    assert kept == said


@pytest.mark.requirement("VIEW-EXPORT")
def test_an_export_is_what_an_import_takes(shared: Service, user: str, tmp_path: Path) -> None:
    with shared.http(user) as http:
        say(http, "My dentist is Dr. Wu.")
        written = http.get("/v1/memory/export")
    (tmp_path / "memory.jsonl").write_bytes(written.content)
    assert "attachment" in written.headers["content-disposition"]
    brought = import_bundle(
        shared.resources.memory, f"{user} 2", tmp_path / "memory.jsonl", now=shared.resources.clock()
    )
    assert brought.counts["turn"] == 2


@pytest.mark.requirement("TOPOLOGY")
def test_the_topology_says_who_changed_what_and_how_far_each_terminal_is_behind(shared: Service, user: str) -> None:
    with shared.http(user, "phone") as phone, shared.http(user, "web") as web:
        first = note(phone, 1)
        with listening(web, 0) as stream:
            seen = [next(stream), next(stream)]
            note(phone, 2)
            seen += [next(stream), next(stream)]
            there = web.get("/v1/memory/topology").json()
        note(phone, 3)
        away = web.get("/v1/memory/topology").json()
        history = web.get("/v1/memory/changes", params={"handle": first}).json()["events"]
        by_web = web.get("/v1/memory/changes", params={"terminal": "web"}).json()["events"]
    listed = {one["terminal"]: one for one in there["terminals"]}
    assert [int(one.id) for one in seen] == [1, 2, 3, 4]
    assert (listed["web"]["streams"], listed["web"]["lag"]) == (1, 0)
    assert (listed["phone"]["streams"], listed["phone"]["lag"]) == (0, None)
    assert {"terminal": "phone", "service": "s", "handle": first}.items() <= next(
        edge for edge in there["edges"] if edge["handle"] == first
    ).items()
    assert {one["handle"] for one in there["handles"]} > {first, "memory_state"}
    assert next(one for one in away["terminals"] if one["terminal"] == "web")["lag"] == 2
    assert [(one["event_type"], one["terminal"]) for one in history] == [("MEMORY_REGISTERED", "phone")]
    assert by_web == []


@pytest.mark.requirement("P6", "VIEW-TURNS")
@pytest.mark.parametrize("path", ["turns", "items", "sessions", "summaries", "state", "topology", "changes", "export"])
def test_no_page_of_a_user_shows_anything_of_another(shared: Service, user: str, path: str) -> None:
    with shared.http(user) as mine, shared.http(f"{user} 2") as other:
        say(mine, "The violet anchor is my password hint.", session=f"s {user} {path}")
        assert "violet" not in json.dumps(other.get(f"/v1/memory/{path}").text)
