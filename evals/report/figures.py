"""From the questions of a run to the numbers that its plots show."""

from collections.abc import Iterable, Mapping, Sequence
from math import sqrt
from typing import Any

import numpy as np

from ..metrics.answers import OUTCOMES
from ..resampling import refusal_curve
from ..stored_runs import Row as Question
from ..stored_runs import has_recall
from .charts import Bin, Row

FALSE_SHARE = 0.15
"""The share of false refusals at which thresholds are compared."""
_BINS = 8
_FEWEST = 8
"""Questions below which a bin of its own would show noise."""
_PLAIN = {"vector": "vectors", "bm25": "BM25", "rrf": "rank fusion"}
_LOCOMO = {"1": "multi-hop", "2": "temporal", "3": "open-domain", "4": "single-hop", "5": "adversarial"}


def depths(rows: Sequence[Question]) -> list[str]:
    """The numbers of results at which recall was measured, ascending."""
    return [str(depth) for depth in sorted({int(k) for row in rows if has_recall(row) for k in row["recall"]})]


def recall_rows(rows: Sequence[Question], dataset: str, baselines: Mapping[str, Any] | None = None) -> list[Row]:
    """Mean recall of all questions, of the plain methods that were measured beside, per language and per category."""
    measured = [row for row in rows if has_recall(row)]
    found = []
    for label, kind in _kinds(measured, dataset):
        means = {k: _mean([row["recall"][k] for row in kind if k in row["recall"]]) for k in depths(measured)}
        found.append(Row(label, len(kind), means))
    plain = [
        Row(f"plain {_PLAIN.get(name, name)}", len(measured), {k: values[f"recall@{k}"] for k in depths(measured)})
        for name, values in (baselines or {}).items()
        if all(f"recall@{k}" in values for k in depths(measured))
    ]
    return [*found[:1], *plain, *found[1:]]


def outcome_rows(rows: Sequence[Question], dataset: str) -> list[Row]:
    """The shares of outcomes of all questions, per language and per category."""
    judged = [row for row in rows if (row.get("answer") or {}).get("outcome")]
    return [
        Row(label, len(kind), {name: _mean([row["answer"]["outcome"] == name for row in kind]) for name in OUTCOMES})
        for label, kind in _kinds(judged, dataset)
    ]


def abstention(rows: Sequence[Question]) -> Mapping[str, Any] | None:
    """The curve of refusals over all thresholds, its point at ``FALSE_SHARE``, and what the answers refused."""
    known = [row for row in rows if row.get("confidence") is not None and row.get("answerable") is not None]
    answerable = np.array([bool(row["answerable"]) for row in known], dtype=np.bool_)
    if not answerable.any() or answerable.all():
        return None
    confidence = np.array([float(row["confidence"]) for row in known])
    curve = [(false, refused) for _, false, refused in refusal_curve(confidence, answerable)]
    allowed = [point for point in curve if point[0] <= FALSE_SHARE]
    asked = [row for row in known if (row.get("answer") or {}).get("abstained") is not None]
    sides = [[row["answer"]["abstained"] for row in asked if bool(row["answerable"]) is side] for side in (True, False)]
    done = (_mean(sides[0]), _mean(sides[1])) if all(sides) else None
    return {"curve": curve, "at": max(allowed, key=lambda point: (point[1], -point[0])), "done": done}


def calibration(rows: Sequence[Question]) -> dict[str, list[Bin]]:
    """Bins of questions of similar confidence, by what counts as right."""
    known = [row for row in rows if row.get("confidence") is not None]
    series: dict[str, list[Bin]] = {}
    if len({bool(row.get("answerable", True)) for row in known}) > 1:
        series["the memory holds an answer"] = _binned(known, [bool(row.get("answerable", True)) for row in known])
    answered = [row for row in known if (row.get("answer") or {}).get("outcome") and not row["answer"]["abstained"]]
    if answered:
        passed = [row["answer"]["outcome"] == "PASS" for row in answered]
        series["an answer that was given passes"] = _binned(answered, passed)
    return {name: bins for name, bins in series.items() if len(bins) > 1}


def latencies(rows: Sequence[Question]) -> dict[str, list[float]]:
    """Milliseconds per question of each step that was timed."""
    steps = {name for row in rows for name in row.get("timings_ms") or {}}
    ordered = [name for name in ("recall", "ask") if name in steps]
    return {
        name: [float(row["timings_ms"][name]) for row in rows if (row.get("timings_ms") or {}).get(name) is not None]
        for name in ordered
    }


def flat(metrics: Mapping[str, Any], prefix: str = "") -> list[tuple[str, float]]:
    """Every number of nested metrics, by its dotted name."""
    found: list[tuple[str, float]] = []
    for name, value in metrics.items():
        if isinstance(value, Mapping):
            found += flat(value, f"{prefix}{name}.")
        elif isinstance(value, int | float) and not isinstance(value, bool):
            found.append((f"{prefix}{name}", float(value)))
    return found


def _kinds(rows: Sequence[Question], dataset: str) -> Iterable[tuple[str, Sequence[Question]]]:
    """All questions, then those of each language and of each category where there are several."""
    if rows:
        yield "all questions", rows
    for name, labels in (("language", {"en": "English", "zh": "Chinese"}), ("category", _names(dataset))):
        values = sorted({str(row[name]) for row in rows if row.get(name) is not None})
        for value in values if len(values) > 1 else []:
            yield labels.get(value, value.replace("_", " ")), [row for row in rows if str(row.get(name)) == value]


def _names(dataset: str) -> Mapping[str, str]:
    return _LOCOMO if dataset == "locomo" else {}


def _binned(rows: Sequence[Question], right: Sequence[bool]) -> list[Bin]:
    """As many bins of equally many questions as there are questions for; equal confidences stay together."""
    ordered = sorted(zip((float(row["confidence"]) for row in rows), right, strict=True))
    size = max(-(-len(ordered) // _BINS), _FEWEST)
    bins: list[list[tuple[float, bool]]] = []
    for entry in ordered:
        if not bins or (len(bins[-1]) >= size and entry[0] != bins[-1][-1][0]):
            bins.append([])
        bins[-1].append(entry)
    return [_bin(entries) for entries in bins]


def _bin(entries: Sequence[tuple[float, bool]]) -> Bin:
    count = len(entries)
    share = _mean([right for _, right in entries])
    low, high = _wilson(share, count)
    return Bin(_mean([confidence for confidence, _ in entries]), share, low, high, count)


def _wilson(share: float, count: int) -> tuple[float, float]:
    """The 95 % interval of a share. Method: E. B. Wilson, JASA 22 (1927)."""
    z = 1.959964
    centre = (share + z * z / (2 * count)) / (1 + z * z / count)
    reach = z * sqrt(share * (1 - share) / count + z * z / (4 * count * count)) / (1 + z * z / count)
    return max(centre - reach, 0.0), min(centre + reach, 1.0)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
