"""Answers with their traces: what ``why`` shows. A trace is no memory; nothing is recalled from here."""

from collections.abc import Collection
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, insert, select, update

from .counters import next_number
from .tables import answers

FAILED = "failed"
"""Begins what an answer's trace says of a summary that failed."""


def save_answer(
    connection: Connection,
    user_id: str,
    session_id: str,
    question: str,
    document: dict[str, Any],
    *,
    configuration: str = "",
    now: datetime,
) -> str:
    """Keep an answer's trace (plain JSON), by which configuration it was given, and return its id, such as ``a7``."""
    number = next_number(connection, user_id, "answer")
    answer_id = f"a{number}"
    connection.execute(
        insert(answers).values(
            user_id=user_id,
            number=number,
            session_id=session_id,
            question=question,
            document={"answer_id": answer_id, **document},
            created_at=now,
            configuration=configuration,
        )
    )
    return answer_id


def load_answer(
    connection: Connection, user_id: str, number: int | None = None, *, session_id: str | None = None
) -> dict[str, Any] | None:
    """The trace of answer ``number``, or of the user's last answer, or the last of a session; ``None`` for none."""
    statement = select(answers.c.document).where(answers.c.user_id == user_id)
    if session_id is not None:
        statement = statement.where(answers.c.session_id == session_id)
    if number is not None:
        statement = statement.where(answers.c.number == number)
    document = connection.execute(statement.order_by(answers.c.number.desc()).limit(1)).scalar()
    return None if document is None else dict(document)


def answers_to(connection: Connection, user_id: str, session_id: str, turn_ids: Collection[str]) -> dict[str, Any]:
    """The traces of the answers to those turns of a session, by the id of the turn that asked."""
    asked = answers.c.document["turn_id"].as_string()
    own = (answers.c.user_id == user_id, answers.c.session_id == session_id, asked.in_(turn_ids))
    rows = connection.execute(select(answers.c.document).where(*own).order_by(answers.c.number)).scalars()
    return {document["turn_id"]: document for document in rows}


def summary_outcomes(connection: Connection, user_id: str, session_id: str, limit: int) -> list[str | None]:
    """What became of the summaries that the last answers of a session gave rise to, newest first: id, failure, none."""
    outcome = answers.c.document["summary"].as_string()
    own = (answers.c.user_id == user_id, answers.c.session_id == session_id)
    statement = select(outcome).where(*own).order_by(answers.c.number.desc()).limit(limit)
    return list(connection.execute(statement).scalars())


def annotate_answer(connection: Connection, user_id: str, number: int, key: str, value: str | None) -> None:
    """Set one key of an answer's trace."""
    document = load_answer(connection, user_id, number)
    if document is not None:
        chosen = update(answers).where(answers.c.user_id == user_id, answers.c.number == number)
        connection.execute(chosen.values(document={**document, key: value}))
