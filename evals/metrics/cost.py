"""What a turn costs: milliseconds, and tokens beside those of sending the whole history."""

from collections.abc import Mapping, Sequence
from typing import Any


def percentile(values: Sequence[float], share: float) -> float:
    """The smallest value that at least ``share`` of the values do not exceed (nearest rank)."""
    ordered = sorted(values)
    return ordered[max(0, -int(-share * len(ordered) // 1) - 1)]


def latency(questions: Sequence[Mapping[str, Any]]) -> dict[str, dict[str, float]]:
    """The 50th and 95th percentile of each thing that was timed, in milliseconds."""
    names = sorted({name for question in questions for name in question["timings_ms"]})
    found = {}
    for name in names:
        spent = [question["timings_ms"][name] for question in questions if name in question["timings_ms"]]
        found[name] = {"p50": round(percentile(spent, 0.5), 3), "p95": round(percentile(spent, 0.95), 3)}
    return found
