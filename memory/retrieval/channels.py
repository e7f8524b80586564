"""The four channels for one query: exact (items), lexical (BM25), dense (vectors), recent (the last turns).

Each proposes turns with its own score, at most ``depth`` of them; `fusion` makes one ranking of all. A turn that has no
vector yet is found by the other three.
"""

from typing import Protocol

from sqlalchemy import Connection, select

from ..records import Hit, Query, RecallFilter
from ..storage.database import Database
from ..storage.tables import turns
from . import exact, lexical
from .vectors import VectorIndex

DEPTH = 200
RECENT = 10
_WORDS = frozenset({"content", "synonyms", "entities", "hop"})
"""Origins of queries that are words without a sentence."""


class Indexes(Protocol):
    """What the channels need of a memory."""

    @property
    def database(self) -> Database:
        """The open database."""
        ...

    @property
    def vectors(self) -> VectorIndex:
        """The open vector index."""
        ...


def search(
    memory: Indexes, user_id: str, index: int, query: Query, wanted: RecallFilter, *, depth: int = DEPTH
) -> list[Hit]:
    """What the channels find for one query.

    Args:
        memory: An open memory.
        user_id: Whose.
        index: The query's place among those of the turn; hits carry it.
        query: One formulation of the question.
        wanted: The current turn and later ones, and what was recorded after ``recorded_as_of``, are no candidates.
        depth: At most so many hits of the lexical and of the dense channel.

    Returns:
        Hits by channel, each channel's best first.
    """
    with memory.database.read() as connection:
        before = first_excluded(connection, user_id, wanted)
        matches = exact.matches(connection, user_id, query, wanted, before=before, by_filter=index == 0)
        found = lexical.search(connection, user_id, query.text, depth, before=before)
        recent = _recent(connection, user_id, before)
    near = _nearest(memory, user_id, query, depth, before)
    hits = [Hit(match.turn, "exact", index, match.score, match.item) for match in matches]
    hits.extend(Hit(turn, "lexical", index, score) for turn, score in found)
    hits.extend(Hit(turn, "dense", index, score) for turn, score in near)
    hits.extend(Hit(turn, "recent", index, 1.0 - place / RECENT) for place, turn in enumerate(recent))
    return hits


def first_excluded(connection: Connection, user_id: str, wanted: RecallFilter) -> int | None:
    """The number from which on turns are no candidates: the current one, or the first that was not known then.

    Numbers are given in the order of recording, so that one bound stands for both.
    """
    bounds = [] if wanted.before_turn is None else [wanted.before_turn]
    if wanted.recorded_as_of is not None:
        known = turns.c.recorded_at <= wanted.recorded_as_of
        statement = select(turns.c.number).where(turns.c.user_id == user_id, known)
        last = connection.execute(statement.order_by(turns.c.number.desc()).limit(1)).scalar()
        bounds.append((last or 0) + 1)
    return min(bounds, default=None)


def is_sentence(query: Query) -> bool:
    """Whether a query has a meaning that can be embedded; words next to each other have not, and are left to BM25.

    On LoCoMo the vectors of the question's content words, beside those of the question, cost 2 points of recall@10.
    """
    return query.origin not in _WORDS


def _nearest(memory: Indexes, user_id: str, query: Query, depth: int, before: int | None) -> list[tuple[int, float]]:
    if not is_sentence(query):
        return []
    return memory.vectors.search(user_id, memory.vectors.embed_queries([query.text]), depth, before=before)[0]


def _recent(connection: Connection, user_id: str, before: int | None) -> list[int]:
    """The last turns, newest first."""
    statement = select(turns.c.number).where(turns.c.user_id == user_id)
    if before is not None:
        statement = statement.where(turns.c.number < before)
    return list(connection.execute(statement.order_by(turns.c.number.desc()).limit(RECENT)).scalars())
