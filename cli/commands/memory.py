"""`veridical memory`: the items and turns themselves."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from .. import options
from ..output import echo, show, show_json

if TYPE_CHECKING:
    from ...memory.bundles import Imported
    from ...memory.records import Turn
    from ...memory.store import Memory

app = typer.Typer(
    help="List, show, follow, correct, export and import what is remembered.",
    no_args_is_help=True,
    rich_markup_mode=None,
)

Kind = Literal["fact", "event", "todo", "question", "choice", "decision", "agreement"]
ItemId = Annotated[str, typer.Argument(metavar="ID", help="An item, for example f3.", show_default=False)]


@app.command("list")
def list_(
    kind: Annotated[Kind | None, typer.Option("--kind", help="Only items of this kind.")] = None,
    entity: Annotated[str | None, typer.Option("--entity", help="Only items about this.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Also what no longer holds.")] = False,
    limit: options.Limit = 50,
    as_of: options.AsOf = None,
    recorded_as_of: options.RecordedAsOf = None,
    user: options.User = options.DEFAULT_USER,
    data: options.Data = None,
    as_json: options.Json = False,
    verbose: options.Verbose = False,
) -> None:
    """List the items, newest first."""
    from ...memory.listing import item_document
    from ...memory.storage.items import list_items
    from ..opening import load_settings, open_for, zone_name, zone_of
    from ..rendering.items import item_list

    settings = load_settings(data)
    zone = zone_name(settings)
    with open_for(settings, user) as resources, resources.memory.database.read() as connection:
        found = list_items(
            connection,
            user,
            kind=kind,
            entity=entity,
            live_only=not everything,
            as_of=options.instant(as_of, "--as-of", zone),
            recorded_as_of=options.instant(recorded_as_of, "--recorded-as-of", zone),
            limit=limit,
        )
    if as_json:
        show_json({"items": [item_document(item) for item in found]})
    else:
        show(item_list(found, zone_of(settings)))


@app.command("show")
def show_(
    id: Annotated[
        str, typer.Argument(metavar="ID", help="A turn (t12), an item (f3) or a chunk (c5).", show_default=False)
    ],
    user: options.User = options.DEFAULT_USER,
    data: options.Data = None,
    as_json: options.Json = False,
    verbose: options.Verbose = False,
) -> None:
    """Show a turn, a chunk of a document, or an item with its quotation."""
    from ...memory.listing import item_document, turn_document
    from ...memory.storage.items import get_item
    from ..opening import load_settings, number_of, open_for, zone_of
    from ..rendering.items import item_page, turn_page

    settings = load_settings(data)
    zone = zone_of(settings)
    with open_for(settings, user) as resources:
        memory = resources.memory
        if id.strip().lower().startswith(("t", "c")):
            turn = _turn(memory, user, id)
            noted = memory.items(user, [turn.number]).get(turn.number, [])
            document = turn_document(turn) | {"items": [item_document(item) for item in noted]}
            page = turn_page(turn, zone, items=noted)
        else:
            with memory.database.read() as connection:
                item = get_item(connection, user, number_of(id, "f", "item"))
            document = item_document(item)
            page = item_page(item, memory.turns(user, [item.turn]).get(item.turn), zone)
    if as_json:
        show_json(document)
    else:
        show(page)


@app.command("history")
def history(
    id: ItemId,
    user: options.User = options.DEFAULT_USER,
    data: options.Data = None,
    as_json: options.Json = False,
    verbose: options.Verbose = False,
) -> None:
    """Follow an item through its versions.

    What it replaced, and what replaced it.
    """
    from ...memory.listing import item_document
    from ...memory.storage.items import history_of
    from ..opening import load_settings, number_of, open_for, zone_of
    from ..rendering.items import history_tree

    settings = load_settings(data)
    with open_for(settings, user) as resources, resources.memory.database.read() as connection:
        versions = history_of(connection, user, number_of(id, "f", "item"))
    if as_json:
        show_json({"versions": [item_document(item) for item in versions]})
    else:
        show(history_tree(versions, zone_of(settings)))


@app.command("correct")
def correct(
    id: ItemId,
    value: Annotated[str, typer.Argument(metavar="VALUE", help="What is right.", show_default=False)],
    user: options.User = options.DEFAULT_USER,
    data: options.Data = None,
    as_json: options.Json = False,
    verbose: options.Verbose = False,
) -> None:
    """Replace a value that was wrong.

    The old one stays in the history.
    """
    from ...memory.correcting import correct as run
    from ...memory.listing import item_document
    from ..opening import load_settings, number_of, open_for, zone_name, zone_of
    from ..rendering.items import item_page

    settings = load_settings(data)
    number = number_of(id, "f", "item")
    with open_for(settings, user) as resources:
        memory = resources.memory
        with memory.database.write() as connection:
            item = run(connection, user, number, value, time_zone=zone_name(settings), now=resources.clock())
        memory.embed_waiting(user)
        turn = memory.turns(user, [item.turn])[item.turn]
    if as_json:
        show_json(item_document(item))
    else:
        show(item_page(item, turn, zone_of(settings)))


@app.command("export")
def export(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The file to write.", show_default=False)],
    force: Annotated[bool, typer.Option("--force", help="Replace the file if it exists.")] = False,
    user: options.User = options.DEFAULT_USER,
    data: options.Data = None,
    as_json: options.Json = False,
    verbose: options.Verbose = False,
) -> None:
    """Write the whole memory to a file of JSON lines.

    Turns, items with their history, conflicts, summaries, answers and the state.
    """
    from ...memory.bundles import export_bundle
    from ..opening import load_settings, open_for

    with open_for(load_settings(data), user) as resources:
        counts = export_bundle(resources.memory.database, user, file, now=resources.clock(), replace=force)
    if as_json:
        show_json({"file": str(file), "counts": counts})
    else:
        echo(f"{counts['turn']:,} turns and {counts['item']:,} items written to {file}, which only you can read.")


@app.command("import")
def import_(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A file of `memory export`.", show_default=False)],
    with_forgotten: Annotated[
        bool, typer.Option("--with-forgotten", help="Bring back what was forgotten here since.")
    ] = False,
    user: options.User = options.DEFAULT_USER,
    data: options.Data = None,
    as_json: options.Json = False,
    verbose: options.Verbose = False,
) -> None:
    """Bring an exported memory in, for a user who has none.

    Ids, history and answers are those of the file; repeating it changes nothing.
    """
    from ...memory.bundles import import_bundle
    from ..opening import load_settings, open_for
    from ..output import progress_bars

    with open_for(load_settings(data), None) as resources, progress_bars() as bars:
        memory = resources.memory
        imported = import_bundle(memory, user, file, now=resources.clock(), with_forgotten=with_forgotten)
        bar = bars.add_task("embeddings", total=None)
        embedded = memory.vectors.apply_outbox(
            user, on_progress=lambda done, total: bars.update(bar, completed=done, total=total)
        )
        embedded += memory.knowledge.embed(user)
        bars.update(bar, completed=embedded, total=embedded)
    if as_json:
        counts = dict(imported.counts)
        show_json({"counts": counts, "known": imported.known, "left_out": imported.left_out, "embedded": embedded})
    else:
        echo(_imported(imported))


def _imported(imported: "Imported") -> str:
    if imported.known:
        return "All of it was there already; nothing was changed."
    said = f"{imported.counts['turn']:,} turns and {imported.counts['item']:,} items brought in."
    if imported.left_out:
        said += (
            f" {imported.left_out:,} of the turns were forgotten here since, and stay forgotten: "
            "--with-forgotten brings them back, for a user without a memory."
        )
    return said


def _turn(memory: "Memory", user: str, given: str) -> "Turn":
    from ...memory.errors import NotFound
    from ..opening import number_of

    is_chunk = given.strip().lower().startswith("c")
    prefix, what = ("c", "chunk") if is_chunk else ("t", "turn")
    number = number_of(given, prefix, what) * (-1 if is_chunk else 1)
    found = memory.turns(user, [number])
    if number not in found:
        raise NotFound(what, given, "`veridical recall` and the answers show the ids there are")
    return found[number]
