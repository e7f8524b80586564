"""`veridical backup` and `veridical restore`: a copy of the memory, made while it is used, and the way back."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from .. import options
from ..output import echo, one_line, show_json

if TYPE_CHECKING:
    from ...graph.settings import Settings
    from ...memory.backups import Copied


def backup(
    destination: Annotated[Path, typer.Argument(metavar="DEST", help="A folder that does not exist yet.")],
    data: options.Data = None,
    as_json: options.Json = False,
    verbose: options.Verbose = False,
) -> None:
    """Copy the memory while it is used.

    The copy is what was recorded before it began, at least. It holds what was said: keep it as you keep the memory.
    """
    from ...memory.backups import back_up
    from ..opening import load_settings

    settings = load_settings(data)
    _refuse_server(settings, "back it up with pg_dump, and copy forgotten.jsonl of the data folder beside the dump")
    copied = back_up(settings.data_dir, destination.expanduser())
    if as_json:
        show_json({"backup": str(destination), "files": [one._asdict() for one in copied]})
    else:
        echo(f"The memory is in {one_line(str(destination))} ({_size(copied)}).")


def restore(
    source: Annotated[Path, typer.Argument(metavar="SRC", help="A folder that `veridical backup` made.")],
    replace: Annotated[bool, typer.Option("--replace", help="Give up the memory that is there.")] = False,
    data: options.Data = None,
    as_json: options.Json = False,
    verbose: options.Verbose = False,
) -> None:
    """Put a backup in the place of the memory.

    What was forgotten since the backup is forgotten again.
    """
    from ...memory.backups import restore as run
    from ..opening import load_settings

    settings = load_settings(data)
    _refuse_server(settings, "restore it with pg_restore, and put forgotten.jsonl back into the data folder")
    copied = run(source.expanduser(), settings.data_dir, replace=replace)
    turns, again = _open_once(settings)
    if as_json:
        files = [one._asdict() for one in copied]
        show_json({"memory": str(settings.data_dir), "files": files, "turns": turns, "forgotten_again": again})
        return
    echo(f"The memory in {one_line(str(settings.data_dir))} is that of the backup: {turns:,} turns.")
    if again:
        echo(f"{again:,} turns that were forgotten since are forgotten again.")


def _refuse_server(settings: "Settings", advice: str) -> None:
    from ...memory.errors import BadInput
    from ..opening import place_of

    if settings.database_url.get_secret_value():
        message = f"The memory is in the database {place_of(settings)}: {advice}."
        raise BadInput(message)


def _open_once(settings: "Settings") -> tuple[int, int]:
    """Bring the memory up to date; how many turns it has, and how many were forgotten again."""
    from contextlib import closing

    from sqlalchemy import func, select

    from ...graph.resources import now, open_memory
    from ...graph.threads import forget_again
    from ...memory.retrieval.embedders import open_embedder
    from ...memory.storage.tables import turns

    embedder = open_embedder(settings.embeddings, timeout=settings.model_timeout)
    with closing(open_memory(settings, embedder)) as memory:
        again = forget_again(memory, now=now())
        with memory.database.read() as connection:
            return connection.execute(select(func.count()).select_from(turns)).scalar_one(), again


def _size(copied: "list[Copied]") -> str:
    return f"{sum(one.size for one in copied) / 1e6:,.1f} MB"
