"""Snapshots: every handle as it was at a moment, and what a terminal must do to hold the same."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, delete, insert, select

from ..errors import BadInput
from ..storage.deltas import Document
from ..storage.events import MOST, Event, drop_events, events_after, first_number
from ..storage.stream_tables import snapshots
from .replica import Replica, replayed

MANY = 10
"""From so many differing handles on, a terminal takes everything anew."""


@dataclass(frozen=True, slots=True)
class Alignment:
    """What a terminal is to put in the place of what it holds."""

    full: bool
    """Whether it takes everything anew; else only ``handles`` and ``gone`` changed."""
    number: int
    """The event up to which it then holds everything."""
    handles: Mapping[str, Document]
    gone: tuple[str, ...]


def event_json(event: Event) -> dict[str, Any]:
    """An event as it is sent to terminals."""
    told = event.document if event.document is not None else {}
    return {
        "number": event.number,
        "event_type": event.event_type,
        "handle": event.handle,
        "version": event.version,
        **({"delta": {}} if event.event_type in {"MEMORY_REGISTERED", "MEMORY_UPDATED"} else {}),
        **told,
        "terminal": event.terminal,
        "source": event.source,
        "created_at": event.created_at.isoformat(),
    }


def snapshot(connection: Connection, user_id: str, *, as_of: datetime | None = None) -> Replica:
    """The valid handles as they were at a moment, by default now: the newest daily snapshot and the events after it.

    Raises:
        BadInput: the moment lies before what is kept.
    """
    replica = _base(connection, user_id, as_of)
    while events := events_after(connection, user_id, replica.number, until=as_of):
        replica = replayed(replica, map(event_json, events))
        if len(events) < MOST:
            break
    if as_of is None:
        return replica
    return Replica(replica.number, {name: one for name, one in replica.handles.items() if _holds(one, as_of)})


def keep_daily(connection: Connection, user_id: str, *, now: datetime) -> bool:
    """Keep the day's snapshot, unless there is one; whether one was made."""
    day = now.date().isoformat()
    own = (snapshots.c.user_id == user_id, snapshots.c.day == day)
    if connection.execute(select(snapshots.c.id).where(*own)).first() is not None:
        return False
    replica = snapshot(connection, user_id)
    row = {"number": replica.number, "day": day, "document": dict(replica.handles), "created_at": now}
    connection.execute(insert(snapshots).values(user_id=user_id, **row))
    return True


def align(connection: Connection, user_id: str, held: Mapping[str, int]) -> Alignment:
    """What a terminal that holds those versions must change.

    Args:
        connection: open for reading.
        user_id: whose handles.
        held: the versions that the terminal holds, by handle.
    """
    there = snapshot(connection, user_id)
    differing = {name: one for name, one in there.handles.items() if held.get(name) != one["version"]}
    gone = tuple(sorted(held.keys() - there.handles.keys()))
    full = len(differing) + len(gone) >= MANY
    return Alignment(full, there.number, there.handles if full else differing, gone)


def prune(connection: Connection, *, before: datetime) -> int:
    """Remove the events and snapshots that are older than the retention; how many events.

    A user's newest snapshot stays however old it is: what is replayed begins there.
    """
    newest: dict[str, tuple[int, int, datetime]] = {}
    columns = (snapshots.c.user_id, snapshots.c.number, snapshots.c.id, snapshots.c.created_at)
    for user_id, *found in connection.execute(select(*columns).order_by(snapshots.c.id)):
        if found[2] <= before or user_id not in newest:
            newest[user_id] = (found[0], found[1], found[2])
    dropped = 0
    for user_id, (number, kept, _) in newest.items():
        dropped += drop_events(connection, user_id, up_to=number, before=before)
        old = (snapshots.c.user_id == user_id, snapshots.c.id < kept)
        connection.execute(delete(snapshots).where(*old))
    return dropped


def _base(connection: Connection, user_id: str, moment: datetime | None) -> Replica:
    statement = select(snapshots.c.number, snapshots.c.document).where(snapshots.c.user_id == user_id)
    if moment is not None:
        statement = statement.where(snapshots.c.created_at <= moment)
    row = connection.execute(statement.order_by(snapshots.c.id.desc()).limit(1)).first()
    if row is not None:
        return Replica(row.number, row.document)
    if first_number(connection, user_id) > 1:
        message = f"Nothing is kept from before {moment:%Y-%m-%d %H:%M}: ask for a later moment."
        raise BadInput(message)
    return Replica()


def _holds(handle: Document, moment: datetime) -> bool:
    ends = handle.get("expires_at")
    return ends is None or datetime.fromisoformat(ends) > moment
