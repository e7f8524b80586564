"""Refusals, both ways, on examples that can be checked by hand."""

import pytest

from veridical.evals.metrics.abstention import abstention, auc, refused_at

pytestmark = pytest.mark.requirement("EVAL-METRICS")


def test_the_auc_is_the_share_of_pairs_in_the_right_order():
    assert auc([3, 4], [1, 2]) == 1.0
    assert auc([1, 2], [3, 4]) == 0.0
    assert auc([2, 4], [1, 3]) == 0.75
    assert auc([1, 1], [1, 1]) == 0.5
    assert auc([2, 1], [1]) == 0.75


def test_the_threshold_refuses_at_most_the_allowed_share_of_what_is_known():
    known = [float(value) for value in range(1, 21)]  # 15 % of 20 are three: 1, 2 and 3 are refused
    assert refused_at(known, [0.5, 3.5, 4.0, 9.0], 0.15) == 0.5
    assert refused_at([5.0, 6.0], [5.0, 4.0], 0.15) == 0.5  # nothing known may be refused


def asked(confidence, answerable, abstained=None, answers=()):
    answer = {} if abstained is None else {"answer": {"abstained": abstained}}
    return {"confidence": confidence, "answerable": answerable, "answers": list(answers), **answer}


def test_both_ways_of_refusing_are_told():
    questions = [
        asked(0.9, True, False, ["x"]),
        asked(0.2, True, True, ["x"]),
        asked(0.5, False, True),
        asked(0.1, False, False),
        asked(0.0, False, True),
    ]
    assert abstention(questions) == {
        "answerable": 2,
        "unanswerable": 3,
        "auc": pytest.approx(5 / 6),
        "refused_at_15_false": pytest.approx(2 / 3),
        "refused": pytest.approx(2 / 3),
        "false_abstentions": 0.5,
    }


def test_a_false_premise_is_neither_answerable_nor_to_be_refused():
    assert abstention([asked(0.5, True), asked(0.9, False, False, ["cancelled"])]) == {
        "answerable": 1,
        "unanswerable": 0,
    }
