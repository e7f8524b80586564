"""Reader of ChatGPT exports: ``conversations.json``, a list of conversations, each a tree of messages.

``mapping`` holds the nodes by id, with ``parent``, ``children`` and ``message``; edits and regenerations are branches,
and ``current_node`` is the end of the one that was shown last. The user's messages and the assistant's are read; what
tools and the system said, hidden messages and context that the host put in the user's mouth are not.
"""

from collections.abc import Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from .exported import Sender, as_mapping, branch, chosen_conversations, malformed, moment, text_of, utterance
from .utterances import Utterance, find_zone

_SPOKEN = frozenset({"text", "multimodal_text"})


def read_openai(path: Path, *, conversation: str | None = None, time_zone: str | None = None) -> Iterator[Utterance]:
    """Yield the utterances of every conversation, along the branch that was shown last.

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
    if not isinstance(entry, dict) or not isinstance(entry.get("mapping"), dict):
        raise malformed(file, place, "it has no mapping of messages: is this a ChatGPT export?")
    session = text_of(entry.get("conversation_id")) or text_of(entry.get("id"))
    if session is None:
        raise malformed(file, place, "it has no id: download the export again")
    return session


def _conversation(file: Path, place: int, session: str, entry: Mapping[str, Any], zone: str) -> Iterator[Utterance]:
    nodes = {str(key): as_mapping(node) for key, node in entry["mapping"].items()}
    at = moment(entry.get("create_time"))
    for key in branch(_parents(nodes), _leaf(nodes, text_of(entry.get("current_node")))):
        message = as_mapping(nodes[key].get("message"))
        at = moment(message.get("create_time")) or at
        sender = _sender(message)
        text = _text(as_mapping(message.get("content")))
        if sender is None or text is None:
            continue
        if at is None:
            raise malformed(file, place, "neither it nor its first message says when it was: download the export again")
        yield utterance(session, text_of(message.get("id")) or key, sender, text, at, zone)


def _parents(nodes: Mapping[str, Mapping[str, Any]]) -> dict[str, str | None]:
    return {key: text_of(node.get("parent")) for key, node in nodes.items()}


def _leaf(nodes: Mapping[str, Mapping[str, Any]], current: str | None) -> str | None:
    """The node that was shown last: the current one, else the latest without a successor."""
    if current in nodes:
        return current
    ends = [key for key, node in nodes.items() if not node.get("children")]
    return max(ends, key=lambda key: (_latest(nodes[key]) is not None, _latest(nodes[key]), key), default=None)


def _latest(node: Mapping[str, Any]) -> datetime | None:
    return moment(as_mapping(node.get("message")).get("create_time"))


def _sender(message: Mapping[str, Any]) -> Sender | None:
    """Who speaks, if it is somebody who does: not a tool, and not a call to one."""
    role = as_mapping(message.get("author")).get("role")
    hidden = as_mapping(message.get("metadata")).get("is_visually_hidden_from_conversation")
    addressed = message.get("recipient") in {None, "all"}
    if hidden or not addressed:
        return None
    return "user" if role == "user" else "assistant" if role == "assistant" else None


def _text(content: Mapping[str, Any]) -> str | None:
    """The words of a message: its text parts, and what was spoken aloud."""
    if content.get("content_type") not in _SPOKEN:
        return None
    parts = content.get("parts")
    said = [_part(part) for part in parts] if isinstance(parts, list) else []
    return "\n".join(part for part in said if part) or None


def _part(part: object) -> str | None:
    return text_of(part) or text_of(as_mapping(part).get("text"))
