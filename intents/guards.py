"""Guards: whether a step may be taken by what is known, and why not."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from .domains import Condition, Transition

Holds = Literal["yes", "no", "unknown"]


@dataclass(frozen=True, slots=True)
class Judged:
    """The condition that decides, and what it says."""

    holds: Holds
    condition: Condition | None = None
    value: str | None = None


def judge(transition: Transition, slots: Mapping[str, str]) -> Judged:
    """Whether all conditions hold: the first that does not decides, else the first that cannot be told."""
    judged = [Judged(_holds(it, slots.get(it.slot)), it, slots.get(it.slot)) for it in transition.guard]
    for verdict in ("no", "unknown"):
        for one in judged:
            if one.holds == verdict:
                return one
    return judged[0] if judged else Judged("yes")


def _holds(condition: Condition, value: str | None) -> Holds:
    if value is None:
        return "unknown"
    allowed = condition.allowed is None or value in condition.allowed
    return "yes" if allowed and value not in condition.refused else "no"
