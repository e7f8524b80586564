"""MEMORY_STATE among the handles: what changed in it, as an event that carries only the change."""

from datetime import datetime
from typing import Any

from sqlalchemy import Connection, select

from .deltas import Document, merge_patch, without_nulls
from .events import Change, append_event
from .stream_tables import events, snapshots

WORKING_MEMORY = "memory_state"
"""The handle, and the type, under which terminals hold MEMORY_STATE."""
_IDENTITY = ("id", "handle", "key", "domain", "entity", "preferred", "value", "other")
_OWN = ("version", "schema_version", "last_updated")


def tell_state(
    connection: Connection, user_id: str, before: Document, after: Document, *, terminal: str = "", now: datetime
) -> None:
    """Write the event of a change from one document of MEMORY_STATE to the next, in the caller's write transaction."""
    if not _is_told(connection, user_id):
        tell_state_whole(connection, user_id, after, terminal=terminal, now=now)
        return
    delta = merge_patch(keyed(before), keyed(after))
    change = Change("MEMORY_UPDATED", WORKING_MEMORY, int(after["version"]), {"delta": delta}, terminal=terminal)
    append_event(connection, user_id, change, now=now)


def tell_state_whole(
    connection: Connection, user_id: str, document: Document, *, terminal: str = "", now: datetime
) -> None:
    """Write the event that tells a document of MEMORY_STATE whole, whatever terminals hold of it."""
    about = {"type": WORKING_MEMORY, "metadata": {}, "delta": keyed(document)}
    change = Change("MEMORY_REGISTERED", WORKING_MEMORY, int(document["version"]), about, terminal=terminal)
    append_event(connection, user_id, change, now=now)


def keyed(document: Document) -> Document:
    """The document with its lists as mappings by what identifies an entry, so that a change of one is one key."""
    sections = {name: _by_key(value) for name, value in document.items() if name not in _OWN}
    return without_nulls(sections)


def _by_key(value: Any) -> Any:
    if not isinstance(value, list):
        return value
    return {_key(entry): entry for entry in value}


def _key(entry: Document) -> str:
    if "id" in entry:
        return str(entry["id"])
    return "/".join(str(entry[name]) for name in _IDENTITY if name in entry)


def _is_told(connection: Connection, user_id: str) -> bool:
    """Whether terminals know the user's MEMORY_STATE: a store that is older than its events has to tell it whole."""
    told = select(events.c.id).where(events.c.user_id == user_id, events.c.handle == WORKING_MEMORY).limit(1)
    kept = select(snapshots.c.document).where(snapshots.c.user_id == user_id).order_by(snapshots.c.id.desc()).limit(1)
    if connection.execute(told).first() is not None:
        return True
    document = connection.execute(kept).scalar()
    return document is not None and WORKING_MEMORY in document
