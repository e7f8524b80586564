"""Where turns stand in their sessions, and what stands beside them: read in one statement."""

# ruff: noqa: S608 - what is spliced into the statement are constants of this program

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import Connection, Row, bindparam, text

from ..storage.number_lists import listed
from ..storage.tables import Instant

_NEAR = "near.position BETWEEN found.position - :reach AND found.position + :reach"
# SQLite is kept to this order of look-ups by CROSS JOIN, PostgreSQL by OFFSET; else they scan the user's turns.
_SQLITE = (
    "SELECT near.number, near.session_id, near.position, near.speaker,"
    " coalesce(near.observed_at >= :start AND near.observed_at < :end, false),"
    " length(CAST(near.text AS BLOB)), substr(rtrim(near.text), -1) IN ('?', '？')"
    f" FROM ({listed('sqlite', 'numbers')}) AS wanted"
    " CROSS JOIN turns AS found ON found.user_id = :user AND found.number = wanted.value"
    f" CROSS JOIN turns AS near ON near.user_id = :user AND near.session_id = found.session_id AND {_NEAR}"
)
_POSTGRESQL = (
    "SELECT near.*"
    f" FROM ({listed('postgresql', 'numbers')}) AS wanted"
    " CROSS JOIN LATERAL (SELECT session_id, position FROM turns WHERE user_id = :user AND number = wanted.value"
    " OFFSET 0) AS found"
    " CROSS JOIN LATERAL (SELECT near.number, near.session_id, near.position, near.speaker,"
    " coalesce(near.observed_at >= :start AND near.observed_at < :end, false),"
    " octet_length(near.text), right(rtrim(near.text), 1) IN ('?', '？') FROM turns AS near"
    f" WHERE near.user_id = :user AND near.session_id = found.session_id AND {_NEAR} OFFSET 0) AS near"
)
_STATEMENTS = {
    dialect: text(statement).bindparams(bindparam("start", type_=Instant), bindparam("end", type_=Instant))
    for dialect, statement in (("sqlite", _SQLITE), ("postgresql", _POSTGRESQL))
}


def places(connection: Connection, limits: Mapping[str, object]) -> Sequence[Row[Any]]:
    """Number, session, position, speaker, whether it was said in time, bytes, whether it asks: of turns and those near.

    Args:
        connection: open for reading.
        limits: ``user``; ``numbers``, a JSON list; ``reach``, so many places before and after each; ``start`` and
            ``end`` of the time, or ``None``.
    """
    return connection.execute(_STATEMENTS[connection.dialect.name], limits).all()
