"""The description of the service holds: whatever it allows and forbids, no request makes the service fail."""

import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import httpx
import pytest

from .conftest import OPTIONS, Service

CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_headers_conformance"
# A stream of events never ends.
ENDLESS = "/v1/memory/events"


def examine(service: Service, examples: int) -> None:
    tool = Path(sys.executable).with_name("schemathesis")
    options = ["--exclude-path", ENDLESS, "-n", str(examples), "-c", CHECKS, "--request-timeout", "60", "--seed", "7"]
    command = [str(tool), "run", f"{service.url}/openapi.json", *options]
    done = subprocess.run(command, capture_output=True, text=True, timeout=1500, cwd=service.folder)
    assert done.returncode == 0, done.stdout[-6000:]


@pytest.mark.requirement("SERVICE-OPENAPI")
def test_no_request_makes_the_service_fail(own: Callable[..., Service]) -> None:
    examine(own(replace(OPTIONS, without_tokens=True)), 3)


@pytest.mark.long
@pytest.mark.requirement("SERVICE-OPENAPI")
def test_no_request_makes_the_service_fail_in_many_tries(own: Callable[..., Service]) -> None:
    examine(own(replace(OPTIONS, without_tokens=True)), 60)


@pytest.mark.requirement("SERVICE-OPENAPI")
def test_every_route_is_described_with_its_problems_and_what_is_sent_with_an_example(shared: Service) -> None:
    description = httpx.get(f"{shared.url}/openapi.json").json()
    for path, methods in description["paths"].items():
        for method, route in methods.items():
            assert route["description"], (path, method)
            assert "application/problem+json" in route["responses"]["422"]["content"], (path, method)
    report = description["components"]["schemas"]["Registration"]["properties"]
    assert report["type"]["examples"] == ["medical_report"]
