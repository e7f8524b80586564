"""`veridical eval collect`: labelled questions drafted from a real store."""

from pathlib import Path
from typing import Annotated

import typer

from .. import options
from ..output import echo, show_json


def collect(
    out: Annotated[
        Path, typer.Argument(metavar="OUT.jsonl", help="The file to write, which must not exist.", show_default=False)
    ],
    limit: Annotated[
        int | None, typer.Option("--limit", min=1, help="At most so many questions that can be answered.")
    ] = None,
    user: options.User = options.DEFAULT_USER,
    data: options.Data = None,
    as_json: options.Json = False,
    verbose: options.Verbose = False,
) -> None:
    """Draft labelled questions from a memory, for you to correct.

    Each stored fact becomes a question with its turn, what was replaced a stale value, and what was never mentioned a
    question to refuse. Remove what is wrong, then measure with `eval run jsonl`.
    """
    from ...evals.collecting import write_draft
    from ...graph.resources import now
    from ..opening import load_settings, open_database

    with open_database(load_settings(data), user) as database:
        drafted = write_draft(database, user, out, now=now(), limit=limit)
    if as_json:
        counts = {"turns": drafted.turns, "answerable": drafted.answerable, "unanswerable": drafted.unanswerable}
        show_json({"file": str(out), "counts": counts})
        return
    echo(
        f"{drafted.turns:,} turns, {drafted.answerable:,} questions and {drafted.unanswerable:,} to refuse are in "
        f"{out}, which only you can read. Correct them, then: veridical eval run jsonl --dataset {out}"
    )
