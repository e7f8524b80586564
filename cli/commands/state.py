"""`veridical state`: MEMORY_STATE, the working memory."""

from typing import Annotated

import typer

from .. import options
from ..output import show, show_json


def state(
    user: options.User = options.DEFAULT_USER,
    data: options.Data = None,
    schema: Annotated[
        bool, typer.Option("--schema", help="Print the JSON schema of what --json prints, and read no memory.")
    ] = False,
    as_json: options.Json = False,
    verbose: options.Verbose = False,
) -> None:
    """Show what is remembered now.

    The working memory: the facts that hold, todos, open questions, conflicts.
    """
    from ...memory.storage.states import state_schema
    from ..naming import names_in
    from ..opening import load_settings, open_for, zone_of
    from ..rendering.state import state_page

    if schema:
        show_json(state_schema())
        return
    settings = load_settings(data)
    with open_for(settings, user) as resources:
        document = resources.memory.state(user).model_dump(mode="json")
        names = names_in(resources.memory, user, document)
    if as_json:
        show_json(document)
    else:
        show(state_page(document, user, zone_of(settings), names))
