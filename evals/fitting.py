"""Fitting a few parameters on labelled questions, so that what is promised of them was measured on others.

Everything here is told the questions' values and knows nothing of a memory. Method of the folds: M. Stone,
"Cross-Validatory Choice and Assessment of Statistical Predictions" (1974); whole conversations are held out, because
the questions of one resemble each other.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from .resampling import refusal_curve

Weights = Mapping[str, float]

FOLDS = 5
FALSE_REFUSALS = 0.15
"""The share of answerable questions that a threshold may refuse."""
ENOUGH = 0.95
"""Of the evidence among the most results that were looked at, the share that the fewest must hold."""
_FACTORS = (0.5, 0.71, 1.41, 2.0)
_ROUNDS = 3
_LEAST_GAIN = 5e-4
"""What a step must gain: less is noise, and leads away from the defaults for nothing."""


class Judged(NamedTuple):
    """A question with what the memory thought of it."""

    confidence: float
    answerable: bool
    refused: bool = False
    """Whether it is refused whatever the threshold: the rules found nothing that answers."""

    def refused_below(self, threshold: float | None) -> bool:
        """Whether it is refused with that threshold; ``None`` is none."""
        return self.refused or (threshold is not None and self.confidence < threshold)


class Refusals(NamedTuple):
    """What a threshold refuses, as shares; ``None`` where there is no question of the kind."""

    of_unanswerable: float | None
    of_answerable: float | None


def folds(dialogues: Iterable[str], count: int = FOLDS) -> list[frozenset[str]]:
    """The dialogues dealt out into at most ``count`` groups, each of which is held out once."""
    names = list(dict.fromkeys(dialogues))
    dealt = [frozenset(names[place::count]) for place in range(min(count, len(names)))]
    return dealt if len(dealt) > 1 else []


def fit_threshold(judged: Sequence[Judged], false_refusals: float = FALSE_REFUSALS) -> float | None:
    """The confidence below which to refuse.

    Args:
        judged: questions of both kinds.
        false_refusals: the share of the answerable that may be refused.

    Returns:
        The threshold that refuses most of the unanswerable within that share, and as few of the others as it can; it
        lies midway between two confidences that were seen. ``None`` where none refuses more than the rules do, or where
        the rules refuse too many already.
    """
    confidence = np.array([-np.inf if one.refused else one.confidence for one in judged], dtype=np.float64)
    answerable = np.array([one.answerable for one in judged], dtype=np.bool_)
    if not len(judged) or answerable.all() or not answerable.any():
        return None
    curve = refusal_curve(confidence, answerable)
    allowed = [place for place, (_, false, _) in enumerate(curve) if false <= false_refusals]
    best = max(allowed, key=lambda place: (curve[place][2], -place))
    below, above = curve[best - 1][0], curve[best][0]
    return (below + above) / 2 if best and np.isfinite(below) else None


def refusals(judged: Sequence[Judged], threshold: float | None) -> Refusals:
    """What is refused where a confidence below ``threshold`` is."""
    shares = []
    for kind in (False, True):
        refused = [one.refused_below(threshold) for one in judged if one.answerable is kind]
        shares.append(sum(refused) / len(refused) if refused else None)
    return Refusals(*shares)


def search(start: Weights, names: Sequence[str], score: Callable[[Weights], float]) -> dict[str, float]:
    """Climb from ``start``, one weight after the other, until no step gains anything that counts.

    Args:
        start: the weights to begin with.
        names: those that may change; one of zero stays zero.
        score: how good weights are, more is better; asked many times, the same weights too.
    """
    best, reached = dict(start), score(start)
    for _ in range(_ROUNDS):
        before = reached
        for name in names:
            tried = [best | {name: round(best[name] * factor, 4)} for factor in _FACTORS]
            gained, step = max(((score(weights), place) for place, weights in enumerate(tried)), default=(reached, 0))
            if gained > reached + _LEAST_GAIN:
                best, reached = tried[step], gained
        if reached <= before:
            break
    return best


def fewest(recalls: Mapping[int, float], enough: float = ENOUGH) -> int:
    """The fewest results that hold ``enough`` of the evidence that the most of them hold.

    Args:
        recalls: mean recall by the number of results.
        enough: a share.
    """
    wanted = enough * recalls[max(recalls)]
    return min(k for k, recall in recalls.items() if recall >= wanted)
