"""What a service logs: what happened to which turn, and neither words nor tokens."""

import io
import json

import pytest

from veridical.graph.logs import write_logs

from ..graph.test_logs import log  # noqa: F401 - a fixture
from .conftest import Service
from .test_chat import say

pytestmark = pytest.mark.requirement("LOGS-WITHOUT-TEXT")


def test_neither_what_is_said_nor_a_token_is_logged(shared: Service, user: str, log: io.StringIO) -> None:  # noqa: F811
    with shared.http(user) as http:
        write_logs("debug", log)
        token = http.headers["authorization"].removeprefix("Bearer ")
        say(http, "The budget of Apollo is 48,500 dollars.", session=f"of {token[:8]}")
        say(http, "阿波罗的预算是多少？")
        http.post("/v1/memory/recall", json={"question": "Apollo"})
        assert http.post("/v1/memory/forget/preview", json={"kind": "turn", "names": ["Apollo"]}).status_code == 404
    lines = [json.loads(line) for line in log.getvalue().splitlines()]
    assert [line["turn"] for line in lines if line["event"] == "answered"] == ["t1", "t3"]
    assert [word for word in ("Apollo", "48,500", "阿波罗", "预算", token, user) if word in log.getvalue()] == []
