"""An event as streams send it: put into words once, however many terminals listen."""

import json
from dataclasses import dataclass

from fastapi.sse import ServerSentEvent
from sqlalchemy import Connection

from ..memory.handles.history import event_json
from ..memory.storage.events import Event, events_after


@dataclass(frozen=True, slots=True)
class Told:
    """One event of a user's, ready to be sent."""

    number: int
    event: ServerSentEvent


def told_after(connection: Connection, user_id: str, number: int, *, limit: int) -> list[Told]:
    """The events with a higher number, in order, at most ``limit``."""
    found = events_after(connection, user_id, number, limit=limit)
    return [Told(one.number, _worded(one)) for one in found]


def _worded(event: Event) -> ServerSentEvent:
    return ServerSentEvent(event=event.event_type, raw_data=json.dumps(event_json(event)), id=str(event.number))
