"""`veridical eval`: what is found, what is answered and what is made up, measured on labelled conversations."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from .. import options
from ..border import EXIT_INTERRUPTED
from ..output import echo, progress_bars, show, show_json
from . import eval_calibrate, eval_collect, eval_compare, eval_report

if TYPE_CHECKING:
    from ...evals.configuration import Configuration
    from ...evals.records import Source

app = typer.Typer(
    help="Measure retrieval, answers and refusals on labelled conversations.",
    no_args_is_help=True,
    rich_markup_mode=None,
)


@app.command("run")
def run(
    name: Annotated[
        Literal["locomo", "longmemeval", "madial", "precision", "begin", "tiage", "sgd", "stories", "jsonl"],
        typer.Argument(metavar="NAME", help="The form of the data set.", show_default=False),
    ],
    dataset: options.Dataset,
    conversations: options.Conversations = None,
    ks: Annotated[str, typer.Option("-k", metavar="K,K", help="Among how many results evidence counts.")] = "3,5,10,20",
    limit: options.MostQuestions = None,
    labels: Annotated[
        Path | None,
        typer.Option("--labels", metavar="FILE", help="Corrected labels (LoCoMo); the original by default."),
    ] = None,
    config: options.SettingsFile = None,
    preset: Annotated[
        Literal["declaration", "anchors", "state"] | None,
        typer.Option("--preset", help="The way in which the answer's prompt asks a model to remember."),
    ] = None,
    ask: Annotated[bool, typer.Option("--ask/--no-ask", help="Also answer, or only retrieve.")] = True,
    baselines: Annotated[
        bool, typer.Option("--baselines", help="Also nearest vectors, BM25 and both by ranks, on the same questions.")
    ] = False,
    fresh: Annotated[bool, typer.Option("--fresh", help="Measure again what was measured already.")] = False,
    report: Annotated[
        Path | None, typer.Option("--report", metavar="OUT.html", help="Also write a page with plots and worst cases.")
    ] = None,
    cache: options.EvalCache = options.EVAL_CACHE,
    as_json: options.Json = False,
    verbose: options.Verbose = False,
) -> None:
    """Ask a memory the questions of a data set and measure. An interrupted run goes on where it stopped."""
    from ...evals.configuration import Configuration, read_settings
    from ...evals.records import Source
    from ..rendering.evaluation import run_page

    settings = read_settings(config, preset, cache.expanduser() / "no-settings")
    configuration = Configuration(settings, options.numbers(ks, "-k", least=1), ask=ask, baselines=baselines)
    chosen = None if conversations is None else options.numbers(conversations, "--conversations", least=0)
    source = Source(dataset.expanduser(), chosen, limit, labels)
    document = _measured(name, source, configuration, cache.expanduser(), fresh=fresh)
    if report is not None:
        from ...evals.report import write_report

        write_report(document, report)
    if as_json:
        show_json(document)
    else:
        show(run_page(document))


def _measured(
    name: str, source: "Source", configuration: "Configuration", cache: Path, *, fresh: bool
) -> dict[str, Any]:
    """The document of a run, with a bar while it is made."""
    from ...evals.runs import measure

    try:
        with progress_bars() as bars:
            task = bars.add_task("questions", total=None)
            return measure(
                name,
                source,
                configuration,
                cache,
                fresh=fresh,
                on_total=lambda total: bars.update(task, total=total),
                on_progress=lambda count: bars.advance(task, count),
            )
    except KeyboardInterrupt as error:
        echo("\nInterrupted. What was measured is kept: the same command goes on from there.", err=True)
        raise typer.Exit(EXIT_INTERRUPTED) from error


app.command("report")(eval_report.report)
app.command("compare")(eval_compare.compare)
app.command("calibrate")(eval_calibrate.calibrate)
app.command("collect")(eval_collect.collect)
