"""Yes or no against labels: F1, and the threshold at which scores give the best one."""

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Agreement:
    """How guesses agree with labels."""

    precision: float
    recall: float

    @property
    def f1(self) -> float:
        """The harmonic mean of both."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0


def agreement(guesses: Sequence[bool], labels: Sequence[bool]) -> Agreement:
    """Precision and recall of the guesses for the label true; nothing guessed, or nothing there, counts as 0."""
    both = sum(guess and label for guess, label in zip(guesses, labels, strict=True))
    return Agreement(both / max(1, sum(guesses)), both / max(1, sum(labels)))


def best_threshold(scores: Sequence[float], labels: Sequence[bool]) -> float:
    """The score from which on guessing true gives the best F1; of equals the highest."""
    total = sum(labels)
    best, threshold = -1.0, float("inf")
    both = 0
    ranked = sorted(zip(scores, labels, strict=True), key=lambda pair: -pair[0])
    for guessed, (score, label) in enumerate(ranked, start=1):
        both += label
        f1 = 2 * both / (guessed + total) if total else 0.0
        if f1 > best and (guessed == len(ranked) or ranked[guessed][0] < score):
            best, threshold = f1, score
    return threshold
