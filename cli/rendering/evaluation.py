"""The results of a run as tables."""

from collections.abc import Mapping, Sequence
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ..output import one_line, styled
from .parts import BAD, GOOD, Document, label

_SCORES = {
    "factual_consistency": "first quotation states the gold",
    "wrong_references": "citations of other turns than gold",
    "fabrication_rate": "claims with a value that no evidence holds",
    "context_recall": "gold turns in the compressed context (3 items, 400 tokens)",
    "token_f1": "F1 of words with the gold",
    "tokens_per_turn": "tokens that a model would read",
    "full_history_tokens": "tokens of the whole history",
}


def run_page(document: Document) -> Group:
    """Show the document that ``eval run --json`` prints: its metrics."""
    metrics, config = document["metrics"], document["config"]
    heading = label(
        f"{document['dataset']}: {len(document['questions']):,} questions",
        note=f"{config['embeddings']}, {config['model'] or 'no model'}, {config['hash']}",
    )
    if "by_category" in metrics:
        return Group(heading, _recall(metrics), *_tables(metrics), Text())
    return Group(heading, _figures(metrics), *_cases(metrics.get("cases", ())), Text())


def _figures(metrics: Mapping[str, Any]) -> Table:
    """The figures of a data set that is run in a way of its own."""
    table = _table("", "")
    for name, value in metrics.items():
        if not isinstance(value, list | dict):
            table.add_row(name, _shown(value))
    return table


def _cases(cases: Sequence[Mapping[str, Any]]) -> list[RenderableType]:
    """The cases that are told one by one."""
    if not cases:
        return []
    table = _table("case", "", "")
    for case in cases:
        passed = styled("passed", GOOD) if case["passed"] else styled("failed", BAD)
        table.add_row(one_line(case["id"]), passed, one_line("; ".join(case["failures"])))
    return [table]


def _recall(metrics: Mapping[str, Any]) -> Table:
    """Recall at each k, overall and by category, with the plain designs where they were measured."""
    names = [name for name in metrics if name.startswith("recall@")]
    table = _table("", *names, "questions", "passed")
    rows = {"all": metrics} | dict(metrics["by_category"].items())
    for name, figures in rows.items():
        passed = metrics.get("outcomes", {}).get("PASS") if name == "all" else figures.get("passed")
        table.add_row(
            one_line(name), *(_shown(figures.get(key)) for key in names), _shown(figures["questions"]), _shown(passed)
        )
    for name, figures in metrics.get("baselines", {}).items():
        table.add_row(f"({name} alone)", *(_shown(figures.get(key)) for key in names), "", "")
    return table


def _tables(metrics: Mapping[str, Any]) -> list[RenderableType]:
    shown: list[RenderableType] = []
    if "outcomes" in metrics:
        table = _table("outcome", *metrics["outcomes"])
        table.add_row("share", *map(_shown, metrics["outcomes"].values()))
        shown.append(table)
    abstention = metrics["abstention"]
    if abstention.get("unanswerable"):
        table = _table("abstention", *abstention)
        table.add_row("", *map(_shown, abstention.values()))
        shown.append(table)
    scores = {name: metrics[name] for name in _SCORES if metrics.get(name) is not None}
    if scores:
        table = _table("answers", "", "")
        for name, value in scores.items():
            table.add_row(name, _shown(value), _SCORES[name])
        shown.append(table)
    table = _table("milliseconds", "p50", "p95")
    for name, spent in metrics["latency_ms"].items():
        table.add_row(name, f"{spent['p50']:.1f}", f"{spent['p95']:.1f}")
    return [*shown, table]


def _table(*names: str) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), title_justify="left")
    for place, name in enumerate(names):
        table.add_column(Text(name), justify="left" if place == 0 or not name else "right")
    return table


def _shown(value: object) -> str:
    if value is None:
        return "-"
    return f"{value:.3f}" if isinstance(value, float) else f"{value:,}" if isinstance(value, int) else str(value)
