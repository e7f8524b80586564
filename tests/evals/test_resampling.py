"""The statistics, on examples that can be reckoned by hand."""

import numpy as np
import pytest

from veridical.evals.metrics.abstention import auc as auc_of_pairs
from veridical.evals.metrics.abstention import refused_at as refused_at_of_pairs
from veridical.evals.resampling import auc, interval, mean, quantile, quantile_of, refusal_curve, refused_at, resample

# Two answerable questions, two that are not; one pair of them in the wrong order.
CONFIDENCE = np.array([0.1, 0.4, 0.35, 0.8])
ANSWERABLE = np.array([False, False, True, True])
ONCE = np.ones((1, 4))


def test_dialogues_are_drawn_whole_where_there_are_five():
    drawn = resample(["a", "a", "b", "c", "d", "e"], draws=50)
    assert (drawn.unit, drawn.units) == ("dialogue", 5)
    assert (drawn.weights[:, 0] == drawn.weights[:, 1]).all()
    assert set(drawn.weights[:, 1:].sum(axis=1)) == {5.0}


def test_questions_are_drawn_where_there_are_fewer_dialogues():
    drawn = resample(["a", "a", "b", "c", "d"], draws=50)
    assert (drawn.unit, drawn.units) == ("question", 5)
    assert set(drawn.weights.sum(axis=1)) == {5.0}
    assert (drawn.weights[:, 0] != drawn.weights[:, 1]).any()


def test_the_same_seed_draws_the_same():
    one, same, other = (resample(["a"] * 9, draws=20, seed=seed).weights for seed in (1, 1, 2))
    assert (one == same).all()
    assert (one != other).any()


def test_a_mean_is_weighted_and_undefined_without_weight():
    means = mean(np.array([1.0, 0.0, 0.5]), np.ones(3, dtype=bool), np.array([[1, 1, 0], [0, 0, 2], [0, 0, 0.0]]))
    assert means[:2].tolist() == [0.5, 0.5]
    assert np.isnan(means[2])


def test_a_quantile_is_the_smallest_value_that_enough_do_not_exceed():
    values = np.array([30.0, 10.0, 20.0, 40.0])
    assert quantile(0.5, values, np.array([[1, 1, 1, 1], [1, 0, 0, 3], [0, 4, 0, 0.0]])).tolist() == [20.0, 40.0, 10.0]
    assert quantile_of([5.0], 0.95) == 5.0
    assert quantile_of(list(range(1, 101)), 0.95) == 95.0


def test_the_auc_counts_pairs_in_order_and_half_the_ties():
    assert auc(CONFIDENCE, ANSWERABLE, ONCE).tolist() == [0.75]
    assert auc(np.full(4, 0.5), ANSWERABLE, ONCE).tolist() == [0.5]
    # The wrongly placed answerable question counts three times: 1 × 2 and 3 × 1 of 4 × 2 pairs are in order.
    assert auc(CONFIDENCE, ANSWERABLE, np.array([[1, 1, 3, 1.0]])).tolist() == [0.625]
    assert np.isnan(auc(CONFIDENCE, ~np.zeros(4, dtype=bool), ONCE)).all()


def test_a_threshold_refuses_as_much_as_the_false_refusals_allow():
    assert refused_at(0.0, CONFIDENCE, ANSWERABLE, ONCE).tolist() == [0.5]
    assert refused_at(0.5, CONFIDENCE, ANSWERABLE, ONCE).tolist() == [1.0]


def test_the_curve_names_the_threshold_of_each_point():
    assert refusal_curve(CONFIDENCE, ANSWERABLE) == [
        (0.1, 0.0, 0.0),
        (0.35, 0.0, 0.5),
        (0.4, 0.5, 0.5),
        (0.8, 0.5, 1.0),
        (np.inf, 1.0, 1.0),
    ]


@pytest.mark.parametrize("seed", range(5))
def test_both_ways_of_reckoning_abstention_agree(seed):
    generator = np.random.default_rng(seed)
    answerable = generator.random(60) < 0.6
    confidence = np.round(generator.random(60) * 0.6 + 0.3 * answerable, 1)
    once = np.ones((1, 60))
    sure, unsure = confidence[answerable].tolist(), confidence[~answerable].tolist()
    assert auc(confidence, answerable, once)[0] == pytest.approx(auc_of_pairs(sure, unsure))
    assert refused_at(0.15, confidence, answerable, once)[0] == pytest.approx(refused_at_of_pairs(sure, unsure, 0.15))


def test_an_interval_is_the_middle_of_what_is_known():
    assert interval(np.arange(101.0)) == pytest.approx((2.5, 97.5))
    assert interval(np.array([np.nan, 3.0])) == (3.0, 3.0)
    assert interval(np.array([np.nan])) is None
