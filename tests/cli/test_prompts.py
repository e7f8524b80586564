"""The prompts that answers name can be listed, read and compared."""

import json

import pytest

pytestmark = pytest.mark.requirement("PROMPTS-COMMANDS")


def test_every_prompt_is_listed_with_its_hash(run):
    rows = json.loads(run("prompts", "list", "--json").stdout)["prompts"]
    assert {(row["name"], row["version"], row["language"]) for row in rows} >= {
        ("answer", 3, "en"),
        ("answer", 3, "zh"),
        ("summarize", 1, "en"),
        ("summarize", 2, "en"),
    }
    assert all(len(row["sha256"]) == 64 for row in rows)
    assert "summarize v2 en" in run("prompts", "list").stdout


def test_a_prompt_is_shown_as_it_is_in_its_file(run):
    shown = run("prompts", "show", "summarize", "--version", "1").stdout
    assert shown.startswith("---\nname: summarize\nversion: 1\n")


def test_two_versions_are_compared_line_by_line(run):
    shown = run("prompts", "diff", "summarize", "1", "2").stdout
    assert "-version: 1" in shown
    assert "+version: 2" in shown


@pytest.mark.requirement("ERRORS-ONE-SENTENCE")
@pytest.mark.parametrize(
    "arguments", [("show", "nothing"), ("show", "answer", "--version", "99"), ("diff", "answer", "1", "9")]
)
def test_an_unknown_prompt_is_one_sentence(run, arguments):
    result = run("prompts", *arguments)
    assert result.exit_code == 2
    assert "prompts list" in result.stderr
    assert "Traceback" not in result.stderr
