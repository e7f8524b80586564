"""Two runs beside each other, figure by figure, and what changed most."""

from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ..output import one_line, styled
from .parts import BAD, FAINT, GOOD, HEADING, ID, joined, label, plural

if TYPE_CHECKING:
    from ...evals.comparing import Change, Comparison, Difference

_STYLES = {"better": GOOD, "worse": BAD, "open": FAINT}
_SIGNS = {"better": "better", "worse": "worse", "open": ""}
_LONGEST = 100


def comparison_page(comparison: "Comparison") -> Group:
    """Show a comparison; what the intervals leave open is faint."""
    overall = [difference for difference in comparison.differences if not difference.category]
    by_category = [difference for difference in comparison.differences if _is_typical(difference, comparison)]
    parts: list[RenderableType] = [_head(comparison), *_settings(comparison), Text(), _table(overall)]
    if by_category:
        parts += [Text(), label("By category"), _table(by_category, named=True)]
    for name, changes in (("Gained most", comparison.gained), ("Lost most", comparison.lost)):
        if changes:
            parts += [Text(), label(name), *map(_change, changes)]
    return Group(*parts)


def _head(comparison: "Comparison") -> Text:
    left_out = [
        f"{count} only in {name}" for name, count in (("A", comparison.only_a), ("B", comparison.only_b)) if count
    ]
    return joined(
        (comparison.dataset, HEADING),
        plural(comparison.questions, "question"),
        *(left_out or ["the same in both"]),
        f"95 % intervals of {comparison.draws:,} resamples by {comparison.unit} ({comparison.units:,})",
    )


def _settings(comparison: "Comparison") -> list[Text]:
    if not comparison.config:
        return [styled("The two configurations are alike.", FAINT)]
    return [
        joined((name, ""), f"{one_line(str(a))} → {one_line(str(b))}", separator="  ")
        for name, (a, b) in comparison.config.items()
    ]


def _is_typical(difference: "Difference", comparison: "Comparison") -> bool:
    """Whether it is one of the two figures that a category is shown with; --json has all."""
    depths = [one.metric for one in comparison.differences if one.metric.startswith("recall@") and not one.category]
    typical = "recall@5" if "recall@5" in depths else next(iter(depths), "")
    return bool(difference.category) and difference.metric in {typical, "PASS"}


def _table(differences: list["Difference"], *, named: bool = False) -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style=FAINT)
    if named:
        table.add_column("category", overflow="fold")
    table.add_column("figure", overflow="fold")
    # On a narrow terminal names are folded; a figure that lost a digit would be another one.
    for name, width in (("A", 5), ("B", 5), ("B − A", 6), ("95 % interval", 15)):
        table.add_column(name, justify="right", no_wrap=True, min_width=width)
    table.add_column("", no_wrap=True, min_width=6)
    table.add_column("n", justify="right", no_wrap=True, min_width=3)
    for difference in differences:
        table.add_row(*_row(difference, named=named))
    return table


def _row(difference: "Difference", *, named: bool) -> list[Text]:
    is_share = not difference.metric.startswith(("recall ms", "ask ms", "tokens"))
    form, signed = ("{:.3f}", "{:+.3f}") if is_share else ("{:,.1f}", "{:+,.1f}")
    interval = f"{signed.format(difference.low)} … {signed.format(difference.high)}"
    style = _STYLES[difference.verdict]
    return [
        *([styled(difference.category)] if named else []),
        styled(difference.metric),
        styled(form.format(difference.a)),
        styled(form.format(difference.b)),
        styled(signed.format(difference.difference), style),
        styled(interval, FAINT),
        styled(_SIGNS[difference.verdict], style),
        styled(f"{difference.questions:,}", FAINT),
    ]


def _change(change: "Change") -> Text:
    words = one_line(change.text)
    recall = (
        "" if change.recall_a == change.recall_b else f"recall {_share(change.recall_a)} → {_share(change.recall_b)}"
    )
    outcome = "" if change.outcome_a == change.outcome_b else f"{change.outcome_a} → {change.outcome_b}"
    shown = words if len(words) <= _LONGEST else f"{words[: _LONGEST - 1]}…"
    return joined((change.id, ID), (shown, ""), change.category, recall, outcome)


def _share(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"
