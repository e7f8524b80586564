"""Registering, reading and changing handles; each change is a row, an event and a turn in one transaction."""

import secrets
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, Row, Select, delete, insert, or_, select, update

from ..errors import NotFound
from ..storage.deltas import Document, merge_patch, patched, without_nulls
from ..storage.events import Change, append_event
from ..storage.stream_tables import handles
from ..storage.turns import ensure_user
from .documents import checked
from .notes import note
from .records import Handle, NewHandle, Origin, StaleVersion

_PREFIX = "mem_"
_RANDOM_BYTES = 12


def register(connection: Connection, user_id: str, new: NewHandle, origin: Origin, *, now: datetime) -> Handle:
    """Register a document in a write transaction: what it says can be recalled, and every terminal is told.

    Raises:
        BadInput: it cannot be kept; the message says why.
    """
    ensure_user(connection, user_id, now)
    handle = Handle(
        user_id=user_id,
        handle=_PREFIX + secrets.token_hex(_RANDOM_BYTES),
        type=new.type,
        source=origin.source,
        metadata=without_nulls(checked(new.metadata)),
        state=without_nulls(checked(new.state)),
        version=1,
        created_at=now,
        expires_at=_utc(new.expires_at),
        updated_at=now,
        updated_by=origin.terminal,
        updated_source=origin.source,
    )
    connection.execute(insert(handles).values(_row(handle)))
    announce(connection, handle, now=now)
    note(connection, handle, handle.state, now=now)
    return handle


def announce(connection: Connection, handle: Handle, *, now: datetime) -> None:
    """Tell the terminals everything of a handle, whatever they hold of it."""
    about: Document = {"type": handle.type, "metadata": handle.metadata, "delta": handle.state}
    if handle.expires_at is not None:
        about["expires_at"] = handle.expires_at.isoformat()
    origin = Origin(handle.updated_by, handle.updated_source)
    _tell(connection, handle, Change("MEMORY_REGISTERED", handle.handle, handle.version, about), origin, now)


def read(connection: Connection, user_id: str, handle: str, *, now: datetime) -> Handle:
    """The handle as it stands.

    Raises:
        NotFound: the user has none of that name, or it has expired.
    """
    row = connection.execute(_of(user_id).where(handles.c.handle == handle, _valid(now))).first()
    if row is None:
        raise NotFound("valid handle", handle, "`GET /v1/memory/snapshot` lists those there are")
    return _handle(row)


def change(
    connection: Connection,
    user_id: str,
    handle: str,
    delta: Document,
    *,
    version: int,
    origin: Origin,
    expires_at: datetime | None = None,
    now: datetime,
) -> Handle:
    """Apply a merge patch to a handle's state; a change that changes nothing makes no version and no event.

    Args:
        connection: in a write transaction.
        user_id: whose handle.
        handle: its name.
        delta: what changes; ``null`` takes a key out.
        version: the version that the caller has seen.
        origin: who changes it.
        expires_at: a later end, where one is given.
        now: when.

    Raises:
        NotFound: the user has none of that name, or it has expired.
        StaleVersion: it was changed since that version.
        BadInput: what changes, or the document after it, cannot be kept.
    """
    known = read(connection, user_id, handle, now=now)
    if known.version != version:
        raise StaleVersion(known, version)
    state = checked(patched(known.state, checked(delta)))
    effective = merge_patch(known.state, state)
    ends = _utc(expires_at) or known.expires_at
    if not effective and ends == known.expires_at:
        return known
    changed = replace(
        known,
        state=state,
        version=known.version + 1,
        expires_at=ends,
        updated_at=now,
        updated_by=origin.terminal,
        updated_source=origin.source,
    )
    own = (handles.c.user_id == user_id, handles.c.handle == handle)
    connection.execute(update(handles).where(*own).values(_row(changed)))
    about: Document = {"delta": effective}
    if ends is not None and ends != known.expires_at:
        about["expires_at"] = ends.isoformat()
    _tell(connection, changed, Change("MEMORY_UPDATED", handle, changed.version, about), origin, now)
    note(connection, changed, effective, now=now)
    return changed


def list_handles(
    connection: Connection, user_id: str, *, now: datetime, after: str = "", limit: int | None = None
) -> list[Handle]:
    """The user's handles that are valid, by name; those behind ``after``, at most ``limit``."""
    statement = _of(user_id).where(_valid(now), handles.c.handle > after).order_by(handles.c.handle).limit(limit)
    return [_handle(row) for row in connection.execute(statement)]


def list_all(connection: Connection, user_id: str) -> list[Handle]:
    """Every handle of the user that is in the store, valid or not."""
    return [_handle(row) for row in connection.execute(_of(user_id).order_by(handles.c.handle))]


def expire(connection: Connection, *, now: datetime) -> list[Handle]:
    """End what has expired, for every user, and tell the terminals; what it said stays in the memory."""
    ended = [_handle(row) for row in connection.execute(_select().where(handles.c.expires_at <= now))]
    for handle in ended:
        _drop(connection, handle)
        _tell(connection, handle, Change("MEMORY_EXPIRED", handle.handle, handle.version, {}), Origin(), now)
    return ended


def _utc(moment: datetime | None) -> datetime | None:
    # As the table gives it back, so that an event and the table say the same.
    return None if moment is None else moment.astimezone(UTC)


def _drop(connection: Connection, handle: Handle) -> None:
    connection.execute(delete(handles).where(handles.c.user_id == handle.user_id, handles.c.handle == handle.handle))


def _tell(connection: Connection, handle: Handle, change: Change, origin: Origin, now: datetime) -> None:
    told = replace(change, terminal=origin.terminal, source=origin.source)
    append_event(connection, handle.user_id, told, now=now)


def _valid(now: datetime) -> ColumnElement[bool]:
    return or_(handles.c.expires_at.is_(None), handles.c.expires_at > now)


def _select() -> Select[Any]:
    return select(*(handles.c[name] for name in Handle.__slots__))


def _of(user_id: str) -> Select[Any]:
    return _select().where(handles.c.user_id == user_id)


def _row(handle: Handle) -> dict[str, Any]:
    return {name: getattr(handle, name) for name in Handle.__slots__}


def _handle(row: Row[Any]) -> Handle:
    return Handle(**row._mapping)
