"""When people say that what they were told is not so: noticed, and kept against the answer that they mean."""

import functools
import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import Connection, func, insert, select

from .language import resources
from .language.folding import fold
from .records import Language
from .storage.stream_tables import complaints
from .storage.tables import answers


@dataclass(frozen=True, slots=True)
class Rate:
    """How many answers a configuration gave, and against how many of them somebody complained."""

    configuration: str
    answers: int
    complaints: int

    @property
    def rate(self) -> float:
        """Complaints per answer."""
        return self.complaints / self.answers if self.answers else 0.0


def complains(text: str, language: Language) -> bool:
    """Whether a turn says that the agent is wrong ("that's not what I said", 你记错了)."""
    return _pattern(language).search(fold(text).strip()) is not None


def file_complaint(connection: Connection, user_id: str, session_id: str, turn: int, *, now: datetime) -> str | None:
    """Keep a turn's complaint against the last answer of its session, in a write transaction.

    Returns:
        The answer's id; ``None`` where there was no answer, or the turn has complained already.
    """
    own = (answers.c.user_id == user_id, answers.c.session_id == session_id)
    last = connection.execute(
        select(answers.c.number, answers.c.configuration).where(*own).order_by(answers.c.number.desc()).limit(1)
    ).first()
    known = select(complaints.c.id).where(complaints.c.user_id == user_id, complaints.c.turn == turn)
    if last is None or connection.execute(known).first() is not None:
        return None
    row = {"answer": last.number, "turn": turn, "configuration": last.configuration, "created_at": now}
    connection.execute(insert(complaints).values(user_id=user_id, **row))
    return f"a{last.number}"


def rates(connection: Connection) -> list[Rate]:
    """The rates of all configurations that ever answered, by name."""
    given = _counts(connection, select(answers.c.configuration, func.count()).group_by(answers.c.configuration))
    against = select(complaints.c.configuration, func.count(complaints.c.answer.distinct()))
    told = _counts(connection, against.group_by(complaints.c.configuration))
    return [Rate(name, given.get(name, 0), told.get(name, 0)) for name in sorted(given.keys() | told.keys())]


def _counts(connection: Connection, statement: object) -> dict[str, int]:
    rows: Iterable[tuple[str, int]] = connection.execute(statement)  # type: ignore[call-overload]
    return {name: int(count) for name, count in rows}


@functools.cache
def _pattern(language: Language) -> re.Pattern[str]:
    lexicon = resources.load("complaints")
    spellings = (resources.expand(one, lexicon["macros"]) for one in lexicon[language])
    return re.compile("|".join(f"(?:{one})" for one in spellings))
