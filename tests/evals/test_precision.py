"""PrecisionMemBench: what is superseded or another user's is looked for among what is shown, case by case."""

import json
from pathlib import Path

import pytest

from veridical.evals.configuration import Configuration, read_settings
from veridical.evals.datasets.precision import load
from veridical.evals.precision import precision_document
from veridical.evals.records import Source
from veridical.memory.errors import BadFile


def belief(identifier, name, content, **more):
    return {
        "_id": identifier,
        "user_id": "test-user",
        "canonical_name": name,
        "aliases": [],
        "content": content,
        "superseded_by": None,
        "created_at": "2026-09-01T00:00:00Z",
    } | more


BELIEFS = [
    belief("b-old", "editor", "My editor is Vim.", superseded_by="b-new"),
    belief("b-new", "editor", "My editor is Helix.", created_at="2026-09-02T00:00:00Z"),
    belief("b-cache", "cache", "Our cache is Valkey.", aliases=["vk"]),
    belief("b-foreign", "secret", "My editor is Emacs.", user_id="other-user"),
]
CASES = [
    {
        "caseId": "chain",
        "category": "Supersession chain exclusion",
        "query": "What is my editor?",
        "expect": {"pinnedFacts": {"mustInclude": ["b-new"]}, "relevantBeliefs": {"shouldOnlyInclude": []}},
    },
    {
        "caseId": "leak",
        "category": "Cross-user isolation",
        "query": "What is my editor?",
        "expect": {"relevantBeliefs": {"mustExclude": ["b-foreign"]}},
    },
    {
        "caseId": "alias",
        "category": "Alias resolution",
        "query": "What is our cache?",
        "expect": {"relevantBeliefs": {"shouldOnlyInclude": ["b-cache"]}},
    },
    {"caseId": "cold", "category": "Cold start behavior", "userId": "new", "query": "What is my editor?", "expect": {}},
    {"caseId": "blank", "category": "Ranking stability", "query": "", "expect": {}},
]
TURNS = [
    {
        "userMessage": "What is our cache?",
        "assistantMessage": "Valkey.",
        "expect": {"noiseCheck": {"mustNotSurface": ["b-new"]}},
    }
]


def lay_out(folder, cases=CASES):
    for name, content in (
        ("beliefs.seed", BELIEFS),
        ("retrieval.cases", cases),
        ("session-retrieval.cases", [{"caseId": "session", "turns": TURNS}]),
    ):
        (folder / f"{name}.json").write_text(json.dumps(content, indent=1), encoding="utf-8")
    return folder


@pytest.mark.requirement("EVAL-RUN")
def test_every_case_is_told_by_itself(tmp_path, monkeypatch):
    monkeypatch.setenv("VERIDICAL_EMBEDDINGS", "hashing:256")
    configuration = Configuration(read_settings(None, None, Path("nowhere")))
    document = precision_document(Source(lay_out(tmp_path)), configuration, tmp_path / "cache")
    cases = {question["id"]: question["case"] for question in document["questions"]}
    assert set(cases) == {"chain", "leak", "alias", "cold", "blank", "session/0"}
    assert cases["chain"]["passed"], cases["chain"]
    assert "b-new" in cases["chain"]["results"]
    assert "b-old" not in cases["chain"]["results"]
    assert cases["leak"]["passed"]
    assert cases["cold"]["results"] == cases["blank"]["results"] == []
    assert "b-cache" in cases["alias"]["results"]
    metrics = document["metrics"]
    assert metrics["another_user_shown"] == 0
    assert [case["id"] for case in metrics["cases"]] == ["chain", "leak", "cold", "session/0"]


@pytest.mark.requirement("EVAL-DATASETS")
def test_what_is_not_of_the_form_is_told_with_its_line(tmp_path):
    with pytest.raises(BadFile, match=r"retrieval\.cases\.json, line \d+: case 'x' has no 'expect'"):
        load(Source(lay_out(tmp_path, [{"caseId": "x", "category": "y", "query": "z"}])))
    (tmp_path / "beliefs.seed.json").unlink()
    with pytest.raises(BadFile, match=r"beliefs\.seed\.json is missing"):
        load(Source(tmp_path))
