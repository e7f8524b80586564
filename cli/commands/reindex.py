"""`veridical reindex`: everything derived made anew, with the configured embedder."""

from typing import Annotated

import typer

from .. import options
from ..output import echo, progress_bars, show_json


def reindex(
    user: Annotated[
        str | None, typer.Option("--user", metavar="NAME", help="Only this user, with the store's own embedder.")
    ] = None,
    data: options.Data = None,
    as_json: options.Json = False,
    verbose: options.Verbose = False,
) -> None:
    """Make every index anew from the turn log.

    The store has the configured embedder from then on.
    """
    from contextlib import closing

    from ...memory.retrieval import lexical
    from ...memory.retrieval.embedders import open_embedder
    from ...memory.retrieval.reindexing import reindex as run
    from ..opening import load_settings, open_database, open_index

    settings = load_settings(data)
    embedder = open_embedder(settings.embeddings)
    with open_database(settings, user) as database, progress_bars() as bars:
        bar = bars.add_task("embeddings", total=None)

        def advance(done: int, total: int) -> None:
            bars.update(bar, completed=done, total=total)

        if user is None:
            chroma_url = settings.chroma_url.get_secret_value()
            embedded = run(database, settings.data_dir, embedder, chroma_url=chroma_url, on_progress=advance)
        else:
            with closing(open_index(settings, database, embedder)) as index:
                with database.write() as connection:
                    lexical.rebuild(connection, user)
                embedded = index.pending(user)
                index.rebuild(user, on_progress=advance)
    if as_json:
        show_json({"embedder": embedder.name, "embedded": embedded})
    else:
        echo(f"Every text is indexed anew; {embedded:,} turns were embedded by {embedder.name}.")
