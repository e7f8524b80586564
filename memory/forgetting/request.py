"""What can be forgotten, and how people ask for it in a chat."""

import functools
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from ..errors import NotFound
from ..language import resources
from ..language.folding import fold

Kind = Literal["turn", "source", "session", "entity", "value", "all"]
_TURN = re.compile(r"t([0-9]{1,17})")


@dataclass(frozen=True, slots=True)
class What:
    """What is to be forgotten: one kind of thing, and the names of it (none for ``all``).

    ``turn``: ids such as ``t12``. ``source``: ``user_input``, ``ai_generated``, ``external_knowledge``, or a speaker's
    name. ``session``: a conversation, or those of an import under that name. ``entity``: every turn from which an item
    about it was drawn, or that names it. ``value``: every turn that contains it, however it is written.
    """

    kind: Kind
    names: tuple[str, ...] = ()
    documents: tuple[int, ...] = ()
    """Numbers of documents that go as well, whatever the kind."""


@dataclass(frozen=True, slots=True)
class Topic:
    """What a line asks to forget by naming it: "the rent", 打印机."""

    words: str
    """As the line names it, folded."""
    sure: bool
    """Whether the line says that it is the memory that is meant ("what I said about ..."), and no plan."""
    own: bool = False
    """Whether it names something of the speaker's: that is answered although nothing is known of it."""


def turn_number(name: str) -> int:
    """The number in a turn's id.

    Raises:
        NotFound: it is no id of a turn.
    """
    match = _TURN.fullmatch(name.strip().lower())
    if match is None:
        raise NotFound("turn", name, "its ids look like t3")
    return int(match[1])


def asked_to_forget(text: str) -> tuple[str, ...] | None:
    """Which turns a chat's line asks to forget.

    Returns:
        The ids that it names; an empty tuple where it says "that"; ``None`` where it asks nothing of the kind.
    """
    found = _patterns()["request"].fullmatch(fold(text).strip())
    if found is None:
        return None
    named = " ".join(filter(None, found.groupdict().values()))
    return tuple(f"t{match[1]}" for match in _TURN.finditer(named))


def topic_to_forget(text: str) -> Topic | None:
    """What a chat's line asks to forget without naming turns; ``None`` where it asks nothing of the kind."""
    line = fold(text).strip()
    found = next(filter(None, (pattern.fullmatch(line) for pattern in _topics())), None)
    if found is None:
        return None
    named = found.groupdict()
    words = named["topic"].strip()
    sure = any(named.get(sign) for sign in ("told", "matter", "memory"))
    return Topic(words, sure, own=re.match(r"(?:my|our) |(?:我们?|咱们?)的?.", words) is not None)


def says_yes(text: str) -> bool:
    """Whether a line confirms; everything else does not."""
    return _patterns()["confirmation"].fullmatch(fold(text).strip()) is not None


def says_no(text: str) -> bool:
    """Whether a line does nothing but refuse."""
    return _patterns()["refusal"].fullmatch(fold(text).strip()) is not None


@functools.cache
def _patterns() -> Mapping[str, re.Pattern[str]]:
    table = resources.load("forgetting")
    return {name: resources.compiled(table, name) for name in ("request", "confirmation", "refusal")}


@functools.cache
def _topics() -> tuple[re.Pattern[str], ...]:
    table = resources.load("forgetting")
    return tuple(resources.compiled(table["topics"], name, table["macros"]) for name in table["topics"])
