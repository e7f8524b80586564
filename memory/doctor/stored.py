"""Checks of what is true: the rows of SQL against the promises. None of this can be repaired without inventing."""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, Connection, Select, Table, and_, exists, func, not_, or_, select, union

from ..storage.item_rows import item_of
from ..storage.tables import answers, conflicts, counters, items, summaries, turns, users

_SOURCES = ("user_input", "external_knowledge", "ai_generated")
_CLOSINGS = ("change", "correction", "retraction", "completion")
_VERSIONED = ("fact", "choice")


class Finding(NamedTuple):
    """What is wrong with one row."""

    user_id: str
    subject: str
    detail: str


class StoredCheck(NamedTuple):
    """One check: its name, what it holds the store to, which table it reads, and how."""

    name: str
    promise: str
    table: Table
    find: Callable[[Connection], Iterator[Finding]]


def broken_quotations(connection: Connection) -> Iterator[Finding]:
    """Items, live or not, whose turn is missing or does not read as quoted at the stored spans."""
    joined = items.outerjoin(turns, and_(turns.c.user_id == items.c.user_id, turns.c.number == items.c.turn))
    statement = select(items, turns.c.text.label("turn_text")).select_from(joined).order_by(items.c.id)
    for row in connection.execution_options(yield_per=1000).execute(statement):
        values = dict(row._mapping)
        text = values.pop("turn_text")
        item = item_of(values)
        if text is None:
            yield Finding(item.user_id, item.id, f"its turn t{item.turn} does not exist")
        elif item.quote_span.cut(text) != item.quote:
            yield Finding(item.user_id, item.id, f"turn t{item.turn} does not contain its quotation at the stored span")
        elif item.value_span.cut(text) != item.value or not _covers(item.quote_span, item.value_span):
            yield Finding(item.user_id, item.id, f"turn t{item.turn} does not contain its value at the stored span")


def wrong_sources(connection: Connection) -> Iterator[Finding]:
    """Turns and items whose source is unknown or does not follow the channel."""
    said_by_assistant = turns.c.role == "assistant"
    wrong = or_(turns.c.source.not_in(_SOURCES), said_by_assistant != (turns.c.source == "ai_generated"))
    for row in connection.execute(select(turns).where(wrong).order_by(turns.c.id)):
        yield Finding(row.user_id, f"t{row.number}", f"a turn of the {row.role} has the source {row.source!r}")
    differs = items.c.source != turns.c.source
    for row in connection.execute(_items_with_turns(differs)):
        yield Finding(row.user_id, f"f{row.number}", f"its source {row.source!r} is not that of its turn t{row.turn}")


def assistant_items(connection: Connection) -> Iterator[Finding]:
    """Items drawn from what the assistant said."""
    for row in connection.execute(_items_with_turns(turns.c.role == "assistant")):
        yield Finding(row.user_id, f"f{row.number}", f"it was drawn from t{row.turn}, which the assistant said")


def rival_values(connection: Connection) -> Iterator[Finding]:
    """Single-valued attributes with more than one live value."""
    subject = (items.c.user_id, items.c.entity, items.c.attribute, items.c.kind, items.c.source)
    statement = (
        select(*subject, func.count().label("live"), func.group_concat(items.c.number).label("numbers"))
        .where(
            items.c.single_valued,
            items.c.kind.in_(_VERSIONED),
            items.c.polarity == "positive",
            items.c.modality == "asserted",
            items.c.closed_at.is_(None),
        )
        .group_by(*subject)
        .having(func.count() > 1)
    )
    for row in connection.execute(statement):
        ids = ", ".join(f"f{number}" for number in sorted(map(int, row.numbers.split(","))))
        yield Finding(row.user_id, ids, f"{row.entity} can have only one live {row.attribute}, and has {row.live}")


def broken_histories(connection: Connection) -> Iterator[Finding]:
    """Items that end without a reason, or in favour of an item that does not exist."""
    successor = items.alias()
    followed = exists().where(successor.c.user_id == items.c.user_id, successor.c.number == items.c.superseded_by)
    missing = and_(items.c.superseded_by.is_not(None), not_(followed))
    for row in connection.execute(select(items).where(missing).order_by(items.c.id)):
        yield Finding(row.user_id, f"f{row.number}", f"it was superseded by f{row.superseded_by}, which does not exist")
    open_yet_ended = and_(
        items.c.closed_at.is_(None), or_(items.c.superseded_by.is_not(None), items.c.closed_by.is_not(None))
    )
    unexplained = and_(
        items.c.closed_at.is_not(None), or_(items.c.closed_by.is_(None), items.c.closed_by.not_in(_CLOSINGS))
    )
    backwards = items.c.valid_to < items.c.valid_from
    for row in connection.execute(
        select(items).where(or_(open_yet_ended, unexplained, backwards)).order_by(items.c.id)
    ):
        yield Finding(
            row.user_id, f"f{row.number}", "its validity contradicts itself: when it ended, and why, do not agree"
        )


def broken_conflicts(connection: Connection) -> Iterator[Finding]:
    """Recorded conflicts between items that do not exist."""
    for column in (conflicts.c.preferred, conflicts.c.other):
        known = exists().where(items.c.user_id == conflicts.c.user_id, items.c.number == column)
        for row in connection.execute(select(conflicts.c.user_id, column.label("number")).where(not_(known))):
            yield Finding(row.user_id, f"f{row.number}", "a conflict is recorded with this item, which does not exist")


def broken_citations(connection: Connection) -> Iterator[Finding]:
    """Answers of the assistant that cite turns or items which do not exist."""
    known = {"t": turns, "f": items}
    statement = select(turns.c.user_id, turns.c.number, turns.c.citations).where(turns.c.role == "assistant")
    for row in connection.execution_options(yield_per=1000).execute(statement).all():
        for cited in row.citations:
            table = known.get(cited[:1])
            if table is not None and not _has_number(connection, table, row.user_id, cited[1:]):
                yield Finding(row.user_id, f"t{row.number}", f"it cites {cited}, which does not exist")


def numbers_given_twice(connection: Connection) -> Iterator[Finding]:
    """Counters that lag behind the numbers in use, so that a number could be given twice."""
    for name, prefix, table in (
        ("turn", "t", turns),
        ("item", "f", items),
        ("summary", "s", summaries),
        ("answer", "a", answers),
    ):
        last = select(table.c.user_id, func.max(table.c.number).label("last")).group_by(table.c.user_id).subquery()
        counter = and_(counters.c.user_id == last.c.user_id, counters.c.name == name)
        statement = select(last.c.user_id, last.c.last, counters.c.value).select_from(last.outerjoin(counters, counter))
        behind = or_(counters.c.value.is_(None), counters.c.value < last.c.last)
        for row in connection.execute(statement.where(behind)):
            yield Finding(row.user_id, f"{prefix}{row.last}", f"the counter of {name}s stands at {row.value or 0}")


def unregistered_users(connection: Connection) -> Iterator[Finding]:
    """Rows of users that were never registered: they would be invisible to their owner."""
    owners = union(*(select(table.c.user_id) for table in (turns, items, summaries, answers))).subquery()
    unknown = not_(exists().where(users.c.user_id == owners.c.user_id))
    for row in connection.execute(select(owners.c.user_id).where(unknown)):
        yield Finding(row.user_id, "users", "there are rows of this user, who is not registered")


STORED_CHECKS = (
    StoredCheck("quotations", "Every item quotes its turn exactly.", items, broken_quotations),
    StoredCheck("sources", "The source follows the channel that a text came through.", turns, wrong_sources),
    StoredCheck("assistant", "What the assistant said never becomes an item.", items, assistant_items),
    StoredCheck("single values", "A single-valued attribute has at most one live value.", items, rival_values),
    StoredCheck("histories", "What ended says when, why, and in favour of what.", items, broken_histories),
    StoredCheck("conflicts", "Conflicts are between items that exist.", conflicts, broken_conflicts),
    StoredCheck("citations", "Answers cite what exists.", turns, broken_citations),
    StoredCheck("numbers", "No number is ever given twice.", counters, numbers_given_twice),
    StoredCheck("users", "Every row belongs to a registered user.", users, unregistered_users),
)


def _items_with_turns(condition: ColumnElement[bool]) -> Select[Any]:
    same = and_(turns.c.user_id == items.c.user_id, turns.c.number == items.c.turn)
    return select(items).select_from(items.join(turns, same)).where(condition).order_by(items.c.id)


def _has_number(connection: Connection, table: Table, user_id: str, number: str) -> bool:
    if not number.isdecimal():
        return False
    statement = select(table.c.id).where(table.c.user_id == user_id, table.c.number == int(number))
    return connection.execute(statement).first() is not None


def _covers(outer: tuple[int, int], inner: tuple[int, int]) -> bool:
    return outer[0] <= inner[0] < inner[1] <= outer[1]
