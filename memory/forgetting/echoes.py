"""The assistant's turns that repeat what is forgotten: they cite it, name its id, or hold it word for word."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping

from sqlalchemy import Connection

from ..language.folding import fold
from ..language.sentences import sentences
from ..language.tokens import tokenize
from ..records import Item, Turn
from ..storage.item_rows import accepting, items_of_turns
from .needles import Needles

_SHORTEST_SENTENCE = 3
"""Words (or Chinese characters) of a sentence that count as a quotation where they recur."""
_SHORTEST_VALUE = 5
_ID = re.compile(r"\[([tfc][0-9]+)(?:\]|: )")
_BATCH = 500


def echoes(
    connection: Connection,
    user_id: str,
    turns: Mapping[int, Turn],
    chosen: Collection[int],
    pieces: Collection[str] = (),
) -> set[int]:
    """The assistant's turns, beside those chosen, that repeat a chosen one.

    Args:
        connection: an open connection.
        user_id: whose turns.
        turns: all turns of the user.
        chosen: the numbers of those that are to be forgotten.
        pieces: ids of the pieces of documents that are to be forgotten.
    """
    items = items_of(connection, user_id, chosen)
    ids = {f"t{number}" for number in chosen} | {item.id for item in items} | set(pieces)
    # The assistant's own phrases recur in other answers without quoting anything.
    said, _ = _by_role(turns[number] for number in chosen)
    spoken, answers = _by_role(turn for number, turn in turns.items() if number not in chosen)
    marks = set(_marks(said, items))
    telling = marks - _found(marks, spoken)
    return {turn.number for turn in answers if _cites(turn, ids)} | _repeating(telling, answers)


def _by_role(turns: Iterable[Turn]) -> tuple[list[Turn], list[Turn]]:
    """The turns of people, and those of the assistant."""
    found: tuple[list[Turn], list[Turn]] = ([], [])
    for turn in turns:
        found[turn.role == "assistant"].append(turn)
    return found


def items_of(connection: Connection, user_id: str, numbers: Collection[int]) -> list[Item]:
    """The items that were drawn from those turns, and the agreements to what they propose."""
    wanted = sorted(numbers)
    found: dict[int, Item] = {}
    for batch in (wanted[start : start + _BATCH] for start in range(0, len(wanted), _BATCH)):
        drawn = [item for several in items_of_turns(connection, user_id, batch).values() for item in several]
        found |= {item.number: item for item in (*drawn, *accepting(connection, user_id, batch))}
    return list(found.values())


def _cites(turn: Turn, ids: Collection[str]) -> bool:
    return any(cited in ids for cited in turn.citations) or any(named in ids for named in _ID.findall(turn.text))


def _marks(chosen: Collection[Turn], items: Collection[Item]) -> Iterator[str]:
    for turn in chosen:
        for span in sentences(turn.text):
            text = span.cut(turn.text)
            if len(tokenize(text)) >= _SHORTEST_SENTENCE:
                yield fold(text).rstrip(".!?。！？ ")
    for item in items:
        for text in (item.quote, item.value):
            if len(text.encode()) >= _SHORTEST_VALUE:
                yield fold(text)


def _found(marks: Collection[str], turns: Collection[Turn]) -> set[str]:
    wanted = list(marks)
    needles = Needles([mark.encode() for mark in wanted])
    return {wanted[index] for turn in turns for index, _ in needles.in_bytes(fold(turn.text).encode())}


def _repeating(marks: Collection[str], turns: Collection[Turn]) -> set[int]:
    needles = Needles([mark.encode() for mark in marks])
    return {turn.number for turn in turns if next(iter(needles.in_bytes(fold(turn.text).encode())), None) is not None}
