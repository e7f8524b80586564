"""Every figure in which two runs can be compared, as a function of the rows of their questions."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Literal

from .metrics.answers import OUTCOMES
from .metrics.retrieval import CONTEXT_ITEMS, in_context, recall_at
from .resampling import Bools, Floats, auc, mean, quantile, refused_at
from .rows import (
    Row,
    abstained,
    category,
    confidence,
    count,
    depths,
    is_answerable,
    of_answer,
    outcome,
    recall,
    spent,
    tokens,
)

_FALSE = 0.15


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


def metrics_of(rows: Sequence[Row]) -> list[Metric]:
    """Every figure that the questions may have values for, in the order in which they are shown."""
    recalls = [Metric(f"recall@{k}", partial(recall, k)) for k in depths(rows)]
    return [*recalls, *_EVIDENCE, *_ANSWERS, *_ABSTENTION, *_COSTS, *_by_category(rows, recalls)]


def _by_category(rows: Sequence[Row], recalls: Sequence[Metric]) -> Iterable[Metric]:
    """Recalls and the share that passes, for each category where there are several."""
    categories = sorted({category(row) for row in rows} - {""})
    for name in categories if len(categories) > 1 else []:
        for metric in (*recalls, Metric("PASS", partial(_is, "PASS"))):
            yield Metric(metric.name, metric.read, category=name)


def _is(wanted: str, row: Row) -> float | None:
    reached = outcome(row)
    return None if reached is None else float(reached == wanted)


def _refused(answerable: bool, row: Row) -> float | None:
    refused = abstained(row)
    return None if refused is None or is_answerable(row) is not answerable else float(refused)


def _context_recall(row: Row) -> float | None:
    if not row.get("gold") or "context" not in row:
        return None
    return recall_at(in_context(row["context"]), row["gold"], CONTEXT_ITEMS)


def _per(part: str, whole: str, row: Row) -> float | None:
    return count(part, row) / whole_count if (whole_count := count(whole, row)) else None


def _percentile(share: float) -> Callable[[Floats, Bools, Floats], Floats]:
    return lambda values, _, weights: quantile(share, values, weights)


def _latencies() -> Iterable[Metric]:
    for step in ("recall", "ask"):
        for name, share in (("p50", 0.5), ("p95", 0.95)):
            yield Metric(f"{step} ms {name}", partial(spent, step), _percentile(share), "lower")


_EVIDENCE = [Metric("context recall", _context_recall)]
_ANSWERS = [
    Metric("factual consistency", partial(of_answer, "consistent")),
    Metric(
        "wrong references",
        partial(_per, "wrong_references", "references"),
        better="lower",
        size=partial(count, "references"),
    ),
    Metric("fabrication rate", partial(_per, "fabricated", "claims"), better="lower", size=partial(count, "claims")),
    *(
        Metric(outcome, partial(_is, outcome), better="higher" if outcome == "PASS" else "lower")
        for outcome in OUTCOMES
    ),
]
_ABSTENTION = [
    Metric("abstention AUC", confidence, auc),
    Metric("refused at 15 % false", confidence, partial(refused_at, _FALSE)),
    Metric("refused, unanswerable", partial(_refused, False)),
    Metric("refused, answerable", partial(_refused, True), better="lower"),
]
_COSTS = [*_latencies(), Metric("tokens per turn", tokens, better="lower")]
