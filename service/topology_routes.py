"""`/v1/memory`: who holds what, who changed what and when, and how far each terminal is behind."""

from typing import Annotated

from fastapi import APIRouter, Query, Request
from pydantic import AfterValidator

from ..memory.handles import history, registry
from ..memory.handles.records import handle_document
from ..memory.language.folding import clean
from ..memory.storage.events import EventType, Link, find_events, last_number, links
from ..memory.storage.state_events import WORKING_MEMORY
from ..memory.storage.tokens import list_tokens
from .bell import Bell, Listener
from .documents import HandleName, Json
from .memory_routes import Has, Who

router = APIRouter(prefix="/v1/memory", tags=["topology"])
_MOST_HANDLES = 200
_SHOWN = ("handle", "type", "source", "version", "last_updated", "last_updated_by", "last_updated_source")
"""What of a handle is told here: not what it says."""


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
        memory = {"handle": WORKING_MEMORY, **history.working_memory(connection, who.user_id)}
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
        "handles": [{name: one[name] for name in _SHOWN} for one in (memory, *map(handle_document, found))],
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
    last = max((edge.last_at for edge in changed), default=None)
    return {
        "streams": 0 if listener is None else listener.streams,
        "sent": None if listener is None else listener.sent,
        "lag": None if listener is None or listener.sent is None else max(0, newest - listener.sent),
        "last_change": None if last is None else last.isoformat(),
        "changes": sum(edge.changes for edge in changed),
    }


def _edge(edge: Link) -> Json:
    return {
        "terminal": edge.terminal,
        "service": edge.source,
        "handle": edge.handle,
        "changes": edge.changes,
        "last_number": edge.last_number,
        "last_at": edge.last_at.isoformat(),
    }
