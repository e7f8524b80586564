"""From the options of a command to an open memory; the errors that a person can mend are worded here."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import tzinfo
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from ..memory.errors import BadInput, NotFound, UnknownUser

if TYPE_CHECKING:
    from ..graph.settings import Settings
    from ..memory.retrieval.embedders import Embedder
    from ..memory.retrieval.vectors import VectorIndex
    from ..memory.storage.database import Database
    from ..nodes.contract import Resources


def load_settings(data: Path | None, **given: Any) -> "Settings":
    """Read the settings; ``data`` and ``given`` (where not ``None``) go before environment and file.

    From here on the log of the process is written as they say.

    Raises:
        BadInput: a setting has a wrong value, or the settings file cannot be read.
    """
    from pydantic import ValidationError

    from ..graph.logs import write_logs
    from ..graph.settings import FILE_NAME, Settings, wrong_setting

    chosen = {name: value for name, value in given.items() if value is not None}
    if data is not None:
        chosen["data_dir"] = data.expanduser()
    try:
        settings = Settings(**chosen)
    except ValidationError as error:
        raise wrong_setting(error, lambda name: f"VERIDICAL_{name.upper()} or {FILE_NAME}") from error
    except (ValueError, RecursionError, OSError) as error:
        message = f"{FILE_NAME} in the data folder cannot be read ({error}): correct it, or move it away."
        raise BadInput(message) from error
    if settings.log:
        write_logs(settings.log)
    return settings


@contextmanager
def open_for(settings: "Settings", user_id: str | None) -> Iterator["Resources"]:
    """Open the memory that the settings name.

    Args:
        settings: from ``load_settings``.
        user_id: a user who must be known there, or ``None`` where a new memory may begin.

    Raises:
        UnknownUser: nothing was ever recorded for the user; no folder is created to find out.
        StoreError: the data folder cannot be used.
    """
    from ..graph.resources import open_resources

    if user_id is not None and not has_store(settings):
        raise UnknownUser(user_id, settings.data_dir)
    with open_resources(settings) as resources:
        if user_id is not None:
            resources.memory.require_user(user_id)
        yield resources


@contextmanager
def open_database(settings: "Settings", user_id: str | None) -> Iterator["Database"]:
    """Open only the SQL database of a memory that exists, for work on a store whose indexes may be broken.

    Raises:
        BadInput: the data folder holds no memory.
        UnknownUser: nothing was ever recorded for the user.
        StoreError: the database cannot be read.
    """
    from ..memory.storage.database import Database
    from ..memory.storage.turns import user_exists

    if not has_store(settings):
        message = f"There is no memory in {settings.data_dir}: check --data, or start one with `veridical chat`."
        raise BadInput(message)
    with closing(Database(settings.data_dir, settings.database_url.get_secret_value())) as database:
        with database.read() as connection:
            if user_id is not None and not user_exists(connection, user_id):
                raise UnknownUser(user_id, place_of(settings))
        yield database


def open_index(settings: "Settings", database: "Database", embedder: "Embedder") -> "VectorIndex":
    """The vector index of an open database, where the settings say that it is.

    Raises:
        WrongEmbedder: the store's vectors were made by another embedder.
    """
    from ..memory.retrieval.vectors import VectorIndex

    return VectorIndex(database, settings.data_dir, embedder, chroma_url=settings.chroma_url.get_secret_value())


def has_store(settings: "Settings") -> bool:
    """Whether there is a memory where the settings say; a server is asked when it is opened."""
    from ..memory.store import is_store

    return bool(settings.database_url.get_secret_value()) or is_store(settings.data_dir)


def place_of(settings: "Settings") -> str:
    """Where the memory is, for a person to read: the data folder, or the database without its password."""
    return without_password(settings.database_url.get_secret_value()) or str(settings.data_dir)


def without_password(url: str) -> str:
    """A URL with stars in the place of its password."""
    from sqlalchemy import make_url
    from sqlalchemy.exc import ArgumentError

    try:
        return make_url(url).render_as_string(hide_password=True) if url else ""
    except (ArgumentError, ValueError):
        return "********"


def zone_of(settings: "Settings") -> tzinfo:
    """The zone in which a person reads times."""
    return ZoneInfo(zone_name(settings))


def zone_name(settings: "Settings") -> str:
    """IANA name of the zone in which a person reads and gives times.

    Raises:
        BadInput: the settings name no time zone that exists.
    """
    from ..graph.resources import local_zone
    from ..memory.ingestion.utterances import find_zone

    return find_zone(settings.time_zone or local_zone()).key


def number_of(given: str, prefix: str, what: str) -> int:
    """The number in an id such as ``f3``.

    Raises:
        NotFound: it is no id of that kind.
    """
    digits = given.strip().lower().removeprefix(prefix)
    if not (digits.isascii() and digits.isdecimal() and len(digits) < 18):
        raise NotFound(what, given, f"its ids look like {prefix}3")
    return int(digits)
