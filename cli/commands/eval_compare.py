"""`veridical eval compare`: two runs on the same questions."""

from pathlib import Path
from typing import Annotated

import typer

from .. import options
from ..output import show, show_json


def compare(
    a: Annotated[Path, typer.Argument(metavar="A.json", help="The run that is compared with.", show_default=False)],
    b: Annotated[Path, typer.Argument(metavar="B.json", help="The run that is judged.", show_default=False)],
    draws: Annotated[int, typer.Option("--resamples", min=100, max=100_000, help="Resamples of the bootstrap.")] = 2000,
    as_json: options.Json = False,
    verbose: options.Verbose = False,
) -> None:
    """Compare two runs on the same questions.

    Per figure the difference with its 95 % interval, by a paired bootstrap over dialogues (over questions where there
    are few dialogues), and the questions that changed most.
    """
    from ...evals.comparing import compare as run
    from ...evals.comparing import comparison_document
    from ...evals.stored_runs import read_document
    from ..rendering.comparison import comparison_page

    comparison = run(read_document(a), read_document(b), draws=draws)
    if as_json:
        show_json(comparison_document(comparison))
    else:
        show(comparison_page(comparison))
