"""Comparing two runs on the same questions: per figure the difference with its interval, and what changed most.

A difference whose interval leaves out zero is more than the luck of which questions were asked. One of twenty such
intervals misses all the same: a single one among many figures is a hint and no proof.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import compress
from typing import Any, Literal

import numpy as np

from ..memory.errors import BadInput
from .measures import Metric, metrics_of
from .resampling import DRAWS, SEED, Bools, Floats, Resamples, interval, resample
from .rows import Row, category, is_answerable, mean_recall, outcome
from .stored_runs import RunDocument

Pair = tuple[Row, Row]
"""One question in both runs."""

_SHOWN = 10
"""Questions that are listed in each direction."""
_DIGITS = 9


@dataclass(frozen=True, slots=True)
class Difference:
    """One figure in both runs."""

    metric: str
    category: str
    """Of these questions alone; empty for all."""
    questions: int
    """How many have a value in both runs."""
    a: float
    b: float
    difference: float
    """``b - a``."""
    low: float
    high: float
    """The 95 % interval of the difference."""
    better: Literal["higher", "lower"]

    @property
    def verdict(self) -> Literal["better", "worse", "open"]:
        """What B is, where the interval leaves out zero."""
        if self.low <= 0 <= self.high:
            return "open"
        return "better" if (self.difference > 0) == (self.better == "higher") else "worse"


@dataclass(frozen=True, slots=True)
class Change:
    """What became of one question."""

    id: str
    dialogue: str
    category: str
    text: str
    recall_a: float | None
    """The mean of its recalls at every k."""
    recall_b: float | None
    outcome_a: str | None
    outcome_b: str | None

    @property
    def gain(self) -> float:
        """How much better B is: in recall, and by one for an answer that passes only there."""
        found = (self.recall_b or 0.0) - (self.recall_a or 0.0)
        return found + (self.outcome_b == "PASS") - (self.outcome_a == "PASS")


@dataclass(frozen=True, slots=True)
class Comparison:
    """Two runs beside each other."""

    dataset: str
    questions: int
    """In both."""
    only_a: int
    only_b: int
    unit: Literal["dialogue", "question"]
    """What was drawn for the intervals."""
    units: int
    draws: int
    seed: int
    config: Mapping[str, tuple[Any, Any]]
    """The settings that differ, by dotted name."""
    differences: tuple[Difference, ...]
    gained: tuple[Change, ...]
    """The questions that gained most from A to B, most first."""
    lost: tuple[Change, ...]


def compare(a: RunDocument, b: RunDocument, *, draws: int = DRAWS, seed: int = SEED) -> Comparison:
    """Compare two run documents on the questions that both have.

    Args:
        a: the run that is compared with.
        b: the run that is judged.
        draws: resamples of the bootstrap.
        seed: of the drawing.

    Raises:
        BadInput: they are not of the same dataset, or have no question in common.
    """
    pairs, only_a, only_b = _paired(a, b)
    drawn = resample([str(row.get("dialogue", "")) for row, _ in pairs], draws=draws, seed=seed)
    gained, lost = _changed(pairs)
    return Comparison(
        dataset=str(a["dataset"]),
        questions=len(pairs),
        only_a=only_a,
        only_b=only_b,
        unit=drawn.unit,
        units=drawn.units,
        draws=draws,
        seed=seed,
        config=_once(_differing(a["config"], b["config"])),
        differences=tuple(_differences(pairs, drawn)),
        gained=gained,
        lost=lost,
    )


def comparison_document(comparison: Comparison) -> dict[str, Any]:
    """The comparison as plain JSON."""
    document = asdict(comparison)
    document["differences"] = [
        asdict(difference) | {"verdict": difference.verdict} for difference in comparison.differences
    ]
    return document | {name: [asdict(change) for change in getattr(comparison, name)] for name in ("gained", "lost")}


def _paired(a: RunDocument, b: RunDocument) -> tuple[list[Pair], int, int]:
    """The questions of both runs, and how many are only in one of them."""
    if a["dataset"] != b["dataset"]:
        message = f"A is a run on {a['dataset']} and B on {b['dataset']}: compare two runs on the same dataset."
        raise BadInput(message)
    rows_a, rows_b = ({row["id"]: row for row in document["questions"]} for document in (a, b))
    pairs = [(row, rows_b[id]) for id, row in rows_a.items() if id in rows_b]
    if not pairs:
        message = "The two runs have no question in common: run both on the same conversations."
        raise BadInput(message)
    _check_texts(pairs)
    return pairs, len(rows_a) - len(pairs), len(rows_b) - len(pairs)


def _check_texts(pairs: Sequence[Pair]) -> None:
    differing = [row["id"] for row, other in pairs if row.get("text") != other.get("text")]
    if differing:
        message = (
            f"{len(differing)} questions have another text in B, the first is {differing[0]}: "
            "the dataset was changed between the runs, so run both again."
        )
        raise BadInput(message)


def _differences(pairs: Sequence[Pair], drawn: Resamples) -> Iterable[Difference]:
    """Every figure that both runs have."""
    rows_a, rows_b = zip(*pairs, strict=True)
    for metric in metrics_of([*rows_a, *rows_b]):
        a, b = _values(metric, rows_a), _values(metric, rows_b)
        known = np.isfinite(a) & np.isfinite(b)
        if known.any():
            counted = list(compress(pairs, known))
            found = _difference(metric, counted, (a[known], b[known]), drawn.weights[:, known])
            yield from () if found is None else (found,)


def _values(metric: Metric, rows: Sequence[Row]) -> Floats:
    """A figure's values; not a number where a question has none."""
    read = (metric.read(row) if metric.category in {"", category(row)} else None for row in rows)
    return np.array(list(read), dtype=np.float64)


def _difference(metric: Metric, pairs: Sequence[Pair], values: Sequence[Floats], weights: Floats) -> Difference | None:
    """The figure in both runs with the interval of the difference; ``None`` where it is not defined for them."""
    answerable: Bools = np.array([is_answerable(row) for row, _ in pairs], dtype=np.bool_)
    sizes = [np.array([metric.size(pair[side]) for pair in pairs]) for side in (0, 1)]
    a, b = (float(metric.summary(values[side], answerable, sizes[side][np.newaxis])[0]) for side in (0, 1))
    drawn_a, drawn_b = (metric.summary(values[side], answerable, weights * sizes[side]) for side in (0, 1))
    between = interval(drawn_b - drawn_a)
    if between is None or not np.isfinite(b - a):
        return None
    # Sums in another order differ in the last digits, and no difference must not be taken for one.
    a_shown, b_shown, difference, low, high = (round(figure, _DIGITS) for figure in (a, b, b - a, *between))
    return Difference(
        metric.name, metric.category, len(pairs), a_shown, b_shown, difference, low, high, better=metric.better
    )


def _changed(pairs: Sequence[Pair]) -> tuple[tuple[Change, ...], tuple[Change, ...]]:
    """The questions that gained most and those that lost most."""
    changes = sorted((_change(*pair) for pair in pairs), key=lambda change: (change.gain, change.id))
    gained = [change for change in reversed(changes) if change.gain > 0]
    return tuple(gained[:_SHOWN]), tuple([change for change in changes if change.gain < 0][:_SHOWN])


def _change(a: Row, b: Row) -> Change:
    return Change(
        id=str(a["id"]),
        dialogue=str(a.get("dialogue", "")),
        category=category(a),
        text=str(a.get("text", "")),
        recall_a=mean_recall(a),
        recall_b=mean_recall(b),
        outcome_a=outcome(a),
        outcome_b=outcome(b),
    )


def _differing(a: Mapping[str, Any], b: Mapping[str, Any], prefix: str = "") -> dict[str, tuple[Any, Any]]:
    """The entries that are not alike, those of nested objects by their dotted names; hashes say nothing to a reader."""
    found: dict[str, tuple[Any, Any]] = {}
    for name in dict.fromkeys([*a, *b]):
        left, right = a.get(name), b.get(name)
        if isinstance(left, Mapping) and isinstance(right, Mapping):
            found |= _differing(left, right, f"{prefix}{name}.")
        elif left != right and name != "hash":
            found[f"{prefix}{name}"] = (left, right)
    return found


def _once(differing: Mapping[str, tuple[Any, Any]]) -> dict[str, tuple[Any, Any]]:
    """Without the settings that the configuration repeats by their bare names."""
    return {
        name: pair
        for name, pair in differing.items()
        if not (name.startswith("settings.") and name.removeprefix("settings.") in differing)
    }
