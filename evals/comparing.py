"""Comparing two runs on the same questions: per figure the difference with its interval, and what changed most.

A difference whose interval leaves out zero is more than the luck of which questions were asked. One of twenty such
intervals misses all the same: a single one among many figures is a hint and no proof.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, Literal

import numpy as np

from ..memory.errors import BadInput
from .metrics.answers import OUTCOMES
from .metrics.retrieval import CONTEXT_ITEMS, in_context, recall_at
from .resampling import DRAWS, SEED, Bools, Floats, Resamples, auc, interval, mean, quantile, refused_at, resample
from .stored_runs import Row, RunDocument, has_recall

Pair = tuple[Row, Row]
"""One question in both runs."""

_FALSE = 0.15
_SHOWN = 10
"""Questions that are listed in each direction."""
_DIGITS = 9


@dataclass(frozen=True, slots=True)
class Metric:
    """A figure of a run: what it reads from a question, and how the questions' values become one."""

    name: str
    read: Callable[[Row], float | None]
    """The question's value; ``None`` where it has none, so that it does not count."""
    summary: Callable[[Floats, Bools, Floats], Floats] = mean
    """From values, whether each is answerable, and weights (resamples by questions) to one figure per resample."""
    better: Literal["higher", "lower"] = "higher"
    category: str = ""
    """The only category that counts; all by default."""
    size: Callable[[Row], float] = lambda row: 1.0
    """How much the question counts: by its claims, where the figure is a share of all claims."""


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
    if a["dataset"] != b["dataset"]:
        message = f"A is a run on {a['dataset']} and B on {b['dataset']}: compare two runs on the same dataset."
        raise BadInput(message)
    rows_a, rows_b = ({row["id"]: row for row in document["questions"]} for document in (a, b))
    pairs = [(row, rows_b[id]) for id, row in rows_a.items() if id in rows_b]
    _check(pairs)
    drawn = resample([str(row.get("dialogue", "")) for row, _ in pairs], draws=draws, seed=seed)
    found = (_difference(metric, pairs, drawn) for metric in metrics_of(pairs))
    changes = sorted((_change(*pair) for pair in pairs), key=lambda change: (change.gain, change.id))
    return Comparison(
        dataset=str(a["dataset"]),
        questions=len(pairs),
        only_a=len(rows_a) - len(pairs),
        only_b=len(rows_b) - len(pairs),
        unit=drawn.unit,
        units=drawn.units,
        draws=draws,
        seed=seed,
        config=_once(_differing(a["config"], b["config"])),
        differences=tuple(difference for difference in found if difference is not None),
        gained=tuple(change for change in reversed(changes) if change.gain > 0)[:_SHOWN],
        lost=tuple(change for change in changes if change.gain < 0)[:_SHOWN],
    )


def comparison_document(comparison: Comparison) -> dict[str, Any]:
    """The comparison as plain JSON."""
    document = asdict(comparison)
    document["differences"] = [
        asdict(difference) | {"verdict": difference.verdict} for difference in comparison.differences
    ]
    return document | {name: [asdict(change) for change in getattr(comparison, name)] for name in ("gained", "lost")}


def metrics_of(pairs: Sequence[Pair]) -> list[Metric]:
    """Every figure that the questions of two runs have values for, in the order in which they are shown."""
    rows = [row for pair in pairs for row in pair]
    depths = sorted({int(k) for row in rows if has_recall(row) for k in row["recall"]})
    categories = sorted({_category(row) for row in rows} - {""})
    recalls = [Metric(f"recall@{k}", partial(_recall, str(k))) for k in depths]
    by_category = [
        Metric(metric.name, metric.read, category=category)
        for category in (categories if len(categories) > 1 else [])
        for metric in [*recalls, Metric("PASS", partial(_outcome, "PASS"))]
    ]
    return [*recalls, *_EVIDENCE, *_ANSWERS, *_ABSTENTION, *_COSTS, *by_category]


def _difference(metric: Metric, pairs: Sequence[Pair], drawn: Resamples) -> Difference | None:
    """The metric's figure in both runs, or ``None`` where they do not both have it."""
    a, b = (
        np.array([_value(metric, pair[side]) for pair in pairs], dtype=np.float64)  # None becomes "not a number"
        for side in (0, 1)
    )
    known = np.isfinite(a) & np.isfinite(b)
    if not known.any():
        return None
    counted = [pair for pair, is_known in zip(pairs, known, strict=True) if is_known]
    answerable = np.array([bool(row.get("answerable", True)) for row, _ in counted])
    once, weights = np.ones((1, len(counted))), drawn.weights[:, known]
    figures, resampled = [], []
    for side, values in enumerate((a[known], b[known])):
        sizes = np.array([metric.size(pair[side]) for pair in counted])
        figures.append(float(metric.summary(values, answerable, once * sizes)[0]))
        resampled.append(metric.summary(values, answerable, weights * sizes))
    between = interval(resampled[1] - resampled[0])
    if between is None or not np.isfinite(figures).all():
        return None
    # Sums in another order differ in the last digits, and no difference must not be taken for one.
    a_shown, b_shown, difference, low, high = (
        round(figure, _DIGITS) for figure in (*figures, figures[1] - figures[0], *between)
    )
    return Difference(
        metric.name, metric.category, len(counted), a_shown, b_shown, difference, low, high, better=metric.better
    )


def _value(metric: Metric, row: Row) -> float | None:
    return metric.read(row) if metric.category in {"", _category(row)} else None


def _check(pairs: Sequence[Pair]) -> None:
    if not pairs:
        message = "The two runs have no question in common: run both on the same conversations."
        raise BadInput(message)
    differing = [a["id"] for a, b in pairs if a.get("text") != b.get("text")]
    if differing:
        message = (
            f"{len(differing)} questions have another text in B, the first is {differing[0]}: "
            "the dataset was changed between the runs, so run both again."
        )
        raise BadInput(message)


def _change(a: Row, b: Row) -> Change:
    return Change(
        id=str(a["id"]),
        dialogue=str(a.get("dialogue", "")),
        category=_category(a),
        text=str(a.get("text", "")),
        recall_a=_mean_recall(a),
        recall_b=_mean_recall(b),
        outcome_a=_answer(a).get("outcome"),
        outcome_b=_answer(b).get("outcome"),
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


# --- what a question's row says ---------------------------------------------------------------------------------


def _category(row: Row) -> str:
    return "" if row.get("category") is None else str(row["category"])


def _answer(row: Row) -> Mapping[str, Any]:
    return row.get("answer") or {}


def _recall(k: str, row: Row) -> float | None:
    found = row["recall"].get(k) if has_recall(row) else None
    return None if found is None else float(found)


def _mean_recall(row: Row) -> float | None:
    found = list(row["recall"].values()) if has_recall(row) else []
    return sum(found) / len(found) if found else None


def _outcome(outcome: str, row: Row) -> float | None:
    reached = _answer(row).get("outcome")
    return None if reached is None else float(reached == outcome)


def _confidence(row: Row) -> float | None:
    known = row.get("confidence")
    return None if known is None else float(known)


def _abstained(answerable: bool, row: Row) -> float | None:
    abstained = _answer(row).get("abstained")
    return None if abstained is None or bool(row.get("answerable", True)) != answerable else float(abstained)


def _spent(what: str, row: Row) -> float | None:
    known = (row.get("timings_ms") or {}).get(what)
    return None if known is None else float(known)


def _tokens(row: Row) -> float | None:
    known = row.get("tokens")
    return None if known is None else float(known)


def _context_recall(row: Row) -> float | None:
    if not row.get("gold") or "context" not in row:
        return None
    return recall_at(in_context(row["context"]), row["gold"], CONTEXT_ITEMS)


def _of_answer(name: str, row: Row) -> float | None:
    known = _answer(row).get(name)
    return None if known is None else float(known)


def _count(name: str, row: Row) -> float:
    """How many there are of something that an answer has: a number, or a list of them."""
    known = _answer(row).get(name) or 0
    return float(known if isinstance(known, int) else len(known))


def _per(part: str, whole: str, row: Row) -> float | None:
    return _count(part, row) / count if (count := _count(whole, row)) else None


def _percentile(share: float) -> Callable[[Floats, Bools, Floats], Floats]:
    return lambda values, _, weights: quantile(share, values, weights)


def _latencies() -> Iterable[Metric]:
    for step in ("recall", "ask"):
        for name, share in (("p50", 0.5), ("p95", 0.95)):
            yield Metric(f"{step} ms {name}", partial(_spent, step), _percentile(share), "lower")


_EVIDENCE = [Metric("context recall", _context_recall)]
_ANSWERS = [
    Metric("factual consistency", partial(_of_answer, "consistent")),
    Metric(
        "wrong references",
        partial(_per, "wrong_references", "references"),
        better="lower",
        size=partial(_count, "references"),
    ),
    Metric("fabrication rate", partial(_per, "fabricated", "claims"), better="lower", size=partial(_count, "claims")),
    *(
        Metric(outcome, partial(_outcome, outcome), better="higher" if outcome == "PASS" else "lower")
        for outcome in OUTCOMES
    ),
]
_ABSTENTION = [
    Metric("abstention AUC", _confidence, auc),
    Metric("refused at 15 % false", _confidence, partial(refused_at, _FALSE)),
    Metric("refused of the unanswerable", partial(_abstained, False)),
    Metric("refused of the answerable", partial(_abstained, True), better="lower"),
]
_COSTS = [*_latencies(), Metric("tokens per turn", _tokens, better="lower")]
