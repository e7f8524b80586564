"""Fitting on some conversations, and what it promises of others."""

import pytest

from veridical.evals.fitting import Judged, fewest, fit_threshold, folds, refusals, search

pytestmark = pytest.mark.requirement("EVAL-CALIBRATE")


def judged(answerable, unanswerable):
    return [Judged(one, True) for one in answerable] + [Judged(one, False) for one in unanswerable]


def test_every_dialogue_is_held_out_once():
    dealt = folds(["a", "b", "a", "c", "d", "e", "f", "g"], 3)
    assert dealt == [{"a", "d", "g"}, {"b", "e"}, {"c", "f"}]
    assert folds(["a", "b"], 5) == [{"a"}, {"b"}]
    assert folds(["a", "a"]) == []


def test_a_threshold_refuses_most_of_what_has_no_answer_within_the_limit():
    seen = judged([0.3, 0.5, 0.6, 0.7, 0.8, 0.8, 0.9, 0.9, 0.9, 0.9], [0.1, 0.2, 0.4, 0.55])
    # One of ten may be refused falsely: everything below 0.5 goes, and 0.55 would cost a second one.
    threshold = fit_threshold(seen, 0.15)
    assert threshold == pytest.approx(0.45)
    assert refusals(seen, threshold) == (0.75, 0.1)
    assert fit_threshold(seen, 0.0) == pytest.approx(0.25)
    assert fit_threshold(seen, 0.2) == pytest.approx(0.575)


def test_no_threshold_is_fitted_where_it_would_refuse_nothing():
    assert fit_threshold(judged([0.1, 0.2], [0.5, 0.9]), 0.15) is None
    assert fit_threshold(judged([0.1, 0.2], []), 0.15) is None
    assert fit_threshold(judged([], [0.1]), 0.15) is None
    assert fit_threshold([], 0.15) is None


def test_what_the_rules_refuse_counts_towards_the_limit():
    seen = [Judged(0.5, True), Judged(0.6, True), Judged(0.7, True), Judged(0.8, True, refused=True)]
    seen += [Judged(0.4, False), Judged(0.55, False), Judged(0.9, False, refused=True)]
    assert refusals(seen, None) == (pytest.approx(1 / 3), 0.25)
    # The rules refuse one of four already, so no other one may be refused within 25 %.
    threshold = fit_threshold(seen, 0.25)
    assert threshold == pytest.approx(0.45)
    assert refusals(seen, threshold) == (pytest.approx(2 / 3), 0.25)
    assert fit_threshold(seen, 0.2) is None


def test_without_a_threshold_nothing_is_refused():
    assert refusals(judged([0.1], [0.1]), None) == (0.0, 0.0)
    assert refusals(judged([0.1], []), 0.5) == (None, 1.0)


def test_the_search_climbs_to_the_best_of_the_grid():
    asked = []

    def score(weights):
        asked.append(tuple(weights.values()))
        return -abs(weights["a"] - 4.0) - abs(weights["b"] - 0.25)

    assert search({"a": 1.0, "b": 1.0, "kept": 3.0}, ["a", "b"], score) == {"a": 4.0, "b": 0.25, "kept": 3.0}
    assert len(asked) < 60


def test_the_search_keeps_the_defaults_where_nothing_gains():
    assert search({"a": 1.0, "b": 2.0}, ["a", "b"], lambda weights: 0.5 + weights["a"] / 1e5) == {"a": 1.0, "b": 2.0}


def test_the_fewest_results_that_hold_nearly_all_are_enough():
    assert fewest({3: 0.5, 5: 0.7, 10: 0.77, 20: 0.8}) == 10
    assert fewest({3: 0.79, 20: 0.8}) == 3
    assert fewest({3: 0.0, 20: 0.0}) == 3
