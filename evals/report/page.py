"""The page: what a run document has is shown, what it lacks is left out, and its texts are data and never markup."""

import re
from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path
from typing import Any

from jinja2 import Environment, StrictUndefined

from ...memory.errors import BadInput
from ..metrics.answers import OUTCOMES
from ..resampling import quantile_of
from ..rows import depths
from ..stored_runs import RunDocument
from . import charts, figures
from .cases import worst_cases

# Control characters, lone surrogates, and the marks that reorder what is shown.
_UNSHOWN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\ud800-\udfff\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]")
_TILES = (
    ("recall@5", "recall@5", "gold turns among the first 5 results"),
    ("recall@10", "recall@10", "gold turns among the first 10 results"),
    ("abstention.auc", "abstention AUC", "answerable told from unanswerable"),
    ("abstention.refused_at_15_false", "refused at 15\u00a0%", "of the unanswerable, at 15 % false refusals"),
    ("outcomes.PASS", "PASS", "right, or rightly refused"),
    ("factual_consistency", "consistency", "numbers, names and choices equal the gold"),
    ("fabrication_rate", "fabrication", "claims that are in no evidence"),
    ("precision", "precision", "wanted among what is quoted"),
    ("cited_recall", "cited recall", "quoted of what is wanted"),
    ("results_precision", "of results", "wanted among the results"),
    ("auc", "AUC", "supported told from unsupported"),
    ("f1", "F1", "of the class that is looked for"),
)


def write_report(document: RunDocument, path: Path) -> None:
    """Write the report of a run as one HTML page that loads nothing.

    Args:
        document: what `eval run --json` printed.
        path: the file to write; one that exists is replaced.

    Raises:
        BadInput: the file cannot be written.
    """
    page = render(document)
    try:
        path.write_text(page, encoding="utf-8")
    except OSError as error:
        message = f"{path} cannot be written ({error.strerror}): name another file."
        raise BadInput(message) from error


def render(document: RunDocument) -> str:
    """The page of a run document."""
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters |= {"figure": _figure, "listed": _listed}
    folder = files(__package__)
    template = environment.from_string(folder.joinpath("page.html").read_text(encoding="utf-8"))
    style = folder.joinpath("page.css").read_text(encoding="utf-8")
    return template.render(style=style, **_view(_shown(document)))


def _view(document: RunDocument) -> dict[str, Any]:
    """Everything that the template shows; a plot is ``None`` where the document has nothing for it."""
    rows, dataset = document["questions"], str(document["dataset"])
    flat = figures.flat(document["metrics"])
    return {
        "dataset": dataset,
        "questions": len(rows),
        "dialogues": len({row.get("dialogue") for row in rows}),
        "config": _config(document["config"]),
        "tiles": [
            (label, known[name], note) for known in [dict(flat)] for name, label, note in _TILES if name in known
        ],
        "recall": _recall(document),
        "outcomes": _outcomes(rows, dataset),
        "abstention": _abstention(rows),
        "calibration": _calibration(rows),
        "latencies": _latencies(rows),
        "cases": document["metrics"].get("cases") or [],
        "groups": worst_cases(rows),
        "metrics": flat,
    }


def _config(config: Mapping[str, Any], prefix: str = "") -> list[tuple[str, str]]:
    """The configuration as names and values, nested ones by dotted names."""
    found: list[tuple[str, str]] = []
    for name, value in config.items():
        if isinstance(value, Mapping) and value:
            found += _config(value, f"{prefix}{name}.")
        elif value not in ({}, None, ""):
            found.append((f"{prefix}{name}", _listed(value)))
    return found


def _recall(document: RunDocument) -> str | None:
    rows, baselines = document["questions"], document["metrics"].get("baselines")
    shown = figures.recall_rows(rows, str(document["dataset"]), baselines)
    return charts.recall_chart(shown, depths(rows)) if shown else None


def _outcomes(rows: Sequence[Mapping[str, Any]], dataset: str) -> str | None:
    shown = figures.outcome_rows(rows, dataset)
    return charts.outcome_chart(shown, OUTCOMES) if shown else None


def _abstention(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
    found = figures.abstention(rows)
    return (
        None if found is None else {**found, "svg": charts.abstention_chart(found["curve"], found["at"], found["done"])}
    )


def _calibration(rows: Sequence[Mapping[str, Any]]) -> dict[str, Any] | None:
    series = figures.calibration(rows)
    return {"svg": charts.calibration_chart(series), "names": list(series)} if series else None


def _latencies(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    return [
        charts.latency_chart(spent, {"p50": quantile_of(spent, 0.5), "p95": quantile_of(spent, 0.95)}, step)
        for step, spent in figures.latencies(rows).items()
        if spent
    ]


def _shown(value: Any) -> Any:
    """The document with only such characters as a page can show as they are."""
    if isinstance(value, str):
        return _UNSHOWN.sub("", value)
    if isinstance(value, Mapping):
        return {_shown(name): _shown(entry) for name, entry in value.items()}
    if isinstance(value, list | tuple):
        return [_shown(entry) for entry in value]
    return value


def _figure(value: float) -> str:
    """A number as a reader wants it: counts whole, shares to three digits."""
    if float(value).is_integer() and abs(value) >= 2:
        return f"{value:,.0f}"
    return f"{value:,.1f}" if abs(value) >= 100 else f"{value:.3f}"


def _listed(value: Any) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
