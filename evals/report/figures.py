"""From the questions of a run to the numbers that its plots show."""

from collections.abc import Iterable, Mapping, Sequence
from math import sqrt
from typing import Any

import numpy as np

from ..metrics.answers import OUTCOMES
from ..resampling import refusal_curve
from ..rows import Row as Question
from ..rows import abstained, confidence, depths, has_recall, is_answerable, outcome, spent
from .charts import Bin, Row

FALSE_SHARE = 0.15
"""The share of false refusals at which thresholds are compared."""
_BINS = 8
_FEWEST = 8
"""Questions below which a bin of its own would show noise."""
_LANGUAGES = {"en": "English", "zh": "Chinese"}
_PLAIN = {"vector": "vectors", "bm25": "BM25", "rrf": "rank fusion"}
_LOCOMO = {"1": "multi-hop", "2": "temporal", "3": "open-domain", "4": "single-hop", "5": "adversarial"}


def recall_rows(rows: Sequence[Question], dataset: str, baselines: Mapping[str, Any] | None = None) -> list[Row]:
    """Mean recall of all questions, of the plain methods that were measured beside, per language and per category."""
    measured = [row for row in rows if has_recall(row)]
    ks = depths(measured)
    found = [
        Row(label, len(kind), {k: _mean([row["recall"][k] for row in kind]) for k in ks})
        for label, kind in _kinds(measured, dataset)
    ]
    plain = [
        Row(f"plain {_PLAIN.get(name, name)}", len(measured), {k: values[f"recall@{k}"] for k in ks})
        for name, values in (baselines or {}).items()
    ]
    return [*found[:1], *plain, *found[1:]]


def outcome_rows(rows: Sequence[Question], dataset: str) -> list[Row]:
    """The shares of outcomes of all questions, per language and per category."""
    judged = [row for row in rows if outcome(row)]
    return [
        Row(label, len(kind), {name: _mean([outcome(row) == name for row in kind]) for name in OUTCOMES})
        for label, kind in _kinds(judged, dataset)
    ]


def abstention(rows: Sequence[Question]) -> Mapping[str, Any] | None:
    """The curve of refusals over all thresholds, its point at ``FALSE_SHARE``, and what the answers refused."""
    known = [row for row in rows if confidence(row) is not None]
    answerable = np.array(list(map(is_answerable, known)), dtype=np.bool_)
    if not answerable.any() or answerable.all():
        return None
    sure = np.array(list(map(confidence, known)), dtype=np.float64)
    curve = [(false, refused) for _, false, refused in refusal_curve(sure, answerable)]
    allowed = [point for point in curve if point[0] <= FALSE_SHARE]
    return {"curve": curve, "at": max(allowed, key=lambda point: (point[1], -point[0])), "done": _refused(known)}


def _refused(rows: Sequence[Question]) -> tuple[float, float] | None:
    """What the answers refused of the answerable and of the unanswerable."""
    sides: dict[bool, list[bool]] = {True: [], False: []}
    for row in rows:
        refused = abstained(row)
        if refused is not None:
            sides[is_answerable(row)].append(refused)
    return (_mean(sides[True]), _mean(sides[False])) if all(sides.values()) else None


def calibration(rows: Sequence[Question]) -> dict[str, list[Bin]]:
    """Bins of questions of similar confidence, by what counts as right."""
    known = [row for row in rows if confidence(row) is not None]
    held = list(map(is_answerable, known))
    answered = list(filter(_is_given, known))
    series = {
        "the memory holds an answer": _binned(known, held) if len(set(held)) > 1 else [],
        "an answer that was given passes": _binned(answered, [outcome(row) == "PASS" for row in answered]),
    }
    return {name: bins for name, bins in series.items() if len(bins) > 1}


def _is_given(row: Question) -> bool:
    return outcome(row) is not None and not abstained(row)


def latencies(rows: Sequence[Question]) -> dict[str, list[float]]:
    """Milliseconds per question of each step that was timed."""
    timed = {step: [spent(step, row) for row in rows] for step in ("recall", "ask")}
    known = {step: [one for one in times if one is not None] for step, times in timed.items()}
    return {step: times for step, times in known.items() if times}


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
    for field, labels in (("language", _LANGUAGES), ("category", _names(dataset))):
        for value, kind in _grouped(rows, field).items():
            yield labels.get(value, value.replace("_", " ")), kind


def _grouped(rows: Sequence[Question], field: str) -> dict[str, list[Question]]:
    """The rows by the value of a field, in its order; nothing where there is one value only."""
    groups: dict[str, list[Question]] = {}
    for row in rows:
        if row.get(field) is not None:
            groups.setdefault(str(row[field]), []).append(row)
    return dict(sorted(groups.items())) if len(groups) > 1 else {}


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
