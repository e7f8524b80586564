"""The bootstrap: how a figure would vary if other questions, or other conversations, had been drawn.

A resample is a row of weights, how often each question occurs in it; every figure is a function of values and weights.
Both runs of a comparison are weighted alike, so what makes one question harder than another cancels out. Questions of
one conversation resemble each other: where there are enough conversations these are drawn whole. Method: B. Efron and
R. J. Tibshirani, "An Introduction to the Bootstrap" (1993), chapters 6, 8 and 13 (percentile intervals).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

FEWEST_DIALOGUES = 5
"""With fewer conversations than these, drawing them would say little: questions are drawn instead."""
DRAWS = 2000
SEED = 20240229
_LEVEL = 0.95


@dataclass(frozen=True, slots=True)
class Resamples:
    """Many drawings of the same questions."""

    weights: Floats
    """How often a question (column) occurs in a resample (row)."""
    unit: Literal["dialogue", "question"]
    """What was drawn."""
    units: int
    """How many of them there are."""


def resample(dialogues: Sequence[str], *, draws: int = DRAWS, seed: int = SEED) -> Resamples:
    """Draw questions with replacement, whole dialogues where there are at least ``FEWEST_DIALOGUES``.

    Args:
        dialogues: the dialogue of each question.
        draws: how many resamples.
        seed: the same seed draws the same.
    """
    names, member = np.unique(np.array(dialogues, dtype=np.str_), return_inverse=True)
    generator = np.random.default_rng(seed)
    if len(names) >= FEWEST_DIALOGUES:
        drawn = _multinomial(generator, len(names), draws)
        return Resamples(drawn[:, member], "dialogue", len(names))
    return Resamples(_multinomial(generator, len(dialogues), draws), "question", len(dialogues))


def _multinomial(generator: np.random.Generator, units: int, draws: int) -> Floats:
    return generator.multinomial(units, np.full(units, 1.0 / units), size=draws).astype(np.float64)


def interval(figures: Floats) -> tuple[float, float] | None:
    """The middle 95 % of a figure's resamples; ``None`` where no resample has it."""
    known = figures[np.isfinite(figures)]
    if not known.size:
        return None
    edge = (1 - _LEVEL) / 2
    low, high = np.quantile(known, [edge, 1 - edge])
    return float(low), float(high)


def mean(values: Floats, answerable: Bools, weights: Floats) -> Floats:
    """The weighted mean, one per row of ``weights``; not a number where nothing has weight.

    Args:
        values: one per question.
        answerable: not looked at; all figures are called alike.
        weights: resamples by questions.
    """
    return _ratio(weights @ values, weights.sum(axis=1))


def quantile(share: float, values: Floats, weights: Floats) -> Floats:
    """The smallest value that at least ``share`` of the weight does not exceed, one per row of ``weights``."""
    order = np.argsort(values, kind="stable")
    reached = np.cumsum(weights[:, order], axis=1)
    # Weights are whole numbers; the slack is for the share, which need not be.
    below = (reached < share * reached[:, -1:] - 1e-9).sum(axis=1)
    found = values[order][np.minimum(below, len(values) - 1)]
    return np.where(reached[:, -1] > 0, found, np.nan)


def quantile_of(values: Sequence[float], share: float) -> float:
    """The smallest of the values that at least ``share`` of them do not exceed."""
    return float(quantile(share, np.array(values, dtype=np.float64), np.ones((1, len(values))))[0])


def auc(confidence: Floats, answerable: Bools, weights: Floats) -> Floats:
    """How often an answerable question has more confidence than an unanswerable one; a tie counts half."""
    refused, false = _refusals(confidence, answerable, weights)
    steps = np.diff(false, axis=1)
    return np.asarray((steps * (refused[:, :-1] + refused[:, 1:]) / 2).sum(axis=1))


def refused_at(false_share: float, confidence: Floats, answerable: Bools, weights: Floats) -> Floats:
    """The most unanswerable questions that a threshold refuses which refuses at most ``false_share`` of the others."""
    refused, false = _refusals(confidence, answerable, weights)
    allowed = np.where(false <= false_share + 1e-12, refused, 0.0)
    return np.where(np.isfinite(refused[:, -1]) & np.isfinite(false[:, -1]), allowed.max(axis=1), np.nan)


def refusal_curve(confidence: Floats, answerable: Bools) -> list[tuple[float, float, float]]:
    """What each threshold on the confidence does: (threshold, falsely refused, rightly refused), ascending.

    A question is refused where its confidence is below the threshold; the first threshold refuses nothing. The shares
    are not numbers where there is no question of the kind.
    """
    refused, false = _refusals(confidence, answerable, np.ones((1, len(confidence))))
    thresholds = [*np.unique(confidence), np.inf]
    return list(zip(map(float, thresholds), map(float, false[0]), map(float, refused[0]), strict=True))


def _refusals(confidence: Floats, answerable: Bools, weights: Floats) -> tuple[Floats, Floats]:
    """Per row of weights, the shares of the unanswerable and of the answerable below each threshold, none to all."""
    order = np.argsort(confidence, kind="stable")
    ascending = confidence[order]
    starts = np.flatnonzero(np.r_[True, ascending[1:] != ascending[:-1]])
    return (
        _shares_below(weights[:, order] * ~answerable[order], starts),
        _shares_below(weights[:, order] * answerable[order], starts),
    )


def _shares_below(weights: Floats, starts: NDArray[np.intp]) -> Floats:
    reached = np.cumsum(np.add.reduceat(weights, starts, axis=1), axis=1)
    reached = np.concatenate([np.zeros((len(weights), 1)), reached], axis=1)
    return _ratio(reached, reached[:, -1:])


def _ratio(above: Floats, below: Floats) -> Floats:
    ratio = np.full(np.shape(above), np.nan)
    np.divide(above, below, out=ratio, where=below > 0)
    return ratio
