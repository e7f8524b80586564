"""`veridical knowledge`: reference documents in, listed, and out again."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .. import options
from ..border import EXIT_INTERRUPTED
from ..output import progress_bars, show, show_json

if TYPE_CHECKING:
    from datetime import datetime

    from ...memory.knowledge.reading import ReadDocument
    from ...memory.knowledge.rows import Added
    from ...nodes.contract import Resources

app = typer.Typer(
    help="Add, list and remove reference documents: manuals, price lists, policies.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Files = Annotated[
    list[Path], typer.Argument(metavar="FILE...", help="Markdown, text or PDF files.", show_default=False)
]
Named = Annotated[
    str,
    typer.Argument(
        metavar="NAME", help="A document's name (all versions), its id d3, or a chunk's id c5.", show_default=False
    ),
]


@app.command("add")
def add(
    files: Files,
    valid_from: Annotated[
        str | None, typer.Option("--valid-from", metavar="TIME", help="Since when it holds; now by default.")
    ] = None,
    user: options.User = options.DEFAULT_USER,
    data: options.Data = None,
    as_json: options.Json = False,
    verbose: options.Verbose = False,
) -> None:
    """Add documents that answers may quote.

    A changed file of the same name is a new version; the old one stays citable. The same content again changes nothing.
    """
    from ...memory.knowledge.reading import read_document
    from ..opening import load_settings, open_for, zone_name
    from ..rendering.knowledge import added_document, added_page

    settings = load_settings(data)
    since = options.instant(valid_from, "--valid-from", zone_name(settings), day_ends=False)
    read = [read_document(path) for path in files]  # a broken file shows before anything is added
    with open_for(settings, None) as resources:
        try:
            added, embedded = _add(resources, user, read, since)
        except KeyboardInterrupt as error:
            typer.echo("\nInterrupted. What was added is kept: the same command goes on from there.", err=True)
            raise typer.Exit(EXIT_INTERRUPTED) from error
    if as_json:
        show_json({"documents": [added_document(one) for one in added], "embedded": embedded})
    else:
        show(added_page(added))


@app.command("list")
def list_(
    everything: Annotated[bool, typer.Option("--all", help="Also versions that no longer hold.")] = False,
    user: options.User = options.DEFAULT_USER,
    data: options.Data = None,
    as_json: options.Json = False,
    verbose: options.Verbose = False,
) -> None:
    """List the documents with their versions."""
    from ..opening import load_settings, open_for, zone_of
    from ..rendering.knowledge import document_json, document_list

    settings = load_settings(data)
    with open_for(settings, user) as resources:
        base = resources.memory.knowledge
        found = base.documents(user, everything=everything)
        sizes = base.sizes(user, [document.number for document in found])
    if as_json:
        show_json({"documents": [document_json(one, sizes[one.number]) for one in found]})
    else:
        show(document_list(found, sizes, zone_of(settings)))


@app.command("remove")
def remove(
    name: Named,
    user: options.User = options.DEFAULT_USER,
    data: options.Data = None,
    as_json: options.Json = False,
    verbose: options.Verbose = False,
) -> None:
    """Remove a document and its text from every layer.

    Its number is not given again.
    """
    from ..opening import load_settings, open_for
    from ..rendering.knowledge import document_json, removed_page

    settings = load_settings(data)
    with open_for(settings, user) as resources:
        base = resources.memory.knowledge
        gone = base.remove(user, name, now=resources.clock())
        sizes = base.sizes(user, [document.number for document in gone])
    if as_json:
        show_json({"removed": [document_json(one, sizes[one.number]) for one in gone]})
    else:
        show(removed_page(gone))


def _add(
    resources: "Resources", user: str, read: "list[ReadDocument]", since: "datetime | None"
) -> "tuple[list[Added], int]":
    """Record the documents, then embed their chunks, with a bar for each."""
    base = resources.memory.knowledge
    with progress_bars() as bars:
        recording = bars.add_task("documents", total=len(read))
        added = []
        for document in read:
            added.append(base.add(user, document, valid_from=since, now=resources.clock()))
            bars.advance(recording)
        embedding: Any = bars.add_task("embeddings", total=None)
        embedded = base.embed(user, on_progress=lambda done, total: bars.update(embedding, completed=done, total=total))
        bars.update(embedding, completed=embedded, total=embedded)
    return added, embedded
