"""A message read as a question in its conversation: what "it" is, what is pointed to, whether an overview is wanted."""

from dataclasses import replace
from datetime import datetime
from typing import Protocol

from .calibration.landmarks import Read, counted_from, landmark_in
from .calibration.questions import Question, analyse
from .clauses.understanding import asked_clauses
from .digests.overview import as_overview
from .language.sentences import sentences
from .pointing import spelled_out
from .records import Language
from .storage.items import list_items
from .store import Memory
from .topics import topic_of

_LONGEST_QUESTION = 2000
"""Characters of a message that are read as a question."""


class Said(Protocol):
    """Words with who said them when, recorded or not."""

    @property
    def user_id(self) -> str:
        """Whose."""

    @property
    def session_id(self) -> str:
        """In which conversation."""

    @property
    def text(self) -> str:
        """The words."""

    @property
    def language(self) -> Language:
        """In which to answer."""

    @property
    def observed_at(self) -> datetime:
        """When."""

    @property
    def time_zone(self) -> str:
        """IANA name of the zone in which relative times are meant."""


def understand(
    memory: Memory,
    said: Said,
    *,
    before: int | None,
    text: str | None = None,
    as_of: datetime | None = None,
    recorded_as_of: datetime | None = None,
) -> Question:
    """Read a message as a question.

    Args:
        memory: the user's memory.
        said: the message.
        before: number of the turn that recorded it, which is no part of what came before it.
        text: the part of the message to read; all of it by default.
        as_of: the time to answer for, where the message itself names none.
        recorded_as_of: answer from what the system knew then.
    """
    asked = _end_of(said.text if text is None else text)
    topic = topic_of(memory, said.user_id, said.session_id, asked, before=before)
    named = spelled_out(memory, said.user_id, said.session_id, asked, said.language, topic.entity)

    def read(text: str) -> Question:
        return analyse(text, said.language, said.observed_at, said.time_zone, topic)

    question = as_overview(_counted(memory, said.user_id, named, read) or read(named))
    clauses = asked_clauses(
        memory,
        said.user_id,
        said.session_id,
        named,
        now=said.observed_at,
        time_zone=said.time_zone,
        as_of=as_of,
        recorded_as_of=recorded_as_of,
    )
    return question if clauses is None else replace(question, clauses=clauses)


def _end_of(text: str) -> str:
    """What of a text is read as a question: where it is long, its end, from a sentence on where one begins there.

    Reading takes ever longer with the length, and whoever sends pages asks below them.
    """
    if len(text) <= _LONGEST_QUESTION:
        return text
    end = text[-_LONGEST_QUESTION:]
    spans = sentences(end)
    return end[spans[1].start :] if len(spans) > 1 else end


def _counted(memory: Memory, user_id: str, text: str, read: Read) -> Question | None:
    """The question for what was before, or after, a value that it names; ``None`` where it counts from none."""
    landmark = landmark_in(text)
    if landmark is None:
        return None
    with memory.database.read() as connection:
        known = list_items(connection, user_id, live_only=False)
    return counted_from(landmark, known, read)
