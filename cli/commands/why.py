"""`veridical why`: the chain from a question to the quotations of its answer, or from an item to its words."""

from typing import TYPE_CHECKING, Annotated

import typer

from .. import options
from ..output import show, show_json

if TYPE_CHECKING:
    from datetime import tzinfo

    from rich.console import RenderableType

    from ...memory.store import Memory
    from ...memory.traces import Json


def why(
    id: Annotated[
        str | None,
        typer.Argument(
            metavar="ID",
            help="An answer (a7), an item (f3) or a turn (t12); the last answer by default.",
            show_default=False,
        ),
    ] = None,
    user: options.User = options.DEFAULT_USER,
    data: options.Data = None,
    as_json: options.Json = False,
    verbose: options.Verbose = False,
) -> None:
    """Show how an answer came about, or what an item or a turn is and where it is from.

    Of an answer: from the question to its queries, what was kept, what was dropped by which rule, the sentences chosen,
    claims and quotations. Of an item: its words and its versions. Of a turn: what was noted from it.
    """
    from ..opening import load_settings, open_for, zone_of

    settings = load_settings(data)
    with open_for(settings, user) as resources:
        document, page = explained(resources.memory, user, id, zone_of(settings))
    if as_json:
        show_json(document)
    else:
        show(page)


def explained(memory: "Memory", user: str, identifier: str | None, zone: "tzinfo") -> "tuple[Json, RenderableType]":
    """What an id names and where it comes from, by default the user's last answer: as plain JSON, and as it is shown.

    Raises:
        NotFound: there is no such thing.
    """
    from rich.console import Group
    from rich.text import Text

    from ...memory.errors import NotFound
    from ...memory.provenance import ItemProvenance, TurnProvenance, provenance
    from ..rendering.items import history_tree, item_page, turn_page
    from ..rendering.why import why_tree

    found = memory.answer(user, None) if identifier is None else provenance(memory, user, identifier)
    if found is None:
        raise NotFound("answer", "yet", "ask something first, with `veridical ask` or in `veridical chat`")
    if isinstance(found, ItemProvenance):
        page = Group(item_page(found.item, found.turn, zone), Text(), history_tree(found.versions, zone))
        return found.document(), page
    if isinstance(found, TurnProvenance):
        return found.document(), turn_page(found.turn, zone, items=found.items)
    return found, why_tree(found, zone)
