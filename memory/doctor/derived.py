"""Checks of what is derived from the rows, each with its repair: full text, embeddings, working memory, counters."""

from collections.abc import Iterator
from datetime import datetime

import numpy as np
from sqlalchemy import Connection, and_, delete, exists, func, not_, or_, select, union

from ..digests.rows import derive, differences
from ..retrieval import lexical
from ..retrieval.namespaces import CHUNKS, SUMMARIES, TURNS
from ..storage.intent_tables import intent_steps, intents
from ..storage.states import MemoryState, load_state, refresh_state
from ..storage.tables import (
    answers,
    chunks,
    clauses,
    counters,
    documents,
    items,
    states,
    summaries,
    summary_texts,
    turns,
    users,
)
from ..storage.upserts import insert_into
from .checks import PIECEMEAL, Check, Finding

_NUMBERED = {
    "turn": ("t", turns),
    "item": ("f", items),
    "summary": ("s", summaries),
    "answer": ("a", answers),
    "document": ("d", documents),
    "chunk": ("c", chunks),
    "clause": ("clause", clauses),
    "intent": ("intent ", intents),
    "step": ("step ", intent_steps),
}
_NAMESPACES = {"t": TURNS, "c": CHUNKS, "s": SUMMARIES}
"""What is indexed, by the letter of its ids."""
_TOLERANCE = 1e-3
"""How far the length of an embedding may be from 1."""


def unindexed_texts(connection: Connection) -> Iterator[Finding]:
    """Turns, chunks and summaries that full text does not find by their words, and entries of what does not exist."""
    for user_id in connection.scalars(select(users.c.user_id)).all():
        for prefix, namespace in _NAMESPACES.items():
            indexed = dict(lexical.bodies(connection, user_id, namespace))
            for number, bearer, text in connection.execute(namespace.texts(user_id)):
                if indexed.pop(number, None) != lexical.indexed_form(namespace.indexed(bearer, text)):
                    yield Finding(user_id, f"{prefix}{number}", "full text does not find it by its words")
            for number in indexed:
                yield Finding(user_id, f"{prefix}{number}", "full text has an entry of it, and it does not exist")


def reindex_text(connection: Connection, finding: Finding, _now: datetime) -> None:
    """Make the user's full-text indexes anew."""
    for namespace in _NAMESPACES.values():
        lexical.rebuild(connection, finding.user_id, namespace)


def missing_embeddings(connection: Connection) -> Iterator[Finding]:
    """Turns, chunks and summaries without an embedding that are not waiting for one, and embeddings that are none."""
    for prefix, namespace in _NAMESPACES.items():
        kept, held, outbox, key = namespace.rows, namespace.vectors, namespace.outbox, namespace.key
        embedded = exists().where(held.c.user_id == kept.c.user_id, held.c[key] == kept.c.number)
        waiting = exists().where(outbox.c.user_id == kept.c.user_id, outbox.c[key] == kept.c.number)
        lost = select(kept.c.user_id, kept.c.number).where(kept.c.text.is_not(None), not_(embedded), not_(waiting))
        for row in connection.execute(lost.order_by(kept.c.id)):
            yield Finding(row.user_id, f"{prefix}{row.number}", "it has no embedding and is not waiting for one")
        columns = (held.c.user_id, held.c[key].label("number"), held.c.embedding)
        for vector in connection.execute(select(*columns).order_by(held.c.id), execution_options=PIECEMEAL):
            if not _is_unit(vector.embedding):
                yield Finding(vector.user_id, f"{prefix}{vector.number}", "its embedding is damaged")


def embed_again(connection: Connection, finding: Finding, now: datetime) -> None:
    """Drop what the text has for an embedding and queue it for a new one."""
    namespace, number = _NAMESPACES[finding.subject[0]], int(finding.subject[1:])
    held = namespace.vectors
    connection.execute(delete(held).where(held.c.user_id == finding.user_id, held.c[namespace.key] == number))
    values = {"user_id": finding.user_id, namespace.key: number, "created_at": now}
    connection.execute(insert_into(connection, namespace.outbox).values(values).on_conflict_do_nothing())


def orphaned_rows(connection: Connection) -> Iterator[Finding]:
    """Embeddings and queue entries of turns and chunks that do not exist, or have no text."""
    for prefix, namespace in _NAMESPACES.items():
        kept = namespace.rows
        for table in (namespace.vectors, namespace.outbox):
            number = table.c[namespace.key]
            there = exists().where(kept.c.user_id == table.c.user_id, kept.c.number == number, kept.c.text.is_not(None))
            for row in connection.execute(select(table.c.user_id, number.label("number")).where(not_(there))):
                yield Finding(row.user_id, f"{prefix}{row.number}", f"{table.name} has a row of it, and it is gone")


def drop_orphans(connection: Connection, finding: Finding, _now: datetime) -> None:
    """Delete what belongs to no text."""
    namespace, number = _NAMESPACES[finding.subject[0]], int(finding.subject[1:])
    for table in (namespace.vectors, namespace.outbox):
        own = (table.c.user_id == finding.user_id, table.c[namespace.key] == number)
        connection.execute(delete(table).where(*own))


def stale_digests(connection: Connection) -> Iterator[Finding]:
    """Texts by which summaries are found that are not those of the summaries."""
    owners = union(select(summaries.c.user_id), select(summary_texts.c.user_id)).subquery()
    for user_id in connection.scalars(select(owners.c.user_id)).all():
        stale, fresh = differences(connection, user_id)
        for number in sorted({*stale, *fresh}):
            yield Finding(user_id, f"s{number}", "it is not found by what it says")


def derive_digests(connection: Connection, finding: Finding, now: datetime) -> None:
    """Make anew what the user's summaries are found by."""
    derive(connection, finding.user_id, now=now)


def stale_states(connection: Connection) -> Iterator[Finding]:
    """Working memories that show what is not live, or not as it is."""
    for user_id in connection.scalars(select(states.c.user_id)).all():
        wrong = sorted(_stale_ids(connection, user_id, load_state(connection, user_id)))
        if wrong:
            yield Finding(user_id, "state", f"the working memory shows {', '.join(wrong)} otherwise than it is")


def refresh(connection: Connection, finding: Finding, now: datetime) -> None:
    """Derive the user's working memory again."""
    refresh_state(connection, finding.user_id, (), now=now)


def lagging_counters(connection: Connection) -> Iterator[Finding]:
    """Counters that lag behind the numbers in use, so that a number could be given twice."""
    for name, (prefix, table) in _NUMBERED.items():
        last = select(table.c.user_id, func.max(table.c.number).label("last")).group_by(table.c.user_id).subquery()
        own = and_(counters.c.user_id == last.c.user_id, counters.c.name == name)
        statement = select(last.c.user_id, last.c.last, counters.c.value).select_from(last.outerjoin(counters, own))
        behind = or_(counters.c.value.is_(None), counters.c.value < last.c.last)
        for row in connection.execute(statement.where(behind)):
            yield Finding(row.user_id, f"{prefix}{row.last}", f"the counter of its kind stands at {row.value or 0}")


def raise_counter(connection: Connection, finding: Finding, _now: datetime) -> None:
    """Set the counter to the last number in use."""
    name, prefix = next((name, it) for name, (it, _) in _NUMBERED.items() if _is_numbered(finding.subject, it))
    row = insert_into(connection, counters).values(
        user_id=finding.user_id, name=name, value=int(finding.subject[len(prefix) :])
    )
    keys = [counters.c.user_id, counters.c.name]
    connection.execute(row.on_conflict_do_update(index_elements=keys, set_={"value": row.excluded.value}))


def unregistered_users(connection: Connection) -> Iterator[Finding]:
    """Owners of rows that are not registered: their memory would not be found."""
    owners = union(*(select(table.c.user_id) for table in (turns, items, summaries, answers, documents))).subquery()
    unknown = not_(exists().where(users.c.user_id == owners.c.user_id))
    for user_id in connection.scalars(select(owners.c.user_id).where(unknown)).all():
        yield Finding(user_id, "user", "there are rows of this user, who is not registered")


def register(connection: Connection, finding: Finding, now: datetime) -> None:
    """Register the user."""
    connection.execute(
        insert_into(connection, users).values(user_id=finding.user_id, created_at=now).on_conflict_do_nothing()
    )


DERIVED_CHECKS = (
    Check("users", "Every row belongs to a registered user.", users, unregistered_users, register),
    Check(
        "summary texts",
        "Summaries are found by what they quote.",
        summaries,
        stale_digests,
        derive_digests,
        whole_user=True,
    ),
    Check("numbers", "No number is ever given twice.", counters, lagging_counters, raise_counter),
    Check(
        "orphans", "What is derived belongs to a turn or chunk that exists.", TURNS.vectors, orphaned_rows, drop_orphans
    ),
    Check(
        "full text",
        "Every turn and chunk is found by its words.",
        turns,
        unindexed_texts,
        reindex_text,
        whole_user=True,
    ),
    Check(
        "embeddings", "Every turn and chunk has an embedding or waits for one.", turns, missing_embeddings, embed_again
    ),
    Check("working memory", "MEMORY_STATE shows what is live.", states, stale_states, refresh),
)


def _is_numbered(subject: str, prefix: str) -> bool:
    return subject.startswith(prefix) and subject[len(prefix) :].isdecimal()


def _is_unit(embedding: bytes) -> bool:
    if not embedding or len(embedding) % 4:
        return False
    length = float(np.linalg.norm(np.frombuffer(embedding, dtype="<f4")))
    return abs(length - 1) <= _TOLERANCE or length == 0


def _stale_ids(connection: Connection, user_id: str, state: MemoryState) -> set[str]:
    shown = {held.id: held.value for held in state.current_facts}
    shown |= {todo.id: todo.text for todo in state.open_todos}
    shown |= {question.id: question.text for question in state.open_questions}
    shown |= {agreement.id: agreement.text for agreement in state.agreements}
    numbers = [int(id[1:]) for id in shown]
    rows = connection.execute(select(items).where(items.c.user_id == user_id, items.c.number.in_(numbers)))
    live = {f"f{row.number}": (row.value, row.quote) for row in rows if row.closed_at is None}
    return {id for id, text in shown.items() if text not in live.get(id, ())}
