"""Structured summaries: which turns of a session they cover, and their sections with quotations."""

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, func, insert, select

from ...prompts.reference import PromptRef
from .counters import next_number
from .tables import summaries


@dataclass(frozen=True, slots=True)
class NewSummary:
    """A summary of the turns ``first_turn`` to ``last_turn`` of one session; ``document`` is plain JSON."""

    session_id: str
    first_turn: int
    last_turn: int
    trigger: str
    document: dict[str, Any]
    prompts: tuple[PromptRef, ...] = ()


def last_summarised(connection: Connection, user_id: str, session_id: str) -> int:
    """The number of the last turn of the session that a summary covers; 0 when there is none."""
    statement = select(func.max(summaries.c.last_turn)).where(
        summaries.c.user_id == user_id, summaries.c.session_id == session_id
    )
    return int(connection.execute(statement).scalar() or 0)


def add_summary(connection: Connection, user_id: str, summary: NewSummary, *, now: datetime) -> str | None:
    """Store a summary unless its turns are covered already (then ``None``); returns its id, for example ``s2``."""
    if last_summarised(connection, user_id, summary.session_id) >= summary.last_turn:
        return None
    number = next_number(connection, user_id, "summary")
    connection.execute(
        insert(summaries).values(
            user_id=user_id,
            number=number,
            session_id=summary.session_id,
            first_turn=summary.first_turn,
            last_turn=summary.last_turn,
            trigger=summary.trigger,
            document=summary.document,
            prompts=[asdict(prompt) for prompt in summary.prompts],
            recorded_at=now,
        )
    )
    return f"s{number}"


def list_summaries(connection: Connection, user_id: str, *, limit: int = 20) -> Sequence[dict[str, Any]]:
    """The last summaries of the user, newest first, as plain mappings."""
    statement = select(summaries).where(summaries.c.user_id == user_id).order_by(summaries.c.number.desc()).limit(limit)
    return [dict(row._mapping) for row in connection.execute(statement)]
