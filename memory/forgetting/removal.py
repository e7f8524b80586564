"""Taking turns out of the database, with everything that was made of them, in one transaction."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TypeVar

from sqlalchemy import ColumnElement, Connection, Table, and_, delete, select, update

from ..digests.rows import derive
from ..records import Item, Turn
from ..retrieval import lexical
from ..retrieval.namespaces import NAMESPACES
from ..retrieval.vectors import bump_epoch
from ..storage.item_rows import fetch
from ..storage.states import documents_left, load_state, refresh_state
from ..storage.stream_tables import tokens
from ..storage.tables import (
    answers,
    conflicts,
    items,
    knowledge_conflicts,
    metadata,
    outbox,
    states,
    summaries,
    threads,
    turns,
    vectors,
)
from .documents import Text, text_of
from .intents import forget_steps
from .phrases import Phrase, telling_phrases
from .pruning import Pruning
from .stream import prune_stream

_BATCH = 500
_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class Removed:
    """What left the database."""

    turns: tuple[Turn, ...] = ()
    items: tuple[Item, ...] = ()
    conflicts: int = 0
    summaries: int = 0
    """Summaries that were shortened or removed."""
    answers: int = 0
    """Traces that were shortened or removed."""
    threads: tuple[str, ...] = ()
    """Threads whose checkpoints may hold the text."""
    phrases: tuple[Phrase, ...] = ()
    """By what a residue would be known."""


def remove(
    connection: Connection,
    user_id: str,
    gone: Sequence[Turn],
    items_gone: Sequence[Item],
    *,
    documents: Sequence[Text] = (),
    names: Sequence[str] = (),
    terminal: str = "",
    now: datetime,
) -> Removed:
    """Remove turns and the items drawn from them, within the caller's write transaction.

    What they had closed is open again, what quotes them is shortened or removed, the memory state is derived anew.
    ``documents`` are pieces of documents that were removed just before; they and ``names`` are looked for in summaries,
    traces and files as the turns are.
    """
    numbers = [turn.number for turn in gone]
    item_numbers = [item.number for item in items_gone]
    _reopen(connection, user_id, gone, items_gone)
    unresolved = sum(_delete(connection, conflicts, user_id, conflicts.c[side], item_numbers) for side in _SIDES)
    _delete(connection, knowledge_conflicts, user_id, knowledge_conflicts.c.item, item_numbers)
    _delete(connection, items, user_id, items.c.number, item_numbers)
    _delete(connection, items, user_id, items.c.turn, numbers)
    _delete(connection, turns, user_id, turns.c.number, numbers)
    _delete(connection, vectors, user_id, vectors.c.turn, numbers)
    _delete(connection, outbox, user_id, outbox.c.turn, numbers)
    lexical.remove_turns(connection, user_id, numbers)
    forget_steps(connection, user_id, numbers)
    bump_epoch(connection)
    texts = [*map(text_of, gone), *documents]
    phrases = tuple(telling_phrases(connection, texts, items_gone, names))
    pruning = Pruning([text.id for text in texts] + [item.id for item in items_gone], phrases)
    shortened = _prune_summaries(connection, user_id, pruning, now)
    redacted, sessions = _prune_answers(connection, user_id, pruning)
    _rebuild_state(connection, user_id, {turn.id for turn in gone}, terminal, now)
    prune_stream(connection, user_id, gone, items_gone, pruning, terminal=terminal, now=now)
    concerned = sorted({turn.session_id for turn in gone} | sessions)
    _release_threads(connection, user_id, concerned)
    return Removed(tuple(gone), tuple(items_gone), unresolved, shortened, redacted, tuple(concerned), phrases)


def remove_everything(connection: Connection, user_id: str) -> None:
    """Remove every row of the user that is left, of whatever kind, and their full-text tables."""
    for table in metadata.sorted_tables:
        if "user_id" in table.c and table is not tokens:  # who may come in again is no memory
            connection.execute(delete(table).where(table.c.user_id == user_id))
    for namespace in NAMESPACES:
        lexical.drop(connection, user_id, namespace)


_SIDES = ("preferred", "other")


def _reopen(connection: Connection, user_id: str, gone: Sequence[Turn], items_gone: Sequence[Item]) -> None:
    """Undo the closings of what is forgotten: an item is followed by whatever followed its forgotten successor."""
    successors = {item.number: item for item in items_gone}
    for batch in _batches(sorted(successors)):
        closed = select(items).where(items.c.user_id == user_id, items.c.superseded_by.in_(batch))
        for item in fetch(connection, closed):
            _follow(connection, item, successors)
    for turn in gone:
        if turn.role != "assistant":
            ended = and_(
                items.c.user_id == user_id,
                items.c.superseded_by.is_(None),
                items.c.closed_at == turn.recorded_at,
                items.c.valid_to == turn.observed_at,
            )
            connection.execute(update(items).where(ended).values(closed_at=None, closed_by=None, valid_to=None))


def _follow(connection: Connection, item: Item, successors: dict[int, Item]) -> None:
    after: Item | None = item
    while after is not None and after.superseded_by in successors:
        after = successors[after.superseded_by]
    ending = after or item
    row = update(items).where(items.c.user_id == item.user_id, items.c.number == item.number)
    connection.execute(
        row.values(
            valid_to=ending.valid_to,
            closed_at=ending.closed_at,
            closed_by=ending.closed_by,
            superseded_by=ending.superseded_by,
        )
    )


def _prune_summaries(connection: Connection, user_id: str, pruning: Pruning, now: datetime) -> int:
    changed = 0
    rows = connection.execute(select(summaries).where(summaries.c.user_id == user_id)).all()
    for row in rows:
        document = pruning.summary(row.document)
        if document != row.document:
            changed += 1
            _rewrite(connection, summaries, summaries.c.id == row.id, document)
    derive(connection, user_id, now=now)
    return changed


def _prune_answers(connection: Connection, user_id: str, pruning: Pruning) -> tuple[int, set[str]]:
    """Shorten or remove traces; how many, and the threads in which removed ones were given."""
    changed, sessions = 0, set()
    statement = select(answers.c.id, answers.c.session_id, answers.c.question, answers.c.document)
    rows = connection.execute(statement.where(answers.c.user_id == user_id)).all()
    for row in rows:
        document = None if pruning.is_quoted(row.question) else pruning.answer(row.document)
        if document != row.document:
            changed += 1
            _rewrite(connection, answers, answers.c.id == row.id, document)
        if document is None:
            sessions.add(row.session_id)
    return changed, sessions


def _rewrite(
    connection: Connection, table: Table, where: ColumnElement[bool], document: dict[str, object] | None
) -> None:
    if document is None:
        connection.execute(delete(table).where(where))
    else:
        connection.execute(update(table).where(where).values(document=document))


def _rebuild_state(connection: Connection, user_id: str, gone: Collection[str], terminal: str, now: datetime) -> None:
    """Derive the memory state from what is left; anchors, documents and topic only live in the document."""
    before = load_state(connection, user_id)
    anchors = tuple(anchor for anchor in before.anchors if anchor.turn_id not in gone)
    documents = documents_left(connection, user_id)
    left = {"anchors": anchors, "documents": documents, "topic": None}
    bare = before.model_copy(update=left | {"version": before.version + 1, "last_updated": now})
    if before.version:
        row = update(states).where(states.c.user_id == user_id)
        connection.execute(row.values(version=bare.version, document=bare.model_dump(mode="json"), updated_at=now))
        refresh_state(connection, user_id, (), terminal=terminal, now=now)


def _release_threads(connection: Connection, user_id: str, sessions: Sequence[str]) -> None:
    """Give up the threads of which no turn is left."""
    for batch in _batches(sessions):
        left = select(turns.c.session_id).where(turns.c.user_id == user_id, turns.c.session_id.in_(batch)).distinct()
        empty = set(batch) - set(connection.execute(left).scalars())
        connection.execute(delete(threads).where(threads.c.user_id == user_id, threads.c.thread_id.in_(sorted(empty))))


def _delete(
    connection: Connection, table: Table, user_id: str, column: ColumnElement[int], numbers: Sequence[int]
) -> int:
    count = 0
    for batch in _batches(numbers):
        count += connection.execute(delete(table).where(table.c.user_id == user_id, column.in_(batch))).rowcount
    return count


def _batches(values: Sequence[_Value]) -> Iterator[Sequence[_Value]]:
    return (values[start : start + _BATCH] for start in range(0, len(values), _BATCH))
