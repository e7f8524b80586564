"""What steps make of items: todos and facts that quote a turn, closed and stored again as steps come and go."""

from collections.abc import Collection, Iterator
from dataclasses import replace
from datetime import datetime

from sqlalchemy import Connection

from ..memory.language.folding import fold
from ..memory.language.sentences import clauses, sentences
from ..memory.records import ClosedBy, Item, Proposal, Span, Turn
from ..memory.storage.intents import Filled, IntentRow, StepRow, replaced_by
from ..memory.storage.item_rows import get_item, items_of_turns
from ..memory.storage.items import close_items, record_items
from ..memory.storage.turns import get_turns

_STATED = frozenset({"fact", "event", "decision", "choice", "agreement", "todo"})
_MARKS = " ,，.。!！?？;；…\n"


class Items:
    """The items of one user, written for one turn within the caller's transaction."""

    def __init__(self, connection: Connection, user_id: str, turn: Turn | None, *, now: datetime) -> None:
        """Write for a turn of the user; ``None`` where the host says it."""
        self._connection = connection
        self._user_id = user_id
        self._turn = turn
        self._now = now

    def close(self, numbers: Collection[int], closed_by: ClosedBy = "retraction") -> list[int]:
        """Close those that are live, visibly; which ones those were."""
        live = [it for it in sorted(set(numbers)) if get_item(self._connection, self._user_id, it).live]
        if live:
            close_items(self._connection, self._user_id, live, closed_by=closed_by, now=self._now)
        return live

    def again(self, number: int) -> int:
        """Store what was closed once more: it quotes the same turn and holds from now on.

        Returns:
            The number of the row that holds; 0 where it was done meanwhile, or its turn is gone.
        """
        item = get_item(self._connection, self._user_id, number)
        if item.live:
            return item.number
        turn = self._turn_of(item.turn)
        if turn is None or item.closed_by == "completion":
            return 0
        return self._stored(turn, _copied(item, self._now))

    def todo(self, step: StepRow, intent: IntentRow, part: Span | None) -> int:
        """The todo that a step leaves: the one that the turn's words make already, else one of its own.

        Args:
            step: the row that wants it.
            intent: whose.
            part: the part of the turn that belongs to the step.

        Returns:
            Its number; 0 where no turn says it.
        """
        if self._turn is None or step.start is None or step.end is None:
            return 0
        quote = clause_at(self._turn.text, Span(step.start, step.end), part)
        told = [it for it in self._told("todo") if it.value_span.overlaps(quote)]
        own = next((it.number for it in told if part is None or _lies_in(it.value_span, part)), 0)
        if own:
            return own
        # One errand for all that a sentence wants says less than one for each.
        self.close([it.number for it in told], "change")
        value = _reach(quote, step)
        todo = Proposal(
            kind="todo",
            entity=intent.entity,
            attribute=step.to_state,
            value=value.cut(self._turn.text),
            value_span=value,
            quote_span=quote,
            normal=fold(step.document["todo"][self._turn.language]),
        )
        return self._stored(self._turn, todo)

    def fact(self, filled: Filled, intent: IntentRow) -> int:
        """A slot as a fact that quotes the turn which says it; the host's words are no turn."""
        turn = self._turn_of(filled.turn) if filled.quote else None
        if turn is None:
            return 0
        span = Span(filled.start, filled.end)
        fact = Proposal(
            kind="fact",
            entity=intent.entity,
            attribute=filled.slot,
            value=span.cut(turn.text),
            value_span=span,
            quote_span=clause_at(turn.text, span),
            normal=filled.value,
            single_valued=True,
        )
        later = self._turn is not None and turn.number != self._turn.number
        return self._stored(turn, replace(fact, valid_from=self._now) if later else fact)

    def answer_at_once(self, step: StepRow) -> None:
        """Looking something up is done with the answer: "look up my order" is no errand of the user's."""
        words = Span(step.start or 0, step.end or 0)
        self.close([it.number for it in self._told("todo") if it.value_span.overlaps(words)], "completion")

    def put_right(self, step: StepRow, intent: IntentRow) -> None:
        """Take back what the words of a slot were read as besides: in "make it SF" the SF is no other attribute's."""
        if self._turn is None:
            return
        said = {it.slot: Span(it.start, it.end) for it in step.slots if it.turn == self._turn.number}
        for item in self._told("fact"):
            if item.entity == intent.entity and item.attribute not in said and _overlaps(item, said.values()):
                replaced = replaced_by(self._connection, self._user_id, item.number)
                self.close([item.number], "correction")
                for number in replaced:
                    self.again(number)

    def stated_by(self, step: StepRow, intent: IntentRow) -> Iterator[int]:
        """What the turn of a step says besides, of its entity or in its words; how the world is stays out of it."""
        if step.turn is None:
            return
        kept = {it.slot for it in step.slots if it.kept}
        told = items_of_turns(self._connection, self._user_id, [step.turn]).get(step.turn, ())
        for item in told:
            if item.live and item.kind in _STATED and item.attribute not in kept and _is_of(item, step, intent):
                yield item.number

    def about(self, numbers: Collection[int]) -> list[Item]:
        """The items of those numbers."""
        return [get_item(self._connection, self._user_id, number) for number in sorted(numbers)]

    def _told(self, kind: str) -> list[Item]:
        """The live items of a kind that quote the turn."""
        if self._turn is None:
            return []
        told = items_of_turns(self._connection, self._user_id, [self._turn.number]).get(self._turn.number, [])
        return [it for it in told if it.kind == kind and it.live]

    def _turn_of(self, number: int | None) -> Turn | None:
        return None if number is None else get_turns(self._connection, self._user_id, [number]).get(number)

    def _stored(self, turn: Turn, proposal: Proposal) -> int:
        stored = record_items(self._connection, turn, [proposal], now=self._now)
        return stored[0].number if stored else 0


def clause_at(text: str, span: Span, part: Span | None = None) -> Span:
    """The clause around some words, without the marks at its ends, and no more of it than a part of the turn."""
    pieces = [it for sentence in sentences(text) for it in clauses(text, sentence) if it.overlaps(span)]
    first, last = part or Span(0, len(text))
    start = min(span.start, max(first, min((it.start for it in pieces), default=0)))
    end = max(span.end, min(last, max((it.end for it in pieces), default=len(text))))
    before, after = text[start : span.start], text[span.end : end]
    return Span(start + len(before) - len(before.lstrip(_MARKS)), end - (len(after) - len(after.rstrip(_MARKS))))


def _reach(quote: Span, step: StepRow) -> Span:
    """From the words of the step to the last slot that the clause states."""
    inside = [it.end for it in step.slots if it.turn == step.turn and _lies_in(Span(it.start, it.end), quote)]
    return Span(step.start or 0, max([step.end or 0, *inside]))


def _lies_in(inner: Span, outer: Span) -> bool:
    return outer.start <= inner.start and inner.end <= outer.end


def _is_of(item: Item, step: StepRow, intent: IntentRow) -> bool:
    """Whether an item is about the entity of a step, or lies in its words and is about nobody else's."""
    part = Span(*step.document["part"]) if step.document.get("part") else Span(step.start or 0, step.end or 0)
    return item.entity == intent.entity or (":" not in item.entity and item.value_span.overlaps(part))


def _overlaps(item: Item, spans: Collection[Span]) -> bool:
    return any(item.value_span.overlaps(span) for span in spans)


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
