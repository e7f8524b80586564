"""Run documents on the command line: compared, shown, and drafted questions to make new ones."""

import json

import pytest

from ..evals.runs import run_document
from .conftest import lines


@pytest.fixture
def runs(tmp_path):
    paths = []
    for name, document in (
        ("a", run_document()),
        ("b", run_document(shift=0.3)),
        ("c", run_document(dataset="locomo")),
    ):
        paths.append(tmp_path / f"{name}.json")
        paths[-1].write_text(json.dumps(document), encoding="utf-8")
    return paths


@pytest.mark.requirement("EVAL-COMPARE")
def test_two_runs_are_compared_in_a_table(run, runs):
    shown = run("eval", "compare", runs[0], runs[1])
    assert shown.exit_code == 0
    assert "240 questions" in shown.stdout
    assert "by dialogue (6)" in shown.stdout.replace("\n", " ")
    recall = next(line for line in shown.stdout.splitlines() if line.startswith("recall@5"))
    assert "better" in recall
    assert "Gained most" in shown.stdout


@pytest.mark.requirement("EVAL-COMPARE")
def test_the_json_of_a_comparison_says_what_was_drawn(run, runs):
    done = run("eval", "compare", runs[0], runs[0], "--resamples", "200", "--json")
    document = json.loads(done.stdout)
    assert (document["unit"], document["units"], document["draws"]) == ("dialogue", 6, 200)
    assert {difference["verdict"] for difference in document["differences"]} == {"open"}


@pytest.mark.requirement("EVAL-COMPARE", "ERRORS-ONE-SENTENCE")
def test_runs_on_different_datasets_are_one_sentence(run, runs, tmp_path):
    for other, said in ((runs[2], "the same dataset"), (tmp_path / "none.json", "cannot be read")):
        done = run("eval", "compare", runs[0], other)
        assert done.exit_code == 2
        assert said in done.stderr
        assert "Traceback" not in done.stderr


@pytest.mark.requirement("EVAL-REPORT")
def test_a_run_is_written_as_a_page(run, runs, tmp_path):
    done = run("eval", "report", runs[0], tmp_path / "out.html")
    assert done.exit_code == 0, done.stderr
    assert (tmp_path / "out.html").read_text(encoding="utf-8").startswith("<!doctype html>")


@pytest.mark.requirement("EVAL-COLLECT")
def test_a_memory_is_drafted_into_questions_and_never_over_a_file(run, tmp_path):
    run("chat", "--session", "one", input=lines("The budget of Apollo is 48,500 dollars.", "I live in Lyon."))
    out = tmp_path / "draft.jsonl"
    done = run("eval", "collect", out, "--json")
    assert done.exit_code == 0, done.stderr
    assert json.loads(done.stdout)["counts"] == {"turns": 4, "answerable": 2, "unanswerable": 2}
    again = run("eval", "collect", out)
    assert again.exit_code == 2
    assert "exists already" in again.stderr


@pytest.mark.requirement("EVAL-COLLECT", "ERRORS-ONE-SENTENCE")
def test_nothing_is_drafted_for_a_user_without_a_memory(run, tmp_path):
    done = run("eval", "collect", tmp_path / "draft.jsonl", "--user", "nobody")
    assert done.exit_code == 2
    assert not (tmp_path / "draft.jsonl").exists()
