"""The examples run as they are printed, against a real service."""

import subprocess
import sys

import pytest

from tests.source import ROOT

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
