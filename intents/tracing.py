"""How a trace writes down what a turn did to errands: the plain JSON that ``why`` and ``ask --json`` print."""

from collections.abc import Sequence
from typing import Any

from .inquiries import Inquiry
from .outcomes import Outcome

Json = dict[str, Any]


def errands_document(
    proposed: Sequence[Outcome], settled: Sequence[Outcome], settled_by: str | None, inquiry: Inquiry | None
) -> Json | None:
    """``{"proposed", "settled", "settled_by", "inquiry"}``; ``None`` where the turn has nothing to do with errands."""
    if not (proposed or settled or inquiry):
        return None
    asked = None if inquiry is None else {"kind": inquiry.kind, "steps": list(inquiry.steps)}
    return {
        "proposed": [outcome_document(one) for one in proposed],
        "settled": [outcome_document(one) for one in settled],
        "settled_by": settled_by,
        "inquiry": asked,
    }


def outcome_document(outcome: Outcome) -> Json:
    """One outcome: what moved where by which words, what the guard said, what was left and what was closed."""
    guard, asks = outcome.guard, outcome.asks
    return {
        "kind": outcome.kind,
        "domain": outcome.domain,
        "entity": outcome.entity,
        "transition": outcome.transition or None,
        "from_state": outcome.from_state,
        "to_state": outcome.to_state,
        "tentative": outcome.tentative,
        "quote": outcome.trigger.text if outcome.trigger else "",
        "slots": {filled.slot: filled.value for filled in outcome.slots} | dict(outcome.restored),
        "guard": None if guard is None else {"slot": guard.slot, "value": guard.value, "holds": guard.holds},
        "asks": None if asks is None else {"about": asks.about, "candidates": list(asks.candidates)},
        "steps": list(outcome.steps),
        "todo_id": None if outcome.left is None else f"f{outcome.left}",
        "retracted": [f"f{number}" for number in outcome.retracted],
    }
