"""Items, turns and moments as plain JSON, the same on the command line and over HTTP."""

from datetime import datetime
from typing import Any

from .language.folding import fold
from .records import Item, Turn


def spelled(item: Item) -> str:
    """Whom or what an item is about as its quotation spells it ("Mira Tower"), else as it is compared."""
    start = fold(item.quote).find(item.entity)
    return item.quote[start : start + len(item.entity)] if start >= 0 else item.entity


def item_document(item: Item) -> dict[str, Any]:
    """An item as plain JSON: what it says, what it quotes, and how long it holds."""
    return {
        "id": item.id,
        "kind": item.kind,
        "entity": item.entity,
        "entity_name": spelled(item),
        "attribute": item.attribute,
        "value": item.value,
        "normal": item.normal,
        "value_type": item.value_type,
        "unit": item.unit,
        "polarity": item.polarity,
        "modality": item.modality,
        "single_valued": item.single_valued,
        "source": item.source,
        "speaker": item.speaker,
        "turn_id": f"t{item.turn}",
        "value_span": list(item.value_span),
        "quote_span": list(item.quote_span),
        "quote": item.quote,
        "confidence": item.confidence,
        "observed_at": iso(item.observed_at),
        "recorded_at": iso(item.recorded_at),
        "valid_from": iso(item.valid_from),
        "valid_to": iso(item.valid_to),
        "closed_at": iso(item.closed_at),
        "closed_by": item.closed_by,
        "superseded_by": None if item.superseded_by is None else f"f{item.superseded_by}",
        "due_at": iso(item.due_at),
        "accepted": None
        if item.accepted is None
        else {"turn_id": f"t{item.accepted.turn}", "span": list(item.accepted.span)},
        "live": item.live,
    }


def turn_document(turn: Turn) -> dict[str, Any]:
    """A turn as plain JSON."""
    return {
        "id": turn.id,
        "session": turn.session_id,
        "position": turn.position,
        "external_id": turn.external_id,
        "role": turn.role,
        "source": turn.source,
        "speaker": turn.speaker,
        "text": turn.text,
        "language": turn.language,
        "act": turn.act,
        "observed_at": iso(turn.observed_at),
        "time_zone": turn.time_zone,
        "recorded_at": iso(turn.recorded_at),
        "citations": list(turn.citations),
    }


def iso(moment: datetime | None) -> str | None:
    """A moment in UTC as documents have it: ``2026-03-02T09:00:00Z``."""
    return None if moment is None else moment.isoformat().replace("+00:00", "Z")
