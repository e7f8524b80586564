"""The exact channel: turns by what their items say, by an identifier that they contain, or by when they were said."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple, Self

from sqlalchemy import ColumnElement, Connection, and_, or_, select

from ..language.folding import fold
from ..language.lexicon import find_attributes
from ..language.values import find_values
from ..records import Query, RecallFilter
from ..storage.tables import items, turns
from . import lexical

LIMIT = 60
"""At most so many matches of one kind, the newest."""

_SUBJECT, _ATTRIBUTE, _VALUE, _KIND, _PERIOD, _IDENTIFIER = 1.0, 1.0, 1.0, 0.5, 0.5, 2.0

# A name with a number in it, as orders, invoices and documents have: 12345, order:12345, abc-123, doc_abc123.
_IDENTIFIER_PATTERN = re.compile(
    r"(?:[a-z_]+:)?#?(?=[\w-]*\d)(?:\d[\w-]{2,}|[a-z]+[-_]?\d[\w-]{2,}|[a-z]+[-_][\w-]{3,})"
)


class Match(NamedTuple):
    """A turn that matches, the item that does where it is one, and how specific the match is."""

    turn: int
    item: int | None
    score: float


@dataclass(frozen=True, slots=True)
class _Sought:
    """What the items of the answer would be about."""

    entities: frozenset[str]
    attributes: frozenset[str]
    normals: frozenset[str]
    kinds: frozenset[str]

    @classmethod
    def of(cls, query: Query, wanted: RecallFilter) -> Self:
        """The subjects that the filter names, the attributes and values that the query names."""
        kinds = {*wanted.kinds, *(("decision", "agreement") if wanted.has_decision else ())}
        return cls(
            entities=frozenset(fold(entity) for entity in wanted.entities),
            attributes=frozenset(mention.key for mention in find_attributes(query.text)),
            normals=frozenset(value.normal for value in find_values(query.text)),
            kinds=frozenset(kinds),
        )

    def of_query(self) -> Iterator[ColumnElement[bool]]:
        """What the query's words ask for: one look-up each, most specific first, each by an index."""
        if self.entities and self.attributes:
            yield and_(items.c.entity.in_(self.entities), items.c.attribute.in_(self.attributes))
        if self.attributes:
            yield items.c.attribute.in_(self.attributes)
        if self.normals:
            yield items.c.normal.in_(self.normals)

    def of_filter(self) -> Iterator[ColumnElement[bool]]:
        """What the filter asks for, whatever the query says."""
        if self.entities:
            yield items.c.entity.in_(self.entities)
        if self.kinds:
            yield and_(items.c.kind.in_(self.kinds), items.c.closed_at.is_(None))

    def score(self, entity: str, attribute: str, normal: str, kind: str) -> float:
        """How much of what is sought an item meets."""
        parts = (
            (entity in self.entities, _SUBJECT),
            (attribute in self.attributes, _ATTRIBUTE),
            (normal in self.normals, _VALUE),
            (kind in self.kinds, _KIND),
        )
        return sum(weight for met, weight in parts if met)


def matches(
    connection: Connection,
    user_id: str,
    query: Query,
    wanted: RecallFilter,
    *,
    before: int | None = None,
    by_filter: bool = True,
) -> list[Match]:
    """The turns that match exactly, with the items that do, the most specific first.

    Args:
        connection: Open for reading.
        user_id: Whose memory.
        query: Its words name attributes and values.
        wanted: Names entities, identifiers, kinds and a time.
        before: Only turns with a smaller number.
        by_filter: Whether to look up what the filter alone asks for; once for all queries of a turn is enough.
    """
    found: dict[tuple[int, int | None], float] = {}
    for match in _all(connection, user_id, query, wanted, before, by_filter=by_filter):
        key = (match.turn, match.item)
        found[key] = max(match.score, found.get(key, 0.0))
    ranked = [Match(turn, item, score) for (turn, item), score in found.items()]
    return sorted(ranked, key=lambda match: (-match.score, -match.turn, match.item or 0))


def restricted_to(connection: Connection, user_id: str, wanted: RecallFilter) -> set[int] | None:
    """The turns that an identifier among the entities restricts a recall to; ``None`` when there is none.

    These are the turns that contain it or hold an item about it. With several identifiers each turn needs one of them.
    """
    identifiers = identifiers_in(wanted)
    if not identifiers:
        return None
    names = {name for entity in identifiers for name in (entity, _bare(entity))}
    subject = or_(items.c.entity.in_(names), *(items.c.entity.endswith(f":{_bare(e)}", autoescape=True) for e in names))
    allowed = set(connection.execute(select(items.c.turn).where(items.c.user_id == user_id, subject)).scalars())
    for identifier in identifiers:
        allowed.update(lexical.mentioning(connection, user_id, _bare(identifier)))
    return allowed.union(wanted.errand)


def identifiers_in(wanted: RecallFilter) -> tuple[str, ...]:
    """The entities of a filter that are identifiers, such as order numbers, folded."""
    folded = (fold(entity).strip() for entity in wanted.entities)
    return tuple(entity for entity in folded if _IDENTIFIER_PATTERN.fullmatch(entity))


def _all(
    connection: Connection, user_id: str, query: Query, wanted: RecallFilter, before: int | None, *, by_filter: bool
) -> Iterator[Match]:
    sought = _Sought.of(query, wanted)
    conditions = list(sought.of_query())
    if by_filter:
        yield from _in_period(connection, user_id, wanted, before)
        yield from _mentioning(connection, user_id, wanted, before)
        conditions.extend(sought.of_filter())
    columns = (items.c.turn, items.c.number, items.c.entity, items.c.attribute, items.c.normal, items.c.kind)
    bounds = () if before is None else (items.c.turn < before,)
    for condition in conditions:
        statement = select(*columns).where(items.c.user_id == user_id, condition, *bounds)
        for turn, number, *meaning in connection.execute(statement.order_by(items.c.number.desc()).limit(LIMIT)):
            yield Match(turn, number, sought.score(*meaning))


def _mentioning(connection: Connection, user_id: str, wanted: RecallFilter, before: int | None) -> Iterator[Match]:
    """The last turns that contain an identifier of the filter, or belong to it all the same."""
    for identifier in identifiers_in(wanted):
        mentioned = lexical.mentioning(connection, user_id, _bare(identifier))
        for turn in [number for number in (*mentioned, *wanted.errand) if before is None or number < before][-LIMIT:]:
            yield Match(turn, None, _IDENTIFIER)


def _in_period(connection: Connection, user_id: str, wanted: RecallFilter, before: int | None) -> Iterator[Match]:
    """The turns that were said in the period asked about, and those whose items fall into it."""
    if wanted.time_from is None or wanted.time_to is None:
        return
    said = and_(turns.c.observed_at >= wanted.time_from, turns.c.observed_at < wanted.time_to)
    bounds = () if before is None else (turns.c.number < before,)
    statement = select(turns.c.number).where(turns.c.user_id == user_id, said, *bounds)
    for turn in connection.execute(statement.order_by(turns.c.observed_at.desc()).limit(LIMIT)).scalars():
        yield Match(turn, None, _PERIOD)
    falls = or_(
        and_(items.c.due_at >= wanted.time_from, items.c.due_at < wanted.time_to),
        and_(items.c.kind == "event", items.c.valid_from >= wanted.time_from, items.c.valid_from < wanted.time_to),
    )
    limits = () if before is None else (items.c.turn < before,)
    placed = select(items.c.turn, items.c.number).where(items.c.user_id == user_id, falls, *limits)
    for turn, number in connection.execute(placed.order_by(items.c.number.desc()).limit(LIMIT)):
        yield Match(turn, number, _PERIOD)


def _bare(identifier: str) -> str:
    """The identifier without the kind of thing that it names: ``12345`` of ``order:12345``."""
    return identifier.rpartition(":")[2].lstrip("#")
