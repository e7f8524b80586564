"""The event log of a user: every change in the transaction that makes it, numbered without a gap."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import Connection, Row, Select, delete, func, insert, select

from .announcing import announce
from .counters import next_number
from .deltas import Document
from .stream_tables import events

EventType = Literal["MEMORY_REGISTERED", "MEMORY_UPDATED", "MEMORY_EXPIRED", "MEMORY_FORGOTTEN"]
MOST = 1000
"""Events that one read returns at most."""


@dataclass(frozen=True, slots=True)
class Change:
    """What an event is to say: the handle, its version after the change, and what changed."""

    event_type: EventType
    handle: str
    version: int
    document: Document
    """``delta``, a merge patch of the handle's state; where it was registered, what else is known of it."""
    terminal: str = ""
    """Who changed it."""
    source: str = ""
    """Through which service or application."""


@dataclass(frozen=True, slots=True)
class Event:
    """One change, as it is replayed to terminals."""

    user_id: str
    number: int
    """Counts the user's events from 1, without a gap."""
    event_type: EventType
    handle: str
    version: int
    document: Document | None
    """``None`` where it was forgotten."""
    terminal: str
    source: str
    created_at: datetime


def append_event(connection: Connection, user_id: str, change: Change, *, now: datetime) -> Event:
    """Write an event in the caller's write transaction: it becomes durable with the change, or not at all."""
    event = Event(
        user_id=user_id,
        number=next_number(connection, user_id, "event"),
        event_type=change.event_type,
        handle=change.handle,
        version=change.version,
        document=change.document,
        terminal=change.terminal,
        source=change.source,
        created_at=now,
    )
    connection.execute(insert(events).values({name: getattr(event, name) for name in Event.__slots__}))
    announce(connection)
    return event


def events_after(
    connection: Connection, user_id: str, number: int, *, until: datetime | None = None, limit: int = MOST
) -> list[Event]:
    """The user's events with a higher number, in order; those created until a moment, where one is given."""
    statement = _of(user_id).where(events.c.number > number)
    if until is not None:
        statement = statement.where(events.c.created_at <= until)
    return [_event(row) for row in connection.execute(statement.order_by(events.c.number).limit(limit))]


def find_events(
    connection: Connection,
    user_id: str,
    *,
    before: int | None = None,
    handle: str | None = None,
    terminal: str | None = None,
    event_type: str | None = None,
    limit: int = 100,
) -> list[Event]:
    """The user's events of one handle, terminal or type, as far as these are named, newest first."""
    named = {"handle": handle, "terminal": terminal, "event_type": event_type}
    statement = _of(user_id).where(*(events.c[name] == it for name, it in named.items() if it is not None))
    if before is not None:
        statement = statement.where(events.c.number < before)
    return [_event(row) for row in connection.execute(statement.order_by(events.c.number.desc()).limit(limit))]


@dataclass(frozen=True, slots=True)
class Link:
    """What one terminal did to one handle, through one service or application."""

    terminal: str
    source: str
    handle: str
    changes: int
    last_number: int
    last_at: datetime


def links(connection: Connection, user_id: str, *, limit: int = MOST) -> list[Link]:
    """Who changed what, as far as the events are kept; the latest change first."""
    last = func.max(events.c.number)
    by = (events.c.terminal, events.c.source, events.c.handle)
    statement = select(*by, func.count(), last, func.max(events.c.created_at)).where(events.c.user_id == user_id)
    rows = connection.execute(statement.group_by(*by).order_by(last.desc()).limit(limit))
    return [Link(*row) for row in rows]


def last_number(connection: Connection, user_id: str) -> int:
    """The number of the user's newest event; 0 where there was none."""
    statement = select(func.max(events.c.number)).where(events.c.user_id == user_id)
    return int(connection.execute(statement).scalar() or 0)


def first_number(connection: Connection, user_id: str) -> int:
    """The number of the oldest event that is still kept; the next one's where none is."""
    statement = select(func.min(events.c.number)).where(events.c.user_id == user_id)
    found = connection.execute(statement).scalar()
    return int(found) if found else 1


def newest_numbers(connection: Connection, users: Sequence[str]) -> dict[str, int]:
    """The number of the newest event of several users at once: what those who wait for one look at."""
    statement = select(events.c.user_id, func.max(events.c.number)).where(events.c.user_id.in_(users))
    return {user: int(number) for user, number in connection.execute(statement.group_by(events.c.user_id))}


def drop_events(connection: Connection, user_id: str, *, up_to: int, before: datetime) -> int:
    """Remove a user's events up to a number that are older than a moment, but never the newest; how many."""
    newest = last_number(connection, user_id)
    old = (
        events.c.user_id == user_id,
        events.c.number <= up_to,
        events.c.number < newest,
        events.c.created_at < before,
    )
    return connection.execute(delete(events).where(*old)).rowcount


def _of(user_id: str) -> Select[Any]:
    return select(*(events.c[name] for name in Event.__slots__)).where(events.c.user_id == user_id)


def _event(row: Row[Any]) -> Event:
    return Event(**row._mapping)
