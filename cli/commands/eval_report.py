"""`veridical eval report`: a run as a page to read."""

from pathlib import Path
from typing import Annotated

import typer

from .. import options
from ..output import echo


def report(
    document: Annotated[
        Path, typer.Argument(metavar="RUN.json", help="What `eval run --json` has printed.", show_default=False)
    ],
    out: Annotated[Path, typer.Argument(metavar="OUT.html", help="The page to write.", show_default=False)],
    verbose: options.Verbose = False,
) -> None:
    """Write a run as one HTML page with plots and the worst cases.

    The page loads nothing: it can be sent, kept and opened without a network.
    """
    from ...evals.report import write_report
    from ...evals.stored_runs import read_document

    write_report(read_document(document), out)
    echo(f"Written to {out}.")
