"""What can be wrong with a statement."""

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Fault:
    """What is wrong with a statement, in words that a person understands."""

    verdict: Literal["unsupported", "contradicted"]
    reason: str


def missing(reason: str) -> Fault:
    """The evidence does not say so."""
    return Fault("unsupported", reason)


def against(reason: str) -> Fault:
    """The evidence says otherwise."""
    return Fault("contradicted", reason)
