"""Writing what a turn does to the intents: steps, slots as facts, todos that quote the turn, and what they close."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime

from sqlalchemy import Connection

from ..memory.language.folding import fold
from ..memory.records import Item, Proposal, Span, Turn
from ..memory.storage.counters import next_number
from ..memory.storage.intents import (
    Filled,
    IntentRow,
    Standing,
    StepRow,
    add_intent,
    add_step,
    change_intent,
    list_intents,
    replaced_by,
    standing,
    steps_of,
    todos_by_step,
)
from ..memory.storage.item_rows import get_item, items_of_turns
from ..memory.storage.items import close_items, record_items
from ..memory.storage.turns import get_turns
from .domains import Domain
from .outcomes import Outcome, document_of, outcome_of

_STATED = frozenset({"fact", "event", "decision", "choice", "agreement", "todo"})


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
        row = self._with_items(row, rows, intent, (before, after), outcome.part)
        add_step(self._connection, row)
        self._update(intent, domain, after, [*rows, row])
        return outcome_of(row)

    def _intent(self, outcome: Outcome, domain: Domain) -> IntentRow:
        known = list_intents(self._connection, self._user_id, domain=domain.id)
        by_entity = {it.entity: it for it in known}
        if outcome.entity not in by_entity and outcome.renames in by_entity:
            renamed = by_entity[outcome.renames]
            change_intent(self._connection, self._user_id, renamed.number, entity=outcome.entity)
            return replace(renamed, entity=outcome.entity)
        if outcome.entity in by_entity:
            return by_entity[outcome.entity]
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
        self,
        row: StepRow,
        rows: Sequence[StepRow],
        intent: IntentRow,
        standings: tuple[Standing, Standing],
        part: Span | None,
    ) -> StepRow:
        """Close and store the items that a row makes; the row names them."""
        before, after = standings
        items = todos_by_step(rows)
        gone = [number for number in before.wanted.values() if number not in after.wanted.values()]
        closing = [items[number] for number in gone if number in items]
        if row.kind in {"undone", "redone"}:
            closing += self._told_by(row, rows, intent)
        closed = self._close(closing)
        if row.kind == "step" and row.document["untouched"]:
            self._answer_at_once(row)
        left: dict[int, int] = {}
        for wanting in after.wanted.values():
            if wanting == row.number:
                left[wanting] = self._todo(row, intent, part)
            elif wanting not in before.wanted.values() and wanting in items:
                left[wanting] = self._again(items[wanting])
        self._put_right(row, intent)
        facts = self._facts(row, intent, after)
        if row.kind in {"undone", "redone"}:
            facts += self._brought_back(row, rows, intent)
        left = {wanting: item for wanting, item in left.items() if item}
        return replace(row, left=left, retracted=tuple(closed), document=row.document | {"facts": facts})

    def _answer_at_once(self, row: StepRow) -> None:
        """Looking something up is done with the answer: "look up my order" is no errand of the user's."""
        words = Span(row.start or 0, row.end or 0)
        errands = [it.number for it in self._told() if it.kind == "todo" and it.live and it.value_span.overlaps(words)]
        close_items(self._connection, self._user_id, errands, closed_by="completion", now=self._now)

    def _put_right(self, row: StepRow, intent: IntentRow) -> None:
        """Take back what the words of a slot were read as besides: in "make it SF" the SF is no other attribute's."""
        spans = {it.slot: Span(it.start, it.end) for it in row.slots if self._turn and it.turn == self._turn.number}
        for item in self._told():
            elsewhere = (
                item.entity == intent.entity and item.live and item.kind == "fact" and item.attribute not in spans
            )
            if elsewhere and any(item.value_span.overlaps(span) for span in spans.values()):
                replaced = replaced_by(self._connection, self._user_id, item.number)
                close_items(self._connection, self._user_id, [item.number], closed_by="correction", now=self._now)
                for number in replaced:
                    self._again(number)

    def _told(self) -> list[Item]:
        """The items that quote the turn."""
        if self._turn is None:
            return []
        return items_of_turns(self._connection, self._user_id, [self._turn.number]).get(self._turn.number, [])

    def _close(self, numbers: Collection[int]) -> list[int]:
        live = [it for it in sorted(set(numbers)) if get_item(self._connection, self._user_id, it).live]
        if live:
            close_items(self._connection, self._user_id, live, closed_by="retraction", now=self._now)
        return live

    def _told_by(self, row: StepRow, rows: Sequence[StepRow], intent: IntentRow) -> list[int]:
        """The items that the rows which are taken back stored, and what else their turns say of the entity."""
        found: list[int] = []
        for taken in (it for it in rows if it.number in set(row.undoes)):
            found += taken.document.get("facts", ())
            if taken.turn is None or taken.kind != "step":
                continue
            told = items_of_turns(self._connection, self._user_id, [taken.turn]).get(taken.turn, [])
            kept = {it.slot for it in taken.slots if it.kept}
            found += [it.number for it in told if _is_of_step(it, taken, intent) and it.attribute not in kept]
        return found

    def _brought_back(self, row: StepRow, rows: Sequence[StepRow], intent: IntentRow) -> list[int]:
        """Store again what else an undoing closed that is itself undone; slots and todos follow from the steps."""
        todos = set(todos_by_step(rows).values())
        taken = [it for it in rows if it.number in set(row.undoes) and it.kind in {"undone", "redone"}]
        numbers = [number for it in taken for number in it.retracted if number not in todos]
        items = [get_item(self._connection, self._user_id, number) for number in numbers]
        slots = {slot.slot for it in rows for slot in it.slots}
        again = [it.number for it in items if not (it.entity == intent.entity and it.attribute in slots)]
        return [number for it in again if (number := self._again(it))]

    def _again(self, number: int) -> int:
        """A row like one that was closed, which quotes the same turn and holds from now on."""
        item = get_item(self._connection, self._user_id, number)
        if item.closed_by == "completion" or item.live:
            return 0 if item.live is False else item.number
        turn = get_turns(self._connection, self._user_id, [item.turn]).get(item.turn)
        if turn is None:
            return 0
        stored = record_items(self._connection, turn, [_copied(item, self._now)], now=self._now)
        return stored[0].number if stored else 0

    def _todo(self, row: StepRow, intent: IntentRow, part: Span | None) -> int:
        """The todo that a step leaves: the one that the turn's words make already, else one of our own."""
        if self._turn is None or row.start is None or row.end is None:
            return 0
        quote = _clause(self._turn.text, Span(row.start, row.end), part)
        told = [it for it in self._told() if it.kind == "todo" and it.live and it.value_span.overlaps(quote)]
        own = [
            it for it in told if part is None or (part.start <= it.value_span.start and it.value_span.end <= part.end)
        ]
        if own:
            return own[0].number
        # One errand for all that a sentence wants says less than one for each.
        close_items(self._connection, self._user_id, [it.number for it in told], closed_by="change", now=self._now)
        text = row.document["todo"][self._turn.language]
        value = _reach(quote, row)
        todo = Proposal(
            kind="todo",
            entity=intent.entity,
            attribute=row.to_state,
            value=value.cut(self._turn.text),
            value_span=value,
            quote_span=quote,
            normal=fold(text),
        )
        stored = record_items(self._connection, self._turn, [todo], now=self._now)
        return stored[0].number if stored else 0

    def _facts(self, row: StepRow, intent: IntentRow, after: Standing) -> list[int]:
        """What is said of slots, as facts about the entity: by the turn, or again after something was taken back."""
        said = [it for it in row.slots if it.kept or (row.kind == "step" and not row.tentative)]
        if row.kind in {"undone", "redone"}:
            changed = [name for name in after.slots if intent.slots.get(name) != after.slots[name].value]
            said = [after.slots[name] for name in changed]
            if row.document["whole"] and row.turn is not None:
                # A plan that is as it was is so in the words that restore it.
                quote = (row.quote, row.start or 0, row.end or 0, row.turn)
                said = [it if it.turn else Filled(it.slot, it.value, *quote) for it in said]
        stored = (self._fact(it, intent) for it in said)
        return [number for number in stored if number]

    def _fact(self, filled: Filled, intent: IntentRow) -> int:
        """One slot as a fact that quotes the turn which says it; the host's words are no turn."""
        if filled.turn is None or not filled.quote:
            return 0
        turn = get_turns(self._connection, self._user_id, [filled.turn]).get(filled.turn)
        if turn is None:
            return 0
        fact = _fact(filled, intent, turn)
        if self._turn is not None and turn.number != self._turn.number:
            fact = replace(fact, valid_from=self._turn.observed_at)
        stored = record_items(self._connection, turn, [fact], now=self._now)
        return stored[0].number if stored else 0

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


def _is_of_step(item: Item, step: StepRow, intent: IntentRow) -> bool:
    if item.kind not in _STATED or not item.live:
        return False
    if item.entity == intent.entity:
        return True
    part = Span(*step.document["part"]) if step.document.get("part") else Span(step.start or 0, step.end or 0)
    return ":" not in item.entity and item.value_span.overlaps(part)


def _clause(text: str, span: Span, part: Span | None = None) -> Span:
    """The clause around some words, without the marks at its ends, and no more of it than a part."""
    marks = ",，.。!！?？;；\n"
    first, last = part or Span(0, len(text))
    start = max(first, *(text.rfind(mark, 0, span.start) + 1 for mark in marks))
    end = min(last, *(found for mark in marks if (found := text.find(mark, span.end)) >= 0), len(text))
    start, end = min(start, span.start), max(end, span.end)
    piece = text[start:end]
    return Span(start + len(piece) - len(piece.lstrip()), end - (len(piece) - len(piece.rstrip())))


def _reach(quote: Span, row: StepRow) -> Span:
    """From the words of the step to the last slot that the clause states."""
    start, end = row.start or 0, row.end or 0
    inside = [it.end for it in row.slots if it.turn == row.turn and quote.start <= it.start and it.end <= quote.end]
    return Span(start, max([end, *inside]))


def _fact(filled: Filled, intent: IntentRow, turn: Turn) -> Proposal:
    span = Span(filled.start, filled.end)
    clause = _clause(turn.text, span)
    return Proposal(
        kind="fact",
        entity=intent.entity,
        attribute=filled.slot,
        value=span.cut(turn.text),
        value_span=span,
        quote_span=Span(min(clause.start, span.start), max(clause.end, span.end)),
        normal=filled.value,
        single_valued=True,
    )


def _copied(item: Item, now: datetime) -> Proposal:
    return Proposal(
        kind=item.kind,
        entity=item.entity,
        attribute=item.attribute,
        value=item.value,
        value_span=item.value_span,
        quote_span=item.quote_span,
        normal=item.normal,
        value_type=item.value_type,
        unit=item.unit,
        polarity=item.polarity,
        single_valued=item.single_valued,
        modality="intended" if item.modality == "intended" else "asserted",
        valid_from=now,
        due_at=item.due_at,
        confidence=item.confidence,
    )
