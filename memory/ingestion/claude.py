"""Reader of Claude exports: ``conversations.json``, a list of conversations, each with its ``chat_messages``.

A message has ``sender`` (human or assistant), ``created_at``, and its words in ``content`` (blocks, of which the text
ones are read) or, in older exports, in ``text`` alone. Where messages name their parents, an edited one is a branch,
and the branch of the last message is read.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from .exported import Sender, as_mapping, branch, chosen_conversations, malformed, moment, text_of, utterance
from .utterances import Utterance, find_zone

_SENDERS: Mapping[str, Sender] = {"human": "user", "assistant": "assistant"}


def read_claude(path: Path, *, conversation: str | None = None, time_zone: str | None = None) -> Iterator[Utterance]:
    """Yield the utterances of every conversation, in their order.

    Args:
        path: the export: its zip file, its folder, or its ``conversations.json``.
        conversation: only the conversation of this id.
        time_zone: IANA name of the zone in which relative times are meant; UTC by default.

    Raises:
        BadFile: it is no such export; the message names the conversation.
        BadInput: there is no such time zone.
    """
    zone = find_zone(time_zone or "UTC").key
    for file, place, session, entry in chosen_conversations(path, conversation, _identify):
        yield from _conversation(file, place, session, entry, zone)


def _identify(file: Path, place: int, entry: Any) -> str:
    if not isinstance(entry, dict) or not isinstance(entry.get("chat_messages"), list):
        raise malformed(file, place, "it has no chat_messages: is this a Claude export?")
    session = text_of(entry.get("uuid"))
    if session is None:
        raise malformed(file, place, "it has no uuid: download the export again")
    return session


def _conversation(file: Path, place: int, session: str, entry: Mapping[str, Any], zone: str) -> Iterator[Utterance]:
    at = moment(entry.get("created_at"))
    for position, message in enumerate(_shown([as_mapping(message) for message in entry["chat_messages"]], entry)):
        at = moment(message.get("created_at")) or at
        sender = _SENDERS.get(str(message.get("sender")))
        text = _text(message)
        if sender is None or text is None:
            continue
        if at is None:
            raise malformed(file, place, "neither it nor its first message says when it was: download the export again")
        yield utterance(session, text_of(message.get("uuid")) or f"message-{position}", sender, text, at, zone)


def _shown(messages: Sequence[Mapping[str, Any]], entry: Mapping[str, Any]) -> Sequence[Mapping[str, Any]]:
    """The messages of the branch that was shown last; all of them where none was edited."""
    by_id = {str(message["uuid"]): message for message in messages if text_of(message.get("uuid"))}
    parents = {key: text_of(message.get("parent_message_uuid")) for key, message in by_id.items()}
    if len(by_id) < len(messages) or not _forks(parents):
        return messages
    leaf = text_of(entry.get("current_leaf_message_uuid")) or next(reversed(by_id))
    return [by_id[key] for key in branch(parents, leaf)] or messages


def _forks(parents: Mapping[str, str | None]) -> bool:
    """Whether two messages have the same parent."""
    named = [parent for parent in parents.values() if parent is not None]
    return len(named) != len(set(named))


def _text(message: Mapping[str, Any]) -> str | None:
    """The words of a message: its text blocks, else its text, in which tools have left their placeholders."""
    content = message.get("content")
    blocks = [as_mapping(block) for block in content] if isinstance(content, list) else []
    said = [text_of(block.get("text")) for block in blocks if block.get("type") == "text"]
    return "\n".join(part for part in said if part) or (None if blocks else text_of(message.get("text")))
