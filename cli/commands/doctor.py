"""`veridical doctor`: holds a store to the promises, and repairs what is derived."""

from typing import TYPE_CHECKING, Annotated

import typer

from .. import options
from ..border import EXIT_UNEXPECTED
from ..output import show, show_json

if TYPE_CHECKING:
    from ...graph.settings import Settings
    from ...memory.doctor import Report


def doctor(
    fix: Annotated[bool, typer.Option("--fix", help="Repair what is derived: indexes, embeddings, counters.")] = False,
    user: Annotated[
        str | None, typer.Option("--user", metavar="NAME", help="Only this user; everyone by default.")
    ] = None,
    data: options.Data = None,
    as_json: options.Json = False,
    verbose: options.Verbose = False,
) -> None:
    """Check every promise on the store.

    Exits with 1 while problems remain.
    """
    from ..opening import load_settings
    from ..rendering.health import health_page

    report = _report(load_settings(data), user, fix=fix)
    if as_json:
        show_json(report.document())
    else:
        show(health_page(report.document()))
    if not report.healthy:
        raise typer.Exit(EXIT_UNEXPECTED)


def _report(settings: "Settings", user: str | None, *, fix: bool) -> "Report":
    from contextlib import ExitStack, closing, suppress
    from dataclasses import replace

    from ...graph.resources import now
    from ...memory.doctor import examine, repair
    from ...memory.errors import WrongEmbedder
    from ...memory.retrieval.embedders import open_embedder
    from ..opening import open_database, open_index

    with open_database(settings, user) as database, ExitStack() as opened:
        embedder = open_embedder(settings.embeddings)
        index = None
        with suppress(WrongEmbedder):  # the examination says so, and everything else is still examined
            index = opened.enter_context(closing(open_index(settings, database, embedder)))
        repaired = repair(database, now=now(), index=index, user_id=user) if fix else ()
        report = examine(database, embedder=embedder.name, index=index, user_id=user)
    return replace(report, repaired=repaired)
