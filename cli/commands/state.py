"""`veridical state`: MEMORY_STATE, the working memory."""

from .. import options
from ..output import show, show_json


def state(
    user: options.User = options.DEFAULT_USER,
    data: options.Data = None,
    as_json: options.Json = False,
    verbose: options.Verbose = False,
) -> None:
    """Show what is remembered now.

    The working memory: the facts that hold, todos, open questions, conflicts.
    """
    from ..opening import load_settings, open_for, zone_of
    from ..rendering.state import state_page

    settings = load_settings(data)
    with open_for(settings, user) as resources:
        document = resources.memory.state(user).model_dump(mode="json")
    if as_json:
        show_json(document)
    else:
        show(state_page(document, user, zone_of(settings)))
