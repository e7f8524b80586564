"""Taking forgotten things out of handles, events and snapshots, and telling the terminals what holds instead."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, delete, select, update

from ..handles.notes import leaves, stated_by
from ..handles.registry import announce, list_all
from ..records import Item, Turn
from ..storage.deltas import Document, patched, without_nulls
from ..storage.events import find_events
from ..storage.state_events import WORKING_MEMORY, tell_state_whole
from ..storage.states import load_state
from ..storage.stream_tables import events, handles, requests, snapshots
from .pruning import Pruning


def prune_stream(
    connection: Connection,
    user_id: str,
    gone: Sequence[Turn],
    items_gone: Sequence[Item],
    pruning: Pruning,
    *,
    terminal: str,
    now: datetime,
) -> int:
    """Remove from the stream what forgotten turns said, within the caller's write transaction.

    An event keeps its number and loses what it carried. What is left of a handle that it concerned is told anew, as a
    change by the terminal that forgets.

    Returns:
        How many events lost what they carried.
    """
    said = _said(gone, items_gone)
    forgotten = _forget_events(connection, user_id, said.keys(), pruning)
    _prune_snapshots(connection, user_id, said, pruning)
    connection.execute(delete(requests).where(requests.c.user_id == user_id))
    changed = _prune_handles(connection, user_id, said, pruning)
    concerned = {*changed, *(handle for handle, _ in forgotten)}
    own = (handles.c.user_id == user_id, handles.c.handle.in_(sorted(concerned)))
    by = {"updated_at": now, "updated_by": terminal, "updated_source": handles.c.source}
    connection.execute(update(handles).where(*own).values(**by))
    for handle in list_all(connection, user_id):
        if handle.handle in concerned:
            announce(connection, handle, now=now)
    state = load_state(connection, user_id)
    told = find_events(connection, user_id, handle=WORKING_MEMORY, limit=1)
    if WORKING_MEMORY in concerned or (told and told[0].version != state.version):
        tell_state_whole(connection, user_id, state.model_dump(mode="json"), terminal=terminal, now=now)
    return len(forgotten)


def _said(gone: Sequence[Turn], items_gone: Sequence[Item]) -> dict[tuple[str, int], list[Item]]:
    """What the forgotten turns said of handles: the items by handle and version."""
    stated = {turn.number: place for turn in gone if (place := stated_by(turn)) is not None}
    said: dict[tuple[str, int], list[Item]] = {place: [] for place in stated.values()}
    for item in items_gone:
        if item.turn in stated:
            said[stated[item.turn]].append(item)
    return said


def _forget_events(
    connection: Connection, user_id: str, said: Collection[tuple[str, int]], pruning: Pruning
) -> list[tuple[str, int]]:
    found = []
    columns = (events.c.id, events.c.handle, events.c.version, events.c.document)
    rows = connection.execute(select(*columns).where(events.c.user_id == user_id, events.c.document.is_not(None)))
    for row in rows.all():
        if (row.handle, row.version) in said or pruning.document(row.document) != row.document:
            bare = update(events).where(events.c.id == row.id)
            connection.execute(bare.values(document=None, event_type="MEMORY_FORGOTTEN"))
            found.append((row.handle, row.version))
    return found


def _prune_snapshots(
    connection: Connection, user_id: str, said: Mapping[tuple[str, int], Sequence[Item]], pruning: Pruning
) -> None:
    rows = connection.execute(select(snapshots.c.id, snapshots.c.document).where(snapshots.c.user_id == user_id))
    for row in rows.all():
        document = {
            name: {**one, "state": _without(one.get("state", {}), _of(name, said))}
            for name, one in row.document.items()
        }
        pruned = without_nulls(pruning.document(document))
        connection.execute(update(snapshots).where(snapshots.c.id == row.id).values(document=pruned))


def _prune_handles(
    connection: Connection,
    user_id: str,
    said: Mapping[tuple[str, int], Sequence[Item]],
    pruning: Pruning,
) -> list[str]:
    changed = []
    for handle in list_all(connection, user_id):
        state = without_nulls(pruning.document(_without(handle.state, _of(handle.handle, said))))
        metadata = without_nulls(pruning.document(handle.metadata))
        if (state, metadata) != (handle.state, handle.metadata):
            own = (handles.c.user_id == user_id, handles.c.handle == handle.handle)
            row = {"state": state, "metadata": metadata, "version": handle.version + 1}
            connection.execute(update(handles).where(*own).values(**row))
            changed.append(handle.handle)
    return changed


def _of(handle: str, said: Mapping[tuple[str, int], Sequence[Item]]) -> list[Item]:
    return [item for (name, _), items in said.items() if name == handle for item in items]


def _without(state: Document, items_gone: Sequence[Item]) -> Document:
    """A state without the values of items; a value that was changed since is another one, and stays."""
    values = {(item.attribute, item.value) for item in items_gone}
    for leaf in leaves(state):
        if (leaf.attribute, leaf.text) in values:
            patch: Any = None
            for key in reversed(leaf.path):
                patch = {key: patch}
            state = patched(state, patch)
    return state
