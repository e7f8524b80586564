"""Finding chunks: full text and vectors of the user's chunks, in the units in which turns are ranked."""

from collections.abc import Collection, Sequence
from datetime import datetime

import numpy as np
from sqlalchemy import Connection

from ..records import Candidate, Channel, Hit, Query, RecallFilter
from ..retrieval import lexical
from ..retrieval.channels import is_sentence
from ..retrieval.fusion import WEIGHTS
from ..retrieval.namespaces import CHUNKS
from ..retrieval.vectors import VectorIndex
from ..storage.database import Database
from .rows import admissible, chunk_count

DEPTH = 60


def search(
    database: Database,
    vectors: VectorIndex,
    user_id: str,
    index: int,
    query: Query,
    wanted: RecallFilter,
    *,
    k: int = DEPTH,
    now: datetime | None = None,
) -> list[Hit]:
    """The chunks that one query finds, of the versions that hold at the time asked about.

    Returns:
        Hits with negative numbers, each channel's best first; none, and at no cost, for a user without documents.
    """
    with database.read() as connection:
        if not chunk_count(connection, user_id):
            return []
        worded = lexical.search(connection, user_id, query.text, k, namespace=CHUNKS)
    near: list[tuple[int, float]] = []
    if is_sentence(query):
        near = vectors.search(user_id, vectors.embed_queries([query.text]), k)[0]
    with database.read() as connection:
        kept = admissible(connection, user_id, {number for number, _ in (*worded, *near)}, wanted, now)
    return [*_hits(worded, "lexical", index, kept), *_hits(near, "dense", index, kept)]


def _hits(found: Sequence[tuple[int, float]], channel: Channel, index: int, kept: Collection[int]) -> list[Hit]:
    return [Hit(-number, channel, index, score) for number, score in found if number in kept]


def rank(vectors: VectorIndex, user_id: str, queries: Sequence[Query], hits: Sequence[Hit]) -> list[Candidate]:
    """One candidate per chunk, best first, by its words (or a retriever's order) and by its nearness.

    Args:
        vectors: the index of the chunks.
        user_id: whose.
        queries: all queries of the turn.
        hits: what was found for them, chunks only.
    """
    channels: dict[int, dict[str, float]] = {}
    words: dict[int, float] = {}
    for hit in hits:
        found = channels.setdefault(hit.turn, {})
        found[hit.channel] = max(found.get(hit.channel, hit.score), hit.score)
        if hit.channel != "dense":
            words[hit.turn] = words.get(hit.turn, 0.0) + queries[hit.query].weight * hit.score
    best = max(words.values(), default=1.0) or 1.0
    scores = {number: WEIGHTS.lexical * words.get(number, 0.0) / best for number in channels}
    for number, score in _nearness(vectors, user_id, queries, [-number for number in channels]).items():
        scores[-number] += score
    order = sorted(scores, key=lambda number: (-scores[number], -number))
    return [Candidate(number, scores[number], channels[number]) for number in order]


def _nearness(vectors: VectorIndex, user_id: str, queries: Sequence[Query], numbers: list[int]) -> dict[int, float]:
    sentences = [query for query in queries if is_sentence(query)]
    held, rows = vectors.vectors_of(user_id, numbers)
    if not held.size or not sentences:
        return {}
    asked = vectors.embed_queries([query.text for query in sentences])
    weights = np.array([query.weight for query in sentences])
    standard = vectors.spread(user_id).standard_scores(asked, rows)
    return dict(zip(held.tolist(), (weights / weights.sum() @ standard).tolist(), strict=True))


def about(connection: Connection, user_id: str, words: str, *, k: int) -> list[int]:
    """The chunks of the versions that hold now that have the most of some words, as negative numbers."""
    found = lexical.search(connection, user_id, words, 4 * k, namespace=CHUNKS)
    kept = admissible(connection, user_id, [number for number, _ in found], RecallFilter())
    return [-number for number, _ in found if number in kept][:k]
