"""`veridical eval calibrate`: settings fitted on labelled conversations."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from .. import options
from ..output import progress_bars, show, show_json

if TYPE_CHECKING:
    from ...evals.calibrating import Calibrated
    from ...evals.records import Dataset
    from ...graph.settings import Settings


def calibrate(
    name: Annotated[
        Literal["locomo", "longmemeval", "madial", "jsonl"],
        typer.Argument(metavar="NAME", help="The form of the data set.", show_default=False),
    ],
    dataset: options.Dataset,
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="The settings file to write.", show_default=False)],
    conversations: options.Conversations = None,
    limit: Annotated[
        int | None,
        typer.Option("--limit", min=1, help="At most so many questions of each conversation, spread over all of them."),
    ] = None,
    weights: Annotated[
        str | None, typer.Option("--weights", metavar="NAME,NAME", help="Fit only these weights of the ranking.")
    ] = None,
    false_refusals: Annotated[
        float,
        typer.Option("--false-refusals", min=0.0, max=1.0, help="The share of answerable questions refused at most."),
    ] = 0.15,
    config: options.SettingsFile = None,
    cache: options.EvalCache = options.EVAL_CACHE,
    as_json: options.Json = False,
    verbose: options.Verbose = False,
) -> None:
    """Fit the ranking, the threshold and the number of results to labelled conversations.

    Writes a settings file, and shows what it promises: each conversation is measured with a fit that never saw it,
    beside the settings as they are.
    """
    from ...evals.calibrating import calibrated_document, check_writable, write_settings
    from ...evals.configuration import read_settings
    from ...evals.records import Source
    from ...evals.runs import LOADERS
    from ..rendering.calibration import calibration_page

    check_writable(out)
    cache = cache.expanduser()
    settings = read_settings(config, None, cache / "no-settings")
    chosen = None if conversations is None else options.numbers(conversations, "--conversations", least=0)
    data = LOADERS[name](Source(dataset.expanduser(), chosen))
    names = None if weights is None else [name.strip() for name in weights.split(",")]
    calibrated = _calibrated(data, settings, cache, limit, names, false_refusals)
    write_settings(
        calibrated, out, origin=f"{name} ({calibrated.dialogues} dialogues, {calibrated.questions} questions)"
    )
    if as_json:
        show_json(calibrated_document(calibrated) | {"file": str(out)})
    else:
        show(calibration_page(calibrated, out))


def _calibrated(
    data: "Dataset",
    settings: "Settings",
    cache: Path,
    limit: int | None,
    names: list[str] | None,
    false_refusals: float,
) -> "Calibrated":
    """The fit, with a bar for the questions and a count of what was tried."""
    from ...evals.calibrating import calibrate as fit
    from ...evals.rehearsing import asked_afterwards, rehearsal

    with progress_bars() as bars:
        total = sum(len(asked_afterwards(one, limit)) for one in data.dialogues)
        questions = bars.add_task("questions", total=total)
        with rehearsal(
            data, settings, cache, limit=limit, on_progress=lambda count: bars.advance(questions, count)
        ) as rehearsed:
            rankings = bars.add_task("rankings", total=None)
            return fit(
                rehearsed,
                settings,
                false_refusals=false_refusals,
                fitted=names,
                on_progress=lambda count: bars.advance(rankings, count),
            )
