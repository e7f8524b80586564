"""The summaries of a data folder, found where a question asks for an overview."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import datetime
from itertools import islice

from sqlalchemy import Connection, select

from ..calibration.asked import Question
from ..calibration.coverage import NEAR, covers, prepare
from ..calibration.rules import Calibration
from ..knowledge.search import rank
from ..language.folding import fold
from ..records import Candidate, Digest, Evidence, Hit, Query, RecallFilter, Span, Turn, digest_number, is_digest
from ..retrieval import lexical
from ..retrieval.channels import is_sentence
from ..retrieval.namespaces import SUMMARIES
from ..retrieval.vectors import VectorIndex
from ..storage.database import Database
from ..storage.tables import summaries, turns
from ..storage.turns import get_turns
from . import rows
from .overview import of_last_time, topics_of

_DEPTH = 60
_LOOKED_AT = 200
"""Summaries that are looked at, newest first."""
_MOST = 3
_MOST_QUOTED = 6
_PER_DIGEST = 12


class Digests:
    """The summaries of all users in one data folder, each user's apart."""

    def __init__(self, database: Database, vectors: VectorIndex) -> None:
        """Use an open database, and the vector index of the summaries."""
        self._database = database
        self.vectors = vectors

    def complete(self, *, now: datetime) -> None:
        """Derive what was never derived."""
        with self._database.read() as connection:
            behind = rows.underived(connection)
        if behind:
            with self._database.write() as connection:
                for user_id in behind:
                    rows.derive(connection, user_id, now=now)

    def read(self, user_id: str, numbers: Collection[int]) -> dict[int, Digest]:
        """The summaries among numbers of turns, chunks and summaries, by number."""
        wanted = [number for number in numbers if is_digest(number)]
        if not wanted:
            return {}
        with self._database.read() as connection:
            return rows.digests(connection, user_id, wanted)

    def find(
        self, user_id: str, session_id: str, question: Question, queries: Sequence[Query], wanted: RecallFilter
    ) -> list[Candidate]:
        """The summaries that give the overview a question asks for, best first; the newest where it names no topic.

        Args:
            user_id: whose.
            session_id: the conversation in which it is asked: "last time" was another one.
            question: the understood question.
            queries: its formulations.
            wanted: limits: what was known when, and the time asked about.
        """
        with self._database.read() as connection:
            admitted = _admitted(connection, user_id, session_id, question, wanted)
        if not admitted:
            return []
        candidates = [Candidate(digest_number(number), 0.0) for number in admitted]
        if topics_of(question):
            found = self._ranked(user_id, queries)
            candidates = sorted((found[one] for one in admitted if one in found), key=lambda one: -one.score)
        digests = self.read(user_id, [one.turn for one in candidates])
        telling = (one for one in candidates if self._tells(user_id, question, digests.get(one.turn), wanted))
        return list(islice(telling, _MOST))

    def evidence(
        self, user_id: str, question: Question, found: Collection[int], wanted: RecallFilter
    ) -> list[Evidence]:
        """The pieces of turns that summaries quote and that answer the question, oldest first."""
        digests = self.read(user_id, found)
        told = [self._quoted(user_id, question, digests[number], wanted) for number in found if number in digests]
        chosen = list({(one.turn, one.span): one for several in told for one in several}.values())[:_MOST_QUOTED]
        return sorted(chosen, key=lambda one: (one.turn, one.span))

    def turns_behind(self, user_id: str, numbers: Collection[int]) -> list[int]:
        """The numbers with every summary replaced by the turns that it quotes, each once."""
        digests = self.read(user_id, numbers)
        behind: list[int] = []
        for number in numbers:
            digest = digests.get(number)
            behind += [number] if digest is None else [turn for turn, _ in digest.entries[:_PER_DIGEST]]
        return [number for number in dict.fromkeys(behind) if not is_digest(number)]

    def _ranked(self, user_id: str, queries: Sequence[Query]) -> dict[int, Candidate]:
        """Every summary that words or vectors find, by its own number."""
        hits: list[Hit] = []
        for index, query in enumerate(queries):
            with self._database.read() as connection:
                worded = lexical.search(connection, user_id, query.text, _DEPTH, namespace=SUMMARIES)
            hits += [Hit(-number, "lexical", index, score) for number, score in worded]
            if is_sentence(query):
                near = self.vectors.search(user_id, self.vectors.embed_queries([query.text]), _DEPTH)[0]
                hits += [Hit(-number, "dense", index, score) for number, score in near]
        ranked = rank(self.vectors, user_id, queries, hits) if hits else []
        return {-one.turn: replace(one, turn=digest_number(-one.turn)) for one in ranked}

    def _tells(self, user_id: str, question: Question, digest: Digest | None, wanted: RecallFilter) -> bool:
        return digest is not None and bool(self._quoted(user_id, question, digest, wanted))

    def _quoted(self, user_id: str, question: Question, digest: Digest, wanted: RecallFilter) -> list[Evidence]:
        """What a summary quotes of the topic and the time asked about, exactly as it stands."""
        with self._database.read() as connection:
            said = get_turns(connection, user_id, {number for number, _ in digest.entries})
        topics = topics_of(question)
        found = []
        for number, quote in digest.entries:
            turn = said.get(number)
            start = turn.text.find(quote) if turn is not None else -1
            if turn is not None and start >= 0 and _in_time(turn, wanted) and _is_of(turn.text, topics):
                found.append(Evidence(number, Span(start, start + len(quote)), 1.0))
        return found


def with_overview(judged: Calibration, found: Sequence[Candidate], quoted: Collection[int], *, k: int) -> Calibration:
    """Summaries first, then what else was found: what a summary quotes is shown with it, and not again."""
    if not found:
        return judged
    others = (one for one in judged.kept if one.turn not in quoted)
    return replace(judged, kept=(*found, *others)[:k], enough=True, hop_entities=())


def _admitted(
    connection: Connection, user_id: str, session_id: str, question: Question, wanted: RecallFilter
) -> list[int]:
    """The numbers of the summaries that may answer, newest first."""
    statement = select(summaries.c.number, summaries.c.session_id).where(summaries.c.user_id == user_id)
    if wanted.before_turn is not None:
        statement = statement.where(summaries.c.last_turn < wanted.before_turn)
    if wanted.recorded_as_of is not None:
        statement = statement.where(summaries.c.recorded_at <= wanted.recorded_as_of)
    found = connection.execute(statement.order_by(summaries.c.number.desc()).limit(_LOOKED_AT)).all()
    if not of_last_time(question):
        return [row.number for row in found]
    last = _last_session(connection, user_id, session_id, wanted)
    return [row.number for row in found if row.session_id == last]


def _last_session(connection: Connection, user_id: str, session_id: str, wanted: RecallFilter) -> str | None:
    """The conversation before this one."""
    statement = select(turns.c.session_id).where(turns.c.user_id == user_id, turns.c.session_id != session_id)
    if wanted.before_turn is not None:
        statement = statement.where(turns.c.number < wanted.before_turn)
    return connection.execute(statement.order_by(turns.c.number.desc()).limit(1)).scalar()


def _in_time(turn: Turn, wanted: RecallFilter) -> bool:
    after = wanted.time_from is None or turn.observed_at >= wanted.time_from
    return after and (wanted.time_to is None or turn.observed_at < wanted.time_to)


def _is_of(text: str, topics: Sequence[str]) -> bool:
    if not topics:
        return True
    prepared = prepare(text)
    return any(topic in fold(text) or covers(prepared, topic) >= NEAR for topic in topics)
