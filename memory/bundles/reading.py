"""Reading a bundle: everything is checked before anything is written, and everything is written in one transaction."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, insert, select

from ..digests.rows import derive
from ..errors import BadInput
from ..forgetting import forget, ledger
from ..handles.registry import announce, list_all
from ..ingestion.files import NotJson, bad_line, parse_json, read_lines
from ..records import Span
from ..retrieval import lexical
from ..retrieval.namespaces import NAMESPACES
from ..retrieval.vectors import queue_missing
from ..storage.keys import NAMED, is_key
from ..storage.state_events import tell_state_whole
from ..storage.states import MemoryState, load_state
from ..storage.tables import counters, threads
from ..storage.turns import ensure_user
from ..storage.upserts import insert_into
from ..store import Memory
from .rows import FORMAT, SECTIONS, VERSION, read, written

_NUMBERED = ("turn", "item", "document", "chunk", "clause", "summary", "answer", "intent", "step")


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import did."""

    counts: Mapping[str, int] = field(default_factory=dict)
    """Rows by kind; empty where everything was there already."""
    known: bool = False
    """Whether the user's memory held all of it."""
    left_out: int = 0
    """Turns that were forgotten here since, and were not brought back."""


@dataclass(slots=True)
class _Bundle:
    """A bundle that has been read: the header, and the rows by kind."""

    header: dict[str, Any]
    rows: dict[str, list[dict[str, Any]]]


def import_bundle(memory: Memory, user_id: str, path: Path, *, now: datetime, with_forgotten: bool = False) -> Imported:
    """Bring a bundle in for a user who has no memory yet, with its ids, its histories and its answers.

    Embeddings are made anew by ``memory.vectors.apply_outbox`` and ``memory.knowledge.embed``.

    Args:
        memory: the open memory.
        user_id: whose memory it becomes.
        path: the bundle.
        now: the time of the import.
        with_forgotten: bring back what this user had forgotten here.

    Raises:
        BadFile: the file is no bundle, or a line of it is wrong; nothing was written.
        BadInput: the user has another memory already; nothing was written.
    """
    bundle = _read(path)
    with memory.database.write() as connection:
        if _holds_anything(connection, user_id):
            if not _holds(connection, user_id, bundle):
                message = (
                    f"User {user_id!r} has a memory that differs from {path}: import it for another --user, "
                    "or forget that memory first."
                )
                raise BadInput(message)
            return Imported(known=True)
        _write(connection, user_id, bundle, now)
        entries = [] if with_forgotten else ledger.read_entries(memory.folder)
        back = ledger.brought_back(connection, user_id, entries)
    if back.names or back.documents:
        forget(memory, None, user_id, back, now=now)
    return Imported({name: len(rows) for name, rows in bundle.rows.items()}, left_out=len(back.names))


def _read(path: Path) -> _Bundle:
    lines = read_lines(path)
    number, first = next(lines, (1, ""))
    bundle = _Bundle(_header(path, number, first), {name: [] for name in SECTIONS})
    checks = _References()
    for number, line in lines:
        if not line.strip():
            continue
        try:
            kind, row = _row(line)
            checks.check(kind, row)
        except ValueError as error:
            raise bad_line(path, number, f"{_first_line(error)}: export the memory again") from error
        bundle.rows[kind].append(row)
    _check_counts(path, number, bundle)
    return bundle


def _header(path: Path, number: int, line: str) -> dict[str, Any]:
    try:
        header = parse_json(line)
    except NotJson:
        header = None
    if not isinstance(header, dict) or header.get("format") != FORMAT:
        raise bad_line(path, number, "this is no bundle of `veridical memory export`: name one")
    if header.get("version") != VERSION:
        problem = f"the bundle has version {header.get('version')!r}, and {VERSION} is understood: update Veridical"
        raise bad_line(path, number, problem)
    if not isinstance(header.get("counts"), dict) or not isinstance(header.get("counters"), dict):
        raise bad_line(path, number, "the header lacks its counts: export the memory again")
    return header


def _row(line: str) -> tuple[str, dict[str, Any]]:
    try:
        document = parse_json(line)
    except NotJson as error:
        raise ValueError(str(error)) from error
    if not isinstance(document, dict) or document.get("type") not in SECTIONS:
        message = f"'type' must be one of {', '.join(SECTIONS)}"
        raise ValueError(message)
    return document["type"], read(SECTIONS[document["type"]], document)


def _first_line(error: ValueError) -> str:
    return str(error).partition("\n")[0]


class _References:
    """Holds the lines to the promises: numbers once, quotations exact, histories between items that exist."""

    def __init__(self) -> None:
        self._numbers: dict[str, set[int]] = {name: set() for name in _NUMBERED}
        self._texts: dict[int, str] = {}
        self._chunks: dict[int, Span] = {}

    def check(self, kind: str, row: dict[str, Any]) -> None:
        """Raise ValueError if the line contradicts itself or those before it."""
        if kind in _NUMBERED:
            if row["number"] < 1 or row["number"] in self._numbers[kind]:
                message = f"the number {row['number']} of this {kind} is given already, or is none"
                raise ValueError(message)
            self._numbers[kind].add(row["number"])
        checks: dict[str, Callable[[dict[str, Any]], object]] = {
            "turn": self._note_text,
            "item": self._check_item,
            "summary": self._check_summary,
            "conflict": self._check_conflict,
            "chunk": self._note_chunk,
            "clause": self._check_clause,
            "step": self._check_step,
            "state": lambda row: MemoryState.model_validate(row["document"]),
        }
        if kind in checks:
            checks[kind](row)

    def _note_text(self, row: dict[str, Any]) -> None:
        self._texts[row["number"]] = row["text"]

    def _note_chunk(self, row: dict[str, Any]) -> None:
        self._chunks[row["number"]] = Span(row["start"], row["end"])

    def _check_clause(self, row: dict[str, Any]) -> None:
        held = self._chunks.get(row["chunk"], Span(0, 0))
        if row["document"] not in self._numbers["document"] or not held.start <= row["start"] < row["end"] <= held.end:
            message = f"its chunk c{row['chunk']} does not contain it"
            raise ValueError(message)

    def _check_conflict(self, row: dict[str, Any]) -> None:
        if not {row["preferred"], row["other"]} <= self._numbers["item"]:
            message = "it is between items that the bundle does not have"
            raise ValueError(message)

    def _check_step(self, row: dict[str, Any]) -> None:
        """Of an intent that the bundle has, quoting turns that it has."""
        if row["intent"] is not None and row["intent"] not in self._numbers["intent"]:
            message = f"its intent {row['intent']} is not in the bundle"
            raise ValueError(message)
        quoted = [(row["turn"], row["start"] or 0, row["end"] or 0, row["quote"])]
        quoted += [(it.get("turn"), it.get("start"), it.get("end"), it.get("quote")) for it in row["slots"]]
        for turn, start, end, quote in quoted:
            if turn is not None and quote and Span(start, end).cut(self._texts.get(turn, "")) != quote:
                message = f"t{turn} does not read as it is quoted"
                raise ValueError(message)

    def _check_agreement(self, row: dict[str, Any]) -> None:
        if row["accepted_turn"] is None and row["kind"] != "agreement":
            return
        text = self._texts.get(row["accepted_turn"], "")
        if not 0 <= (row["accepted_start"] or 0) < (row["accepted_end"] or 0) <= len(text):
            message = "what it agrees to is not in the bundle"
            raise ValueError(message)

    def _check_summary(self, row: dict[str, Any]) -> None:
        sections = [section for section in row["document"].values() if isinstance(section, list)]
        for entry in (entry for section in sections for entry in section if isinstance(entry, dict)):
            place = re.fullmatch(r"t([1-9][0-9]*)", str(entry.get("turn_id")))
            if place is None or str(entry.get("text")) not in self._texts.get(int(place[1]), ""):
                message = f"an entry does not quote its turn {entry.get('turn_id')}"
                raise ValueError(message)

    def _check_item(self, row: dict[str, Any]) -> None:
        text = self._texts.get(row["turn"])
        if text is None:
            message = f"its turn t{row['turn']} is not in the bundle"
            raise ValueError(message)
        quoted, valued = Span(row["quote_start"], row["quote_end"]), Span(row["value_start"], row["value_end"])
        if quoted.cut(text) != row["quote"] or valued.cut(text) != row["value"] or not row["quote"]:
            message = f"t{row['turn']} does not read as it is quoted"
            raise ValueError(message)
        self._check_agreement(row)
        if row["kind"] in NAMED and not is_key(row["attribute"]):
            message = f"its attribute {row['attribute']!r} is no name in snake_case"
            raise ValueError(message)


def _check_counts(path: Path, number: int, bundle: _Bundle) -> None:
    for name, rows in bundle.rows.items():
        expected = bundle.header["counts"].get(name, 0)
        if len(rows) != expected:
            problem = f"the file ends with {len(rows)} of {expected} lines of type {name!r}: copy or export it again"
            raise bad_line(path, number, problem)


def _holds_anything(connection: Connection, user_id: str) -> bool:
    tables = [table for name, table in SECTIONS.items() if name != "thread"]
    return any(
        connection.execute(select(table.c.user_id).where(table.c.user_id == user_id).limit(1)).first()
        for table in tables
    )


def _holds(connection: Connection, user_id: str, bundle: _Bundle) -> bool:
    """Whether the user's turns include all of the bundle's, as they are."""
    table = SECTIONS["turn"]
    rows = connection.execute(select(table).where(table.c.user_id == user_id))
    known = {row.number: written(table, dict(row._mapping)) for row in rows}
    return all(known.get(row["number"]) == written(table, row) for row in bundle.rows["turn"])


def _write(connection: Connection, user_id: str, bundle: _Bundle, now: datetime) -> None:
    ensure_user(connection, user_id, now)
    for name, rows in bundle.rows.items():
        table = SECTIONS[name]
        free = [row for row in rows if table is not threads or not _is_owned(connection, row["thread_id"])]
        if free:
            connection.execute(insert(table), [{"user_id": user_id, **row} for row in free])
    derive(connection, user_id, now=now)
    for namespace in NAMESPACES:
        lexical.rebuild(connection, user_id, namespace)
        queue_missing(connection, user_id, namespace)
    _tell(connection, user_id, now)
    for name in _NUMBERED:
        last = max([row["number"] for row in bundle.rows[name]], default=0)
        _raise_counter(connection, user_id, name, max(last, int(bundle.header["counters"].get(name, 0))))


def _tell(connection: Connection, user_id: str, now: datetime) -> None:
    """Tell the terminals of this store what has come into it."""
    for handle in list_all(connection, user_id):
        announce(connection, handle, now=now)
    state = load_state(connection, user_id)
    if state.version:
        tell_state_whole(connection, user_id, state.model_dump(mode="json"), now=now)


def _is_owned(connection: Connection, thread_id: str) -> bool:
    """Whether the thread is somebody's here: theirs it stays."""
    return connection.execute(select(threads.c.user_id).where(threads.c.thread_id == thread_id)).first() is not None


def _raise_counter(connection: Connection, user_id: str, name: str, value: int) -> None:
    known = select(counters.c.value).where(counters.c.user_id == user_id, counters.c.name == name)
    value = max(value, connection.execute(known).scalar() or 0)
    if value:
        row = insert_into(connection, counters).values(user_id=user_id, name=name, value=value)
        keys = [counters.c.user_id, counters.c.name]
        connection.execute(row.on_conflict_do_update(index_elements=keys, set_={"value": value}))
