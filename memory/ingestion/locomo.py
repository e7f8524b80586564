"""Reader of LoCoMo: a list of conversations between two named people, in dated sessions.

The form is that of the data set's own file: ``sample_id`` and ``conversation`` with ``session_<n>`` (a list of turns
with ``speaker``, ``dia_id``, ``text`` and, where an image was shared, ``blip_caption``) and ``session_<n>_date_time``.
"""

import re
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from ..errors import BadFile
from .files import NotJson, bad_line, parse_json, read_text
from .places import Place, line_of
from .utterances import Utterance, find_zone

_SESSION = re.compile(r"session_(\d+)")
# "1:56 pm on 8 May, 2023"
_DATE_TIME = "%I:%M %p on %d %B, %Y"
# The file dates sessions, not turns. A step this small keeps the order and never reaches the next minute.
_STEP = timedelta(milliseconds=1)


def read_locomo(path: Path, *, conversation: str | None = None, time_zone: str | None = None) -> Iterator[Utterance]:
    """Yield the utterances of every conversation, session by session.

    Args:
        path: the data set's file, or a folder that holds such files.
        conversation: only the conversation with this ``sample_id``.
        time_zone: IANA name of the zone of the session times; UTC by default.

    Raises:
        BadFile: a file is not of the form; the message names the line.
        BadInput: there is no such time zone.
    """
    name = time_zone or "UTC"
    find_zone(name)
    chosen = False
    for file in _files(path):
        text = read_text(file)
        for index, sample in enumerate(_samples(file, text)):
            if conversation is not None and sample.get("sample_id") != conversation:
                continue
            chosen = True
            try:
                yield from _conversation(sample, (index,), name)
            except _Malformed as error:
                raise bad_line(file, line_of(text, error.place), error.problem) from error
    if not chosen:
        wanted = "conversations" if conversation is None else f"conversation {conversation!r}"
        message = f"{path} has no {wanted}: check the path, and --conversation against the file's sample_id values."
        raise BadFile(message)


class _Malformed(Exception):
    """Something in the parsed file is not as it should be, at the place given by keys and indexes."""

    def __init__(self, place: Place, problem: str) -> None:
        super().__init__(problem)
        self.place = place
        self.problem = problem


def _files(path: Path) -> list[Path]:
    """The file itself, or those files of the folder that hold conversations; other files may lie beside them."""
    if not path.is_dir():
        return [path]
    found = [file for file in sorted(path.glob("*.json")) if _holds_conversations(file)]
    if not found:
        message = f"{path} holds no LoCoMo file: name the .json file with the list of conversations."
        raise BadFile(message)
    return found


def _holds_conversations(file: Path) -> bool:
    content = read_text(file)
    return '"conversation"' in content and '"sample_id"' in content


def _samples(file: Path, text: str) -> list[dict[str, Any]]:
    try:
        content = parse_json(text)
    except NotJson as error:
        raise bad_line(file, error.line, f"{error}: LoCoMo is one JSON file") from error
    if not isinstance(content, list) or not all(isinstance(sample, dict) for sample in content):
        raise bad_line(file, 1, "LoCoMo is a list of conversations: check the file, or try --format jsonl")
    return content


def _conversation(sample: Mapping[str, Any], place: Place, time_zone: str) -> Iterator[Utterance]:
    sample_id = _text(sample, "sample_id", place)
    content = sample.get("conversation")
    if not isinstance(content, dict):
        raise _Malformed(place, f"conversation {sample_id!r} has no 'conversation' with its sessions")
    place = (*place, "conversation")
    numbers = sorted(int(match[1]) for key in content if (match := _SESSION.fullmatch(key)))
    for number in numbers:
        key = f"session_{number}"
        turns = content[key]
        if not isinstance(turns, list):
            raise _Malformed(place, f"{key!r} must be a list of turns")
        begin = _date_time(content, f"{key}_date_time", place, time_zone) if turns else None
        for index, turn in enumerate(turns):
            where = (*place, key, index)
            if begin is None or not isinstance(turn, dict):
                raise _Malformed(
                    where[:-1], f"turn {index + 1} of {key!r} must be an object with speaker, dia_id and text"
                )
            yield _utterance(turn, where, f"{sample_id}/{key}", begin + index * _STEP, time_zone)


def _utterance(
    turn: Mapping[str, Any], place: Place, session_id: str, observed_at: datetime, time_zone: str
) -> Utterance:
    text = _text(turn, "text", place, may_be_blank=True)
    # `query` and `img_url` are how the image was searched for: nobody said or saw them.
    if turn.get("blip_caption") is not None:
        text = f"{text} [shares an image: {_text(turn, 'blip_caption', place)}]".lstrip()
    return Utterance(
        session_id=session_id,
        external_id=_text(turn, "dia_id", place),
        speaker=_text(turn, "speaker", place),
        text=text,
        observed_at=observed_at,
        time_zone=time_zone,
    )


def _text(source: Mapping[str, Any], name: str, place: Place, *, may_be_blank: bool = False) -> str:
    value = source.get(name)
    if not isinstance(value, str) or not (may_be_blank or value.strip()):
        raise _Malformed(place, f"{name!r} is missing or no text: give it a value")
    return value


def _date_time(content: Mapping[str, Any], name: str, place: Place, time_zone: str) -> datetime:
    value = _text(content, name, place)
    try:
        naive = datetime.strptime(value.strip(), _DATE_TIME)  # noqa: DTZ007 - the zone is added right below
    except ValueError as error:
        raise _Malformed(place, f"{name!r} is {value!r}, not a time like '1:56 pm on 8 May, 2023'") from error
    return naive.replace(tzinfo=find_zone(time_zone))
