"""Where turns stand in their sessions, and what stands beside them: read in one statement."""

# ruff: noqa: S608 - what is spliced into the statement are constants of this program

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row, TextClause, bindparam, text

from ..storage.number_lists import listed
from ..storage.tables import Instant

_FORM = {
    "sqlite": "length(CAST(near.text AS BLOB)), substr(rtrim(near.text), -1)",
    "postgresql": "octet_length(near.text), right(rtrim(near.text), 1)",
}
"""The length in bytes and the last character."""


def places(connection: Connection, limits: Mapping[str, object]) -> Sequence[Row[Any]]:
    """Number, session, position, speaker, whether it was said in time, bytes, whether it asks: of turns and those near.

    Args:
        connection: open for reading.
        limits: ``user``; ``numbers``, a JSON list; ``reach``, so many places before and after each; ``start`` and
            ``end`` of the time, or ``None``.
    """
    return connection.execute(_STATEMENTS[connection.dialect.name], limits).all()


def _statement(dialect: str) -> TextClause:
    # CROSS JOIN keeps SQLite to this order of look-ups; left to itself it scans the user's turns.
    return text(
        "SELECT near.number, near.session_id, near.position, near.speaker,"
        " coalesce(near.observed_at >= :start AND near.observed_at < :end, false),"
        f" {_FORM[dialect]} IN ('?', '？')"
        f" FROM ({listed(dialect, 'numbers')}) AS wanted"
        " CROSS JOIN turns AS found"
        " CROSS JOIN turns AS near"
        " WHERE found.user_id = :user AND found.number = wanted.value"
        " AND near.user_id = :user AND near.session_id = found.session_id"
        " AND near.position BETWEEN found.position - :reach AND found.position + :reach"
    ).bindparams(bindparam("start", type_=Instant), bindparam("end", type_=Instant))


_STATEMENTS = {dialect: _statement(dialect) for dialect in _FORM}
