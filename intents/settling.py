"""Writing what a turn does to the intents: steps, slots as facts, todos that quote the turn, and what they close."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime

from sqlalchemy import Connection

from ..memory.records import Span, Turn
from ..memory.storage.counters import next_number
from ..memory.storage.intents import (
    Filled,
    IntentRow,
    Standing,
    StepRow,
    add_intent,
    add_step,
    behind,
    change_intent,
    find_intent,
    list_intents,
    standing,
    steps_of,
    todos_by_step,
)
from .domains import Domain
from .itemizing import Items
from .outcomes import Outcome, document_of, outcome_of


class Settler:
    """One turn's outcomes, written within the caller's transaction."""

    def __init__(
        self, connection: Connection, user_id: str, session_id: str, turn: Turn | None, *, now: datetime
    ) -> None:
        """Write for a turn of the user; ``None`` where the host says it."""
        self._connection = connection
        self._user_id = user_id
        self._session_id = session_id
        self._turn = turn
        self._now = now
        self._items = Items(connection, user_id, turn, now=now)

    def settle(self, outcome: Outcome, domain: Domain) -> Outcome:
        """Write one outcome, and return it with its number and the items that it left and closed."""
        number = next_number(self._connection, self._user_id, "step")
        if not outcome.entity:
            row = self._row(outcome, domain, None, number)
            add_step(self._connection, row)
            return outcome_of(row)
        intent = self._intent(outcome, domain)
        rows = steps_of(self._connection, self._user_id, [intent.number])[intent.number]
        row = self._row(outcome, domain, intent.number, number)
        before = standing(rows, initial=intent.initial, defaults=intent.defaults)
        after = standing([*rows, row], initial=intent.initial, defaults=intent.defaults)
        row = self._with_items(row, rows, intent, before, after)
        add_step(self._connection, row)
        self._update(intent, domain, after, [*rows, row])
        return outcome_of(row)

    def _intent(self, outcome: Outcome, domain: Domain) -> IntentRow:
        known = find_intent(self._connection, self._user_id, domain.id, outcome.entity)
        if known is not None:
            return known
        named = outcome.renames
        renamed = find_intent(self._connection, self._user_id, domain.id, named) if named else None
        if renamed is not None:
            change_intent(self._connection, self._user_id, renamed.number, entity=outcome.entity)
            return replace(renamed, entity=outcome.entity)
        add_intent(
            self._connection,
            self._user_id,
            domain=domain.id,
            entity=outcome.entity,
            initial=domain.initial,
            defaults=domain.defaults,
            state=domain.initial,
            slots=domain.defaults,
            open=False,
            left={},
            session_id=self._session_id,
            turn=None,
            opened_at=self._now,
            updated_at=self._now,
        )
        return list_intents(self._connection, self._user_id, domain=domain.id, entity=outcome.entity)[0]

    def _row(self, outcome: Outcome, domain: Domain, intent: int | None, number: int) -> StepRow:
        state = domain.states.get(outcome.to_state)
        voids = state.voids if state is not None and outcome.kind == "step" else ()
        trigger = outcome.trigger
        return StepRow(
            user_id=self._user_id,
            number=number,
            intent=intent,
            domain=domain.id,
            session_id=self._session_id,
            turn=self._turn.number if self._turn else None,
            kind=outcome.kind,
            transition=outcome.transition,
            from_state=outcome.from_state,
            to_state=outcome.to_state,
            tentative=outcome.tentative,
            start=trigger.start if trigger else None,
            end=trigger.end if trigger else None,
            quote=trigger.text if trigger else "",
            slots=outcome.slots,
            left={},
            retracted=(),
            undoes=outcome.steps,
            document=document_of(outcome, voids, state is not None and state.untouched),
            recorded_at=self._now,
        )

    # --- items -------------------------------------------------------------------------------------------------------

    def _with_items(
        self, row: StepRow, rows: Sequence[StepRow], intent: IntentRow, before: Standing, after: Standing
    ) -> StepRow:
        """Close and store the items that a row makes; the row names them."""
        todos = todos_by_step(rows)
        void = [todos[step] for step in before.wanted.values() if step not in after.wanted.values() and step in todos]
        closed = self._items.close([*void, *self._told_by(row, rows, intent)])
        if row.kind == "step" and row.document["untouched"]:
            self._items.answer_at_once(row)
        left = dict(self._left(row, todos, intent, before, after))
        self._items.put_right(row, intent)
        facts = [self._items.fact(it, intent) for it in _said(row, rows, intent, after)]
        facts += map(self._items.again, self._closed_by_undoing(row, rows, intent))
        document = row.document | {"facts": list(filter(None, facts))}
        return replace(row, left=left, retracted=tuple(closed), document=document)

    def _left(
        self, row: StepRow, todos: Mapping[int, int], intent: IntentRow, before: Standing, after: Standing
    ) -> Iterator[tuple[int, int]]:
        """The todos that the row leaves, or that hold again, by the steps that want them."""
        part = Span(*row.document["part"]) if row.document["part"] else None
        for wanting in after.wanted.values():
            number = 0
            if wanting == row.number:
                number = self._items.todo(row, intent, part)
            elif wanting not in before.wanted.values() and wanting in todos:
                number = self._items.again(todos[wanting])
            if number:
                yield wanting, number

    def _told_by(self, row: StepRow, rows: Sequence[StepRow], intent: IntentRow) -> Iterator[int]:
        """The items that the rows which are taken back stored, and what else their turns say of the entity."""
        for taken in _taken_back(row, rows):
            yield from taken.document.get("facts", ())
            if taken.kind == "step":
                yield from self._items.stated_by(taken, intent)

    def _closed_by_undoing(self, row: StepRow, rows: Sequence[StepRow], intent: IntentRow) -> list[int]:
        """What else an undoing closed that is itself taken back; slots and todos follow from the steps."""
        todos = set(todos_by_step(rows).values())
        closed = {it for taken in _taken_back(row, rows) if taken.kind != "step" for it in taken.retracted}
        slots = {(intent.entity, slot.slot) for it in rows for slot in it.slots}
        return [it.number for it in self._items.about(closed - todos) if (it.entity, it.attribute) not in slots]

    def _update(self, intent: IntentRow, domain: Domain, after: Standing, rows: Sequence[StepRow]) -> None:
        items = todos_by_step(rows)
        state = domain.states[after.state]
        change_intent(
            self._connection,
            self._user_id,
            intent.number,
            state=after.state,
            slots={name: it.value for name, it in after.slots.items()},
            open=not state.closes and not state.initial,
            left={state: items[step] for state, step in after.wanted.items() if step in items},
            session_id=self._session_id,
            turn=after.turn,
            updated_at=self._now,
        )


def _taken_back(row: StepRow, rows: Sequence[StepRow]) -> list[StepRow]:
    return [it for it in rows if it.number in set(row.undoes)]


def _said(row: StepRow, rows: Sequence[StepRow], intent: IntentRow, after: Standing) -> list[Filled]:
    """What is said of slots: by the turn, or again after something was taken back."""
    if row.kind in {"undone", "redone"}:
        taken = behind(row, rows)
        # What was said twice and taken back once is still said, though no value changes by it.
        touched = {slot.slot for it in rows if it.number in taken for slot in it.slots}
        changed = [it for name, it in after.slots.items() if name in touched or intent.slots.get(name) != it.value]
        return [_in_words_of(row, it) for it in changed] if row.document["whole"] else changed
    wanted = row.kind == "step" and not row.tentative
    return [it for it in row.slots if wanted or it.kept]


def _in_words_of(row: StepRow, slot: Filled) -> Filled:
    """A slot that no turn has set: a plan that is as it was is so in the words that restore it."""
    return slot if slot.turn else Filled(slot.slot, slot.value, row.quote, row.start or 0, row.end or 0, row.turn)
