"""`veridical ingest`: recorded conversations in."""

from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from .. import options
from ..border import EXIT_INTERRUPTED
from ..output import echo, one_line, progress_bars, show_json

if TYPE_CHECKING:
    from ...memory.ingestion.importing import Imported, Selection
    from ...nodes.contract import Resources

_MOST_NAMED = 3


def ingest(
    path: Annotated[
        Path,
        typer.Argument(metavar="PATH", help="A file, a folder of them, or an export's zip file.", show_default=False),
    ],
    format: Annotated[
        Literal["locomo", "jsonl", "openai", "claude"],
        typer.Option(
            "--format",
            help="What the file holds; openai and claude are the exports of ChatGPT and Claude.",
            show_default=False,
        ),
    ],
    conversation: Annotated[
        str | None, typer.Option("--conversation", metavar="ID", help="Only this conversation; all by default.")
    ] = None,
    time_zone: Annotated[
        str | None, typer.Option("--time-zone", metavar="ZONE", help="Zone of times without an offset; UTC by default.")
    ] = None,
    user: options.User = options.DEFAULT_USER,
    data: options.Data = None,
    as_json: options.Json = False,
    verbose: options.Verbose = False,
) -> None:
    """Import recorded conversations. Repeating or resuming an import adds nothing twice."""
    from ...memory.ingestion.importing import Selection, survey
    from ..opening import load_settings, open_for

    selection = Selection(path, format, user, conversation, time_zone)
    surveyed = survey(selection)  # a wrong line shows before a data folder is made
    with open_for(load_settings(data), None) as resources:
        try:
            imported, embedded = _import(resources, selection, surveyed)
        except KeyboardInterrupt as error:
            echo("\nInterrupted. What was recorded is kept: the same command goes on from there.", err=True)
            raise typer.Exit(EXIT_INTERRUPTED) from error
    if as_json:
        show_json(asdict(imported) | {"embedded": embedded})
    else:
        _report(imported)


def _import(resources: "Resources", selection: "Selection", surveyed: "Imported") -> tuple["Imported", int]:
    """Record, then embed, with a bar for each; both go on from where an interrupted import stopped."""
    from ...memory.ingestion.importing import import_turns

    with progress_bars() as bars:
        recording = bars.add_task("turns", total=surveyed.read - surveyed.blank)
        imported = import_turns(
            resources.memory,
            selection,
            surveyed,
            now=resources.clock,
            on_progress=lambda count: bars.advance(recording, count),
        )
        embedding = bars.add_task("embeddings", total=None)
        embedded = resources.memory.vectors.apply_outbox(
            selection.user_id, on_progress=lambda done, total: bars.update(embedding, completed=done, total=total)
        )
        bars.update(embedding, completed=embedded, total=embedded)
    return imported, embedded


def _report(imported: "Imported") -> None:
    echo(
        f"{imported.recorded:,} turns recorded with {imported.items:,} memory items; "
        f"{imported.known:,} were there already."
    )
    if imported.blank:
        echo(f"{imported.blank:,} without any text were left out.")
    if imported.differing:
        named = ", ".join(map(one_line, imported.differing[:_MOST_NAMED]))
        more = f" and {len(imported.differing) - _MOST_NAMED} more" if len(imported.differing) > _MOST_NAMED else ""
        echo(
            f"{len(imported.differing):,} differ from what is recorded under their ids, which was kept: {named}{more}. "
            "Give them other ids to record them as well."
        )
