"""How the entities of MEMORY_STATE were spelled when they were named; the state has them as they are compared."""

from collections.abc import Mapping, Sequence

from ..memory.grounding.naming import entity_label
from ..memory.language.folding import fold
from ..memory.records import Item, Turn
from ..memory.storage.items import list_items
from ..memory.store import Memory
from .rendering.parts import Document
from .wording import machine_language

_USER = "user"
_MOST = 8
"""Items of an entity that are looked through for its spelling, the newest."""


def names_in(memory: Memory, user_id: str, state: Document) -> dict[str, str]:
    """The entities of the facts of a state as the turns of the facts spell them.

    Args:
        memory: the open memory.
        user_id: whose state.
        state: MEMORY_STATE as plain JSON.
    """
    named = {str(fact["entity"]) for fact in state["current_facts"]} | {str(state.get("topic") or _USER)}
    # An order is called by its kind as well, not by its bare number.
    wanted = sorted(entity for entity in named if entity != _USER and ":" not in entity)
    with memory.database.read() as connection:
        told = [list_items(connection, user_id, entity=entity, live_only=False, limit=_MOST) for entity in wanted]
    turns = memory.turns(user_id, {item.turn for items in told for item in items})
    return dict(zip(wanted, (_spelled(items, turns) for items in told), strict=True))


def _spelled(items: Sequence[Item], turns: Mapping[int, Turn]) -> str:
    """The name of what items are about as one of their turns has it; later turns often say only "it"."""
    labels = [entity_label(item, turns.get(item.turn), machine_language()) for item in items]
    return next((label for label in labels if fold(label) != label), labels[0] if labels else "")
