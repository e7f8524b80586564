"""Reader of JSON lines: ``{"speaker", "text", "timestamp", "external_id", "session"?}``, one utterance a line."""

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo

from ..errors import BadFile
from .files import NotJson, bad_line, parse_json, read_lines
from .utterances import LONGEST_TURN, Utterance, find_zone, zone_of_offset

_ASSISTANT = "assistant"
_FIELDS = ("speaker", "text", "timestamp", "external_id")
# A number this large counts milliseconds: in seconds it would lie beyond the year 5000.
_FIRST_MILLISECONDS = 1e11


def read_jsonl(path: Path, *, conversation: str | None = None, time_zone: str | None = None) -> Iterator[Utterance]:
    """Yield the utterances of a file in its order; a blank line is skipped.

    Args:
        path: a UTF-8 file. Lines without ``session`` belong to ``<file name>/session_1``.
        conversation: only lines of this session, or of the sessions ``<conversation>/…``.
        time_zone: IANA name of the zone of time stamps without an offset, and of relative times; UTC by default.

    Raises:
        BadFile: a line is not of the form; the message names the line.
        BadInput: there is no such time zone.
    """
    zone = None if time_zone is None else find_zone(time_zone)
    seen: dict[tuple[str, str], tuple[int, int]] = {}
    chosen = False
    for number, line in read_lines(path):
        if not line.strip():
            continue
        try:
            utterance = _utterance(_object(line), f"{path.stem}/session_1", zone)
            _check_identity(seen, utterance, number)
        except ValueError as error:
            raise bad_line(path, number, str(error)) from error
        if conversation is None or _belongs(utterance.session_id, conversation):
            chosen = True
            yield utterance
    if conversation is not None and not chosen:
        message = f"{path} has no conversation {conversation!r}: leave --conversation out, or name one of its sessions."
        raise BadFile(message)


def _object(line: str) -> dict[str, Any]:
    try:
        found = parse_json(line)
    except NotJson as error:
        message = f"{error}: write one flat JSON object per line"
        raise ValueError(message) from error
    if not isinstance(found, dict):
        message = f"a JSON object is needed, with {', '.join(_FIELDS)}"
        raise ValueError(message)  # noqa: TRY004 - every fault of a line is the same kind to the caller
    return found


def _utterance(row: dict[str, Any], default_session: str, zone: ZoneInfo | None) -> Utterance:
    missing = [name for name in _FIELDS if row.get(name) is None]
    if missing:
        message = f"{', '.join(map(repr, missing))} is missing: each line needs {', '.join(_FIELDS)}"
        raise ValueError(message)
    moment = _moment(row["timestamp"])
    if moment.tzinfo is None:
        moment, name = moment.replace(tzinfo=zone or UTC), "UTC" if zone is None else zone.key
    else:
        name = zone_of_offset(moment.tzinfo, moment) if zone is None else zone.key
    speaker = _text(row, "speaker")
    return Utterance(
        session_id=_text(row, "session") if row.get("session") is not None else default_session,
        external_id=_text(row, "external_id"),
        speaker=speaker,
        text=_text(row, "text", may_be_blank=True),
        observed_at=_in_range(moment),
        time_zone=name,
        spoken_by_assistant=speaker.casefold() == _ASSISTANT,
    )


def _text(row: dict[str, Any], name: str, *, may_be_blank: bool = False) -> str:
    value = row[name]
    if name in {"external_id", "session"} and isinstance(value, int) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str):
        message = f"{name!r} must be text, not {json.dumps(value, ensure_ascii=False)[:40]}"
        raise ValueError(message)  # noqa: TRY004 - as above
    if len(value) > LONGEST_TURN:
        message = f"{name!r} has {len(value):,} characters, more than {LONGEST_TURN:,}: add long texts as documents"
        raise ValueError(message)
    if not may_be_blank and not value.strip():
        message = f"{name!r} is empty: give it a value"
        raise ValueError(message)
    return value if may_be_blank else value.strip()


def _moment(value: object) -> datetime:
    if isinstance(value, int | float) and not isinstance(value, bool):
        seconds = value / 1000 if abs(value) >= _FIRST_MILLISECONDS else value
        try:
            return datetime.fromtimestamp(seconds, tz=UTC)
        except (ValueError, OverflowError, OSError) as error:
            message = f"'timestamp' {value} is out of range: give seconds since 1970, or ISO 8601"
            raise ValueError(message) from error
    try:
        return datetime.fromisoformat(str(value).strip())
    except ValueError as error:
        message = f"'timestamp' {value!r} is no ISO 8601 time: write it as 2024-05-01T09:30:00+08:00"
        raise ValueError(message) from error


def _in_range(moment: datetime) -> datetime:
    try:
        moment.astimezone(UTC)
    except OverflowError as error:
        message = f"'timestamp' {moment.isoformat()!r} is out of range: give a time between the years 1 and 9999"
        raise ValueError(message) from error
    return moment


def _check_identity(seen: dict[tuple[str, str], tuple[int, int]], utterance: Utterance, line: int) -> None:
    """Two different texts under one identity: the second would be taken for a repetition and be lost."""
    identity = (utterance.session_id, utterance.external_id)
    first, known = seen.setdefault(identity, (line, hash(utterance.text)))
    if known != hash(utterance.text):
        message = (
            f"external_id {utterance.external_id!r} already stands for another text in line {first}: "
            "give every utterance of a session its own"
        )
        raise ValueError(message)


def _belongs(session_id: str, conversation: str) -> bool:
    return session_id == conversation or session_id.startswith(f"{conversation}/")
