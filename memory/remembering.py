"""Remembering on purpose: an item that somebody names, quoted from a turn that the user said."""

from datetime import datetime
from typing import Literal

from sqlalchemy import Connection

from .errors import BadInput, NotFound
from .extraction.normals import normalise
from .language.folding import clean
from .language.lexicon import is_single_valued
from .records import Item, Proposal, Span, Turn
from .storage.item_rows import is_quotable
from .storage.items import correct_item, items_of_turns, list_items, record_items
from .storage.keys import key_of
from .storage.states import refresh_state
from .storage.turns import get_turns

Kind = Literal["fact", "todo", "decision"]
_USER = "user"


def remember(
    connection: Connection,
    user_id: str,
    number: int,
    quotation: str,
    *,
    attribute: str = "",
    value: str = "",
    entity: str = _USER,
    kind: Kind = "fact",
    now: datetime,
) -> Item:
    """Store an item that a turn bears out, within the caller's write transaction.

    The same rules hold as for what is extracted: what the turn does not say in these very words is not stored, and
    neither is what the assistant, a tool or a document said, or what the user only asked.

    Args:
        connection: a connection in a write transaction.
        user_id: whose memory.
        number: of the turn that is quoted.
        quotation: the words of the turn that say it, exactly.
        attribute: what of the entity it is, such as ``budget``; made of the quotation's first words by default.
        value: the part of the quotation that is the value; the whole of it by default.
        entity: whom or what it is about; the user by default.
        kind: what it is.
        now: when it is recorded.

    Returns:
        The stored item, or the one that says the same already.

    Raises:
        NotFound: the user has no turn of that number.
        BadInput: the turn does not say so, or is none that may bear anything out; the message says what to do.
    """
    turn = _stating(connection, user_id, number)
    proposal = _proposal(turn, clean(quotation).strip(), clean(value).strip(), attribute, clean(entity).strip(), kind)
    stored = record_items(connection, turn, [proposal], now=now)
    if stored:
        refresh_state(connection, user_id, (), now=now)
        return stored[0]
    return _known(connection, turn, proposal)


def _stating(connection: Connection, user_id: str, number: int) -> Turn:
    """The turn of that number, if it may bear something out."""
    turn = get_turns(connection, user_id, [number]).get(number)
    if turn is None:
        raise NotFound("turn", f"t{number}", "a recall shows the ids there are")
    if turn.source != "user_input":
        message = f"{turn.id} is not in the user's words ({turn.source}): only the user's own words can be remembered."
        raise BadInput(message)
    if turn.act == "question":
        message = f"{turn.id} only asks, and states nothing: quote a turn in which the user says so."
        raise BadInput(message)
    return turn


def _proposal(turn: Turn, quotation: str, value: str, attribute: str, entity: str, kind: Kind) -> Proposal:
    quoted = _place(turn.text, quotation, Span(0, len(turn.text)))
    if quoted is None:
        message = f"{turn.id} does not contain {quotation!r}: quote its words exactly, without changing any."
        raise BadInput(message)
    valued = _place(turn.text, value, quoted) if value else quoted
    if valued is None or not is_quotable(turn, valued.cut(turn.text), valued, quoted):
        message = f"The value {value!r} is not part of the quotation: give the words of it that are the value."
        raise BadInput(message)
    said = valued.cut(turn.text)
    meaning = normalise(said)
    name = key_of(attribute or " ".join(quotation.split()[:4])[:40])
    return Proposal(
        kind=kind,
        entity=entity.lower() or _USER,
        attribute=name,
        value=said,
        value_span=valued,
        quote_span=quoted,
        normal=meaning.normal,
        value_type=meaning.value_type,
        unit=meaning.unit,
        single_valued=kind == "fact" and is_single_valued(name),
    )


def _place(text: str, piece: str, within: Span) -> Span | None:
    start = text.find(piece, within.start, within.end) if piece else -1
    return None if start < 0 else Span(start, start + len(piece))


def _known(connection: Connection, turn: Turn, proposal: Proposal) -> Item:
    """The item because of which a proposal was not stored: of the same turn, or the same thing said elsewhere."""
    said = items_of_turns(connection, turn.user_id, [turn.number]).get(turn.number, [])
    elsewhere = list_items(
        connection, turn.user_id, kind=proposal.kind, entity=proposal.entity, attribute=proposal.attribute
    )
    return next(item for item in [*said, *elsewhere] if _meaning(item) == _meaning(proposal))


def _meaning(one: Item | Proposal) -> tuple[str, ...]:
    return (one.kind, one.entity, one.attribute, one.normal)


def correct_as_said(connection: Connection, user_id: str, item: int, number: int, value: str, *, now: datetime) -> Item:
    """Replace the value of a live item by what a turn of the user's says, within the caller's write transaction.

    Args:
        connection: a connection in a write transaction.
        user_id: whose memory.
        item: number of the item that is wrong.
        number: of the turn that says what is right.
        value: the right value, in the words of the turn.
        now: when it is recorded.

    Returns:
        The item that holds now.

    Raises:
        NotFound: the user has no such item or turn.
        BadInput: the turn does not say so, or is none that may bear anything out; the message says what to do.
    """
    turn = _stating(connection, user_id, number)
    right = correct_item(connection, user_id, item, clean(value).strip(), by_turn=turn, now=now)
    refresh_state(connection, user_id, (), now=now)
    return right
