"""What a message asks of the user's documents of clauses, from its words, the shelf, and what was spoken of last."""

import re
from collections.abc import Sequence
from datetime import datetime

from ..storage.answers import load_answer
from ..store import Memory
from .asking import read
from .condition import Condition
from .editions import Editions
from .lookup import resolve
from .rows import Family, families, has_clauses
from .tracing import condition_from


def asked_clauses(
    memory: Memory,
    user_id: str,
    session_id: str,
    text: str,
    *,
    now: datetime,
    time_zone: str,
    as_of: datetime | None = None,
    recorded_as_of: datetime | None = None,
) -> Condition | None:
    """Read a message as a condition on clauses; ``None`` where it is none, and at no cost without such documents.

    Args:
        memory: the user's memory.
        user_id: who asks.
        session_id: the conversation.
        text: the message.
        now: when it is asked.
        time_zone: IANA name of the asker's zone.
        as_of: the time to answer for, where the message itself names none.
        recorded_as_of: answer from what the system knew then.
    """
    with memory.database.read() as connection:
        if not has_clauses(connection, user_id):
            return None
        shelf = families(connection, user_id)
    asked = read(_by_titles(memory, user_id, text, shelf), now, time_zone)
    if asked is None or not shelf:
        return None
    moment = as_of or recorded_as_of or now
    return resolve(asked, shelf, Editions(moment, now, recorded_as_of), _focus(memory, user_id, session_id))


def _by_titles(memory: Memory, user_id: str, text: str, shelf: Sequence[Family]) -> str:
    """The text with the titles of documents in the place of what the user calls them: marks, files, "contract A"."""
    titles = {family.key: family.versions[-1].title or family.key for family in shelf}
    for spoken in memory.state(user_id).documents:
        for name in spoken.names if spoken.document in titles else ():
            marked = rf"\[[^\[\]]*{re.escape(name)}\s*\]|(?<![\w-]){re.escape(name)}(?![\w-])"
            text = titles[spoken.document or ""].join(re.split(marked, text))
    return text


def _focus(memory: Memory, user_id: str, session_id: str) -> Condition | None:
    """What the last answer of the conversation was about, where that was clauses."""
    if not session_id:
        return None
    with memory.database.read() as connection:
        trace = load_answer(connection, user_id, session_id=session_id)
    return None if trace is None else condition_from(trace.get("filter", {}).get("clauses", {}))
