"""JSON that is nested too deeply, or holds what no reader keeps: one sentence of every route that takes a body."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient

from veridical.graph.build import build_graph
from veridical.graph.resources import open_resources
from veridical.graph.settings import Settings
from veridical.memory.storage.tokens import create_token
from veridical.service.app import create_app
from veridical.service.options import ServiceOptions

DEEP, JUST_READ = 100_000, 900
HOSTILE = {
    "list": "[" * DEEP + "]" * DEEP,
    "object": '{"a":' * DEEP + "1" + "}" * DEEP,
    "list that the parser takes": "[" * JUST_READ + "]" * JUST_READ,
    "object that the parser takes": '{"a":' * JUST_READ + "1" + "}" * JUST_READ,
    "endless number": "1e999",
    "no number": "NaN",
    "digits": "9" * DEEP,
    "digits that the parser takes": "9" * 4000,
    "long key": json.dumps({"k" * 500_000: 1}),
    "many keys": json.dumps({f"k{place}": place for place in range(5_000)}),
    "long text": json.dumps("x" * 500_000),
}
ODD = {"surrogate": '"\\ud800"', "NUL": '"\\u0000"', "both in a key": '{"\\ud800\\u0000": "x"}'}
READ = ("snapshot", "handles", "history", "changes", "topology", "items", "turns", "state", "memory_state", "export")


@pytest.fixture(scope="module")
def http(tmp_path_factory: pytest.TempPathFactory) -> Iterator[TestClient]:
    settings = Settings(data_dir=tmp_path_factory.mktemp("data"), embeddings="hashing:16")
    with open_resources(settings) as resources:
        with resources.memory.database.write() as connection:
            _, token = create_token(connection, "ann", "phone", now=resources.clock())
        app = create_app(build_graph(resources), ServiceOptions(rate="100000/minute"))
        headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
        client = TestClient(app, raise_server_exceptions=False, headers=headers)
        client.post("/v1/chat", json={"message": "My budget is 5 dollars."})
        yield client


def _register(http: TestClient) -> str:
    made = http.post("/v1/memory/register", json={"source": "s", "type": "note", "state": {"place": 1}})
    return str(made.json()["handle"])


def _bodies(http: TestClient) -> Iterator[tuple[str, str, str]]:
    """For each route that takes a body, and for each field of it, the body with a gap for the field's value."""
    description = http.get("/openapi.json").json()
    schemas = description["components"]["schemas"]
    given = {"handle": _register(http), "item": "f1"}
    for path, methods in description["paths"].items():
        for method, route in methods.items():
            if "requestBody" not in route:
                continue
            name = route["requestBody"]["content"]["application/json"]["schema"]["$ref"].rpartition("/")[2]
            yield method, path.format(**given), "%s"
            for field in (*schemas[name]["properties"], "unknown"):
                body: dict[str, Any] = {
                    one: _example(schemas[name]["properties"][one]) for one in schemas[name]["required"]
                }
                body[field] = "GAP"
                yield method, path.format(**given), json.dumps(body).replace("%", "%%").replace('"GAP"', "%s")


def _example(schema: dict[str, Any]) -> object:
    of_type = {"integer": 1, "object": {}, "string": (schema.get("enum") or ["x"])[0]}
    return schema.get("examples", [of_type.get(schema.get("type", ""))])[0]


@pytest.mark.requirement("LIMITS", "SERVICE-LIMITS", "ERRORS-ONE-SENTENCE")
@pytest.mark.parametrize("name", HOSTILE)
def test_no_body_is_too_much_for_any_route(http: TestClient, name: str) -> None:
    tried = list(_bodies(http))
    assert {path.split("/")[-1] for _, path, _ in tried} >= {"register", "align", "forget", "chat", "recall", "correct"}
    for method, path, body in tried:
        if name == "many keys" and '"handles"' in body:
            continue  # a client may hold so many handles
        answer = http.request(method, path, content=body % HOSTILE[name])
        assert answer.status_code in {400, 422}, (path, body[:80], answer.text[:200])
        assert answer.headers["content-type"] == "application/problem+json"
        assert answer.json()["type"].endswith(("not-understood", "bad-request"))
        assert 0 < len(answer.json()["detail"]) < 500


@pytest.mark.requirement("LIMITS", "HANDLE")
@pytest.mark.parametrize("name", ODD)
def test_a_document_with_odd_characters_is_kept_without_them_and_hides_no_other(http: TestClient, name: str) -> None:
    handle = _register(http)
    changed = http.patch(f"/v1/memory/{handle}", content=f'{{"delta": {{"note": {ODD[name]}}}, "version": 1}}')
    body = f'{{"source": "s", "type": "note", "metadata": {{"name": {ODD[name]}}}, "state": {{"v": {ODD[name]}}}}}'
    assert (changed.status_code, http.post("/v1/memory/register", content=body).status_code) == (200, 201)
    assert "\ufffd" in json.dumps(changed.json()["state"], ensure_ascii=False)
    assert handle in http.get("/v1/memory/snapshot").json()["handles"]
    assert {http.get(f"/v1/memory/{path}").status_code for path in READ} == {200}


@pytest.mark.requirement("LIMITS", "HANDLE")
def test_a_handle_that_grows_by_changes_has_the_same_limits(http: TestClient) -> None:
    handle, version = _register(http), 1
    for start in range(4):
        delta = {f"k{start}{place}": "x" * 1_000 for place in range(55)}
        answer = http.patch(f"/v1/memory/{handle}", json={"delta": delta, "version": version})
        version += answer.status_code == 200
    assert answer.status_code == 400
    assert "more than the 200,000 of one handle" in answer.json()["detail"]
    assert http.get(f"/v1/memory/{handle}").json()["version"] == version == 4
