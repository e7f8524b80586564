"""The rows that summaries are found by, all derived: texts, full text, and what waits for vectors."""

from collections.abc import Collection, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from sqlalchemy import Connection, Row, delete, insert, select

from ..records import Digest, digest_number, reference_number
from ..retrieval import lexical
from ..retrieval.namespaces import SUMMARIES
from ..retrieval.vector_rows import bump_epoch
from ..storage.tables import summaries, summary_outbox, summary_texts, summary_vectors, turns
from ..storage.upserts import insert_into

SECTIONS = ("decisions", "agreements", "user_stated", "todos", "choices", "open_questions")
"""The sections whose entries tell what a conversation was about, the weightiest first."""
_LONGEST_TITLE = 200


class Entry(NamedTuple):
    """One entry of a summary: a piece of a turn, and the section that it stands in."""

    turn: int
    quote: str
    section: str


def entries_of(document: Mapping[str, Any]) -> list[Entry]:
    """The entries of a summary that quote the user, the weightiest sections first, each quotation once."""
    found: dict[tuple[int, str], Entry] = {}
    for section in SECTIONS:
        for entry in document.get(section) or ():
            one = Entry(reference_number(entry["turn_id"]), entry["text"], section)
            found.setdefault((one.turn, one.quote), one)
    return list(found.values())


def derive(connection: Connection, user_id: str, *, only: int | None = None, now: datetime) -> int:
    """Bring what is derived in line with the user's summaries, or ``only`` one; part of a write transaction.

    Returns:
        How many summaries had changed, come or gone.
    """
    stale, fresh = differences(connection, user_id, only=only)
    if stale:
        _remove(connection, user_id, stale)
    for number, (title, text) in fresh.items():
        row = {"user_id": user_id, "number": number}
        connection.execute(insert(summary_texts).values(**row, title=title, text=text))
        lexical.add(connection, user_id, number, SUMMARIES.indexed(title, text), SUMMARIES)
        waiting = {"user_id": user_id, "summary": number, "created_at": now}
        connection.execute(insert_into(connection, summary_outbox).values(**waiting).on_conflict_do_nothing())
    return len({*stale, *fresh})


def differences(
    connection: Connection, user_id: str, *, only: int | None = None
) -> tuple[list[int], dict[int, tuple[str, str]]]:
    """Numbers of texts that are not as the summaries say, and the texts (with titles) that are lacking."""
    held = select(summary_texts.c.number, summary_texts.c.title, summary_texts.c.text)
    own = _own(held, summary_texts, user_id, only)
    known = {row.number: (row.title, row.text) for row in connection.execute(own)}
    stored = _own(select(summaries.c.number, summaries.c.document), summaries, user_id, only)
    wanted = {row.number: _text_of(row.document) for row in connection.execute(stored)}
    stale = [number for number, text in known.items() if wanted.get(number) != text]
    fresh = {number: text for number, text in wanted.items() if text is not None and known.get(number) != text}
    return stale, fresh


def underived(connection: Connection) -> list[str]:
    """The users of whose summaries some were never derived: they are older than that, or were imported."""
    same = (summary_texts.c.user_id == summaries.c.user_id) & (summary_texts.c.number == summaries.c.number)
    statement = select(summaries.c.user_id).outerjoin_from(summaries, summary_texts, same)
    return list(connection.execute(statement.where(summary_texts.c.id.is_(None)).distinct()).scalars())


def digests(connection: Connection, user_id: str, numbers: Collection[int]) -> dict[int, Digest]:
    """The summaries of those numbers (as ``digest_number`` gives them), by number."""
    place = (summary_texts.c.user_id == summaries.c.user_id) & (summary_texts.c.number == summaries.c.number)
    last = (turns.c.user_id == summaries.c.user_id) & (turns.c.number == summaries.c.last_turn)
    columns = (*summaries.c, summary_texts.c.title, summary_texts.c.text, turns.c.observed_at, turns.c.language)
    statement = select(*columns).join(summary_texts, place).outerjoin(turns, last)
    wanted = {digest_number(number) for number in numbers}
    rows = connection.execute(statement.where(summaries.c.user_id == user_id, summaries.c.number.in_(wanted)))
    return {digest.number: digest for digest in map(_digest, rows)}


def _digest(row: Row[Any]) -> Digest:
    return Digest(
        user_id=row.user_id,
        number=digest_number(row.number),
        session_id=row.session_id,
        position=0,
        external_id=f"s{row.number}",
        role="assistant",
        source="ai_generated",
        speaker="summary",
        text=row.text,
        language=row.language or "en",
        observed_at=row.observed_at or row.recorded_at,
        time_zone="UTC",
        recorded_at=row.recorded_at,
        act="statement",
        title=row.title,
        entries=tuple((entry.turn, entry.quote) for entry in entries_of(row.document)),
    )


def _text_of(document: Mapping[str, Any]) -> tuple[str, str] | None:
    """What a summary is found by: its topic, and what it quotes in the order of the turns; ``None`` for nothing."""
    entries = sorted(entries_of(document), key=lambda entry: entry.turn)
    title = str(document.get("core_topic") or "")[:_LONGEST_TITLE]
    return (title, "\n".join(entry.quote for entry in entries)) if entries else None


def _remove(connection: Connection, user_id: str, numbers: list[int]) -> None:
    lexical.remove_turns(connection, user_id, numbers, SUMMARIES)
    for table, key in ((summary_texts, "number"), (summary_vectors, "summary"), (summary_outbox, "summary")):
        connection.execute(delete(table).where(table.c.user_id == user_id, table.c[key].in_(numbers)))
    bump_epoch(connection)


def _own(statement: Any, table: Any, user_id: str, only: int | None) -> Any:
    own = statement.where(table.c.user_id == user_id)
    return own if only is None else own.where(table.c.number == only)
