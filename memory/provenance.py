"""Where something comes from, by its id: how an answer came about, what an item quotes, what was noted from a turn."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from .errors import NotFound
from .listing import item_document, turn_document
from .records import Item, Turn
from .storage.items import get_item, history_of, items_of_turns
from .storage.turns import get_turns
from .store import Memory
from .traces import Json

_ID = re.compile(r"(?P<kind>[aft]?)(?P<number>[0-9]{1,17})")


@dataclass(frozen=True, slots=True)
class ItemProvenance:
    """An item with the turn that it quotes, and every version of it, oldest first."""

    item: Item
    turn: Turn
    versions: Sequence[Item]

    def document(self) -> Json:
        """As plain JSON."""
        versions = [item_document(version) for version in self.versions]
        return {"item": item_document(self.item), "turn": turn_document(self.turn), "versions": versions}


@dataclass(frozen=True, slots=True)
class TurnProvenance:
    """A turn with what was noted from it."""

    turn: Turn
    items: Sequence[Item]

    def document(self) -> Json:
        """As plain JSON."""
        return {"turn": turn_document(self.turn), "items": [item_document(item) for item in self.items]}


def provenance(memory: Memory, user_id: str, identifier: str) -> Json | ItemProvenance | TurnProvenance:
    """What ``a7``, ``f3`` or ``t12`` is and where it comes from; of an answer its trace.

    Raises:
        NotFound: it names nothing of this user.
    """
    named = _ID.fullmatch(identifier.strip().lower())
    if named is None:
        raise NotFound("answer, item or turn", identifier, "their ids look like a7, f3 and t12")
    number = int(named["number"])
    if named["kind"] in {"", "a"}:
        trace = memory.answer(user_id, number)
        if trace is None:
            raise NotFound("answer", identifier, "`veridical ask` names the id of its answer")
        return trace
    with memory.database.read() as connection:
        if named["kind"] == "f":
            item = get_item(connection, user_id, number)
            said = get_turns(connection, user_id, [item.turn])[item.turn]
            return ItemProvenance(item, said, history_of(connection, user_id, number))
        found = get_turns(connection, user_id, [number]).get(number)
        if found is None:
            raise NotFound("turn", identifier, "a recall shows the ids there are")
        return TurnProvenance(found, items_of_turns(connection, user_id, [number]).get(number, []))
