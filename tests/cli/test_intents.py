"""`veridical intents`: what the user is about to get done, and the check of domain files."""

import json
from pathlib import Path

import pytest

from tests.source import ROOT

from .conftest import Run, lines

TALK = lines(
    "Track my order #12345.",
    "If it hasn't shipped, can I cancel?",
    "Never mind, ship it by SF.",
    "Wait, keep the original plan.",
    "/quit",
)


def folded(page: str) -> str:
    """The words of a page, however its columns broke them."""
    return " ".join(page.split())


@pytest.mark.requirement("INTENT-SHOWN")
def test_the_machine_is_drawn_with_its_history(run: Run):
    assert run("chat", input=TALK).exit_code == 0
    shown = run("intents", "show")
    assert shown.exit_code == 0, shown.stderr
    assert shown.stdout.startswith("order #12345")
    for words in ("order_query", "took back", "ship it by SF", "taken back by 4", "shipping_preference = sf"):
        assert words in folded(shown.stdout)
    (intent,) = json.loads(run("intents", "show", "--json").stdout)["intents"]
    assert (intent["entity"], intent["state"], len(intent["steps"])) == ("order:12345", "order_query", 4)
    assert [step["undone_by"] for step in intent["steps"]] == [None, 4, 4, None]
    assert run("intents", "show", "--entity", "12345", "--mermaid").stdout.startswith("stateDiagram-v2\n")
    assert json.loads(run("intents", "show", "--entity", "7", "--json").stdout) == {"intents": []}


@pytest.mark.requirement("INTENT-SHOWN", "ERRORS-ONE-SENTENCE")
def test_of_nobody_nothing_is_shown(run: Run):
    run("chat", input=lines("My budget is 500 dollars.", "/quit"))
    assert run("intents", "show").stdout == "No intents.\n"
    missing = run("intents", "show", "--user", "nobody")
    assert (missing.exit_code, missing.stdout, len(missing.stderr.strip().splitlines())) == (2, "", 1)


@pytest.mark.requirement("INTENT-DOMAINS")
@pytest.mark.parametrize("path", sorted((ROOT / "intents").glob("*.yaml")), ids=lambda path: path.stem)
def test_a_right_file_is_said_to_be_right(run: Run, path: Path):
    checked = run("intents", "check", path)
    assert (checked.exit_code, "is right" in checked.stdout.replace("\n", " ")) == (0, True)


@pytest.mark.requirement("INTENT-DOMAINS")
def test_every_problem_is_shown_with_its_line(run: Run, tmp_path: Path):
    text = (ROOT / "intents" / "orders.yaml").read_text(encoding="utf-8")
    number = next(n for n, line in enumerate(text.splitlines(), 1) if line == "    to: order_cancel")
    wrong = tmp_path / "wrong.yaml"
    wrong.write_text(text.replace("    to: order_cancel", "    to: nowhere", 1), encoding="utf-8")
    checked = run("intents", "check", wrong)
    assert checked.exit_code == 2
    assert f"line {number}, column 5: transitions.cancel.to: there is no state 'nowhere'" in checked.stdout
    problems = json.loads(run("intents", "check", wrong, "--json").stdout)["problems"]
    assert {it["line"] for it in problems} >= {number}
    assert len(problems) == 2  # and the state that nobody reaches now


@pytest.mark.requirement("INTENT-DOMAINS", "ERRORS-ONE-SENTENCE")
def test_what_cannot_be_read_is_one_sentence(run: Run, tmp_path: Path):
    for arguments in ((tmp_path / "missing.yaml",), ()):
        failed = run("intents", "check", *arguments)
        assert (failed.exit_code, failed.stdout, len(failed.stderr.strip().splitlines())) == (2, "", 1)


@pytest.mark.requirement("INTENT-DOMAINS")
def test_the_schema_of_domain_files_is_printed(run: Run):
    published = json.loads((ROOT / "docs" / "intents.schema.json").read_text(encoding="utf-8"))
    assert json.loads(run("intents", "check", "--schema").stdout) == published
