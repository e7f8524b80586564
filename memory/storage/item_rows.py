"""Reading items: rows to values, bitemporal filters, histories, and the bounded look-ups that extraction uses."""

import json
from collections.abc import Collection, Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, Row, Select, and_, func, not_, or_, select, text

from ..errors import NotFound
from ..records import Accepted, Item, ItemKind, Span, Turn
from .number_lists import listed
from .tables import items, turns

_RECENT = 400
"""How many of the latest live items a search by words looks through: it bounds the cost of a turn."""
_LONGEST_HISTORY = 1000
# SQLite bounds the variables of a statement.
_BATCH = 500


def item_of(row: Row[tuple[object, ...]]) -> Item:
    """The item in a row of the whole table."""
    columns = dict(row._mapping)
    columns.pop("id")
    columns["value_span"] = Span(columns.pop("value_start"), columns.pop("value_end"))
    columns["quote_span"] = Span(columns.pop("quote_start"), columns.pop("quote_end"))
    turn, start, end = (columns.pop(f"accepted_{name}") for name in ("turn", "start", "end"))
    return Item(**columns, accepted=None if turn is None else Accepted(turn, Span(start, end)))


def fetch(connection: Connection, statement: Select[tuple[object, ...]]) -> list[Item]:
    """The items that a statement over the whole table selects."""
    return [item_of(row) for row in connection.execute(statement)]


def get_item(connection: Connection, user_id: str, number: int) -> Item:
    """One item of the user, live or not.

    Raises:
        NotFound: the user has no item of that number.
    """
    found = fetch(connection, select(items).where(items.c.user_id == user_id, items.c.number == number))
    if not found:
        raise NotFound("item", f"f{number}", "`veridical memory list` shows the ids there are")
    return found[0]


def items_of_turns(connection: Connection, user_id: str, turns: Collection[int]) -> dict[int, list[Item]]:
    """The items that quote those turns, live or not, by turn number and in the order of the text."""
    by_turn: dict[int, list[Item]] = {}
    # Sorted here: asked for the order of the numbers, SQLite reads all the user's rows in it.
    found = fetch(connection, select(items).where(items.c.user_id == user_id, items.c.turn.in_(turns)))
    for item in sorted(found, key=lambda item: item.number):
        by_turn.setdefault(item.turn, []).append(item)
    return by_turn


def closed_by(connection: Connection, turn: Turn) -> list[Item]:
    """The items whose validity a turn closed, in order."""
    closed = select(items).where(items.c.user_id == turn.user_id, items.c.closed_at == turn.recorded_at)
    return fetch(connection, closed.order_by(items.c.number))


_LATER = (
    "WITH RECURSIVE later(origin, number) AS ("
    " SELECT turn, superseded_by FROM items"
    " WHERE user_id = :user AND turn IN (LISTED) AND superseded_by IS NOT NULL"
    " UNION SELECT later.origin, items.superseded_by FROM later"
    " JOIN items ON items.user_id = :user AND items.number = later.number AND items.superseded_by IS NOT NULL)"
    " SELECT later.origin, max(items.turn) FROM later JOIN items ON items.user_id = :user"
    " AND items.number = later.number AND items.superseded_by IS NULL GROUP BY later.origin"
)
_SUCCESSORS = {
    dialect: text(_LATER.replace("LISTED", listed(dialect, "turns"))) for dialect in ("sqlite", "postgresql")
}


def successors(connection: Connection, user_id: str, turns: Collection[int]) -> dict[int, int]:
    """The turns that say what holds instead of what others said, by the numbers of those others."""
    given = {"user": user_id, "turns": json.dumps(sorted(turns))}
    found = connection.execute(_SUCCESSORS[connection.dialect.name], given)
    return {origin: turn for origin, turn in found if origin != turn}


def list_items(
    connection: Connection,
    user_id: str,
    *,
    kind: ItemKind | None = None,
    entity: str | None = None,
    attribute: str | None = None,
    live_only: bool = True,
    as_of: datetime | None = None,
    recorded_as_of: datetime | None = None,
    limit: int = 1000,
) -> list[Item]:
    """The user's items, newest first.

    Args:
        connection: an open connection.
        user_id: whose items.
        kind: only items of this kind.
        entity: only items about this entity (canonical form).
        attribute: only items of this attribute (canonical key).
        live_only: leave out what was closed; with ``as_of`` or ``recorded_as_of`` it means what held then.
        as_of: valid time, what held then.
        recorded_as_of: recorded time, what the system knew then.
        limit: at most so many.
    """
    wanted = {"kind": kind, "entity": entity, "attribute": attribute}
    conditions = [items.c.user_id == user_id, *(items.c[name] == it for name, it in wanted.items() if it is not None)]
    if recorded_as_of is not None:
        conditions.append(items.c.recorded_at <= recorded_as_of)
    if live_only:
        conditions.append(_held(as_of, recorded_as_of))
    return fetch(connection, select(items).where(*conditions).order_by(items.c.number.desc()).limit(limit))


def list_entities(connection: Connection, user_id: str, names: Sequence[str]) -> list[str]:
    """Which of these canonical names are entities of the user's items, in the order given."""
    known: set[str] = set()
    for batch in (names[start : start + _BATCH] for start in range(0, len(names), _BATCH)):
        statement = select(items.c.entity).where(items.c.user_id == user_id, items.c.entity.in_(batch)).distinct()
        known.update(connection.execute(statement).scalars())
    return [name for name in names if name in known]


def _held(as_of: datetime | None, recorded_as_of: datetime | None) -> ColumnElement[bool]:
    closed: ColumnElement[bool] = items.c.closed_at.is_not(None)
    if recorded_as_of is not None:
        closed = and_(closed, items.c.closed_at <= recorded_as_of)
    if as_of is None:
        return not_(closed)
    ended = or_(items.c.closed_by == "correction", items.c.valid_to <= as_of)
    return and_(items.c.valid_from <= as_of, not_(and_(closed, ended)))


def holds_at(item: Item, as_of: datetime, recorded_as_of: datetime | None = None) -> bool:
    """Whether the item held at ``as_of``, by what was known at ``recorded_as_of`` (default: by all that is known).

    Valid time is half-open: at the instant of a change the new value holds. A closing that was not yet recorded did not
    count; what was corrected never held.
    """
    if item.valid_from > as_of or (recorded_as_of is not None and item.recorded_at > recorded_as_of):
        return False
    if item.closed_at is None or (recorded_as_of is not None and item.closed_at > recorded_as_of):
        return True
    return item.closed_by != "correction" and (item.valid_to is None or as_of < item.valid_to)


def history_of(connection: Connection, user_id: str, number: int) -> list[Item]:
    """All versions that belong together with an item, oldest first: what it replaced, and what replaced it.

    Raises:
        NotFound: the user has no item of that number.
    """
    found = {item.number: item for item in _of_subject(connection, get_item(connection, user_id, number))}
    reached = list(found.values())
    while reached and len(found) < _LONGEST_HISTORY:
        numbers = [item.number for item in reached]
        successors = [item.superseded_by for item in reached if item.superseded_by is not None]
        linked = select(items).where(
            items.c.user_id == user_id, or_(items.c.superseded_by.in_(numbers), items.c.number.in_(successors))
        )
        reached = [item for item in fetch(connection, linked) if item.number not in found]
        found |= {item.number: item for item in reached}
    return sorted(found.values(), key=lambda item: (item.valid_from, item.number))


def _of_subject(connection: Connection, item: Item) -> list[Item]:
    """The item, with all other values of its attribute where that has one at a time."""
    if not item.single_valued:
        return [item]
    own = (items.c.user_id == item.user_id, items.c.entity == item.entity, items.c.attribute == item.attribute)
    return fetch(connection, select(items).where(*own).order_by(items.c.number.desc()).limit(_LONGEST_HISTORY))


class LiveItemsIn:
    """The live items of one user as extraction sees them: every look-up is bounded, none loads all of them."""

    def __init__(self, connection: Connection, user_id: str) -> None:
        """Look at ``user_id``'s items through an open connection."""
        self._connection = connection
        self._user_id = user_id

    def _select(self, *conditions: ColumnElement[bool]) -> Select[tuple[object, ...]]:
        own = (items.c.user_id == self._user_id, items.c.closed_at.is_(None))
        return select(items).where(*own, *conditions).order_by(items.c.number.desc())

    def about(self, entity: str, attribute: str) -> Sequence[Item]:
        """Live items of one attribute of one entity, newest first."""
        statement = self._select(items.c.entity == entity, items.c.attribute == attribute)
        return fetch(self._connection, statement.limit(50))

    def with_attribute(self, attribute: str) -> Sequence[Item]:
        """Live items of that attribute, whatever they are about, newest first."""
        return fetch(self._connection, self._select(items.c.attribute == attribute).limit(20))

    def with_value(self, normals: Collection[str]) -> Sequence[Item]:
        """Live items whose normalised value is one of those, newest first."""
        return fetch(self._connection, self._select(items.c.normal.in_(normals)).limit(50)) if normals else []

    def mentioning(self, stems: Collection[str], limit: int) -> Sequence[Item]:
        """Live items, among the latest, whose quotation contains one of the folded words; newest first."""
        if not stems:
            return []
        latest = self._select().limit(_RECENT).subquery()
        quoted = func.lower(latest.c.quote)
        matches = or_(*(quoted.contains(stem, autoescape=True) for stem in stems))
        statement = select(items).join(latest, items.c.id == latest.c.id).where(matches)
        return fetch(self._connection, statement.order_by(items.c.number.desc()).limit(limit))

    def open(self, kind: ItemKind) -> Sequence[Item]:
        """Live items of a kind, newest first."""
        return fetch(self._connection, self._select(items.c.kind == kind).limit(50))

    def of_turn(self, turn: int) -> Sequence[Item]:
        """Every item, live or not, that quotes the turn of that number, in the order of the text."""
        statement = select(items).where(items.c.user_id == self._user_id, items.c.turn == turn)
        return fetch(self._connection, statement.order_by(items.c.number).limit(50))

    def numbered(self, number: int) -> Item | None:
        """The live item of that number."""
        found = fetch(self._connection, self._select(items.c.number == number))
        return found[0] if found else None


def is_quotable(turn: Turn, value: str, value_span: Span, quote_span: Span) -> bool:
    """Whether the turn has the value at its span, within a quotation that it has as well."""
    inside = 0 <= quote_span.start <= value_span.start < value_span.end <= quote_span.end <= len(turn.text)
    return inside and value_span.cut(turn.text) == value


def is_proposed(connection: Connection, turn: Turn, accepted: Accepted) -> bool:
    """Whether what a turn says yes to stands in an earlier turn of the assistant's."""
    own = (turns.c.user_id == turn.user_id, turns.c.number == accepted.turn, turns.c.source == "ai_generated")
    text = connection.execute(select(turns.c.text).where(*own)).scalar()
    start, end = accepted.span
    return text is not None and accepted.turn < turn.number and 0 <= start < end <= len(text)


def accepting(connection: Connection, user_id: str, turns_accepted: Collection[int]) -> list[Item]:
    """The agreements to what was proposed in those turns."""
    own = (items.c.user_id == user_id, items.c.accepted_turn.in_(turns_accepted))
    return fetch(connection, select(items).where(*own).order_by(items.c.number))
