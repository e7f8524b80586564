"""The examples run as they are printed, against a real service."""

import runpy
import subprocess
import sys

import pytest
from fastapi.testclient import TestClient

from tests.source import ROOT
from veridical.graph import Settings

from .conftest import Service


@pytest.mark.requirement("SERVICE-STORY")
def test_the_medical_report_is_told_from_phone_to_web(shared: Service, user: str) -> None:
    tokens = [shared.token(user, terminal) for terminal in ("phone", "web")]
    command = [sys.executable, "examples/medical_report.py", shared.url, *tokens]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    held, *answers = done.stdout.split("\n> ")
    assert "{'value': 12.3, 'unit': 'mmol/L'}" in held
    for answer, value in zip(answers, ("12.3 mmol/L", "158/96 mmHg", "11.9 mmol/L"), strict=True):
        assert value in answer
        assert "2026-02-20 · mobile_app · external_knowledge" in answer


@pytest.mark.requirement("SERVICE-STORY")
def test_a_customer_service_embeds_the_graph_with_an_errand_of_its_own_and_the_news_of_another_program(
    shared: Service, user: str
) -> None:
    folder = ROOT / "examples/customer_service"
    command = [sys.executable, str(folder / "workshop.py"), shared.url, shared.token(user, "workshop"), "881"]
    done = subprocess.run(
        [*command, "in the queue", "waiting for a new pump"], capture_output=True, text=True, timeout=60
    )
    assert (done.returncode, done.stdout) == (0, "repair 881: waiting for a new pump\n"), done.stderr
    host = runpy.run_path(str(folder / "app.py"))
    settings = Settings(data_dir=shared.folder, embeddings="hashing:64", intents=host["INTENTS"])
    with TestClient(host["create_app"](settings)) as client:

        def write(text: str, ticket: int = 1) -> dict:
            return client.post(f"/customers/{user}/tickets/{ticket}", json={"text": text}).json()

        asked = write("What is repair #881 waiting for?")
        assert "waiting for a new pump" in asked["text"], asked
        assert "waiting for a new pump" in asked["evidence"][0]
        assert write("Please have repair #881 picked up.")["todos"] == ["Please have repair #881 picked up"]
        kept = write("Wait, keep the original plan.")
        assert (kept["text"].splitlines()[0].split(".")[0], kept["todos"]) == ("Repair #881 stays as it was", [])
        assert write("Who repaired it last year?", ticket=2)["abstained"]
