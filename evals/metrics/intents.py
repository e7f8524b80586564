"""Active intents against labels, and how often a user has to say again what was said before."""

from collections.abc import Mapping, Sequence

from ..datasets.sgd import NONE

Active = Mapping[str, str]
"""The active intent of each service."""


def accuracy(guesses: Sequence[Active], labels: Sequence[Active]) -> float:
    """The share of turns that are right; a turn is, if the intent of every service that its label names is.

    On a turn that speaks of one service this is the active intent accuracy of Rastogi et al. 2020.
    """
    right = sum(agrees(guess, label) for guess, label in zip(guesses, labels, strict=True))
    return right / len(labels) if labels else 0.0


def agrees(guess: Active, label: Active) -> bool:
    """Whether a turn is right; a service of which nothing is guessed has no intent."""
    return all(guess.get(service, NONE) == intent for service, intent in label.items())


def carried_on(dialogue: Sequence[Active]) -> list[Active]:
    """Of each turn what the turn before it has: the intents of the most recent turn, at first none."""
    return [{}, *dialogue[:-1]] if dialogue else []


def to_repeat(needed: Sequence[bool], understood: Sequence[bool]) -> float:
    """The share of the turns that were to get something done, and were not understood as they were said."""
    missed = [not well for need, well in zip(needed, understood, strict=True) if need]
    return sum(missed) / len(missed) if missed else 0.0
