"""Checks of the intents: their steps quote turns, and they stand as their steps say."""

from collections.abc import Iterator
from datetime import datetime

from sqlalchemy import Connection, select

from ..records import Span, Turn
from ..storage.intent_tables import intent_steps, intents
from ..storage.intents import IntentRow, StepRow, change_intent, list_intents, standing, steps_of
from ..storage.tables import items
from ..storage.turns import get_turns
from .checks import Check, Finding


def broken_steps(connection: Connection) -> Iterator[Finding]:
    """Steps and slots that do not quote their turns, and todos that do not exist."""
    for user_id, rows in _all_steps(connection):
        quoted = {row.number: list(_quoted(row)) for row in rows}
        turns = get_turns(connection, user_id, {it[0] for quotes in quoted.values() for it in quotes})
        known = _items_of(connection, user_id, rows)
        for row in rows:
            if not all(_is_said(turns.get(turn), span, quote) for turn, span, quote in quoted[row.number]):
                yield Finding(user_id, f"step {row.number}", f"t{row.turn} does not contain what it quotes")
            if not set(row.left.values()) <= known:
                yield Finding(user_id, f"step {row.number}", "the todo that it left does not exist")


def _is_said(turn: Turn | None, span: Span, quote: str) -> bool:
    return turn is not None and span.cut(turn.text) == quote


def _items_of(connection: Connection, user_id: str, rows: list[StepRow]) -> set[int]:
    """Which of the todos that the rows left there are."""
    left = sorted({item for row in rows for item in row.left.values()})
    there = select(items.c.number).where(items.c.user_id == user_id, items.c.number.in_(left))
    return set(connection.execute(there).scalars())


def stale_intents(connection: Connection) -> Iterator[Finding]:
    """Intents that do not stand as their steps say."""
    for user_id, rows in _all_steps(connection):
        for intent in list_intents(connection, user_id):
            own = [row for row in rows if row.intent == intent.number]
            if _derived(intent, own) != (intent.state, dict(intent.slots), intent.turn):
                yield Finding(user_id, f"intent {intent.number}", "it does not stand as its steps say")


def replay(connection: Connection, finding: Finding, _now: datetime) -> None:
    """Let the intent stand as its steps say."""
    number = int(finding.subject.rpartition(" ")[2])
    intent = next(it for it in list_intents(connection, finding.user_id) if it.number == number)
    rows = steps_of(connection, finding.user_id, [number])[number]
    state, slots, turn = _derived(intent, rows)
    change_intent(connection, finding.user_id, number, state=state, slots=slots, turn=turn)


INTENT_CHECKS = (
    Check("steps", "Every step of an intent quotes its turn exactly.", intent_steps, broken_steps),
    Check("intents", "Every intent stands as its steps say.", intents, stale_intents, replay),
)


def _all_steps(connection: Connection) -> Iterator[tuple[str, list[StepRow]]]:
    """The rows of every user's intents."""
    for user_id in connection.scalars(select(intents.c.user_id).distinct().order_by(intents.c.user_id)).all():
        numbers = [it.number for it in list_intents(connection, user_id)]
        yield user_id, [row for rows in steps_of(connection, user_id, numbers).values() for row in rows]


def _quoted(row: StepRow) -> Iterator[tuple[int, Span, str]]:
    if row.turn is not None:
        yield row.turn, Span(row.start or 0, row.end or 0), row.quote
    yield from ((it.turn, Span(it.start, it.end), it.quote) for it in row.slots if it.quote and it.turn is not None)


def _derived(intent: IntentRow, rows: list[StepRow]) -> tuple[str, dict[str, str], int | None]:
    stands = standing(rows, initial=intent.initial, defaults=intent.defaults)
    return stands.state, {name: it.value for name, it in stands.slots.items()}, stands.turn
