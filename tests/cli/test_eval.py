"""`veridical eval run`: its JSON, its table, its errors."""

import json
import os
from pathlib import Path

import pytest

from ..source import ROOT

DATA = Path(os.environ.get("VERIDICAL_EVAL_DATA") or ROOT.parent / "shared" / "data")
LINES = [
    {
        "turn": {
            "external_id": "t1",
            "session": "s1",
            "speaker": "user",
            "text": "My locker code is 4471.",
            "timestamp": "2024-05-01T09:00:00Z",
        }
    },
    {
        "question": {
            "id": "q1",
            "text": "What is my locker code?",
            "asked_at": "2024-05-02T09:00:00Z",
            "category": "fact",
            "gold": ["t1"],
            "answers": ["4471"],
            "stale": [],
            "answerable": True,
        }
    },
    {
        "question": {
            "id": "q2",
            "text": "What is my landlord's name?",
            "asked_at": "2024-05-02T09:00:00Z",
            "category": "unanswerable",
            "gold": [],
            "answers": [],
            "stale": [],
            "answerable": False,
        }
    },
]


@pytest.fixture
def dataset(tmp_path, monkeypatch):
    monkeypatch.setenv("VERIDICAL_EVAL_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "set.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in LINES), encoding="utf-8")
    return path


@pytest.mark.requirement("EVAL-RUN")
def test_the_json_holds_metrics_configuration_and_questions(run, dataset):
    result = run("eval", "run", "jsonl", "--dataset", dataset, "-k", "1,5", "--json")
    assert result.exit_code == 0, result.output
    document = json.loads(result.stdout)
    assert document["metrics"]["recall@1"] == 1.0
    assert document["metrics"]["outcomes"]["PASS"] == 1.0
    assert document["metrics"]["abstention"]["auc"] == 1.0
    assert document["config"]["embeddings"] == "hashing:256"
    assert [question["id"] for question in document["questions"]] == ["q1", "q2"]


@pytest.mark.requirement("EVAL-RUN")
def test_without_json_the_metrics_are_tables(run, dataset):
    result = run("eval", "run", "jsonl", "--dataset", dataset, "--baselines")
    assert result.exit_code == 0, result.output
    for shown in ("recall@5", "(bm25 alone)", "abstention", "factual_consistency", "milliseconds", "unanswerable"):
        assert shown in result.stdout


@pytest.mark.requirement("EVAL-RUN")
def test_retrieval_can_be_measured_alone(run, dataset):
    result = run("eval", "run", "jsonl", "--dataset", dataset, "--no-ask", "--json")
    document = json.loads(result.stdout)
    assert "answer" not in document["questions"][0]
    assert "outcomes" not in document["metrics"]


@pytest.mark.requirement("EVAL-RUN")
def test_a_report_is_written_beside_the_output(run, dataset, tmp_path):
    page = tmp_path / "out.html"
    assert run("eval", "run", "jsonl", "--dataset", dataset, "--report", page).exit_code == 0
    assert page.read_text(encoding="utf-8").lstrip().lower().startswith("<!doctype html")


@pytest.mark.requirement("EVAL-RUN", "ERRORS-ONE-SENTENCE")
@pytest.mark.parametrize(
    ("options", "problem"),
    [
        (["--dataset", "missing.jsonl"], "missing.jsonl cannot be read"),
        (["--dataset", "{dataset}", "--conversations", "4"], "There is no conversation 4"),
        (["--dataset", "{dataset}", "--conversations", "a"], "not a list of numbers"),
        (["--dataset", "{dataset}", "-k", "0"], "not a list of numbers"),
        (["--dataset", "{dataset}", "--config", "missing.toml"], "missing.toml cannot be read as settings"),
    ],
)
def test_what_cannot_be_run_is_one_sentence(run, dataset, options, problem):
    result = run("eval", "run", "jsonl", *(option.format(dataset=dataset) for option in options))
    assert result.exit_code == 2
    assert problem in " ".join(result.output.split())
    assert "Traceback" not in result.output


@pytest.mark.requirement("EVAL-RUN")
def test_a_settings_file_and_a_preset_are_told_in_the_configuration(run, dataset, tmp_path):
    file = tmp_path / "mine.toml"
    file.write_text("limit = 7\n", encoding="utf-8")
    result = run("eval", "run", "jsonl", "--dataset", dataset, "--config", file, "--preset", "anchors", "--json")
    config = json.loads(result.stdout)["config"]
    assert (config["settings"]["limit"], config["prompts"]) == (7, {"answer": 2})


@pytest.mark.requirement("EVAL-RUN")
@pytest.mark.skipif(not (DATA / "locomo_dev").is_dir(), reason="the public data is not beside the project")
def test_public_data_runs(run, dataset):
    folder = DATA / "locomo_dev"
    result = run(
        "eval", "run", "locomo", "--dataset", folder, "--conversations", "1", "--limit", "2", "--no-ask", "--json"
    )
    document = json.loads(result.stdout)
    assert [question["dialogue"] for question in document["questions"]] == ["conv-30", "conv-30"]
    assert all(question["retrieved"] for question in document["questions"])
