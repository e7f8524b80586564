"""TIAGE: chats in which each turn is marked as a shift of topic or not; one JSON object of dialogues."""

from dataclasses import dataclass

from ...memory.errors import BadFile
from ..records import Source
from .choosing import chosen
from .json_files import Malformed, json_files, located, read_json

_FORM = 'TIAGE is one object of dialogues, each a list of [text, "0" or "1"]'
_FIRST, _SAME, _SHIFT = "-1", "0", "1"


@dataclass(frozen=True, slots=True)
class Chat:
    """The turns of a dialogue, and of each but the first whether it shifts the topic."""

    texts: tuple[str, ...]
    shifts: tuple[bool, ...]


def load(source: Source) -> list[Chat]:
    """Load a file, or those of a folder. ``--limit`` counts dialogues.

    Raises:
        BadFile: a file is not of the form; the message names the line.
    """
    found: list[Chat] = []
    for file in json_files(source.path, (), _FORM):
        text, content = read_json(file, _FORM)
        if not isinstance(content, dict):
            message = f"{file}, line 1: {_FORM}."
            raise BadFile(message)
        for name, entry in content.items():
            try:
                found.append(_chat(entry, name))
            except Malformed as error:
                raise located(file, text, error) from error
    return chosen(found, source)[: source.limit]


def _chat(entry: object, name: str) -> Chat:
    turns = entry if isinstance(entry, list) else []
    for number, turn in enumerate(turns, start=1):
        if not _is_turn(turn):
            raise Malformed((name, number - 1), f"turn {number} of dialogue {name!r} is not of the form: {_FORM}")
    if not turns:
        raise Malformed((name,), f"dialogue {name!r} has no turns: {_FORM}")
    return Chat(tuple(turn[0] for turn in turns), tuple(str(turn[1]) == _SHIFT for turn in turns[1:]))


def _is_turn(turn: object) -> bool:
    if not isinstance(turn, list) or len(turn) != 2:
        return False
    return isinstance(turn[0], str) and str(turn[1]) in {_FIRST, _SAME, _SHIFT}
