"""A run asks the product itself, keeps what it measured, and goes on where it was interrupted."""

import json
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from veridical.evals import asking, configuration
from veridical.evals.baselines import fused
from veridical.evals.configuration import Configuration, read_settings
from veridical.evals.document import run_document
from veridical.evals.embeddings import CachedEmbedder
from veridical.evals.progress import Progress
from veridical.evals.records import Dataset, Dialogue, Question, Source
from veridical.evals.running import run
from veridical.evals.stored_runs import read_document
from veridical.memory.errors import BadInput
from veridical.memory.ingestion.utterances import Utterance
from veridical.memory.retrieval.embedders import open_embedder

START = datetime(2024, 5, 1, 9, tzinfo=UTC)
SAID = (
    "My budget for the kitchen is 9,000 euros.",
    "I adopted a greyhound called Otto.",
    "Correction: the budget for the kitchen is 12,000 euros now.",
)


def asked(identifier, text, turns=3, **more):
    """A question that is asked after so many turns."""
    return Question(
        identifier, text, START + timedelta(days=turns) - timedelta(hours=1), more.pop("category", "fact"), **more
    )


def dialogue(name="d1"):
    said = [
        Utterance(f"{name}/s{day}", f"{name}-t{day}", "user", text, START + timedelta(days=day), "UTC")
        for day, text in enumerate(SAID)
    ]
    questions = [
        asked(
            f"{name}-now",
            "What is my budget for the kitchen?",
            gold=(f"{name}-t2",),
            answers=("12,000",),
            stale=("9,000",),
        ),
        asked(f"{name}-then", "What is my budget for the kitchen?", 1, gold=(f"{name}-t0",), answers=("9,000",)),
        asked(f"{name}-dog", "What is my dog called?", gold=(f"{name}-t1",), answers=("Otto",)),
        asked(f"{name}-none", "What is my landlord's phone number?", category="unanswerable", answerable=False),
    ]
    return Dialogue(name, said, questions)


@pytest.fixture
def settings(monkeypatch):
    monkeypatch.setenv("VERIDICAL_EMBEDDINGS", "hashing:256")
    return read_settings(None, None, Path("nowhere"))


def made(dataset, settings, cache, **more):
    configured = Configuration(settings, ks=(1, 3), **more)
    return run_document(dataset, run(dataset, configured, cache), configured, Source(Path()))


@pytest.mark.requirement("EVAL-RUN")
def test_the_document_has_the_agreed_names_and_can_be_read_back(tmp_path, settings):
    document = made(Dataset("jsonl", [dialogue()]), settings, tmp_path, baselines=True)
    assert set(document) == {"dataset", "version", "config", "metrics", "questions"}
    assert {"veridical", "embeddings", "model", "limit", "prompts", "settings", "hash", "conversations"} <= set(
        document["config"]
    )
    metrics = document["metrics"]
    assert {"recall@1", "recall@3", "by_category", "abstention", "outcomes", "factual_consistency"} <= set(metrics)
    assert {"wrong_references", "fabrication_rate", "context_recall", "latency_ms", "tokens_per_turn"} <= set(metrics)
    assert set(metrics["baselines"]) == {"vector", "bm25", "rrf"}
    assert metrics["full_history_tokens"] > 0
    names = {"id", "dialogue", "category", "language", "text", "answerable", "gold", "answers", "stale", "retrieved"}
    names |= {"recall", "confidence", "answer", "timings_ms", "tokens", "trace"}
    assert all(names <= set(question) for question in document["questions"])
    assert {"queries", "filter", "kept", "dropped", "chosen"} <= set(document["questions"][0]["trace"])
    file = tmp_path / "run.json"
    file.write_text(json.dumps(document), encoding="utf-8")
    assert read_document(file) == document


@pytest.mark.requirement("EVAL-RUN")
def test_a_question_is_asked_of_what_was_said_until_then(tmp_path, settings):
    questions = {q["id"]: q for q in made(Dataset("jsonl", [dialogue()]), settings, tmp_path)["questions"]}
    assert questions["d1-then"]["retrieved"] == ["d1-t0"]
    assert questions["d1-then"]["answer"]["outcome"] == "PASS"
    assert questions["d1-now"]["answer"]["outcome"] == "PASS"
    assert "d1-t2" in questions["d1-now"]["retrieved"]
    assert questions["d1-none"]["answer"] | {} == questions["d1-none"]["answer"]
    assert questions["d1-none"]["answer"]["abstained"]
    assert questions["d1-dog"]["recall"]["3"] == 1.0
    assert list(questions) == ["d1-now", "d1-then", "d1-dog", "d1-none"]  # the order of the data set


@pytest.mark.requirement("EVAL-RUN")
def test_one_dialogue_is_not_asked_about_another(tmp_path, settings):
    document = made(Dataset("jsonl", [dialogue("d1"), dialogue("d2")]), settings, tmp_path)
    named = {(q["dialogue"], turn.partition("-")[0]) for q in document["questions"] for turn in q["retrieved"]}
    assert named == {("d1", "d1"), ("d2", "d2")}


def untimed(document):
    """A document without what no two runs have alike."""
    kept = {name: value for name, value in document["metrics"].items() if name != "latency_ms"}
    rows = [{name: value for name, value in row.items() if name != "timings_ms"} for row in document["questions"]]
    return kept, rows


@pytest.mark.requirement("EVAL-RESUME")
def test_an_interrupted_run_does_the_rest_only(tmp_path, settings, monkeypatch):
    dataset = Dataset("jsonl", [dialogue("d1"), dialogue("d2")])
    whole = made(dataset, settings, tmp_path / "other")
    asked_for = []
    row = asking.Examiner.row

    def interrupted(self, question):
        if len(asked_for) == 5:
            raise KeyboardInterrupt
        asked_for.append(question.id)
        return row(self, question)

    monkeypatch.setattr(asking.Examiner, "row", interrupted)
    with pytest.raises(KeyboardInterrupt):
        made(dataset, settings, tmp_path)
    first, asked_for[:] = list(asked_for), []
    monkeypatch.setattr(
        asking.Examiner, "row", lambda self, question: asked_for.append(question.id) or row(self, question)
    )
    resumed = made(dataset, settings, tmp_path)
    assert sorted(first + asked_for) == sorted(question.id for _, question in dataset.questions)
    assert untimed(resumed) == untimed(whole)
    asked_for.clear()
    made(dataset, settings, tmp_path)
    assert asked_for == []


@pytest.mark.requirement("EVAL-RESUME")
def test_a_line_that_was_cut_off_is_measured_again(tmp_path):
    Progress(tmp_path, "abc").add("one", {"retrieved": ["t1"]})
    file = tmp_path / "abc.jsonl"
    file.write_text(file.read_text(encoding="utf-8") + '{"key": "two", "ro', encoding="utf-8")
    again = Progress(tmp_path, "abc")
    assert (again.known("one"), again.known("two")) == ({"retrieved": ["t1"]}, None)
    again.add("three", {})
    assert Progress(tmp_path, "abc").known("three") == {}


@pytest.mark.requirement("EVAL-RESUME")
def test_other_code_settings_or_words_are_measured_anew(settings, monkeypatch):
    known = Configuration(settings).hash
    assert Configuration(settings).hash == known
    assert Configuration(settings, ask=False).hash != known
    assert Configuration(settings.model_copy(update={"limit": 5})).hash != known
    assert Configuration(settings.model_copy(update={"data_dir": Path("elsewhere")})).hash == known
    monkeypatch.setattr(configuration, "code_hash", lambda: "changed")
    assert Configuration(settings).hash != known


class Counting:
    """An embedder that remembers what it was given."""

    name, dimensions = "hashing:32", 32

    def __init__(self):
        self.inner = open_embedder("hashing:32")
        self.given = []

    def embed_documents(self, texts):
        self.given += texts
        return self.inner.embed_documents(texts)

    def embed_query(self, texts):
        return self.embed_documents(texts)


@pytest.mark.requirement("EVAL-RESUME")
def test_what_was_embedded_once_is_not_embedded_again(tmp_path):
    inner = Counting()
    first = CachedEmbedder(inner, tmp_path)
    vectors = first.embed_documents(["a dog", "a cat", "a dog"])
    assert inner.given == ["a dog", "a cat"]
    first.close()
    second = CachedEmbedder(inner, tmp_path)
    again = second.embed_documents(["a cow", "a cat", "a dog"])
    assert inner.given == ["a dog", "a cat", "a cow"]
    assert (again[1:] == vectors[[1, 2]]).all()
    assert second.embed_query(["a dog"]).shape == (1, 32)  # a query is embedded otherwise than a document
    assert inner.given[-1] == "a dog"
    assert second.embed_query([]).shape == (0, 32)
    second.close()
    assert b"a dog" not in next(tmp_path.glob("*.db")).read_bytes()


@pytest.mark.requirement("EVAL-RUN")
def test_settings_come_from_the_file_that_is_named(tmp_path, settings):
    file = tmp_path / "settings.toml"
    file.write_text("limit = 4\n[prompts]\nanswer = 1\n", encoding="utf-8")
    assert read_settings(file, None, tmp_path).limit == 4
    assert read_settings(file, "anchors", tmp_path).prompts == {"answer": 2}
    file.write_text("limit = 0\n", encoding="utf-8")
    with pytest.raises(BadInput, match="The setting limit is wrong"):
        read_settings(file, None, tmp_path)
    file.write_text("limit = \n", encoding="utf-8")
    with pytest.raises(BadInput, match="cannot be read as settings"):
        read_settings(file, None, tmp_path)


@pytest.mark.requirement("EVAL-METRICS")
def test_ranks_are_fused_by_their_reciprocals():
    assert fused([[1, 2, 3], [3, 1]]) == [1, 3, 2]  # 1/61 + 1/62 > 1/63 + 1/61 > 1/62
    assert fused([[], [5]]) == [5]
