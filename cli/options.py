"""The options that commands share."""

from datetime import datetime
from pathlib import Path
from typing import Annotated

import typer

from .border import note_verbose

DEFAULT_USER = "local"

User = Annotated[str, typer.Option("--user", metavar="NAME", help="Whose memory.")]
Session = Annotated[
    str | None, typer.Option("--session", metavar="ID", help="The conversation to continue; a new one by default.")
]
Data = Annotated[
    Path | None,
    typer.Option(
        "--data",
        metavar="DIR",
        envvar="VERIDICAL_DATA_DIR",
        help="The data folder; one folder per person of this machine by default.",
    ),
]
Json = Annotated[bool, typer.Option("--json", help="Print JSON instead of text.")]
Verbose = Annotated[
    bool, typer.Option("--verbose", callback=note_verbose, help="Show the traceback of an error.", expose_value=True)
]
Limit = Annotated[int, typer.Option("-k", "--limit", min=1, max=1000, help="How many results to keep.")]
AsOf = Annotated[
    str | None,
    typer.Option("--as-of", metavar="TIME", help="What held then, for example 2024-05-01 or 2024-05-01T09:30."),
]
Dataset = Annotated[
    Path,
    typer.Option("--dataset", metavar="PATH", help="Its file, or the folder that holds it.", show_default=False),
]
Conversations = Annotated[
    str | None,
    typer.Option("--conversations", metavar="N,N", help="Only these conversations, counted from 0; all by default."),
]
MostQuestions = Annotated[
    int | None, typer.Option("--limit", min=1, help="At most so many questions of each conversation.")
]
SettingsFile = Annotated[
    Path | None,
    typer.Option("--config", metavar="FILE", help="A settings.toml; the environment and defaults otherwise."),
]
EvalCache = Annotated[
    Path,
    typer.Option(
        "--cache",
        metavar="DIR",
        envvar="VERIDICAL_EVAL_CACHE",
        help="Where vectors and finished questions are kept.",
    ),
]
EVAL_CACHE = Path("~/.cache/veridical/evals")
RecordedAsOf = Annotated[
    str | None, typer.Option("--recorded-as-of", metavar="TIME", help="What was known then, in the same form.")
]


def numbers(value: str, option: str, *, least: int) -> tuple[int, ...]:
    """The numbers that an option lists, such as ``3,5,10``, ascending.

    Raises:
        typer.BadParameter: it is no such list.
    """
    parts = [part.strip() for part in value.split(",")]
    if not all(part.isascii() and part.isdecimal() and least <= int(part) <= 200 for part in parts):
        message = f"{value!r} is not a list of numbers from {least} to 200: write them like 3,5,10."
        raise typer.BadParameter(message, param_hint=f"'{option}'")
    return tuple(sorted({int(part) for part in parts}))


def instant(value: str | None, option: str, time_zone: str, *, day_ends: bool = True) -> datetime | None:
    """The aware time that an option names, in the user's zone unless it carries an offset.

    A bare day means its end, or its beginning where ``day_ends`` is false.

    Raises:
        BadInput: it is no ISO 8601 date or time.
    """
    from datetime import timedelta
    from zoneinfo import ZoneInfo

    from ..memory.errors import BadInput

    if value is None:
        return None
    try:
        moment = datetime.fromisoformat(value.strip())
        if day_ends and len(value.strip()) <= len("2024-05-01"):
            moment += timedelta(days=1, microseconds=-1)
        return moment if moment.tzinfo else moment.replace(tzinfo=ZoneInfo(time_zone))
    except (ValueError, OverflowError) as error:
        message = f"{option} {value!r} is no time: write it as 2024-05-01 or 2024-05-01T09:30."
        raise BadInput(message) from error
