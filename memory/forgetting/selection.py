"""Which turns are meant: from what is to be forgotten to turn numbers."""

from collections.abc import Collection
from typing import Any

from sqlalchemy import ColumnElement, Connection, Select, func, or_, select

from ..errors import NotFound
from ..language.folding import fold
from ..records import Turn
from ..storage.tables import counters, items, turns
from ..storage.turns import get_turns
from .mentions import Mention, in_any
from .request import What, turn_number

_SOURCES = frozenset({"user_input", "external_knowledge", "ai_generated"})


def select_turns(connection: Connection, user_id: str, what: What) -> set[int]:
    """The numbers of the user's turns that ``what`` means; empty where nothing is remembered of it.

    Raises:
        NotFound: a turn's id names no turn that there ever was.
    """
    found = {
        "turn": _turns,
        "source": _of_source,
        "session": _of_session,
        "entity": _about,
        "value": _containing,
        "all": _all,
    }
    return found[what.kind](connection, user_id, what.names)


def all_turns(connection: Connection, user_id: str) -> dict[int, Turn]:
    """Every turn of the user, by number."""
    numbers = connection.execute(select(turns.c.number).where(turns.c.user_id == user_id)).scalars()
    return get_turns(connection, user_id, list(numbers))


def _turns(connection: Connection, user_id: str, names: Collection[str]) -> set[int]:
    last = select(counters.c.value).where(counters.c.user_id == user_id, counters.c.name == "turn")
    given = connection.execute(last).scalar() or 0
    wanted = set()
    for name in names:
        number = turn_number(name)
        if not 0 < number <= given:
            raise NotFound("turn", name, "`veridical recall` and the answers show the ids there are")
        wanted.add(number)
    return set(get_turns(connection, user_id, wanted))


def _of_source(connection: Connection, user_id: str, names: Collection[str]) -> set[int]:
    speakers = connection.execute(select(turns.c.speaker).where(turns.c.user_id == user_id).distinct()).scalars()
    folded = {fold(name).strip() for name in names}
    meant = [speaker for speaker in speakers if fold(speaker).strip() in folded]
    return _numbers(connection, user_id, or_(turns.c.source.in_(_SOURCES & set(names)), turns.c.speaker.in_(meant)))


def _of_session(connection: Connection, user_id: str, names: Collection[str]) -> set[int]:
    within = [func.substr(turns.c.session_id, 1, len(name) + 1) == f"{name}/" for name in names]
    return _numbers(connection, user_id, or_(turns.c.session_id.in_(names), *within))


def _about(connection: Connection, user_id: str, names: Collection[str]) -> set[int]:
    wanted = {fold(name).strip() for name in names}
    statement = select(items.c.entity, items.c.turn).where(items.c.user_id == user_id).distinct()
    drawn = {turn for entity, turn in connection.execute(statement) if _canonical(entity) & wanted}
    # "user" is whoever speaks: what the items say of them is meant, not every text with that word.
    return drawn | _mentioning(connection, user_id, [name for name in names if fold(name).strip() != "user"])


def _canonical(entity: str) -> set[str]:
    folded = fold(entity)
    return {folded, folded.partition(":")[2] or folded}


def _containing(connection: Connection, user_id: str, names: Collection[str]) -> set[int]:
    normals = {fold(name).strip() for name in names}
    statement = select(items.c.turn).where(items.c.user_id == user_id, items.c.normal.in_(normals)).distinct()
    drawn = set(connection.execute(statement).scalars())
    statement = select(turns.c.speaker).where(turns.c.user_id == user_id).distinct()
    mentions = [Mention(name) for name in names]
    speakers = [who for who in connection.execute(statement).scalars() if in_any(mentions, who)]
    return (
        drawn | _mentioning(connection, user_id, names) | _numbers(connection, user_id, turns.c.speaker.in_(speakers))
    )


def _mentioning(connection: Connection, user_id: str, names: Collection[str]) -> set[int]:
    mentions = [Mention(name) for name in names]
    statement = select(turns.c.number, turns.c.text).where(turns.c.user_id == user_id)
    rows = connection.execute(statement) if mentions else ()
    return {number for number, text in rows if in_any(mentions, text)}


def _all(connection: Connection, user_id: str, _names: Collection[str]) -> set[int]:
    return _numbers(connection, user_id, turns.c.user_id == user_id)


def _numbers(connection: Connection, user_id: str, condition: ColumnElement[bool]) -> set[int]:
    statement: Select[Any] = select(turns.c.number).where(turns.c.user_id == user_id, condition)
    return set(connection.execute(statement).scalars())
