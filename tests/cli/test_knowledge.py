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


DEAL = """# Service Agreement

## 1. Services

The Provider shall clean weekly.

## 2. Payment

2.1 Fees are due within {} days.
2.2 Late payment bears interest.
"""


@pytest.mark.requirement("CLAUSES-COMMANDS", "CLAUSES-VERSIONS")
def test_clauses_and_changes_of_a_contract_are_shown(run: Run, tmp_path: Path):
    older = write(tmp_path / "Contract A v1.0 2022-01-01.md", DEAL.format(30))
    newer = write(tmp_path / "Contract A v1.1 2023-01-01.md", DEAL.format(14) + "\n## 3. Secrets\n\nBoth keep them.\n")
    added = run("knowledge", "add", newer, older)
    assert added.exit_code == 0, added.stderr
    read = " ".join(added.stdout.split())
    assert "contract CONTRACT_A · version v1.0 · 4 clauses · held 2022-01-01 to 2023-01-01" in read
    assert "version v1.1 · 5 clauses · holds since 2023-01-01 · by the date in its name" in read
    listed = run("knowledge", "clauses", "contract a").stdout
    assert "CONTRACT_PAYMENT_2.1" in listed
    assert "14 days" in listed
    then = json.loads(run("knowledge", "clauses", "CONTRACT_A", "--as-of", "2022-06-01", "--json").stdout)
    assert then["document"]["label"] == "v1.0"
    (clause,) = [one for one in then["clauses"] if one["id"] == "CONTRACT_PAYMENT_2.1"]
    assert (clause["text"], clause["number"], clause["handle"]) == (
        "2.1 Fees are due within 30 days.",
        "2.1",
        "CONTRACT_A_v1.0",
    )
    told = run("knowledge", "diff", "Contract A").stdout
    assert "CONTRACT_A v1.0 → v1.1 · 1 clause changed · 0 moved · 1 added · 0 removed · 3 kept" in " ".join(
        told.split()
    )
    assert "- Fees are due within 30 days." in told
    assert "+ Fees are due within 14 days." in told
    changed = json.loads(run("knowledge", "diff", "Contract A", "1.1", "1.0", "--json").stdout)
    assert [(one["from"], one["to"]) for one in changed["changed"]] == [("2.1", "2.1")]
    assert [one["heading"] for one in changed["added"]] == ["Secrets"]


@pytest.mark.requirement("CLAUSES-COMMANDS", "CLAUSES-VERSIONS")
def test_what_is_read_of_a_file_can_be_overruled(run: Run, tmp_path: Path):
    file = write(tmp_path / "scan.md", DEAL.format(30))
    options = ("--name", "Contract B", "--version", "v9", "--valid-from", "2020-01-01", "--valid-to", "2020-12-31")
    (document,) = json.loads(run("knowledge", "add", file, *options, "--json").stdout)["documents"]
    assert (document["key"], document["label"], document["dated_by"]) == ("CONTRACT_B", "v9", "given")
    assert (document["valid_from"], document["valid_to"]) == ("2020-01-01T00:00:00Z", "2021-01-01T00:00:00Z")
    assert "held 2020-01-01 to 2021-01-01" in run("knowledge", "list", "--all").stdout


@pytest.mark.requirement("CLAUSES-COMMANDS", "ERRORS-ONE-SENTENCE")
def test_a_document_or_a_version_that_is_not_there_is_one_sentence(run: Run, tmp_path: Path):
    one = write(tmp_path / "Contract A v1.0 2022-01-01.md", DEAL.format(30))
    other = write(tmp_path / "Contract B v1.0.md", DEAL.format(60))
    run("knowledge", "add", one, other)
    for arguments, says in (
        (("clauses", "Contract C"), "There is no document of clauses 'Contract C'"),
        (("clauses", "contract"), "may mean CONTRACT_A, CONTRACT_B"),
        (("clauses", "CONTRACT_A", "--as-of", "2021-06-01"), "v1.0 (since 2022-01-01)"),
        (("diff", "CONTRACT_A"), "has one version"),
        (("diff", "CONTRACT_A", "v1.0", "v7"), "has one version"),
        (("add", one, other, "--version", "v3"), "one by one"),
        (("add", one, "--valid-from", "2022-01-01", "--valid-to", "2021-01-01"), "give a later end"),
    ):
        result = run("knowledge", *arguments)
        assert (result.exit_code, result.stdout) == (2, ""), arguments
        assert says in result.stderr
        assert result.stderr.count("\n") == 1
