"""The machine's own record of some errands, read once for a reply: steps, the turns that they quote, what they left."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, select

from ..memory.grounding.quoting import Quotation
from ..memory.language.sentences import sentences
from ..memory.records import Item, Span, Turn
from ..memory.storage.intents import (
    Filled,
    IntentRow,
    StepRow,
    list_intents,
    live_steps,
    standing,
    steps_of,
    undone,
)
from ..memory.storage.item_rows import fetch, list_items
from ..memory.storage.tables import items
from ..memory.storage.turns import get_turns
from .domains import Text

_LONGEST = 160
_MOST_TODOS = 20


@dataclass(frozen=True, slots=True)
class Records:
    """Some errands of one user."""

    intents: Mapping[int, IntentRow]
    history: Mapping[int, list[StepRow]]
    """By the number of the errand, oldest first."""
    turns: Mapping[int, Turn]
    items: Mapping[int, Item]
    """What the steps left or retracted, by number."""
    todos: tuple[Item, ...]
    """Everything that the user still has to do, errand or not."""

    def intent_of(self, domain: str, entity: str) -> int | None:
        """The number of an errand; ``None`` where there is none."""
        return next((n for n, it in self.intents.items() if (it.domain, it.entity) == (domain, entity)), None)

    def steps(self) -> dict[int, StepRow]:
        """Every row by its number."""
        return {step.number: step for steps in self.history.values() for step in steps}

    def undone(self) -> dict[int, StepRow]:
        """The rows that took others back, by the number of what they took back."""
        every = self.steps()
        return {number: every[by] for steps in self.history.values() for number, by in undone(steps).items()}

    def known(self, intent: int) -> Mapping[str, Filled]:
        """What holds of the slots of an errand."""
        row = self.intents[intent]
        return standing(self.history[intent], initial=row.initial, defaults=row.defaults).slots

    def live(self, intent: int) -> list[StepRow]:
        """The steps of an errand that hold, oldest first."""
        return live_steps(self.history.get(intent, ()))

    def entity_of(self, step: StepRow) -> str | None:
        """What a step is about; ``None`` while nobody has said."""
        row = self.intents.get(step.intent) if step.intent is not None else None
        return None if row is None else row.entity

    def stated(self, intent: int) -> list[Filled]:
        """What is known of an errand, without the plan as it was unless it was restored."""
        restored = any(step.undoes for step in self.history[intent])
        return [one for one in self.known(intent).values() if one.turn is not None or restored]

    def left_by(self, intent: int) -> list[Item]:
        """What an errand left to do that is still open."""
        left = {item for step in self.history[intent] for item in step.left.values()}
        return [item for item in self.todos if item.number in left]

    def said(self, step: StepRow) -> Quotation | None:
        """The words that made a step; ``None`` where the host did, or they were forgotten."""
        turn = None if step.turn is None else self.turns.get(step.turn)
        if turn is None or step.start is None or step.end is None:
            return None
        return quoted(turn, Span(step.start, step.end))

    def told(self, filled: Filled) -> Quotation | None:
        """The words that say the value of a slot."""
        turn = None if filled.turn is None else self.turns.get(filled.turn)
        return quoted(turn, Span(filled.start, filled.end)) if turn is not None and filled.quote else None

    def todo(self, item: int) -> Text | None:
        """What an item is in the domain's words; ``None`` for what no errand left."""
        for step in self.steps().values():
            wanting = next((number for number, left in step.left.items() if left == item), None)
            row = self.steps().get(wanting) if wanting is not None else None
            if row is not None and row.document.get("todo"):
                return Text(**row.document["todo"])
        return None


def quoted(turn: Turn, span: Span, items: tuple[int, ...] = ()) -> Quotation:
    """The sentence around some words, or the words alone where it is long."""
    around = next((one for one in sentences(turn.text) if one.overlaps(span)), span)
    whole = Span(min(around.start, span.start), max(around.end, span.end))
    return Quotation(turn, whole if whole.end - whole.start <= _LONGEST else span, items)


def read_records(connection: Connection, user_id: str, numbers: Collection[int] | None = None) -> Records:
    """Read the record of errands.

    Args:
        connection: open for reading.
        user_id: whose.
        numbers: of the errands; all by default.
    """
    rows = list_intents(connection, user_id)
    found = {row.number: row for row in rows if numbers is None or row.number in numbers}
    history = steps_of(connection, user_id, found)
    every = [step for steps in history.values() for step in steps]
    left = _items(connection, user_id, every)
    todos = list_items(connection, user_id, kind="todo", limit=_MOST_TODOS)
    quoted_turns = {item.turn for item in (*left, *todos)} | _turns(every)
    return Records(
        intents=found,
        history=history,
        turns=get_turns(connection, user_id, quoted_turns),
        items={item.number: item for item in left},
        todos=tuple(sorted(todos, key=lambda item: item.number)),
    )


def _items(connection: Connection, user_id: str, steps: Sequence[StepRow]) -> list[Item]:
    """What steps left or retracted."""
    touched = {number for step in steps for number in (*step.left.values(), *step.retracted)}
    if not touched:
        return []
    own = (items.c.user_id == user_id, items.c.number.in_(sorted(touched)))
    return fetch(connection, select(items).where(*own))


def _turns(steps: Sequence[StepRow]) -> set[int]:
    """The turns that made steps, and those that say the values of their slots."""
    named = [step.turn for step in steps] + [slot.turn for step in steps for slot in step.slots]
    return {number for number in named if number is not None}
