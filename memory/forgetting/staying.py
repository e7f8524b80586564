"""What has a right to stay: texts that hold a piece of what is forgotten for reasons of their own."""

import functools
from collections.abc import Iterable, Iterator, Sequence
from importlib import resources
from importlib.resources.abc import Traversable

from sqlalchemy import JSON, Connection, String, Table, cast, select

from ..language.folding import fold
from ..retrieval.lexical import bodies, indexed_form
from ..retrieval.namespaces import CHUNKS, SUMMARIES, TURNS, Namespace
from ..storage.intent_tables import intent_steps, intents
from ..storage.stream_tables import events, handles, requests, snapshots, tokens
from ..storage.tables import (
    answers,
    conflicts,
    counters,
    items,
    meta,
    metadata,
    outbox,
    states,
    summaries,
    summary_texts,
    turns,
    users,
    vectors,
)
from .needles import Needles

_STREAM = {events, handles, requests, snapshots, tokens}
_INTENTS = {intents, intent_steps}
_DERIVED = {answers, conflicts, counters, items, meta, outbox, states, summaries, summary_texts, vectors}
_DERIVED |= _STREAM | _INTENTS
_FOLDERS = ("memory", "intents", "nodes", "graph", "cli")
_BATCH = 1 << 20


def found_in(wanted: Sequence[str], texts: Iterable[str]) -> set[str]:
    """Which of the wanted strings (folded) occur in one of the texts."""
    needles = Needles([text.encode() for text in wanted])
    found: set[int] = set()
    batch: list[str] = []
    size = 0
    for text in texts:
        batch.append(fold(text))
        size += len(text)
        if size > _BATCH:
            found.update(index for index, _ in needles.in_bytes("\x00".join(batch).encode()))
            batch, size = [], 0
    found.update(index for index, _ in needles.in_bytes("\x00".join(batch).encode()))
    return {wanted[index] for index in found}


def staying_texts(connection: Connection) -> Iterator[str]:
    """Every text that has a right to stay: what all users' turns and documents hold, and what the program writes."""
    yield from _own_texts("prompts", ".md")
    for table in metadata.sorted_tables:
        if table not in _DERIVED:
            yield from _texts_in(connection, table)
    # What the items of those turns make of them: canonical names and normal forms, which no text need hold.
    joined = items.join(turns, (turns.c.user_id == items.c.user_id) & (turns.c.number == items.c.turn))
    meanings = select(items.c.entity, items.c.attribute, items.c.normal).select_from(joined)
    yield from ("\n".join(meaning) for meaning in connection.execute(meanings))


def _texts_in(connection: Connection, table: Table) -> Iterator[str]:
    columns = [cast(column, String) for column in table.columns if isinstance(column.type, String | JSON)]
    rows = connection.execute(select(*columns)) if columns else ()
    return ("\n".join(filter(None, row)) for row in rows)


def own_words() -> Iterator[str]:
    """The modules and the lexicons."""
    for folder in _FOLDERS:
        yield from _own_texts(folder, ".py")
        yield from _own_texts(folder, ".yaml")


@functools.cache
def _own_texts(folder: str, ending: str) -> tuple[str, ...]:
    package = resources.files(__package__.partition(".memory")[0])
    return tuple(entry.read_text(encoding="utf-8") for entry in _files(package / folder, ending))


def _files(folder: Traversable, ending: str) -> Iterator[Traversable]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _files(entry, ending)
        elif entry.name.endswith(ending):
            yield entry


def indexed_texts(connection: Connection) -> Iterator[str]:
    """What the full-text indexes hold of the texts that stay, of all users."""
    for user_id in connection.execute(select(users.c.user_id)).scalars().all():
        for namespace in (TURNS, CHUNKS):
            yield from _bodies(connection, user_id, namespace)
        for _, title, text in connection.execute(SUMMARIES.texts(user_id)):
            yield indexed_form(SUMMARIES.indexed(title, text))


def _bodies(connection: Connection, user_id: str, namespace: Namespace) -> Iterator[str]:
    # Rows of turns that do not exist have no right to stay.
    rows = namespace.rows.c
    there = select(rows.number).where(rows.user_id == user_id, rows.text.is_not(None))
    numbers = set(connection.execute(there).scalars())
    return (body for number, body in bodies(connection, user_id, namespace) if number in numbers)
