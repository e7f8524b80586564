"""What a user changed, where that is asked: "what did I change?", 我改了什么."""

import functools
import re
from collections.abc import Collection

from sqlalchemy import Connection

from .language import resources
from .language.folding import fold
from .language.lexicon import find_attributes, of_relative
from .records import Item
from .storage.items import list_items

_KINDS = frozenset({"fact", "choice"})
_ENDS = frozenset({"change", "correction"})
_MOST = 5


def asks_for_changes(text: str) -> frozenset[str] | None:
    """The attributes whose changes a question asks for, none for all; ``None`` where it asks for something else."""
    line = fold(text).strip(" \t\r\n?？.。!！~")
    asked = next(filter(None, (pattern.fullmatch(line) for pattern in _patterns())), None)
    if asked is None:
        return None
    about = asked.groupdict().get("about") or ""
    named = frozenset(mention.key for mention in find_attributes(about))
    # Of what the lexicon does not know the records are asked as of anything else.
    return named if named or not about.strip() else None


def changes_of(connection: Connection, user_id: str, attributes: Collection[str]) -> list[tuple[Item, Item]]:
    """What was replaced with what replaced it, the last few, oldest first.

    Args:
        connection: open.
        user_id: whose.
        attributes: only changes of these, also where they are a relative's; all where it is empty.
    """
    every = {item.number: item for item in list_items(connection, user_id, live_only=False)}
    replaced = (item for item in every.values() if item.kind in _KINDS and item.closed_by in _ENDS)
    pairs = [(old, every[old.superseded_by]) for old in replaced if old.superseded_by in every]
    wanted = [
        (old, new)
        for old, new in pairs
        if not attributes or not {new.attribute, of_relative(new.attribute)[1]}.isdisjoint(attributes)
    ]
    return sorted(wanted, key=lambda pair: (pair[1].turn, pair[0].number))[-_MOST:]


@functools.cache
def _patterns() -> tuple[re.Pattern[str], ...]:
    lexicon = resources.load("changed")
    return tuple(re.compile(resources.expand(one, lexicon["macros"])) for one in lexicon["asked"])
