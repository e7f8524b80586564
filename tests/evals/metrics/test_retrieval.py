"""Recall among the first results and inside the compressed context, on examples that can be checked by hand."""

import pytest

from veridical.evals.metrics.retrieval import by_category, context_recall, in_context, mean_recall, recall_at

pytestmark = pytest.mark.requirement("EVAL-METRICS")


def asked(gold, retrieved, category="1", **more):
    return {"gold": gold, "retrieved": retrieved, "category": category, **more}


def test_recall_is_the_share_of_gold_turns_among_the_first_results():
    ranked = ["a", "b", "c", "d"]
    assert recall_at(ranked, ["b", "d"], 1) == 0.0
    assert recall_at(ranked, ["b", "d"], 3) == 0.5
    assert recall_at(ranked, ["b", "d"], 4) == 1.0
    assert recall_at(ranked, ["b", "x", "y", "z"], 4) == 0.25


def test_recall_is_averaged_over_the_questions_that_have_gold():
    questions = [asked(["a"], ["a", "b"]), asked(["a", "b"], ["b", "c"]), asked([], ["a"])]
    assert mean_recall(questions, (1, 2)) == {"recall@1": 0.75, "recall@2": 0.75}
    assert mean_recall([asked([], ["a"])], (1,)) == {}


def test_a_baseline_is_measured_on_its_own_ranking():
    questions = [asked(["a"], ["b", "a"], baselines={"bm25": ["a"]})]
    assert mean_recall(questions, (1,), "bm25") == {"recall@1": 1.0}
    assert mean_recall(questions, (1,)) == {"recall@1": 0.0}


def test_categories_are_averaged_by_themselves():
    questions = [asked(["a"], ["a"], "1"), asked(["a"], ["b"], "2"), asked([], ["b"], "5")]
    assert by_category(questions, (1,)) == {
        "1": {"recall@1": 1.0, "questions": 1},
        "2": {"recall@1": 0.0, "questions": 1},
        "5": {"questions": 1},
    }


def quotation(turn, score, words=3):
    return {"external_id": turn, "score": score, "quote": "word " * words}


def test_the_context_holds_three_quotations_the_best_first():
    context = [quotation("d", 0.1), quotation("a", 0.9), quotation("b", 0.5), quotation("c", 0.3)]
    assert in_context(context) == ["a", "b", "c"]


def test_the_context_ends_where_400_tokens_end():
    assert in_context([quotation("a", 0.9, 300), quotation("b", 0.5, 300), quotation("c", 0.4)]) == ["a"]


def test_two_quotations_of_a_turn_are_one_turn_of_the_context():
    assert in_context([quotation("a", 0.9), quotation("a", 0.5)]) == ["a"]


def test_context_recall_is_averaged_over_the_questions_with_gold():
    questions = [
        asked(["a", "z"], [], context=[quotation("a", 1.0)]),
        asked(["a"], [], context=[]),
        asked([], [], context=[]),
    ]
    assert context_recall(questions) == 0.25
    assert context_recall([asked([], [], context=[])]) is None
