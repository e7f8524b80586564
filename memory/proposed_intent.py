"""A model's reading of an intent: it proposes a transition and slots, and what is allowed and quoted is kept."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from pydantic import BaseModel, Field

from .proposed_summary import slice_of
from .records import Turn

UNCLEAR = "unclear"
"""Instead of the id of a transition: to be asked about, never guessed."""
NONE = "none"
"""Instead of the id of a transition: the turn takes no step."""


class ProposedSlot(BaseModel):
    """What a transition needs to know: its value, and the user's words that state it."""

    name: str
    value: str
    quote: str


class ProposedIntent(BaseModel):
    """What a model is asked for."""

    transition: str = UNCLEAR
    entity: str = ""
    slots: list[ProposedSlot] = Field(default_factory=list)


@dataclass(frozen=True, slots=True)
class QuotedSlot:
    """A slot, and where it is said."""

    name: str
    value: str
    quote: str
    turn_id: str


@dataclass(frozen=True, slots=True)
class ReadIntent:
    """A transition that is allowed, with the slots that somebody stated; or none."""

    transition: str | None
    entity: str
    slots: tuple[QuotedSlot, ...] = ()


def checked(proposed: ProposedIntent, *, allowed: Collection[str], said: Sequence[Turn]) -> ReadIntent:
    """Keep of a proposal what may be: an allowed transition, and slots that quote the user.

    Args:
        proposed: what a model says.
        allowed: ids of the transitions that the open intents allow.
        said: the user's last turn and the recent ones, oldest first.
    """
    if proposed.transition not in allowed:
        return ReadIntent(None, proposed.entity)
    found = (_quoted(slot, said) for slot in proposed.slots)
    return ReadIntent(proposed.transition, proposed.entity, tuple(slot for slot in found if slot is not None))


def _quoted(slot: ProposedSlot, said: Sequence[Turn]) -> QuotedSlot | None:
    for turn in reversed(said):
        quote = slice_of(slot.quote, turn.text) if turn.source == "user_input" else None
        if quote is not None:
            return QuotedSlot(slot.name, slot.value, quote, turn.id)
    return None
