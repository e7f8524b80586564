"""What the readers of chat exports share: the branch of messages that was shown last, times, and identities."""

from collections.abc import Callable, Iterator, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from ..errors import BadFile
from .archives import read_conversations
from .utterances import Utterance

Sender = Literal["user", "assistant"]


def branch(parents: Mapping[str, str | None], leaf: str | None) -> list[str]:
    """The messages from the root down to ``leaf``.

    Args:
        parents: the id of each message's parent, ``None`` at the root.
        leaf: the id of the last message.
    """
    path: list[str] = []
    seen: set[str] = set()
    while leaf is not None and leaf in parents and leaf not in seen:
        path.append(leaf)
        seen.add(leaf)
        leaf = parents[leaf]
    return path[::-1]


def moment(value: object) -> datetime | None:
    """The time in a field: seconds since 1970, or ISO 8601; ``None`` where there is none."""
    try:
        if isinstance(value, int | float) and not isinstance(value, bool):
            return datetime.fromtimestamp(value, tz=UTC)
        if isinstance(value, str) and value.strip():
            found = datetime.fromisoformat(value.strip())
            return (found if found.tzinfo else found.replace(tzinfo=UTC)).astimezone(UTC)
    except (ValueError, OverflowError, OSError):
        return None
    return None


def chosen_conversations(
    path: Path, conversation: str | None, identify: Callable[[Path, int, Any], str]
) -> Iterator[tuple[Path, int, str, Mapping[str, Any]]]:
    """The conversations of an export, each with its file, its place from 1 and its id.

    Args:
        path: the export.
        conversation: only the one of this id.
        identify: gives the id of an entry, or raises BadFile where it is no conversation.

    Raises:
        BadFile: it is no such export, or has no such conversation.
    """
    chosen = False
    for file, entries in read_conversations(path):
        for place, entry in enumerate(entries, start=1):
            session = identify(file, place, entry)
            if conversation in {None, session}:
                chosen = True
                yield file, place, session, entry
    if conversation is not None and not chosen:
        message = f"{path} has no conversation {conversation!r}: leave --conversation out, or name one of its ids."
        raise BadFile(message)


def utterance(session: str, identifier: str, sender: Sender, text: str, at: datetime, zone: str) -> Utterance:
    """A message as an utterance of the user or of the assistant."""
    return Utterance(
        session_id=session,
        external_id=identifier,
        speaker=sender,
        text=text,
        observed_at=at,
        time_zone=zone,
        spoken_by_assistant=sender == "assistant",
    )


def text_of(value: object) -> str | None:
    """A field's text, ``None`` where it has none."""
    return value if isinstance(value, str) and value.strip() else None


def malformed(path: Path, place: int, problem: str) -> BadFile:
    """The error of one conversation, counted from 1."""
    return BadFile(f"{path}, conversation {place}: {problem}.")


def as_mapping(value: Any) -> Mapping[str, Any]:
    """The value if it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}
