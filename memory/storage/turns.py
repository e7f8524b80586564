"""The turn log: every utterance verbatim, in order, never edited."""

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Row, Select, and_, func, insert, select

from ...prompts.reference import PromptRef
from ..records import NewTurn, Turn
from .counters import next_number
from .tables import outbox, threads, turns, users

# SQLite allows 32,766 bound variables per statement; one batch stays far below.
_BATCH = 500
_COLUMNS = tuple(column for column in turns.c if column.name not in {"id", "prompts"})


def ensure_user(connection: Connection, user_id: str, now: datetime) -> None:
    """Register ``user_id`` at its first turn."""
    if not user_exists(connection, user_id):
        connection.execute(insert(users).values(user_id=user_id, created_at=now))


def user_exists(connection: Connection, user_id: str) -> bool:
    """Whether anything was ever recorded for ``user_id``."""
    return connection.execute(select(users.c.user_id).where(users.c.user_id == user_id)).first() is not None


def thread_owner(connection: Connection, thread_id: str) -> str | None:
    """The user of the thread's first turn, or ``None`` for a thread that nobody has begun."""
    return connection.execute(select(threads.c.user_id).where(threads.c.thread_id == thread_id)).scalar()


def claim_thread(connection: Connection, thread_id: str, user_id: str, now: datetime) -> None:
    """Make ``user_id`` the owner of a thread that nobody owns yet."""
    connection.execute(insert(threads).values(thread_id=thread_id, user_id=user_id, created_at=now))


def find_turn(connection: Connection, user_id: str, session_id: str, external_id: str) -> Turn | None:
    """The turn of that identity, if it was recorded."""
    return _first(
        connection,
        _of(user_id).where(turns.c.session_id == session_id, turns.c.external_id == external_id),
    )


def append_turn(
    connection: Connection, new: NewTurn, *, now: datetime, prompts: Sequence[PromptRef] = ()
) -> tuple[Turn, bool]:
    """Record a turn and its outbox row in the open transaction.

    Returns:
        The recorded turn and whether it is new: a turn of the same identity is returned as it was recorded first.
    """
    known = find_turn(connection, new.user_id, new.session_id, new.external_id)
    if known is not None:
        return known, False
    ensure_user(connection, new.user_id, now)
    number = next_number(connection, new.user_id, "turn")
    last = connection.execute(
        select(func.max(turns.c.position)).where(turns.c.user_id == new.user_id, turns.c.session_id == new.session_id)
    ).scalar()
    turn = Turn(
        user_id=new.user_id,
        number=number,
        session_id=new.session_id,
        position=0 if last is None else last + 1,
        external_id=new.external_id,
        role=new.role,
        source=new.source,
        speaker=new.speaker,
        text=new.text,
        language=new.language,
        observed_at=new.observed_at,
        time_zone=new.time_zone,
        recorded_at=now,
        act=new.act,
        citations=new.citations,
        terminal=new.terminal,
    )
    row = {column.name: getattr(turn, column.name) for column in _COLUMNS}
    row["citations"] = list(turn.citations)
    row["prompts"] = [asdict(prompt) for prompt in prompts]
    connection.execute(insert(turns).values(**row))
    connection.execute(insert(outbox).values(user_id=new.user_id, turn=number, created_at=now))
    return turn, True


def get_turns(connection: Connection, user_id: str, numbers: Collection[int]) -> dict[int, Turn]:
    """The turns of those numbers that exist, by number."""
    found: dict[int, Turn] = {}
    wanted = sorted(set(numbers))
    for start in range(0, len(wanted), _BATCH):
        batch = wanted[start : start + _BATCH]
        for turn in _all(connection, _of(user_id).where(turns.c.number.in_(batch))):
            found[turn.number] = turn
    return found


def recent_turns(
    connection: Connection, user_id: str, limit: int, *, session_id: str | None = None, before: int | None = None
) -> list[Turn]:
    """The last ``limit`` turns, oldest first: of one session, or of the user; optionally before a turn's number."""
    statement = _of(user_id)
    if session_id is not None:
        statement = statement.where(turns.c.session_id == session_id)
    if before is not None:
        statement = statement.where(turns.c.number < before)
    return list(reversed(_all(connection, statement.order_by(turns.c.number.desc()).limit(limit))))


@dataclass(frozen=True, slots=True)
class Session:
    """One conversation: how long it is, when something was last said, and how it begins."""

    session_id: str
    turns: int
    last_turn: int
    last_at: datetime
    opening: str


def list_sessions(connection: Connection, user_id: str, *, limit: int = 50) -> list[Session]:
    """The user's conversations, the latest first."""
    last = func.max(turns.c.number)
    columns = (turns.c.session_id, func.count(), last, func.max(turns.c.observed_at), func.min(turns.c.number))
    own = select(*columns).where(turns.c.user_id == user_id).group_by(turns.c.session_id)
    rows = connection.execute(own.order_by(last.desc()).limit(limit)).all()
    first = get_turns(connection, user_id, [row[4] for row in rows])
    return [Session(row[0], row[1], row[2], row[3], first[row[4]].text) for row in rows]


def session_turns(
    connection: Connection, user_id: str, session_id: str, *, after: int = 0, limit: int | None = None
) -> list[Turn]:
    """The turns of a session with a number above ``after``, in order; at most ``limit`` of them."""
    statement = _of(user_id).where(turns.c.session_id == session_id, turns.c.number > after)
    return _all(connection, statement.order_by(turns.c.position).limit(limit))


def turns_around(connection: Connection, user_id: str, numbers: Collection[int], *, reach: int) -> dict[int, Turn]:
    """Those turns and the ones at most ``reach`` places before or after them in their sessions, by number."""
    found, near = turns.alias("found"), turns.alias("near")
    beside = and_(
        found.c.user_id == near.c.user_id,
        found.c.session_id == near.c.session_id,
        near.c.position.between(found.c.position - reach, found.c.position + reach),
    )
    own = (found.c.user_id == user_id, found.c.number.in_(sorted(numbers)))
    ids = select(near.c.id).join_from(found, near, beside).where(*own)
    around = _all(connection, _of(user_id).where(turns.c.id.in_(ids)))
    return {turn.number: turn for turn in around}


def list_speakers(connection: Connection, user_id: str, *, limit: int = 50) -> list[str]:
    """Who speaks in the user's turns. Hops through the index, one look-up per speaker, however long the log is."""
    found: list[str] = []
    after = ""
    while len(found) < limit:
        statement = select(func.min(turns.c.speaker)).where(turns.c.user_id == user_id, turns.c.speaker > after)
        speaker = connection.execute(statement).scalar()
        if speaker is None:
            break
        found.append(speaker)
        after = speaker
    return found


def last_recorded(connection: Connection) -> datetime | None:
    """When the newest turn of all users was recorded; ``None`` while there is none."""
    return connection.execute(select(turns.c.recorded_at).order_by(turns.c.id.desc()).limit(1)).scalar()


def count_turns(connection: Connection, user_id: str) -> int:
    """How many turns of the user are in the log."""
    statement = select(func.count()).select_from(turns).where(turns.c.user_id == user_id)
    return int(connection.execute(statement).scalar_one())


def _of(user_id: str) -> Select[Any]:
    return select(*_COLUMNS).where(turns.c.user_id == user_id)


def _first(connection: Connection, statement: Select[Any]) -> Turn | None:
    row = connection.execute(statement.limit(1)).first()
    return None if row is None else _turn(row)


def _all(connection: Connection, statement: Select[Any]) -> list[Turn]:
    return [_turn(row) for row in connection.execute(statement)]


def _turn(row: Row[Any]) -> Turn:
    values = dict(row._mapping)
    values["citations"] = tuple(values["citations"])
    return Turn(**values)
