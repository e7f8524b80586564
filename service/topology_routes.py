"""`/v1/memory`: who holds what, who changed what and when, and how far each terminal is behind."""

from datetime import datetime
from typing import Annotated

from fastapi import APIRouter, Query, Request
from pydantic import AfterValidator

from ..memory.handles import history, registry
from ..memory.handles.records import Handle
from ..memory.language.folding import clean
from ..memory.storage.events import EventType, Link, find_events, last_number, links
from ..memory.storage.state_events import WORKING_MEMORY
from ..memory.storage.states import load_state
from ..memory.storage.tokens import list_tokens
from .bell import Bell, Listener
from .documents import HandleName, Json
from .memory_routes import Has, Who

router = APIRouter(prefix="/v1/memory", tags=["topology"])
_MOST_HANDLES = 200


@router.get("/topology")
def topology(request: Request, who: Who, has: Has) -> Json:
    """Terminals with their lag, services, handles, and which terminal changed which handle through which service.

    A terminal is ``named`` where a token names it. Its ``lag`` counts the events that its stream at this instance has
    not been sent; it is null where none is known.
    """
    bell: Bell = request.app.state.bell
    with has.memory.database.read() as connection:
        newest = last_number(connection, who.user_id)
        found = registry.list_handles(connection, who.user_id, now=has.clock(), limit=_MOST_HANDLES)
        edges = links(connection, who.user_id)
        named = [token.terminal for token in list_tokens(connection, who.user_id) if token.revoked_at is None]
        version = load_state(connection, who.user_id).version
    own = bell.listeners_of(who.user_id)
    known = sorted({*named, *own, *(edge.terminal for edge in edges if edge.terminal)})
    services = {edge.source for edge in edges} | {handle.source for handle in found}
    return {
        "number": newest,
        "terminals": [
            {"terminal": name, "named": name in named, **_presence(name, own.get(name), edges, newest)}
            for name in known
        ],
        "services": sorted(services - {""}),
        "handles": [_working_memory(version, edges), *map(_handle, found)],
        "edges": [_edge(edge) for edge in edges],
    }


@router.get("/changes")
def changes(
    who: Who,
    has: Has,
    handle: HandleName | None = None,
    terminal: Annotated[str, Query(max_length=256), AfterValidator(clean)] | None = None,
    event_type: EventType | None = None,
    before: Annotated[int | None, Query(ge=1)] = None,
    limit: Annotated[int, Query(ge=1, le=500)] = 100,
) -> Json:
    """The events of a handle, a terminal or a type, newest first; ``before`` gives the page before a number."""
    named = {"handle": handle, "terminal": terminal, "event_type": event_type}
    with has.memory.database.read() as connection:
        found = find_events(connection, who.user_id, before=before, limit=limit + 1, **named)
    page = found[:limit]
    return {
        "events": [history.event_json(one) for one in page],
        "before": page[-1].number if len(found) > limit else None,
    }


def _presence(name: str, listener: Listener | None, edges: list[Link], newest: int) -> Json:
    changed = [edge for edge in edges if edge.terminal == name]
    return {
        "streams": 0 if listener is None else listener.streams,
        "sent": None if listener is None else listener.sent,
        "lag": None if listener is None or listener.sent is None else max(0, newest - listener.sent),
        "last_change": _iso(max((edge.last_at for edge in changed), default=None)),
        "changes": sum(edge.changes for edge in changed),
    }


def _handle(handle: Handle) -> Json:
    return {
        "handle": handle.handle,
        "type": handle.type,
        "source": handle.source,
        "version": handle.version,
        "last_updated": _iso(handle.updated_at),
        "last_updated_by": handle.updated_by,
        "last_updated_source": handle.updated_source,
    }


def _working_memory(version: int, edges: list[Link]) -> Json:
    last = max(
        (edge for edge in edges if edge.handle == WORKING_MEMORY), key=lambda edge: edge.last_number, default=None
    )
    return {
        "handle": WORKING_MEMORY,
        "type": WORKING_MEMORY,
        "source": "",
        "version": version,
        "last_updated": None if last is None else _iso(last.last_at),
        "last_updated_by": "" if last is None else last.terminal,
        "last_updated_source": "",
    }


def _edge(edge: Link) -> Json:
    return {
        "terminal": edge.terminal,
        "service": edge.source,
        "handle": edge.handle,
        "changes": edge.changes,
        "last_number": edge.last_number,
        "last_at": _iso(edge.last_at),
    }


def _iso(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()
