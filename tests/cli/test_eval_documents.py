"""Run documents on the command line: compared, shown, and drafted questions to make new ones."""

import json
import re
import tomllib

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
    assert not re.search(r"\d…", shown.stdout)  # eighty columns cost no figure a digit


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


@pytest.fixture
def labelled(tmp_path):
    """Two dialogues of a few turns, with a question each that can be answered and one that cannot."""
    folder = tmp_path / "labelled"
    folder.mkdir()
    for name in ("north", "south"):
        texts = ("The ferry leaves from pier nine.", "My umbrella is green.", "The choir meets on Thursdays.")
        said = [
            {
                "external_id": f"{name}{place}",
                "speaker": "user",
                "text": text,
                "timestamp": f"2024-03-01T09:0{place}:00Z",
            }
            for place, text in enumerate(texts)
        ]
        common = {"asked_at": "2024-03-02T09:00:00Z", "stale": []}
        asked = [
            {"id": f"{name}-a", "text": "Where does the ferry leave from?", "gold": [f"{name}0"], "answerable": True,
             "category": "fact", "answers": ["pier nine"]} | common,
            {"id": f"{name}-b", "text": "What is my shoe size?", "gold": [], "answerable": False,
             "category": "unanswerable", "answers": []} | common,
        ]  # fmt: skip
        rows = [*({"turn": turn} for turn in said), *({"question": question} for question in asked)]
        (folder / f"{name}.jsonl").write_text("\n".join(map(json.dumps, rows)), encoding="utf-8")
    return folder


@pytest.mark.requirement("EVAL-CALIBRATE")
def test_settings_are_fitted_and_written_with_what_they_promise(run, labelled, tmp_path):
    out = tmp_path / "fitted.toml"
    options = ("--dataset", labelled, "--out", out, "--cache", tmp_path / "cache", "--weights", "lexical")
    done = run("eval", "calibrate", "jsonl", *options, "--json")
    assert done.exit_code == 0, done.stderr
    document = json.loads(done.stdout)
    assert (document["questions"], document["dialogues"], document["folds"]) == (4, 2, 2)
    assert tomllib.loads(out.read_text(encoding="utf-8")) == document["settings"]
    held_out = {figure["name"]: figure for figure in document["held_out"]}
    assert held_out["evidence among those kept"]["fitted"] == 1.0
    again = run("eval", "calibrate", "jsonl", *options)
    assert again.exit_code == 2
    assert "exists already" in again.stderr
    out.unlink()
    shown = run("eval", "calibrate", "jsonl", *options)
    assert "On conversations held out" in shown.stdout
    assert "may be luck" in shown.stdout.replace("\n", " ")
