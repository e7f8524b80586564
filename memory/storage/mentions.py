"""Which of a user's entities a text names, and which was named last: what "it" and "that contract" mean."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise

from sqlalchemy import Connection

from ..extraction.subjects import identities_in
from ..language.tokens import Token, tokenize
from ..records import Item, Turn
from .item_rows import list_entities

_LONGEST_NAME = 6
_LOOKED_AT = 6
"""Turns of the user's that are read for a name, newest first."""
_USER = "user"


def known_in(connection: Connection, user_id: str, text: str) -> list[str]:
    """The entities of the user's items that a text names, in the order in which their names end."""
    places: dict[str, int] = {}
    for name, end in (*_runs(text), *identities_in(text)):
        places[name] = max(end, places.get(name, 0))
    known = list_entities(connection, user_id, sorted(places))
    return sorted(known, key=lambda name: (places[name], len(name)))


def last_named(
    connection: Connection, user_id: str, turns: Sequence[Turn], items: Mapping[int, Sequence[Item]]
) -> str | None:
    """The entity that the user talked about last.

    Args:
        connection: open.
        user_id: whose turns.
        turns: oldest first.
        items: what was stored from them, by turn number: "its deadline is Friday" names nothing.
    """
    spoken = [turn for turn in turns if turn.source == "user_input"]
    for turn in reversed(spoken[-_LOOKED_AT:]):
        told = [item.entity for item in items.get(turn.number, ()) if item.kind != "question"]
        about = _last_but_user(told) or _last_but_user(known_in(connection, user_id, turn.text))
        if about is not None:
            return about
    return None


def _last_but_user(names: Sequence[str]) -> str | None:
    return next((name for name in reversed(names) if name != _USER), None)


def _runs(text: str) -> Iterator[tuple[str, int]]:
    """Every run of up to six words or Chinese characters, folded as entities are, with its end."""
    tokens = tokenize(text)
    for start in range(len(tokens)):
        for end in range(start + 1, min(start + _LONGEST_NAME, len(tokens)) + 1):
            yield _joined(tokens[start:end]), tokens[end - 1].end


def _joined(tokens: Sequence[Token]) -> str:
    words = tokens[0].text
    for before, token in pairwise(tokens):
        words += token.text if before.end == token.start else f" {token.text}"
    return words
