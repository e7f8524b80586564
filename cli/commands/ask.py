"""`veridical ask`: one question, one answer with its citations."""

from typing import Annotated

import typer

from .. import options
from ..output import show, show_json


def ask(
    question: Annotated[str, typer.Argument(metavar="QUESTION", help="What you want to know.", show_default=False)],
    limit: options.Limit = 10,
    as_of: options.AsOf = None,
    recorded_as_of: options.RecordedAsOf = None,
    record: Annotated[
        bool, typer.Option("--record", help="Let the question and the answer become part of the memory.")
    ] = False,
    user: options.User = options.DEFAULT_USER,
    session: options.Session = None,
    data: options.Data = None,
    as_json: options.Json = False,
    verbose: options.Verbose = False,
) -> None:
    """Answer one question from the records. It changes no memory unless --record is given."""
    from ...graph.ask import ask as run
    from ...graph.build import build_graph
    from ...nodes.contract import Context
    from ..contract import ask_json
    from ..opening import load_settings, open_for, zone_name, zone_of
    from ..rendering.answer import answer_page

    settings = load_settings(data)
    zone = zone_name(settings)
    context = Context(
        user_id=user,
        session_id=session,
        record=record,
        limit=limit,
        as_of=options.instant(as_of, "--as-of", zone),
        recorded_as_of=options.instant(recorded_as_of, "--recorded-as-of", zone),
    )
    with open_for(settings, None if record else user) as resources:
        trace = run(build_graph(resources), question, context)
    if as_json:
        show_json(ask_json(trace))
    else:
        show(answer_page(trace, zone_of(settings)))
