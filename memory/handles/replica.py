"""What a terminal holds: every handle with its state, brought from event to event. Pure; clients use it as it is."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from ..storage.deltas import Document, patched


@dataclass(frozen=True, slots=True)
class Replica:
    """The handles of one user after the event of a number."""

    number: int = 0
    handles: Mapping[str, Document] = field(default_factory=dict)
    """By name: ``type``, ``source``, ``version``, ``metadata``, ``state``, ``expires_at``, ``last_updated_by`` …"""


def replayed(replica: Replica, events: Iterable[Mapping[str, Any]]) -> Replica:
    """The replica after events, given as ``event_json`` writes them; those that it knows already change nothing."""
    number, handles = replica.number, dict(replica.handles)
    for event in events:
        if event["number"] <= number:
            continue
        number = event["number"]
        _apply(handles, event)
    return Replica(number, handles)


def _apply(handles: dict[str, Document], event: Mapping[str, Any]) -> None:
    name, kind = event["handle"], event["event_type"]
    if kind == "MEMORY_EXPIRED":
        handles.pop(name, None)
    elif kind in {"MEMORY_REGISTERED", "MEMORY_UPDATED"}:
        known = {} if kind == "MEMORY_REGISTERED" else handles.get(name, {})
        told = {key: event[key] for key in ("type", "metadata", "expires_at") if key in event}
        handles[name] = {
            **known,
            **told,
            "source": known.get("source", event["source"]),
            "version": event["version"],
            "state": patched(known.get("state", {}), event["delta"]),
            "last_updated": event["created_at"],
            "last_updated_by": event["terminal"],
            "last_updated_source": event["source"],
        }
