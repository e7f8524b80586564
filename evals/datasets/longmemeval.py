"""LongMemEval: each question has a history of its own, dated chat sessions among which a few hold the answer.

Gold are the turns with ``has_answer``; where none is marked, all turns of the answer sessions. Questions whose id ends
in ``_abs`` ask for what was never said.
"""

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from ...memory.errors import BadFile
from ...memory.ingestion.utterances import Utterance
from ..records import Dataset, Dialogue, Question, Source
from .choosing import chosen
from .json_files import Malformed, json_files, list_of, located, read_json, text_of

_FORM = "LongMemEval is a list of questions, each with question_id, haystack_sessions and haystack_dates"
_WEEKDAY = re.compile(r"\s*\([^)]*\)\s*")
_STEP = timedelta(milliseconds=1)
"""The file dates sessions, not turns."""
_UNANSWERABLE = "_abs"


def load(source: Source) -> Dataset:
    """Load questions, each with its history as a dialogue of its own.

    ``--conversations`` and ``--limit`` both count questions here.

    Raises:
        BadFile: a file is not of the form; the message names the line.
    """
    dialogues: list[Dialogue] = []
    for file in json_files(source.path, ("question_id", "haystack_sessions"), _FORM):
        text, content = read_json(file, _FORM)
        if not isinstance(content, list) or not all(isinstance(entry, dict) for entry in content):
            message = f"{file}, line 1: {_FORM}."
            raise BadFile(message)
        for index, entry in enumerate(content):
            try:
                dialogues.append(_dialogue(entry, (index,)))
            except Malformed as error:
                raise located(file, text, error) from error
    return Dataset("longmemeval", chosen(dialogues, source)[: source.limit])


def _dialogue(entry: Mapping[str, Any], place: tuple[int]) -> Dialogue:
    identifier = text_of(entry, "question_id", place)
    told = [one for found in _sessions(entry, place) for one in _session(*found, place)]
    said = sorted((utterance for _, utterance, _ in told if utterance.text.strip()), key=lambda one: one.observed_at)
    if not said:
        raise Malformed(place, f"question {identifier!r} has no turns")
    answered_in = {str(name) for name in list_of(entry, "answer_session_ids", place)}
    return Dialogue(identifier, said, [_question(entry, identifier, _gold(told, answered_in), place)])


def _gold(told: Sequence[tuple[str, Utterance, bool]], answered_in: set[str]) -> list[str]:
    """The turns that are marked as holding the answer; where none is, all of the sessions that do."""
    marked = [utterance.external_id for _, utterance, has_answer in told if has_answer]
    return marked or [utterance.external_id for name, utterance, _ in told if name in answered_in]


def _sessions(entry: Mapping[str, Any], place: tuple[int]) -> Iterator[tuple[str, str, datetime, list[Any]]]:
    """The sessions with their names, names of their own (one may be there twice), times and turns."""
    sessions = list_of(entry, "haystack_sessions", place)
    dates = [_moment(value, place) for value in list_of(entry, "haystack_dates", place)]
    names = [str(name) for name in list_of(entry, "haystack_session_ids", place)]
    if not sessions or not len(sessions) == len(dates) == len(names):
        raise Malformed(
            place, "haystack_sessions, haystack_dates and haystack_session_ids must be as long as each other"
        )
    seen: Counter[str] = Counter()
    for name, begin, turns in zip(names, dates, sessions, strict=True):
        if not isinstance(turns, list):
            raise Malformed(place, f"session {name!r} must be a list of turns")
        seen[name] += 1
        yield name, name if seen[name] == 1 else f"{name}#{seen[name]}", begin, turns


def _session(
    name: str, session: str, begin: datetime, turns: list[Any], place: tuple[int]
) -> Iterator[tuple[str, Utterance, bool]]:
    """The utterances of a session, each with the session's name and whether it is marked as holding the answer."""
    for number, turn in enumerate(turns):
        yield name, _utterance(turn, session, number, begin, place), turn.get("has_answer") is True


def _question(entry: Mapping[str, Any], identifier: str, gold: list[str], place: tuple[int]) -> Question:
    answerable = not identifier.endswith(_UNANSWERABLE)
    answer = entry.get("answer")
    return Question(
        id=identifier,
        text=text_of(entry, "question", place),
        asked_at=_moment(entry.get("question_date"), place),
        category=text_of(entry, "question_type", place),
        gold=tuple(gold) if answerable else (),
        answers=(str(answer),) if answerable and answer is not None else (),
        answerable=answerable,
    )


def _utterance(turn: object, session: str, number: int, begin: datetime, place: tuple[int]) -> Utterance:
    if not isinstance(turn, dict) or turn.get("role") not in {"user", "assistant"}:
        raise Malformed(place, f"turn {number + 1} of session {session!r} must have a role, user or assistant")
    content = turn.get("content")
    if not isinstance(content, str):
        raise Malformed(place, f"turn {number + 1} of session {session!r} must have a text as content")
    return Utterance(
        session_id=session,
        external_id=f"{session}:{number}",
        speaker=turn["role"],
        text=content,
        observed_at=begin + number * _STEP,
        time_zone="UTC",
        spoken_by_assistant=turn["role"] == "assistant",
    )


def _moment(value: object, place: tuple[int]) -> datetime:
    """A time such as ``2023/05/20 (Sat) 02:21``; the data set gives no zone."""
    try:
        return datetime.strptime(_WEEKDAY.sub(" ", str(value)).strip(), "%Y/%m/%d %H:%M").replace(tzinfo=UTC)
    except ValueError as error:
        raise Malformed(place, f"{value!r} is not a time like '2023/05/20 (Sat) 02:21'") from error
