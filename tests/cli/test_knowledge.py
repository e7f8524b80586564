"""`veridical knowledge`: documents in, listed, asked about, and out again."""

import json
from pathlib import Path

import pytest

from .conftest import Run

PRICES = "# Price list\n\nThe premium plan costs {} dollars.\n"


def write(path: Path, text: str) -> Path:
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.requirement("KNOWLEDGE-COMMANDS", "KNOWLEDGE-VERSIONS")
def test_documents_are_added_listed_and_removed(run: Run, tmp_path: Path):
    file = write(tmp_path / "price-list.md", PRICES.format("4,200"))
    manual = write(tmp_path / "手册.txt", "本产品的保修期为两年。\n")
    first = run("knowledge", "add", file, manual)
    assert first.exit_code == 0, first.stderr
    assert first.stdout == "added price-list.md v1 [d1] (1 chunk, c1)\nadded 手册.txt v1 [d2] (1 chunk, c2)\n"
    assert "nothing changed" in run("knowledge", "add", file).stdout
    write(file, PRICES.format("4,600"))
    added = json.loads(run("knowledge", "add", file, "--json").stdout)
    assert added["embedded"] == 1
    (document,) = added["documents"]
    assert (document["version"], document["chunk_ids"], document["known"]) == (2, ["c3"], False)
    listed = json.loads(run("knowledge", "list", "--json").stdout)["documents"]
    assert [(one["name"], one["version"], one["current"]) for one in listed] == [
        ("price-list.md", 2, True),
        ("手册.txt", 1, True),
    ]
    assert "held 20" in run("knowledge", "list", "--all").stdout
    asked = json.loads(run("ask", "What does the premium plan cost?", "--json").stdout)
    assert [cited["turn_id"] for cited in asked["citations"]] == ["c3"]
    assert "4,600 dollars" in run("memory", "show", "c3").stdout
    removed = json.loads(run("knowledge", "remove", "price-list.md", "--json").stdout)["removed"]
    assert [one["version"] for one in removed] == [1, 2]
    assert json.loads(run("ask", "What does the premium plan cost?", "--json").stdout)["abstained"]
    assert run("doctor").exit_code == 0


@pytest.mark.requirement("KNOWLEDGE-COMMANDS", "AS-OF")
def test_a_document_may_hold_since_an_earlier_day(run: Run, tmp_path: Path):
    file = write(tmp_path / "price-list.md", PRICES.format("4,200"))
    assert run("knowledge", "add", file, "--valid-from", "2024-01-01").exit_code == 0
    write(file, PRICES.format("4,600"))
    assert run("knowledge", "add", file, "--valid-from", "2025-01-01").exit_code == 0
    for day, price in (("2024-06-01", "4,200"), ("2025-06-01", "4,600")):
        found = json.loads(run("ask", "What does the premium plan cost?", "--as-of", day, "--json").stdout)
        assert price in found["text"]
    assert json.loads(run("ask", "What does the premium plan cost?", "--as-of", "2023-01-01", "--json").stdout)[
        "abstained"
    ]


@pytest.mark.requirement("KNOWLEDGE-COMMANDS", "ERRORS-ONE-SENTENCE")
def test_what_cannot_be_done_is_one_sentence_and_adds_nothing(run: Run, tmp_path: Path, data_dir: Path):
    good = write(tmp_path / "good.md", "A sentence.\n")
    wrong = write(tmp_path / "wrong.pdf", "no PDF")
    for arguments in (("add", good, wrong), ("add", tmp_path / "missing.md"), ("list",), ("remove", "good.md")):
        result = run("knowledge", *arguments)
        assert (result.exit_code, result.stdout) == (2, "")
        assert result.stderr.startswith("veridical: ")
        assert result.stderr.count("\n") == 1
    assert not data_dir.exists()
    run("knowledge", "add", good)
    assert run("knowledge", "remove", "other.md").exit_code == 2
    assert run("knowledge", "add", good, "--valid-from", "soon").exit_code == 2
