"""`veridical recall`: what the records hold about a question, without an answer."""

from typing import Annotated

import typer

from .. import options
from ..output import show, show_json

Question = Annotated[str, typer.Argument(metavar="QUESTION", help="What to look for.", show_default=False)]


def recall(
    question: Question,
    limit: options.Limit = 10,
    as_of: options.AsOf = None,
    recorded_as_of: options.RecordedAsOf = None,
    user: options.User = options.DEFAULT_USER,
    session: options.Session = None,
    data: options.Data = None,
    as_json: options.Json = False,
    verbose: options.Verbose = False,
) -> None:
    """Find what was said about something, best first."""
    from ...graph.recall import recall as run
    from ...nodes.contract import Context
    from ..contract import recall_json
    from ..opening import load_settings, open_for, zone_name, zone_of
    from ..rendering.recall import recall_page

    settings = load_settings(data)
    zone = zone_name(settings)
    context = Context(
        user_id=user,
        session_id=session,
        record=False,
        limit=limit,
        as_of=options.instant(as_of, "--as-of", zone),
        recorded_as_of=options.instant(recorded_as_of, "--recorded-as-of", zone),
    )
    with open_for(settings, user) as resources:
        document = run(resources, question, context)
    if as_json:
        show_json(recall_json(document))
    else:
        show(recall_page(document, zone_of(settings)))
