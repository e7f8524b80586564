"""Stories: scripted talk about orders, meetings and contracts, with what has to hold after every turn of the user."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import yaml

from ...memory.errors import BadFile
from ...memory.ingestion.files import bad_line, read_text
from ...memory.language.folding import fold
from ...memory.records import Language
from ..records import Source
from .choosing import chosen

NOTHING = "none"
"""The state of an entity with which nothing is going on."""
_FORM = "a list of stories, each with 'id' and 'turns' that have 'say' or 'assistant'"
_EXPECTED = frozenset({"state", "todos", "slots", "outcome"})


@dataclass(frozen=True, slots=True)
class Standing:
    """What has to hold after a turn: the state of each entity that is in one, and what is left to do."""

    states: Mapping[str, str] = field(default_factory=dict)
    todos: frozenset[tuple[str, str]] = frozenset()
    """The entity and the state that left it."""
    slots: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """Values by entity and slot, empty where none may be known; slots that are not named may hold anything."""


@dataclass(frozen=True, slots=True)
class Line:
    """One turn of a story; what is expected of it is accumulated over the turns before."""

    role: str
    """``user`` or ``assistant``."""
    text: str
    expected: Standing = Standing()
    outcome: str | None = None
    """``refused`` or ``unclear``, where the turn must end so."""
    moves: bool = False
    """Whether the turn changes what holds, or must be refused."""


@dataclass(frozen=True, slots=True)
class Story:
    """A talk with what has to hold after every turn."""

    id: str
    language: Language
    kinds: tuple[str, ...]
    lines: tuple[Line, ...]


def load(source: Source) -> list[Story]:
    """Load a file ``<name>.<en|zh>.yaml``, or all of a folder. ``--limit`` counts stories.

    Raises:
        BadFile: a file is not of the form.
    """
    files = sorted(source.path.glob("*.yaml")) if source.path.is_dir() else [source.path]
    stories = [story for file in files for story in _stories(file)]
    if not stories:
        message = f"{source.path} holds no stories: {_FORM}."
        raise BadFile(message)
    return chosen(stories, source)[: source.limit]


def _stories(file: Path) -> list[Story]:
    language: Language = "zh" if ".zh" in file.suffixes else "en"
    try:
        content = yaml.safe_load(read_text(file))
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        mark = getattr(error, "problem_mark", None)
        reason = getattr(error, "problem", None) or str(error).partition("\n")[0]
        raise bad_line(file, mark.line + 1 if mark else 1, f"not YAML ({reason}): {_FORM}") from error
    if not isinstance(content, list):
        raise bad_line(file, 1, f"not of the form: {_FORM}")
    return [_story(file, entry, language) for entry in content]


def _story(file: Path, entry: object, language: Language) -> Story:
    if not isinstance(entry, dict) or not {"id", "turns"} <= entry.keys():
        raise bad_line(file, 1, f"a story is not of the form: {_FORM}")
    lines: list[Line] = []
    standing = Standing()
    for number, turn in enumerate(entry["turns"], start=1):
        if not isinstance(turn, dict) or ("say" in turn) == ("assistant" in turn) or _unknown(turn):
            raise bad_line(file, 1, f"turn {number} of story {entry['id']!r} is not of the form: {_FORM}")
        if "assistant" in turn:
            lines.append(Line("assistant", turn["assistant"], standing))
            continue
        later = _after(standing, turn)
        outcome = turn.get("outcome")
        moves = outcome == "refused" or (later.states, later.todos) != (standing.states, standing.todos)
        lines.append(Line("user", turn["say"], later, outcome, moves or later.slots != standing.slots))
        standing = later
    return Story(str(entry["id"]), language, tuple(entry.get("kinds", ())), tuple(lines))


def _unknown(turn: Mapping[str, Any]) -> bool:
    return not turn.keys() <= {"say", "assistant"} | _EXPECTED


def _after(standing: Standing, turn: Mapping[str, Any]) -> Standing:
    """What holds after a turn that says only what is different from then on."""
    states = dict(standing.states) | {fold(entity): state for entity, state in turn.get("state", {}).items()}
    slots = dict(standing.slots)
    for entity, values in turn.get("slots", {}).items():
        slots |= {(fold(entity), name): "" if value is None else str(value) for name, value in values.items()}
    later = replace(
        standing, states={entity: state for entity, state in states.items() if state != NOTHING}, slots=slots
    )
    return replace(later, todos=frozenset(map(_todo, turn["todos"]))) if "todos" in turn else later


def _todo(written: str) -> tuple[str, str]:
    entity, _, state = written.rpartition(" ")
    return fold(entity), state
