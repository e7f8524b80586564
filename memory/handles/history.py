"""Snapshots: every handle as it was at a moment, and what a terminal must do to hold the same."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, delete, insert, select

from ..errors import BadInput
from ..storage.deltas import Document
from ..storage.events import MOST, Event, drop_events, events_after, find_events, first_number, last_number
from ..storage.state_events import WORKING_MEMORY, keyed
from ..storage.states import load_state
from ..storage.stream_tables import snapshots
from .records import Handle, handle_document
from .registry import list_all
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


def present(connection: Connection, user_id: str) -> Replica:
    """What a terminal that knows every event holds, read from the tables that the events told of."""
    # The number first: what changes in between is told again by events, and does no harm.
    number = last_number(connection, user_id)
    handles = {one.handle: _held(one) for one in list_all(connection, user_id)}
    state = working_memory(connection, user_id)
    return Replica(number, {**handles, WORKING_MEMORY: state} if state["version"] else handles)


def working_memory(connection: Connection, user_id: str) -> Document:
    """MEMORY_STATE as a handle, with who changed it last; of version 0 before anything was said."""
    document = load_state(connection, user_id).model_dump(mode="json")
    told = find_events(connection, user_id, handle=WORKING_MEMORY, limit=1)
    last: Document
    if told:
        last = {"last_updated": told[0].created_at.isoformat(), "last_updated_by": told[0].terminal}
    else:
        # Its events are older than the retention: the day's snapshot has kept what they said.
        kept = _base(connection, user_id, None).handles.get(WORKING_MEMORY, {})
        last = {"last_updated": kept.get("last_updated"), "last_updated_by": kept.get("last_updated_by", "")}
    about: Document = {"type": WORKING_MEMORY, "metadata": {}, "source": "", "last_updated_source": ""}
    return {**about, "version": document["version"], "state": keyed(document), **last}


def snapshot(connection: Connection, user_id: str, as_of: datetime) -> Replica:
    """The valid handles as they were at a moment: the newest daily snapshot before it and the events after that.

    Raises:
        BadInput: the moment lies before what is kept.
    """
    replica = _base(connection, user_id, as_of)
    while events := events_after(connection, user_id, replica.number, until=as_of):
        replica = replayed(replica, map(event_json, events))
        if len(events) < MOST:
            break
    return Replica(replica.number, {name: one for name, one in replica.handles.items() if _holds(one, as_of)})


def keep_daily(connection: Connection, user_id: str, *, now: datetime) -> bool:
    """Keep the day's snapshot, unless there is one; whether one was made."""
    day = now.date().isoformat()
    own = (snapshots.c.user_id == user_id, snapshots.c.day == day)
    if connection.execute(select(snapshots.c.id).where(*own)).first() is not None:
        return False
    replica = present(connection, user_id)
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
    there = present(connection, user_id)
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
    if moment is not None and first_number(connection, user_id) > 1:
        message = f"Nothing is kept from before {moment:%Y-%m-%d %H:%M}: ask for a later moment."
        raise BadInput(message)
    return Replica()


def _held(handle: Handle) -> Document:
    """A handle as replicas hold it."""
    document = handle_document(handle)
    return {name: document[name] for name in document.keys() - {"handle", "created_at"} if document[name] is not None}


def _holds(handle: Document, moment: datetime) -> bool:
    ends = handle.get("expires_at")
    return ends is None or datetime.fromisoformat(ends) > moment
