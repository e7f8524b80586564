"""Drafting labelled questions from a real store, for a person to correct.

What the store holds becomes a question with its turn as gold; a value that was replaced becomes a stale one; an
attribute that is nowhere spoken of becomes a question that has to be refused. The draft shows what the store
*believes*: where it misread a turn the draft is wrong as well, so each question is marked as a draft until somebody
has looked at it.
"""

import json
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from sqlalchemy import Connection

from ..memory.errors import BadFile
from ..memory.grounding.naming import entity_label
from ..memory.language.folding import fold
from ..memory.language.lexicon import find_attributes
from ..memory.records import Item, Turn
from ..memory.storage.database import Database
from ..memory.storage.items import list_items
from ..memory.storage.turns import count_turns, recent_turns
from .wording import marks_a_person, question, unknowns

_USER = "user"
_REPLACED = frozenset({"change", "correction"})
_MOST_ITEMS = 100_000

Subject = tuple[str, str, str]
"""What a question asks about: an entity, an attribute, and whether it is so or not so."""


@dataclass(frozen=True, slots=True)
class Drafted:
    """What a draft holds."""

    turns: int
    answerable: int
    unanswerable: int


def write_draft(database: Database, user_id: str, path: Path, *, now: datetime, limit: int | None = None) -> Drafted:
    """Write the turns of a user and drafted questions about them, in the form that ``eval run jsonl`` takes.

    Args:
        database: an open store.
        user_id: whose turns and items.
        path: a file that does not exist yet; readable by its owner alone.
        now: when the questions are asked.
        limit: at most so many questions that can be answered, the newest first; as many again may be unanswerable.

    Raises:
        BadFile: there is such a file already, or it cannot be written.
    """
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
    except FileExistsError as error:
        message = f"{path} exists already, perhaps with somebody's corrections: choose another name."
        raise BadFile(message) from error
    except OSError as error:
        message = f"{path} cannot be written ({error.strerror}): choose another place."
        raise BadFile(message) from error
    with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as file, database.read() as connection:
        turns = recent_turns(connection, user_id, count_turns(connection, user_id))
        questions = draft_questions(connection, user_id, turns, now=now, limit=limit, prefix=path.stem)
        for line in (*({"turn": _turn_line(turn)} for turn in turns), *({"question": entry} for entry in questions)):
            file.write(json.dumps(line, ensure_ascii=False) + "\n")
    answerable = sum(entry["answerable"] for entry in questions)
    return Drafted(len(turns), answerable, len(questions) - answerable)


def draft_questions(
    connection: Connection, user_id: str, turns: Sequence[Turn], *, now: datetime, limit: int | None, prefix: str
) -> list[dict[str, Any]]:
    """Questions about what the store holds, each followed by one that it cannot answer where there is one.

    Args:
        connection: an open connection.
        user_id: whose items.
        turns: all turns of the user.
        now: when the questions are asked.
        limit: at most so many that can be answered.
        prefix: what the ids of the questions begin with.
    """
    by_number = {turn.number: turn for turn in turns}
    items = list_items(connection, user_id, kind="fact", live_only=False, limit=_MOST_ITEMS)
    subjects = _by_subject(items)
    unknown = _Unknowns(turns, items)
    drafted: list[dict[str, Any]] = []
    for number, held in enumerate(_answerable(subjects, by_number, now), start=1):
        if limit is not None and number > limit:
            break
        known = {"id": f"{prefix}-q{number}", **held.entry}
        twin = unknown.twin(held)
        drafted.append(known)
        if twin:
            drafted.append({**known, **twin, "id": f"{prefix}-q{number}-unknown", "twin": known["id"]})
    return drafted


@dataclass(frozen=True, slots=True)
class _Held:
    """A question that the store answers."""

    item: Item
    turn: Turn
    whose: str
    """The entity as people call it; empty for the user."""
    entry: dict[str, Any]


def _by_subject(items: Sequence[Item]) -> dict[Subject, list[Item]]:
    """The items of each subject, newest first, as they come."""
    subjects: dict[Subject, list[Item]] = {}
    for item in items:
        subjects.setdefault((item.entity, item.attribute, item.polarity), []).append(item)
    return subjects


def _answerable(subjects: dict[Subject, list[Item]], turns: dict[int, Turn], now: datetime) -> Iterator[_Held]:
    for items in subjects.values():
        live = [item for item in items if item.live and item.turn in turns]
        if not live:
            continue
        newest, turn = live[0], turns[live[0].turn]
        whose = _whose(newest, turn)
        text = question(
            newest.attribute,
            whose,
            turn.language,
            value_type=newest.value_type,
            denied=newest.polarity == "negative",
        )
        if text:
            yield _Held(newest, turn, whose, _entry(text, items, live, now))


def _entry(text: str, items: Sequence[Item], live: Sequence[Item], now: datetime) -> dict[str, Any]:
    """A question with its answers, and the values that were replaced as stale ones."""
    holding = {item.normal for item in live}
    stale = [item.value for item in items if item.closed_by in _REPLACED and item.normal not in holding]
    return {
        "text": text,
        "asked_at": now.isoformat(),
        "category": "update" if stale else "fact",
        "gold": list(dict.fromkeys(f"t{item.turn}" for item in reversed(live))),
        "answers": list(dict.fromkeys(item.value for item in live)),
        "stale": list(dict.fromkeys(stale)),
        "answerable": True,
        "draft": True,
    }


def _whose(item: Item, turn: Turn) -> str:
    """The entity as people call it: empty for the user, the name for anybody else who speaks."""
    if fold(item.entity) == _USER:
        return ""
    return entity_label(item, turn, turn.language) or turn.speaker


class _Unknowns:
    """Attributes that nothing is known of: no item has them, and no turn speaks of them."""

    def __init__(self, turns: Sequence[Turn], items: Sequence[Item]) -> None:
        self._spoken_of = {mention.key for turn in turns for mention in find_attributes(turn.text)}
        self._spoken_of |= {item.attribute for item in items}
        self._people = {fold(turn.speaker) for turn in turns} | {_USER}
        self._people |= {item.entity for item in items if marks_a_person(item.attribute)}
        self._asked: set[tuple[str, str]] = set()

    def twin(self, held: _Held) -> dict[str, Any]:
        """What differs in the question that mirrors a known one; empty where every attribute is spoken of."""
        entity = held.item.entity
        for attribute in unknowns(of_person=fold(entity) in self._people):
            if attribute not in self._spoken_of and (entity, attribute) not in self._asked:
                self._asked.add((entity, attribute))
                return {
                    "text": question(attribute, held.whose, held.turn.language),
                    "category": "unanswerable",
                    "gold": [],
                    "answers": [],
                    "stale": [],
                    "answerable": False,
                }
        return {}


def _turn_line(turn: Turn) -> dict[str, Any]:
    """A turn under the id by which the store cites it, which is unique over all sessions."""
    return {
        "external_id": turn.id,
        "session": turn.session_id,
        "speaker": "assistant" if turn.role == "assistant" else turn.speaker,
        "text": turn.text,
        "timestamp": turn.observed_at.astimezone(ZoneInfo(turn.time_zone)).isoformat(),
    }
