"""The lines of a bundle: which tables they are of, and how a row is written and read.

A line is ``{"type": "turn", …}`` with the columns of its table, but for the user and the row's internal id. Times are
ISO 8601 in UTC to the microsecond, spans are character offsets, as everywhere.
"""

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, get_args

from sqlalchemy import JSON, Boolean, Column, Integer, String, Table

from ..clauses.records import DatedBy, EntityType
from ..language.folding import clean
from ..records import Act, ClosedBy, ItemKind, Language, Polarity, Role, Source
from ..storage.intent_tables import intent_steps, intents
from ..storage.intents import StepKind
from ..storage.stream_tables import handles
from ..storage.tables import (
    Instant,
    answers,
    chunks,
    clauses,
    conflicts,
    documents,
    items,
    knowledge_conflicts,
    states,
    summaries,
    threads,
    turns,
)

FORMAT = "veridical-memory"
VERSION = 1
SECTIONS: Mapping[str, Table] = {
    "turn": turns,
    "item": items,
    "conflict": conflicts,
    "document": documents,
    "chunk": chunks,
    "clause": clauses,
    "contradiction": knowledge_conflicts,
    "summary": summaries,
    "answer": answers,
    "state": states,
    "intent": intents,
    "step": intent_steps,
    "thread": threads,
    "handle": handles,
}
"""The kinds of lines after the header, in their order."""
_WORDS: Mapping[str, tuple[str, ...]] = {
    "role": get_args(Role),
    "source": get_args(Source),
    "language": get_args(Language),
    "kind": (*get_args(ItemKind), *get_args(StepKind)),
    "act": get_args(Act),
    "polarity": get_args(Polarity),
    "closed_by": get_args(ClosedBy),
    "entity_type": ("", *get_args(EntityType)),
    "dated_by": get_args(DatedBy),
}
_INTERNAL = frozenset({"id", "user_id"})


def columns_of(table: Table) -> list[Column[Any]]:
    """The columns that a line holds."""
    return [column for column in table.columns if column.name not in _INTERNAL]


def written(table: Table, row: Mapping[str, Any]) -> dict[str, Any]:
    """The columns of a row as plain JSON."""
    return {column.name: _plain(row[column.name]) for column in columns_of(table)}


def read(table: Table, line: Mapping[str, Any]) -> dict[str, Any]:
    """The columns of a line as values of a row.

    Raises:
        ValueError: a column is missing, unknown, or of another type; the message says which.
    """
    known = {column.name: column for column in columns_of(table)}
    given = line.keys() - {"type"}
    missing, unknown = sorted(_needed(known) - given), sorted(given - known.keys())
    if missing or unknown:
        message = f"{', '.join(map(repr, missing or unknown))} {'is missing' if missing else 'is not known'}"
        raise ValueError(message)
    row = {name: _value(column, line[name]) for name, column in known.items() if name in line}
    return _keyed(row) if table is documents and "key" not in row else row


def _keyed(row: dict[str, Any]) -> dict[str, Any]:
    """A document of a bundle that knew no keys: its versions share its name."""
    return row | {"key": "" if row["removed_at"] else row["name"], "stated_to": None}


def _needed(known: Mapping[str, Column[Any]]) -> set[str]:
    """The columns that a line must have: those that were added later have a default, or are marked."""
    return {name for name, column in known.items() if column.server_default is None and not column.info.get("later")}


def _plain(value: object) -> object:
    return value.astimezone(UTC).isoformat().replace("+00:00", "Z") if isinstance(value, datetime) else value


def _value(column: Column[Any], value: object) -> object:
    if value is None:
        if column.nullable:
            return None
        message = f"{column.name!r} is null"
        raise ValueError(message)
    if isinstance(column.type, Instant):
        return _moment(column.name, value)
    if not _fits(column, value):
        message = f"{column.name!r} cannot be {json.dumps(value)[:40]}"
        raise ValueError(message)
    return value


def _fits(column: Column[Any], value: object) -> bool:
    kind = column.type
    if isinstance(kind, JSON):
        return isinstance(value, dict | list)
    if isinstance(kind, Boolean):
        return isinstance(value, bool)
    if isinstance(kind, String):
        return isinstance(value, str) and clean(value) == value and value in _WORDS.get(column.name, (value,))
    if isinstance(value, bool):
        return False
    if isinstance(kind, Integer):
        return isinstance(value, int) and abs(value) < 1 << 63
    return isinstance(value, int | float)


def _moment(name: str, value: object) -> datetime:
    try:
        moment = datetime.fromisoformat(str(value))
    except ValueError as error:
        message = f"{name!r} is no time"
        raise ValueError(message) from error
    if moment.tzinfo is None:
        message = f"{name!r} has no offset"
        raise ValueError(message)
    return moment.astimezone(UTC)
