"""`veridical knowledge`: reference documents in, listed, read clause by clause, compared, and out again."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from .. import options
from ..border import EXIT_INTERRUPTED
from ..output import echo, progress_bars, show, show_json

if TYPE_CHECKING:
    from ...graph.settings import Settings
    from ...memory.clauses.adding import Given
    from ...memory.clauses.rows import Family
    from ...memory.knowledge.base import KnowledgeBase
    from ...memory.knowledge.reading import ReadDocument
    from ...memory.knowledge.rows import Added
    from ...nodes.contract import Resources

app = typer.Typer(
    help="Add, list, compare and remove reference documents: manuals, price lists, policies, contracts, statutes.",
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

ClausesOf = Annotated[
    str,
    typer.Argument(
        metavar="NAME", help="A document's name, title or handle, or the id d3 of a version.", show_default=False
    ),
]


@app.command("add")
def add(
    files: Files,
    name: Annotated[
        str | None,
        typer.Option("--name", metavar="NAME", help="The document that they are versions of; read from the files."),
    ] = None,
    version: Annotated[
        str | None, typer.Option("--version", metavar="LABEL", help="The version's label; read from the file.")
    ] = None,
    valid_from: Annotated[
        str | None,
        typer.Option("--valid-from", metavar="TIME", help="Since when it holds; read from the file, else now."),
    ] = None,
    valid_to: Annotated[
        str | None,
        typer.Option("--valid-to", metavar="TIME", help="Until when it holds; until the next version by default."),
    ] = None,
    user: options.User = options.DEFAULT_USER,
    data: options.Data = None,
    as_json: options.Json = False,
    verbose: options.Verbose = False,
) -> None:
    """Add documents that answers may quote.

    A contract, a statute or a policy is stored clause by clause, and joined to its other versions by title and name. Of
    other documents, a changed file of the same name is a new version. Old versions stay citable. The same content again
    changes nothing.
    """
    from ...memory.knowledge.reading import read_document
    from ..opening import load_settings, open_for, zone_of
    from ..rendering.knowledge import added_document, added_page

    settings = load_settings(data)
    given = _given(settings, files, name, version, (valid_from, valid_to))
    read = [read_document(path) for path in files]  # a broken file shows before anything is added
    with open_for(settings, None) as resources:
        try:
            added, embedded = _add(resources, user, read, given)
        except KeyboardInterrupt as error:
            echo("\nInterrupted. What was added is kept: the same command goes on from there.", err=True)
            raise typer.Exit(EXIT_INTERRUPTED) from error
        now = resources.clock()
    if as_json:
        show_json({"documents": [added_document(one) for one in added], "embedded": embedded})
    else:
        show(added_page(added, zone_of(settings), now))


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
        base, now = resources.memory.knowledge, resources.clock()
        found = base.documents(user, everything=everything)
        sizes = base.sizes(user, [document.number for document in found])
    if as_json:
        show_json({"documents": [document_json(one, sizes[one.number]) for one in found]})
    else:
        show(document_list(found, sizes, zone_of(settings), now))


@app.command("clauses")
def clauses(
    name: ClausesOf,
    as_of: Annotated[
        str | None, typer.Option("--as-of", metavar="TIME", help="As it was in force then; now by default.")
    ] = None,
    everything: Annotated[bool, typer.Option("--all", help="Also paragraphs and items.")] = False,
    user: options.User = options.DEFAULT_USER,
    data: options.Data = None,
    as_json: options.Json = False,
    verbose: options.Verbose = False,
) -> None:
    """List the clauses of a contract, a statute or a policy."""
    from ...memory.clauses.choosing import choose_family, choose_named, version_at
    from ..opening import load_settings, open_for, zone_name, zone_of
    from ..rendering.clauses import clause_json, clause_page

    settings = load_settings(data)
    moment = options.instant(as_of, "--as-of", zone_name(settings))
    with open_for(settings, user) as resources:
        base, now = resources.memory.knowledge, resources.clock()
        family = choose_family(base.families(user), name)
        chosen = choose_named(family, name) or version_at(family, moment or now, asked=as_of is not None)
        found = [one for one in base.clauses(user, chosen.number) if everything or one.unit == "clause"]
    if as_json:
        show_json({"document": _version_json(family, chosen.number), "clauses": [clause_json(one) for one in found]})
    else:
        show(clause_page(family, chosen, found, zone_of(settings), moment or now))


@app.command("diff")
def diff(
    name: ClausesOf,
    versions: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[VERSION VERSION]",
            help="Two labels, ids or days; the last two versions by default.",
            show_default=False,
        ),
    ] = None,
    user: options.User = options.DEFAULT_USER,
    data: options.Data = None,
    as_json: options.Json = False,
    verbose: options.Verbose = False,
) -> None:
    """Show what changed between two versions of a contract, a statute or a policy."""
    from ...memory.clauses.choosing import choose_family, choose_two
    from ...memory.clauses.lineage import changes
    from ..opening import load_settings, open_for, zone_of
    from ..rendering.clauses import changes_json, changes_page

    settings = load_settings(data)
    with open_for(settings, user) as resources:
        base = resources.memory.knowledge
        family = choose_family(base.families(user), name)
        older, newer = choose_two(family, versions or [])
        changed = changes(base.clauses(user, older.number), base.clauses(user, newer.number))
    if as_json:
        sides = {side: _version_json(family, one.number) for side, one in (("older", older), ("newer", newer))}
        show_json(sides | changes_json(changed))
    else:
        show(changes_page(family, older, newer, changed, zone_of(settings)))


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


def _given(
    settings: "Settings",
    files: list[Path],
    name: str | None,
    version: str | None,
    validity: tuple[str | None, str | None],
) -> "Given":
    """What the options say of the files.

    Raises:
        BadInput: they say it of several files that cannot share it, or the end is before the beginning.
    """
    from datetime import timedelta

    from ...memory.clauses.adding import Given
    from ...memory.errors import BadInput
    from ..opening import zone_name, zone_of

    if len(files) > 1 and version is not None:
        message = "--version labels one version: add the files one by one."
        raise BadInput(message)
    zone = zone_name(settings)
    begins = options.instant(validity[0], "--valid-from", zone, day_ends=False)
    ends = options.instant(validity[1], "--valid-to", zone)
    if ends is not None:
        ends += timedelta(microseconds=1)  # to the end of the day, or of the microsecond, that was named
    if begins and ends and ends <= begins:
        message = f"--valid-to {validity[1]!r} is before --valid-from {validity[0]!r}: give a later end."
        raise BadInput(message)
    return Given(name or None, version or None, begins, ends, zone_of(settings))


def _version_json(family: "Family", number: int) -> dict[str, Any]:
    from ..rendering.knowledge import version_json

    return version_json(next(one for one in family.versions if one.number == number))


def _add(resources: "Resources", user: str, read: "list[ReadDocument]", given: "Given") -> "tuple[list[Added], int]":
    """Record the documents, then embed their chunks, with a bar for each."""
    base = resources.memory.knowledge
    with progress_bars() as bars:
        recording = bars.add_task("documents", total=len(read))
        added = []
        for document in read:
            added.append(base.add(user, document, given=given, now=resources.clock()))
            bars.advance(recording)
        embedding: Any = bars.add_task("embeddings", total=None)
        embedded = base.embed(user, on_progress=lambda done, total: bars.update(embedding, completed=done, total=total))
        bars.update(embedding, completed=embedded, total=embedded)
    return _as_they_are(base, user, added), embedded


def _as_they_are(base: "KnowledgeBase", user: str, added: "list[Added]") -> "list[Added]":
    """What was added, with the validity that it has now that all are there."""
    from dataclasses import replace

    known = {one.number: one for one in base.documents(user, everything=True)}
    return [replace(one, document=known.get(one.document.number, one.document)) for one in added]
