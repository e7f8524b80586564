"""`veridical ingest`: in once, whatever happens on the way, and found again."""

import json
import os
from pathlib import Path

import pytest

from veridical.memory.errors import StoreBusy
from veridical.memory.store import Memory

from .conftest import Run, RunProcess

DATA = Path(os.environ.get("VERIDICAL_EVAL_DATA", Path(__file__).parents[3] / "shared" / "data")) / "locomo_dev"


def write(path: Path, count: int = 12, **changes: object) -> Path:
    rows = (
        {
            "speaker": "Mira" if number % 3 else "assistant",
            "text": f"Crate {number} holds {number * 11} lamps.",
            "timestamp": f"2024-05-01T09:{number % 60:02}:00Z",
            "external_id": f"m{number}",
        }
        | changes
        for number in range(count)
    )
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def state_of(run: Run) -> object:
    return json.loads(run("memory", "list", "--json", "--all", "-k", 1000).stdout)


@pytest.mark.requirement("INGEST-JSONL", "CLI-RECALL-JSON", "C20")
def test_what_goes_in_is_found_with_its_time_speaker_and_external_id(run: Run, tmp_path: Path) -> None:
    done = run("ingest", write(tmp_path / "crates.jsonl"), "--format", "jsonl")
    assert done.exit_code == 0, done.stderr
    assert "12 turns recorded" in done.stdout
    found = json.loads(run("recall", "How many lamps does crate 7 hold?", "-k", 3, "--json").stdout)
    best = found["results"][0]
    assert (best["external_id"], best["speaker"], best["source"]) == ("m7", "Mira", "user_input")
    assert best["observed_at"] == "2024-05-01T09:07:00Z"
    assert len(found["results"]) <= 3


@pytest.mark.requirement("INGEST-IDEMPOTENT")
def test_an_import_repeated_changes_nothing(run: Run, tmp_path: Path) -> None:
    file = write(tmp_path / "crates.jsonl")
    run("ingest", file, "--format", "jsonl")
    before = state_of(run)
    again = json.loads(run("ingest", file, "--format", "jsonl", "--json").stdout)
    assert (again["recorded"], again["known"], again["embedded"]) == (0, 12, 0)
    assert state_of(run) == before


@pytest.mark.requirement("INGEST-IDEMPOTENT")
def test_an_interrupted_import_goes_on_where_it_stopped(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = write(tmp_path / "crates.jsonl", 250)
    record_many, batches = Memory.record_many, []

    def stop_after_one(self, turns, **options):
        if batches:
            raise StoreBusy("Another process keeps the database locked: try again in a moment.")
        batches.append(len(turns))
        return record_many(self, turns, **options)

    monkeypatch.setattr(Memory, "record_many", stop_after_one)
    stopped = run("ingest", file, "--format", "jsonl")
    assert stopped.exit_code == 2
    monkeypatch.undo()
    os.environ.update(VERIDICAL_EMBEDDINGS="hashing:256", VERIDICAL_DATA_DIR=str(tmp_path / "data"))
    resumed = json.loads(run("ingest", file, "--format", "jsonl", "--json").stdout)
    assert (resumed["known"], resumed["recorded"]) == (batches[0], 250 - batches[0])
    assert run("doctor").exit_code == 0


@pytest.mark.requirement("ERRORS-ONE-SENTENCE")
def test_a_wrong_line_is_named_and_nothing_is_written(run: Run, tmp_path: Path, data_dir: Path) -> None:
    file = write(tmp_path / "crates.jsonl", 300)
    file.write_text(file.read_text(encoding="utf-8") + '{"speaker": "Mira"}\n', encoding="utf-8")
    done = run("ingest", file, "--format", "jsonl")
    assert done.exit_code == 2
    assert "line 301" in done.stderr
    assert done.stderr.count("\n") == 1
    assert not data_dir.exists()


def test_a_changed_text_under_a_known_id_is_kept_as_it_was_and_said(run: Run, tmp_path: Path) -> None:
    run("ingest", write(tmp_path / "crates.jsonl", 2), "--format", "jsonl")
    done = run("ingest", write(tmp_path / "crates.jsonl", 1, text="Crate 0 is empty."), "--format", "jsonl")
    assert "crates/session_1 m0" in done.stdout
    assert "Crate 0 holds 0 lamps." in run("memory", "show", "t1").stdout


def test_lines_without_words_are_counted_and_left_out(run: Run, tmp_path: Path) -> None:
    done = run("ingest", write(tmp_path / "blank.jsonl", 1, text="  "), "--format", "jsonl")
    assert "1 without any text" in done.stdout
    assert "0 turns recorded" in done.stdout


@pytest.mark.requirement("C19")
def test_relative_times_of_an_old_conversation_lie_in_its_own_past(run: Run, tmp_path: Path) -> None:
    file = write(
        tmp_path / "trip.jsonl", 1, speaker="李雷", text="上周去了北京。", timestamp="2024-05-15T10:00:00+08:00"
    )
    run("ingest", file, "--format", "jsonl")
    items = state_of(run)["items"]
    assert items
    assert all(item["observed_at"].startswith("2024-05-15") for item in items)
    assert all(item["valid_from"].startswith("2024-05") for item in items)


@pytest.mark.requirement("INGEST-LOCOMO")
@pytest.mark.skipif(not DATA.is_dir(), reason=f"the evaluation data is not at {DATA}: set VERIDICAL_EVAL_DATA")
def test_evidence_of_a_public_conversation_is_found(run: Run) -> None:
    content = json.loads((DATA / "locomo_dev.json").read_text(encoding="utf-8"))
    shortest = min(content, key=lambda sample: len(sample["conversation"]))
    done = run("ingest", DATA, "--format", "locomo", "--conversation", shortest["sample_id"])
    assert done.exit_code == 0, done.stderr
    single_hop = [question for question in shortest["qa"] if question["category"] == 4][:12]
    hits = 0
    for question in single_hop:
        found = json.loads(run("recall", question["question"], "-k", 10, "--json").stdout)
        hits += bool({result["external_id"] for result in found["results"]} & set(question["evidence"]))
    assert hits > len(single_hop) / 2
    assert run("doctor").exit_code == 0


@pytest.mark.requirement("EMBEDDER-AWAY", "ERRORS-ONE-SENTENCE")
def test_an_embedder_that_is_away_is_one_sentence_and_loses_nothing(run_process: RunProcess, tmp_path: Path) -> None:
    away = {
        "VERIDICAL_EMBEDDINGS": "openai:text-embedding-3-small",
        "OPENAI_API_KEY": "x",
        "OPENAI_BASE_URL": "http://127.0.0.1:9/v1",
    }
    file = write(tmp_path / "crates.jsonl")
    done = run_process("ingest", file, "--format", "jsonl", **away)
    said = done.stderr.decode()
    assert done.returncode == 2
    assert "gave no embeddings (unavailable" in said
    assert "run the command again" in said
    assert "Traceback" not in said
    asked = run_process("ask", "How many lamps does crate 7 hold?", "--json", **away)
    answer = json.loads(asked.stdout)
    assert asked.returncode == 0
    assert "77 lamps" in answer["text"]
    assert [leg["leg"] for leg in answer["failed"]] == ["dense"]
    assert "dense failed" in run_process("why", **away).stdout.decode()
    again = json.loads(run_process("recall", "How many lamps does crate 7 hold?", "--json").stdout)
    assert "failed" not in again
    assert "dense" in again["results"][0]["channels"]
