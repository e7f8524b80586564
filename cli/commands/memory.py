"""`veridical memory`: the items and turns themselves."""

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from .. import options
from ..output import show, show_json

if TYPE_CHECKING:
    from ...memory.records import Turn
    from ...memory.store import Memory

app = typer.Typer(
    help="List, show, follow and correct what is remembered.", no_args_is_help=True, rich_markup_mode=None
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
    from ...memory.storage.items import list_items
    from ..opening import load_settings, open_for, zone_name, zone_of
    from ..rendering.items import item_document, item_list

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
    id: Annotated[str, typer.Argument(metavar="ID", help="A turn (t12) or an item (f3).", show_default=False)],
    user: options.User = options.DEFAULT_USER,
    data: options.Data = None,
    as_json: options.Json = False,
    verbose: options.Verbose = False,
) -> None:
    """Show a turn, or an item with its quotation."""
    from ...memory.storage.items import get_item
    from ..opening import load_settings, number_of, open_for, zone_of
    from ..rendering.items import item_document, item_page, turn_document, turn_page

    settings = load_settings(data)
    zone = zone_of(settings)
    with open_for(settings, user) as resources:
        memory = resources.memory
        if id.strip().lower().startswith("t"):
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
    from ...memory.storage.items import history_of
    from ..opening import load_settings, number_of, open_for, zone_of
    from ..rendering.items import history_tree, item_document

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
    from ..opening import load_settings, number_of, open_for, zone_name, zone_of
    from ..rendering.items import item_document, item_page

    settings = load_settings(data)
    number = number_of(id, "f", "item")
    with open_for(settings, user) as resources:
        memory = resources.memory
        with memory.database.write() as connection:
            item = run(connection, user, number, value, time_zone=zone_name(settings), now=resources.clock())
        memory.vectors.apply_outbox(user)
        turn = memory.turns(user, [item.turn])[item.turn]
    if as_json:
        show_json(item_document(item))
    else:
        show(item_page(item, turn, zone_of(settings)))


def _turn(memory: "Memory", user: str, given: str) -> "Turn":
    from ...memory.errors import NotFound
    from ..opening import number_of

    number = number_of(given, "t", "turn")
    found = memory.turns(user, [number])
    if number not in found:
        raise NotFound("turn", given, "`veridical recall` and the answers show the ids there are")
    return found[number]
