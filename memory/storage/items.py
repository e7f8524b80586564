"""The bitemporal item store: what a turn's extraction proposes is checked, stored, and set against what held before.

Nothing is ever deleted, and nothing edited but the closing of a row: ``valid_to`` and ``closed_by`` say until when it
held and why it ended, ``closed_at`` when the system learned of it. Valid time decides which version is the current one,
so that an old conversation that is imported late never supersedes what was said after it. Method: bitemporal state
tables after R. T. Snodgrass, "Developing Time-Oriented Database Applications in SQL" (1999).
"""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, and_, insert, or_, select, update

from ..errors import AlreadyClosed, BadInput
from ..extraction.namesakes import of_the_same
from ..extraction.normals import normalise
from ..records import ClosedBy, Item, Proposal, Span, Turn
from .counters import next_number
from .item_rows import (
    LiveItemsIn,
    closed_by,
    fetch,
    get_item,
    history_of,
    holds_at,
    is_proposed,
    is_quotable,
    items_of_turns,
    list_entities,
    list_items,
    successors,
)
from .keys import NAMED, is_key, key_of
from .tables import conflicts, items

__all__ = [
    "LiveItemsIn",
    "close_items",
    "closed_by",
    "correct_item",
    "get_item",
    "history_of",
    "holds_at",
    "items_of_turns",
    "list_entities",
    "list_items",
    "record_items",
    "successors",
]

_VERSIONED = {"fact", "choice"}
"""Kinds whose values replace each other; todos, events, questions and decisions stand beside each other."""
_NEXT = 20  # later versions among which the one of the same person is, where one word means several
_ENDS: dict[str, ClosedBy] = {
    "change": "change",
    "correct": "correction",
    "retract": "retraction",
    "complete": "completion",
}


@dataclass(frozen=True, slots=True)
class _Closing:
    """How a row ends: until when it held, why, and what came after it."""

    valid_to: datetime
    closed_by: ClosedBy
    superseded_by: int | None


def record_items(connection: Connection, turn: Turn, proposals: Sequence[Proposal], *, now: datetime) -> list[Item]:
    """Store what a turn proposes, within the caller's write transaction.

    What the turn's text does not contain at the proposed spans is not stored, and what is known already not twice.
    Source and speaker are those of the turn.

    Args:
        connection: a connection in a write transaction.
        turn: the turn that the proposals quote.
        proposals: what an extractor found, in the order of the text.
        now: recorded time of everything that is written.

    Returns:
        The newly stored items, in order.
    """
    recorded = (_record(connection, turn, _with_key(proposal), now) for proposal in proposals)
    return [item for item in recorded if item is not None]


def correct_item(
    connection: Connection, user_id: str, number: int, new_value: str, *, by_turn: Turn, now: datetime
) -> Item:
    """Replace the value of a live item that was wrong from the start; the old row stays, marked as corrected.

    Args:
        connection: a connection in a write transaction.
        user_id: whose item.
        number: the item's number.
        new_value: the right value, as ``by_turn`` says it.
        by_turn: the recorded turn that corrects; its text contains the value.
        now: recorded time of the correction.

    Raises:
        NotFound: the user has no item of that number.
        AlreadyClosed: the item holds no longer.
        BadInput: the turn does not contain the value.
    """
    old = get_item(connection, user_id, number)
    if not old.live:
        successor = f"correct f{old.superseded_by} instead" if old.superseded_by else "there is nothing left to correct"
        message = f"Item f{number} was closed already by a {old.closed_by}: {successor}."
        raise AlreadyClosed(message)
    start = by_turn.text.rfind(new_value) if new_value.strip() else -1
    if start < 0:
        message = (
            f"The correcting turn {by_turn.id} does not contain {new_value!r}: give the value as it is said there."
        )
        raise BadInput(message)
    meaning = normalise(new_value)
    proposal = Proposal(
        kind=old.kind,
        entity=old.entity,
        attribute=old.attribute,
        value=new_value,
        value_span=Span(start, start + len(new_value)),
        quote_span=Span(0, len(by_turn.text)),
        normal=meaning.normal,
        value_type=meaning.value_type,
        unit=meaning.unit,
        polarity=old.polarity,
        single_valued=old.single_valued,
        action="correct",
        targets=(number,),
    )
    return _record(connection, by_turn, proposal, now) or old


def close_items(
    connection: Connection, user_id: str, numbers: Collection[int], *, closed_by: ClosedBy, now: datetime
) -> None:
    """Close live items that ended without a successor: answered questions, todos that were done."""
    ended = update(items).where(items.c.user_id == user_id, items.c.number.in_(numbers), items.c.closed_at.is_(None))
    connection.execute(ended.values(closed_at=now, valid_to=now, closed_by=closed_by))


def _with_key(proposal: Proposal) -> Proposal:
    """A proposal whose attribute may stand in MEMORY_STATE."""
    if proposal.kind not in NAMED or is_key(proposal.attribute):
        return proposal
    return replace(proposal, attribute=key_of(proposal.attribute))


def _record(connection: Connection, turn: Turn, proposal: Proposal, now: datetime) -> Item | None:
    if not is_quotable(turn, proposal.value, proposal.value_span, proposal.quote_span):
        return None
    if proposal.accepted is not None and not is_proposed(connection, turn, proposal.accepted):
        return None
    targets = _targets(connection, turn, proposal)
    if proposal.action in {"retract", "complete"}:
        closing = _Closing(proposal.valid_from or turn.observed_at, _ENDS[proposal.action], None)
        for target in targets:
            _close(connection, target, closing, now)
        return None
    valid_from = _valid_from(turn, proposal, targets)
    known = _known(connection, turn, proposal, valid_from)
    if known is not None:
        _replace(connection, proposal, targets, valid_from, known, now)
        return None
    number = next_number(connection, turn.user_id, "item")
    _replace(connection, proposal, targets, valid_from, number, now)
    before, after = _neighbours(connection, turn, proposal, valid_from)
    ending = _ending(before, after)
    for item in before:
        _close(connection, item, _Closing(valid_from, "change", number), now)
        _note_conflict(connection, proposal, item, number, "recency", now)
    if after is not None:
        _note_conflict(connection, proposal, after, number, "recency", now, newer_preferred=False)
    for item in _targets(connection, turn, replace(proposal, targets=proposal.rivals)):
        _note_conflict(connection, proposal, item, number, "recency", now)
    _fulfil(connection, turn, proposal, valid_from, number, now)
    return _insert(connection, turn, proposal, number, valid_from, ending, now)


def _targets(connection: Connection, turn: Turn, proposal: Proposal) -> list[Item]:
    """The live items that the proposal may close: its targets, unless they were said after this turn."""
    if not proposal.targets:
        return []
    wanted = select(items).where(
        items.c.user_id == turn.user_id,
        items.c.number.in_(proposal.targets),
        items.c.closed_at.is_(None),
        items.c.observed_at <= turn.observed_at,
        items.c.source == turn.source,
    )
    found = fetch(connection, wanted)
    if proposal.action == "change":
        # "In 2019 I joined Google" tells of the past and replaces nothing that began since.
        began = proposal.valid_from or turn.observed_at
        found = [item for item in found if item.valid_from <= began]
    said = (proposal.normal, proposal.polarity, proposal.due_at) if proposal.action in {"change", "correct"} else None
    return [item for item in found if (item.normal, item.polarity, item.due_at) != said]


def _valid_from(turn: Turn, proposal: Proposal, targets: Sequence[Item]) -> datetime:
    """When the new item begins to hold: a correction was true as long as what it corrects was believed."""
    if proposal.action == "correct" and targets:
        return min(item.valid_from for item in targets)
    return proposal.valid_from or turn.observed_at


def _same_meaning(turn: Turn, proposal: Proposal) -> ColumnElement[bool]:
    return and_(
        items.c.user_id == turn.user_id,
        items.c.entity == proposal.entity,
        items.c.attribute == proposal.attribute,
        items.c.normal == proposal.normal,
        items.c.kind == proposal.kind,
        items.c.polarity == proposal.polarity,
        items.c.modality == proposal.modality,
        items.c.source == turn.source,
        items.c.unit.is_not_distinct_from(proposal.unit),
        items.c.due_at.is_not_distinct_from(proposal.due_at),
    )


def _known(connection: Connection, turn: Turn, proposal: Proposal, valid_from: datetime) -> int | None:
    """The number of an item that says the same already, and said so at ``valid_from``."""
    begins = items.c.valid_from == valid_from if proposal.kind == "event" else items.c.valid_from <= valid_from
    open_then = or_(items.c.closed_at.is_(None), and_(items.c.closed_by != "correction", items.c.valid_to > valid_from))
    same = select(items.c.number).where(_same_meaning(turn, proposal), begins, open_then)
    number = connection.execute(same.limit(1)).scalar_one_or_none()
    return None if number is None else int(number)


def _replace(
    connection: Connection,
    proposal: Proposal,
    targets: Sequence[Item],
    valid_from: datetime,
    successor: int,
    now: datetime,
) -> None:
    """Close what the proposal names as changed or corrected."""
    rule = "correction" if proposal.action == "correct" else "recency"
    for target in targets:
        closed_by = _ENDS.get(proposal.action, "change")
        _close(connection, target, _Closing(max(valid_from, target.valid_from), closed_by, successor), now)
        _note_conflict(connection, proposal, target, successor, rule, now)


def _versions(turn: Turn, proposal: Proposal) -> ColumnElement[bool]:
    """The rows of which only one can hold at a time: of a single-valued attribute, or of one value and its negation."""
    one_value = items.c.normal == proposal.normal
    if proposal.single_valued and proposal.polarity == "positive":
        one_value = or_(one_value, and_(items.c.single_valued.is_(True), items.c.polarity == "positive"))
    return and_(
        items.c.user_id == turn.user_id,
        items.c.entity == proposal.entity,
        items.c.attribute == proposal.attribute,
        items.c.kind == proposal.kind,
        items.c.modality == proposal.modality,
        items.c.source == turn.source,
        items.c.closed_by.is_distinct_from("correction"),
        one_value,
    )


def _neighbours(
    connection: Connection, turn: Turn, proposal: Proposal, valid_from: datetime
) -> tuple[list[Item], Item | None]:
    """The versions that held when the new one began, and the first that began after it."""
    if proposal.kind not in _VERSIONED or proposal.modality != "asserted":
        return [], None
    versions = select(items).where(_versions(turn, proposal))
    then = or_(items.c.closed_at.is_(None), items.c.valid_to > valid_from)
    before = versions.where(items.c.valid_from <= valid_from, then)
    after = versions.where(items.c.valid_from > valid_from).order_by(items.c.valid_from, items.c.number).limit(_NEXT)
    quote = proposal.quote_span.cut(turn.text)
    held, came = (of_the_same(proposal.attribute, quote, fetch(connection, rows)) for rows in (before, after))
    return held, next(iter(came), None)


def _ending(before: Sequence[Item], after: Item | None) -> _Closing | None:
    """How the new item ends if its time is over already: where the one before it ended, or the next began."""
    endings = [
        _Closing(item.valid_to, item.closed_by, item.superseded_by)
        for item in before
        if item.valid_to is not None and item.closed_by is not None
    ]
    if after is not None:
        endings.append(_Closing(after.valid_from, "change", after.number))
    return min(endings, key=lambda ending: ending.valid_to, default=None)


def _close(connection: Connection, item: Item, closing: _Closing, now: datetime) -> None:
    row = update(items).where(items.c.user_id == item.user_id, items.c.number == item.number)
    connection.execute(
        row.values(
            valid_to=closing.valid_to, closed_at=now, closed_by=closing.closed_by, superseded_by=closing.superseded_by
        )
    )


def _note_conflict(
    connection: Connection,
    proposal: Proposal,
    other: Item,
    number: int,
    rule: str,
    now: datetime,
    *,
    newer_preferred: bool = True,
) -> None:
    """Record that two items cannot both hold, unless they say the same."""
    if (other.normal, other.polarity, other.unit) == (proposal.normal, proposal.polarity, proposal.unit):
        return
    preferred, lesser = (number, other.number) if newer_preferred else (other.number, number)
    pair = {"user_id": other.user_id, "preferred": preferred, "other": lesser}
    known = select(conflicts.c.id).where(*(conflicts.c[name] == it for name, it in pair.items()))
    if connection.execute(known).first() is None:
        connection.execute(insert(conflicts).values(**pair, rule=rule, recorded_at=now))


def _fulfil(
    connection: Connection, turn: Turn, proposal: Proposal, valid_from: datetime, number: int, now: datetime
) -> None:
    """What was only intended is complete once the same is asserted."""
    if proposal.modality != "asserted" or proposal.polarity != "positive":
        return
    intended = select(items).where(
        items.c.user_id == turn.user_id,
        items.c.entity == proposal.entity,
        items.c.attribute == proposal.attribute,
        items.c.normal == proposal.normal,
        items.c.modality != "asserted",
        items.c.closed_at.is_(None),
        items.c.valid_from <= valid_from,
        items.c.source == turn.source,
    )
    for item in fetch(connection, intended):
        _close(connection, item, _Closing(valid_from, "completion", number), now)


def _insert(
    connection: Connection,
    turn: Turn,
    proposal: Proposal,
    number: int,
    valid_from: datetime,
    ending: _Closing | None,
    now: datetime,
) -> Item:
    item = Item(
        user_id=turn.user_id,
        number=number,
        kind=proposal.kind,
        entity=proposal.entity,
        attribute=proposal.attribute,
        value=proposal.value,
        normal=proposal.normal,
        value_type=proposal.value_type,
        unit=proposal.unit,
        polarity=proposal.polarity,
        single_valued=proposal.single_valued and proposal.polarity == "positive",
        modality=proposal.modality,
        source=turn.source,
        speaker=turn.speaker,
        turn=turn.number,
        value_span=proposal.value_span,
        quote_span=proposal.quote_span,
        quote=proposal.quote_span.cut(turn.text),
        confidence=proposal.confidence,
        observed_at=turn.observed_at,
        recorded_at=now,
        valid_from=valid_from,
        valid_to=ending.valid_to if ending else None,
        closed_at=now if ending else None,
        closed_by=ending.closed_by if ending else None,
        superseded_by=ending.superseded_by if ending else None,
        due_at=proposal.due_at,
        accepted=proposal.accepted,
    )
    connection.execute(insert(items).values(**_columns(item)))
    return item


def _columns(item: Item) -> dict[str, object]:
    spans = {"value_span": ("value_start", "value_end"), "quote_span": ("quote_start", "quote_end")}
    columns: dict[str, object] = {}
    for name in Item.__slots__:
        value = getattr(item, name)
        if name in spans:
            columns |= dict(zip(spans[name], value, strict=True))
        elif name == "accepted":
            turn, (start, end) = value or (None, (None, None))
            columns |= {"accepted_turn": turn, "accepted_start": start, "accepted_end": end}
        else:
            columns[name] = value
    return columns
