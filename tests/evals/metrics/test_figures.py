"""Cost, labels and precision, on examples that can be checked by hand."""

import pytest

from veridical.evals.metrics.cost import latency, percentile
from veridical.evals.metrics.labels import agreement, best_threshold
from veridical.evals.metrics.precision import failures, precision, share_of

pytestmark = pytest.mark.requirement("EVAL-METRICS")


def test_a_percentile_is_a_value_that_was_measured():
    assert percentile([4, 1, 3, 2], 0.5) == 2
    assert percentile([4, 1, 3, 2], 0.95) == 4
    assert percentile([7], 0.5) == 7


def test_latency_is_told_for_whatever_was_timed():
    rows = [{"timings_ms": {"recall": 10.0, "ask": 30.0}}, {"timings_ms": {"recall": 20.0}}]
    assert latency(rows) == {"ask": {"p50": 30.0, "p95": 30.0}, "recall": {"p50": 10.0, "p95": 20.0}}


def test_f1_is_the_harmonic_mean_of_precision_and_recall():
    found = agreement([True, True, False, False], [True, False, True, True])
    assert (found.precision, found.recall) == (0.5, pytest.approx(1 / 3))
    assert found.f1 == pytest.approx(0.4)
    assert agreement([False], [True]).f1 == 0.0


def test_the_best_threshold_gives_the_best_f1():
    scores, labels = [0.9, 0.8, 0.7, 0.1], [True, False, True, False]
    assert best_threshold(scores, labels) == 0.7
    # Equal scores are guessed together.
    assert best_threshold([0.5, 0.5, 0.2], [True, False, False]) == 0.5


def test_precision_is_the_share_of_what_is_shown():
    assert precision(["a", "b"], ["a"]) == 0.5
    assert precision([], ["a"]) is None
    assert share_of(["a", "c"], ["a", "b"]) == 0.5
    assert share_of([], ["a"]) is None


def test_a_case_fails_on_what_is_missing_and_on_what_must_not_be_shown():
    assert failures(["a"], ["a"], ["z"]) == []
    assert failures(["z"], ["a"], ["z"]) == ["a is missing", "z is shown"]
