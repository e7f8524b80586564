"""What forgetting takes out of the intents: the steps of forgotten turns, and what other steps repeat of them."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from sqlalchemy import Connection, delete, select, update

from ..language.folding import fold
from ..storage.intent_tables import intent_steps, intents
from ..storage.intents import (
    IntentRow,
    StepRow,
    change_intent,
    list_intents,
    standing,
    step_columns,
    steps_of,
    todos_by_step,
)
from ..storage.tables import items, turns

_LEFT_OUT = "…"


def forget_steps(connection: Connection, user_id: str, gone: Collection[int]) -> int:
    """Take forgotten turns out of the intents, within the caller's transaction, after the turns are gone.

    A step goes with its turn, and the intent stands as the steps that are left say. An intent that no turn is left of,
    or whose entity no turn names any more, goes as a whole.

    Args:
        connection: a connection in a write transaction.
        user_id: whose.
        gone: numbers of the turns.

    Returns:
        How many rows went.
    """
    forgotten = set(gone)
    own = (intent_steps.c.user_id == user_id, intent_steps.c.turn.in_(sorted(forgotten)))
    count = connection.execute(delete(intent_steps).where(*own)).rowcount
    found = list_intents(connection, user_id)
    rows = steps_of(connection, user_id, [it.number for it in found])
    for intent in found:
        left = [_without(row, forgotten) for row in rows[intent.number]]
        if not any(row.turn for row in left) or not _is_named(connection, intent):
            count += _remove(connection, intent)
            continue
        left = [_consistent(row, left, intent) for row in left]
        for row in _changed(rows[intent.number], left):
            _rewrite(connection, row)
        _derive(connection, intent, left)
    return count


def _changed(before: Sequence[StepRow], after: Sequence[StepRow]) -> Iterator[StepRow]:
    return (new for old, new in zip(before, after, strict=True) if old != new)


def _without(row: StepRow, forgotten: Collection[int]) -> StepRow:
    """A row without the slots that forgotten turns had said."""
    kept = tuple(it for it in row.slots if it.turn not in forgotten)
    if kept == row.slots:
        return row
    todo = row.document.get("todo")
    # The domain's sentence names the slots: it is not what was said, but it tells it.
    sentences = {"todo": todo and {"en": _LEFT_OUT, "zh": _LEFT_OUT}, "reply": None}
    guard = row.document.get("guard")
    return replace(row, slots=kept, document=row.document | sentences | {"guard": guard and {**guard, "why": None}})


def _consistent(row: StepRow, rows: Sequence[StepRow], intent: IntentRow) -> StepRow:
    """A row that repeats no value that is stated no more, and names no item that is gone."""
    values = {it.value for other in rows for it in other.slots} | set(intent.defaults.values())
    restored = {name: value for name, value in row.document.get("restored", {}).items() if value in values}
    return replace(row, document=row.document | {"restored": restored})


def _is_named(connection: Connection, intent: IntentRow) -> bool:
    """Whether a turn still names the entity; one that nobody has named needs none."""
    name = intent.entity.partition(":")[2].replace("_", " ")
    if not name:
        return True
    texts = connection.execute(select(turns.c.text).where(turns.c.user_id == intent.user_id)).scalars()
    return any(name in fold(text) for text in texts)


def _remove(connection: Connection, intent: IntentRow) -> int:
    own = (intent_steps.c.user_id == intent.user_id, intent_steps.c.intent == intent.number)
    count = connection.execute(delete(intent_steps).where(*own)).rowcount
    row = (intents.c.user_id == intent.user_id, intents.c.number == intent.number)
    return count + connection.execute(delete(intents).where(*row)).rowcount


def _rewrite(connection: Connection, row: StepRow) -> None:
    own = (intent_steps.c.user_id == row.user_id, intent_steps.c.number == row.number)
    connection.execute(update(intent_steps).where(*own).values(**step_columns(row)))


def _derive(connection: Connection, intent: IntentRow, rows: Sequence[StepRow]) -> None:
    """Let the intent stand as its rows say."""
    stands = standing(rows, initial=intent.initial, defaults=intent.defaults)
    todos = todos_by_step(rows)
    numbers = {state: todos[step] for state, step in stands.wanted.items() if step in todos}
    there = select(items.c.number).where(items.c.user_id == intent.user_id, items.c.number.in_(numbers.values()))
    known = set(connection.execute(there).scalars())
    change_intent(
        connection,
        intent.user_id,
        intent.number,
        state=stands.state,
        slots={name: it.value for name, it in stands.slots.items()},
        open=intent.open and stands.state != intent.initial,
        left={state: number for state, number in numbers.items() if number in known},
        turn=stands.turn,
    )
