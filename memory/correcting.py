"""Correcting or retracting an item by its id: the owner says that a value was wrong, or no longer holds."""

from dataclasses import replace
from datetime import datetime

from sqlalchemy import Connection

from .errors import AlreadyClosed, SameValue
from .language.folding import clean
from .records import Item, NewTurn, Turn
from .retrieval import lexical
from .storage.items import close_items, correct_item, get_item
from .storage.states import refresh_state
from .storage.turns import append_turn, get_turns

SESSION = "corrections"


def correct(
    connection: Connection,
    user_id: str,
    number: int,
    new_value: str,
    *,
    time_zone: str,
    terminal: str = "",
    now: datetime,
) -> Item:
    """Replace the value of a live item, within the caller's write transaction.

    The correction is a turn of its own: the quotation of the item with the new value in the place of the old one. The
    old row stays, marked as corrected, and stays citable.

    Args:
        connection: a connection in a write transaction.
        user_id: whose item.
        number: the item's number.
        new_value: the right value.
        time_zone: IANA name of the zone that the owner is in.
        terminal: where the owner says so.
        now: when it was said, and recorded.

    Returns:
        The item that holds now.

    Raises:
        NotFound: the user has no item of that number.
        AlreadyClosed: the item holds no longer.
        SameValue: the value is empty, or what the item says.
    """
    old = get_item(connection, user_id, number)
    value = clean(new_value).strip()
    if not value or value == old.value:
        message = (
            f"The new value of f{number} is {'empty' if not value else 'what it says already'}: give the right one."
        )
        raise SameValue(message)
    said = get_turns(connection, user_id, [old.turn])[old.turn]
    turn, _ = append_turn(
        connection, replace(_correction(old, said, value, time_zone, now), terminal=terminal), now=now
    )
    lexical.add_turn(connection, turn)
    item = correct_item(connection, user_id, number, value, by_turn=turn, now=now)
    refresh_state(connection, user_id, [turn], now=now)
    return item


def retract(connection: Connection, user_id: str, number: int, *, terminal: str = "", now: datetime) -> Item:
    """End a live item that nothing comes after, within the caller's write transaction; the row stays citable.

    Args:
        connection: a connection in a write transaction.
        user_id: whose item.
        number: the item's number.
        terminal: where the owner says so.
        now: until when it held.

    Raises:
        NotFound: the user has no item of that number.
        AlreadyClosed: the item holds no longer.
    """
    old = get_item(connection, user_id, number)
    if not old.live:
        message = f"Item f{number} was closed already by a {old.closed_by}: nothing is left to retract."
        raise AlreadyClosed(message)
    close_items(connection, user_id, [number], closed_by="retraction", now=now)
    refresh_state(connection, user_id, (), terminal=terminal, now=now)
    return get_item(connection, user_id, number)


def _correction(old: Item, said: Turn, value: str, time_zone: str, now: datetime) -> NewTurn:
    start, end = old.value_span.start - old.quote_span.start, old.value_span.end - old.quote_span.start
    return NewTurn(
        user_id=old.user_id,
        session_id=SESSION,
        external_id=f"correction-of-{old.id}",
        role="user",
        source="user_input",
        speaker=said.speaker,
        text=old.quote[:start] + value + old.quote[end:],
        language=said.language,
        observed_at=now,
        time_zone=time_zone,
        act="correction",
    )
