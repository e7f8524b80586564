"""What another turn says as well stays: items that it states are stored from it, once the first turn is forgotten.

A fact that is said twice is stored once, from the turn that said it first.
"""

from collections.abc import Iterator, Mapping, Sequence

from sqlalchemy import Connection

from ..extraction import Surroundings, extract
from ..records import Item, Proposal, Turn
from ..storage.items import LiveItemsIn, record_items
from ..storage.turns import recent_turns
from .mentions import Mention

_MOST_ITEMS = 200
_MOST_TURNS = 20
_SURROUNDING_TURNS = 6


def restate(connection: Connection, turns: Mapping[int, Turn], forgotten: Sequence[Item]) -> list[Item]:
    """Store from the turns that stay what they say of the forgotten items.

    Args:
        connection: a connection in a write transaction, after the removal.
        turns: the user's turns that stay.
        forgotten: the items that were removed.
    """
    spoken = [turn for _, turn in sorted(turns.items()) if turn.role != "assistant"]
    stored = []
    for item in forgotten[:_MOST_ITEMS]:
        for turn in _repeating(item, spoken):
            proposals = [proposal for proposal in _proposals(connection, turn) if _means(proposal, item)]
            stored += record_items(connection, turn, proposals, now=turn.recorded_at)
    return stored


def _repeating(item: Item, turns: Sequence[Turn]) -> Iterator[Turn]:
    mention, found = Mention(item.value), 0
    for turn in turns:
        if found < _MOST_TURNS and turn.source == item.source and mention.found_in(turn.text):
            found += 1
            yield turn


def _proposals(connection: Connection, turn: Turn) -> list[Proposal]:
    previous = recent_turns(
        connection, turn.user_id, _SURROUNDING_TURNS, session_id=turn.session_id, before=turn.number
    )
    return extract(turn, Surroundings(previous, LiveItemsIn(connection, turn.user_id)))


def _means(proposal: Proposal, item: Item) -> bool:
    same = ("kind", "entity", "attribute", "normal", "polarity", "modality")
    return proposal.action not in {"retract", "complete"} and all(
        getattr(proposal, name) == getattr(item, name) for name in same
    )
