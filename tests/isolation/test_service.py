"""A token opens one user: on no route does it show a word of another's, whatever ids it is asked for."""

from collections.abc import Iterator
from typing import Any

import pytest
from fastapi.testclient import TestClient

from veridical.graph.build import build_graph
from veridical.graph.resources import open_resources
from veridical.graph.settings import Settings
from veridical.memory.knowledge.reading import ReadDocument
from veridical.memory.storage.tokens import create_token
from veridical.nodes.contract import Resources
from veridical.service.app import create_app
from veridical.service.options import ServiceOptions

from .told import SECRETS, strangers

ANN, OTHER = "a", "A"
SAID = (
    "My locker code is {word}.",
    "What is my locker code?",
    "That is wrong.",
    "I ordered a {word} kettle, order #12345.",
    "Remind me to call {word} tomorrow.",
    "thanks, bye",
)
ENDLESS = "/v1/memory/events"


@pytest.fixture(scope="module")
def clients(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, TestClient]]:
    """Two users with a memory that holds one of everything, each through a token of their own."""
    settings = Settings(data_dir=tmp_path_factory.mktemp("data"), embeddings="hashing:16")
    with open_resources(settings) as resources:
        app = create_app(build_graph(resources), ServiceOptions(rate="100000/minute"))
        yield {user: _client(app, resources, user) for user in (ANN, OTHER)}


def _client(app: Any, resources: Resources, user: str) -> TestClient:
    word = SECRETS[user]
    with resources.memory.database.write() as connection:
        _, token = create_token(connection, user, "phone", now=resources.clock())
    client = TestClient(app, headers={"Authorization": f"Bearer {token}"})
    # The other says less, so that Ann has numbers that the other does not have.
    for line in SAID if user == ANN else SAID[:1]:
        client.post("/v1/chat", json={"message": line.format(word=word), "session": f"talk of {user}"})
    document = ReadDocument("gate.md", "text/markdown", f"The gate code is {word}.", "en")
    resources.memory.knowledge.add(user, document, now=resources.clock())
    body = {"source": word, "type": "note", "metadata": {"name": word}, "state": {"word": word}}
    client.post("/v1/memory/register", json=body)
    return client


@pytest.mark.requirement("ISOLATION", "P6", "SERVICE-TOKENS")
def test_no_route_shows_or_changes_what_is_anothers(clients: dict[str, TestClient]) -> None:
    ann, other = clients[ANN], clients[OTHER]
    before = _everything(ann)
    assert SECRETS[ANN] in before
    handle = next(iter(ann.get("/v1/memory/handles").json()["handles"]))["handle"]
    bodies: dict[str, dict[str, Any]] = {
        "/v1/memory/{handle}": {"delta": {"word": "x"}, "version": 1},
        "/v1/memory/align": {"handles": {handle: 0}},
        "/v1/memory/forget": {"kind": "value", "names": [f"{SECRETS[ANN]}9"]},
        "/v1/memory/forget/preview": {"kind": "session", "names": [f"talk of {ANN}"]},
        "/v1/memory/items/{item}/correct": {"value": "x"},
        "/v1/memory/recall": {"question": "What is my locker code?"},
        "/v1/memory/register": {"source": "s", "type": "note"},
        "/v1/chat": {"message": "What is everybody's locker code?", "session": f"talk of {ANN}"},
    }
    routes = [
        (method, path)
        for path, methods in ann.get("/openapi.json").json()["paths"].items()
        for method in methods
        if path != ENDLESS
    ]
    assert bodies.keys() <= {path for _, path in routes}
    for method, path in routes:
        for number in (1, 3, 5):
            asked = path.format(handle=handle, turn=f"t{number}", item=f"f{number}", answer=f"a{number}")
            parameters = {"session": f"talk of {ANN}", "key": "budget"} if method == "get" else None
            answer = other.request(method, asked, json=bodies.get(path), params=parameters)
            assert answer.status_code < 500, (asked, answer.text)
            assert not strangers(OTHER, answer.text.replace(f"{SECRETS[ANN]}9", "")), (asked, answer.text)
    assert _everything(ann) == before


def _everything(client: TestClient) -> str:
    """What does not change by being read: turns, items, handles, events, state, topology."""
    paths = ("turns", "items", "snapshot", "history", "state", "summaries", "topology")
    return "\n".join(client.get(f"/v1/memory/{path}").text for path in paths)
