"""What was fitted, and what it promises of conversations that the fit did not see."""

from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ..output import styled
from .parts import FAINT, HEADING, joined, label, plural

if TYPE_CHECKING:
    from ...evals.calibrating import Calibrated, Figure


def calibration_page(calibrated: "Calibrated", file: Path) -> Group:
    """Show the settings that were written, and the figures beside those of the settings as they were."""
    head = joined(
        (f"Written to {file}", HEADING),
        plural(calibrated.questions, "question"),
        plural(calibrated.dialogues, "dialogue"),
        f"held out in {calibrated.folds} parts",
    )
    parts: list[RenderableType] = [head, *_settings(calibrated)]
    parts += [Text(), label("On conversations held out"), _figures(calibrated)]
    parts += [styled(f"Not fitted: {note}.", FAINT) for note in calibrated.notes]
    return Group(*parts)


def _settings(calibrated: "Calibrated") -> list[Text]:
    shown = []
    for name, value in calibrated.settings().items():
        table = value if isinstance(value, dict) else {"": value}
        shown += [
            joined((f"{name}.{key}".rstrip("."), ""), (f"{one:g}", ""), separator=" = ") for key, one in table.items()
        ]
    return shown


def _figures(calibrated: "Calibrated") -> Table:
    table = Table(box=None, padding=(0, 2, 0, 0), pad_edge=False, header_style=FAINT)
    table.add_column("figure", overflow="fold")
    for name in ("as it is", "fitted", "95 % of the difference", "questions"):
        table.add_column(name, justify="right", no_wrap=True)
    for figure in calibrated.figures:
        interval = "" if figure.low is None or figure.high is None else f"{figure.low:+.3f} … {figure.high:+.3f}"
        cells = (_number(figure, figure.default), _number(figure, figure.fitted), interval, f"{figure.questions:,}")
        table.add_row(styled(figure.name), *map(styled, cells))
    return table


def _number(figure: "Figure", value: float | None) -> str:
    if value is None:
        return "–"
    return f"{value:.1f}" if figure.name == "results kept" else f"{value:.3f}"
