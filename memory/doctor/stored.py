"""Checks of what is true: the rows of SQL against the promises. None of this can be repaired without inventing."""

from collections.abc import Iterator
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, String, Table, and_, cast, exists, func, not_, or_, select

from ..records import Span
from ..storage.tables import chunks, clauses, conflicts, documents, items, knowledge_conflicts, summaries, turns
from .checks import PIECEMEAL, Check, Finding

_SOURCES = ("user_input", "external_knowledge", "ai_generated")
_CLOSINGS = ("change", "correction", "retraction", "completion")
_VERSIONED = ("fact", "choice")


def broken_quotations(connection: Connection) -> Iterator[Finding]:
    """Items, live or not, whose turn is missing or does not read as quoted at the stored spans."""
    joined = items.outerjoin(turns, and_(turns.c.user_id == items.c.user_id, turns.c.number == items.c.turn))
    statement = select(items, turns.c.text.label("turn_text")).select_from(joined).order_by(items.c.id)
    for row in connection.execute(statement, execution_options=PIECEMEAL):
        quote_span, value_span = Span(row.quote_start, row.quote_end), Span(row.value_start, row.value_end)
        if row.turn_text is None:
            yield Finding(row.user_id, f"f{row.number}", f"its turn t{row.turn} does not exist")
        elif not row.quote or quote_span.cut(row.turn_text) != row.quote:
            yield Finding(
                row.user_id, f"f{row.number}", f"t{row.turn} does not contain its quotation at the stored span"
            )
        elif value_span.cut(row.turn_text) != row.value or not _covers(quote_span, value_span):
            yield Finding(row.user_id, f"f{row.number}", f"t{row.turn} does not contain its value at the stored span")
    yield from _broken_agreements(connection)


def _broken_agreements(connection: Connection) -> Iterator[Finding]:
    """Agreements to what no turn of the assistant's proposes."""
    proposed = and_(
        turns.c.user_id == items.c.user_id, turns.c.number == items.c.accepted_turn, turns.c.source == "ai_generated"
    )
    whole = and_(items.c.accepted_start < items.c.accepted_end, items.c.accepted_end <= func.length(turns.c.text))
    agreed = or_(items.c.kind == "agreement", items.c.accepted_turn.is_not(None))
    columns = (items.c.user_id, items.c.number, items.c.accepted_turn)
    statement = select(*columns).select_from(items.outerjoin(turns, proposed))
    for row in connection.execute(statement.where(agreed, or_(turns.c.id.is_(None), not_(whole)))):
        yield Finding(row.user_id, f"f{row.number}", f"t{row.accepted_turn} does not contain what it agrees to")


def wrong_sources(connection: Connection) -> Iterator[Finding]:
    """Turns and items whose source is unknown or does not follow the channel."""
    # What came through a tool or a service stands on the assistant's side of a conversation, and is not its word.
    said_by_user = turns.c.role == "user"
    wrong = or_(turns.c.source.not_in(_SOURCES), said_by_user != (turns.c.source == "user_input"))
    for row in connection.execute(select(turns).where(wrong).order_by(turns.c.id)):
        yield Finding(row.user_id, f"t{row.number}", f"a turn of the {row.role} has the source {row.source!r}")
    differs = items.c.source != turns.c.source
    for row in connection.execute(_items_with_turns(differs)):
        yield Finding(row.user_id, f"f{row.number}", f"its source {row.source!r} is not that of its turn t{row.turn}")


def assistant_items(connection: Connection) -> Iterator[Finding]:
    """Items drawn from what the assistant said."""
    for row in connection.execute(_items_with_turns(turns.c.source == "ai_generated")):
        yield Finding(row.user_id, f"f{row.number}", f"it was drawn from t{row.turn}, which the assistant said")


def rival_values(connection: Connection) -> Iterator[Finding]:
    """Single-valued attributes with more than one live value."""
    subject = (items.c.user_id, items.c.entity, items.c.attribute, items.c.kind, items.c.source)
    numbers = func.aggregate_strings(cast(items.c.number, String), ",").label("numbers")
    statement = (
        select(*subject, func.count().label("live"), numbers)
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
    for prefix, table, column in (("f", items, knowledge_conflicts.c.item), ("c", chunks, knowledge_conflicts.c.chunk)):
        known = exists().where(table.c.user_id == knowledge_conflicts.c.user_id, table.c.number == column)
        for row in connection.execute(select(knowledge_conflicts.c.user_id, column.label("number")).where(not_(known))):
            yield Finding(row.user_id, f"{prefix}{row.number}", "a document contradicts it, and it does not exist")


def broken_chunks(connection: Connection) -> Iterator[Finding]:
    """Chunks that are no slices of their documents, and texts of documents that were removed."""
    own = and_(documents.c.user_id == chunks.c.user_id, documents.c.number == chunks.c.document)
    statement = select(chunks, documents.c.text.label("whole"), documents.c.removed_at, documents.c.name)
    statement = statement.select_from(chunks.outerjoin(documents, own)).order_by(chunks.c.id)
    for row in connection.execute(statement, execution_options=PIECEMEAL):
        if row.name is None:
            yield Finding(row.user_id, f"c{row.number}", f"its document d{row.document} does not exist")
        elif row.removed_at is not None and (row.text or row.whole):
            yield Finding(row.user_id, f"c{row.number}", f"{row.name} was removed, and its text is still there")
        elif row.text is not None and Span(row.start, row.end).cut(row.whole or "") != row.text:
            yield Finding(row.user_id, f"c{row.number}", f"{row.name} does not contain it at the stored span")


def broken_clauses(connection: Connection) -> Iterator[Finding]:
    """Clauses that are not in the chunk that holds them, do not begin with their number, or are of no document."""
    of_document = and_(documents.c.user_id == clauses.c.user_id, documents.c.number == clauses.c.document)
    in_chunk = and_(chunks.c.user_id == clauses.c.user_id, chunks.c.number == clauses.c.chunk)
    held = (documents.c.text.label("whole"), chunks.c.text.label("held"), chunks.c.start.label("chunk_start"))
    joined = clauses.outerjoin(documents, of_document).outerjoin(chunks, in_chunk)
    statement = select(clauses, *held).select_from(joined).order_by(clauses.c.id)
    for row in connection.execute(statement, execution_options=PIECEMEAL):
        subject = f"clause{row.number}"
        if not row.whole or not row.held:
            yield Finding(row.user_id, subject, f"its document d{row.document} or its chunk c{row.chunk} has no text")
            continue
        text = Span(row.start, row.end).cut(row.whole)
        within = Span(row.start - row.chunk_start, row.end - row.chunk_start)
        if not text or within.start < 0 or within.cut(row.held) != text:
            yield Finding(row.user_id, subject, f"c{row.chunk} does not contain it at the stored span")
        elif not text.startswith(row.label):
            yield Finding(row.user_id, subject, f"it does not begin with its number {row.label}")


def broken_summaries(connection: Connection) -> Iterator[Finding]:
    """Entries of summaries that do not quote the turns that they name."""
    for row in connection.execute(select(summaries).order_by(summaries.c.id)).all():
        quoted = {(entry["turn_id"], entry["text"]) for entry in _entries_of(row.document)}
        own = (turns.c.user_id == row.user_id, turns.c.number.in_({int(turn_id[1:]) for turn_id, _ in quoted}))
        said = {f"t{turn.number}": turn.text for turn in connection.execute(select(turns).where(*own))}
        for turn_id in sorted({turn_id for turn_id, quote in quoted if quote not in said.get(turn_id, "")}):
            yield Finding(row.user_id, f"s{row.number}", f"{turn_id} does not contain what it quotes of it")


def _entries_of(document: dict[str, Any]) -> Iterator[dict[str, Any]]:
    sections = (section for section in document.values() if isinstance(section, list))
    return (entry for section in sections for entry in section if isinstance(entry, dict))


def rival_versions(connection: Connection) -> Iterator[Finding]:
    """Documents of which more than one version holds."""
    subject = (documents.c.user_id, documents.c.key)
    statement = select(*subject, func.count().label("held")).where(documents.c.closed_at.is_(None))
    for row in connection.execute(statement.group_by(*subject).having(func.count() > 1)):
        yield Finding(row.user_id, row.key, f"only one version can hold, and {row.held} do")
    earlier, later = documents.alias(), documents.alias()
    one = and_(earlier.c.user_id == later.c.user_id, earlier.c.key == later.c.key, earlier.c.number != later.c.number)
    begun = and_(earlier.c.valid_from <= later.c.valid_from, later.c.valid_from < later.c.valid_to)
    both = and_(begun, earlier.c.valid_to > later.c.valid_from, earlier.c.removed_at.is_(None))
    rivals = select(earlier.c.user_id, earlier.c.number, later.c.number.label("other")).select_from(
        earlier.join(later, and_(one, both, later.c.removed_at.is_(None)))
    )
    for row in connection.execute(rivals):
        yield Finding(row.user_id, f"d{row.number}", f"it holds at times at which d{row.other} does")


def broken_citations(connection: Connection) -> Iterator[Finding]:
    """Answers of the assistant that cite turns or items which do not exist."""
    known = {"t": turns, "f": items, "c": chunks}
    statement = select(turns.c.user_id, turns.c.number, turns.c.citations).where(turns.c.role == "assistant")
    for row in connection.execute(statement, execution_options=PIECEMEAL).all():
        for cited in row.citations:
            table = known.get(cited[:1])
            if table is not None and not _has_number(connection, table, row.user_id, cited[1:]):
                yield Finding(row.user_id, f"t{row.number}", f"it cites {cited}, which does not exist")


STORED_CHECKS = (
    Check("quotations", "Every item quotes its turn exactly.", items, broken_quotations),
    Check("sources", "The source follows the channel that a text came through.", turns, wrong_sources),
    Check("assistant", "What the assistant said never becomes an item.", items, assistant_items),
    Check("single values", "A single-valued attribute has at most one live value.", items, rival_values),
    Check("histories", "What ended says when, why, and in favour of what.", items, broken_histories),
    Check("conflicts", "Conflicts are between items that exist.", conflicts, broken_conflicts),
    Check("chunks", "Every chunk is an exact slice of its document.", chunks, broken_chunks),
    Check("clauses", "Every clause is an exact slice of its chunk.", clauses, broken_clauses),
    Check("summaries", "Every entry of a summary quotes its turn exactly.", summaries, broken_summaries),
    Check("versions", "Of every document at most one version holds.", documents, rival_versions),
    Check("citations", "Answers cite what exists.", turns, broken_citations),
)


def _items_with_turns(condition: ColumnElement[bool]) -> Select[Any]:
    same = and_(turns.c.user_id == items.c.user_id, turns.c.number == items.c.turn)
    return select(items).select_from(items.join(turns, same)).where(condition).order_by(items.c.id)


def _has_number(connection: Connection, table: Table, user_id: str, number: str) -> bool:
    if not number.isdecimal():
        return False
    statement = select(table.c.id).where(table.c.user_id == user_id, table.c.number == int(number))
    return connection.execute(statement).first() is not None


def _covers(outer: Span, inner: Span) -> bool:
    return outer.start <= inner.start < inner.end <= outer.end
