"""Fusion: one ranking of turns from what the channels found for all queries of a turn.

No model takes part. Scores become comparable first: cosines around the store's mean in standard deviations, BM25 as a
share of the query's best; vector scores that a channel did not give are filled in from the stored vectors. Then what
surrounds a turn speaks for it: who said it, the turns beside it, its session as a whole; and its form does: what only
asks tells little, what opens a conversation says what it is about, and BM25 makes too little of long turns
(Lv and Zhai, 2011).

Behind the first ten, where these hardly differ, the words of what is asked about count once more, as they are told in a
turn or near it.

The ranking does not depend on how many results are wanted: the first five of ten are the five.
"""

import functools
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection

from ..language.folding import detect_language, fold
from ..language.talk import TALK, commonplaces
from ..records import MATTER, Candidate, Hit, Query, RecallFilter
from . import exact, lexical
from .channels import Indexes, first_excluded, is_sentence
from .finds import Finds, Scores
from .places import places


@dataclass(frozen=True, slots=True)
class Weights:
    """What counts how much, in units of one standard deviation of a vector score."""

    lexical: float = 5.0
    """The best BM25 score of a query."""
    lexical_of_talk: float = 0.8
    """The same where a stretch of talk is the query: it has few of the words of what it calls to mind."""
    exact: float = 2.5
    """A match of an item by one of subject, attribute and value; by two of them twice that."""
    recent: float = 0.25
    """The last turn; earlier ones of the recent channel less."""
    speaker: float = 3.0
    """A turn of the person asked about."""
    period: float = 2.5
    """A turn said in the time asked about."""
    length: float = 0.75
    """A turn e times as long as another one."""
    asking: float = -1.25
    """A turn that ends in a question mark."""
    opening: float = 1.0
    """A turn that opens its session, or replies to the one that does."""
    answering: float = 0.3
    """The share of a question's score that the turn after it receives, besides that of any neighbour."""
    before: tuple[float, ...] = (0.15, 0.2)
    """The shares of the scores of the turns before it that a turn receives, by distance."""
    after: tuple[float, ...] = (0.15, 0.05)
    """The shares of the scores of the turns after it."""
    session: float = 0.4
    """The share of a session's best score that its turns receive."""
    told: float = 0.3
    """Behind the first results, a word of what is asked about that a turn or one near it holds, by its inverse document
    frequency."""


WEIGHTS = Weights()

_LEADING = 120
"""Turns that are scored fully, with their neighbours: the best by what the channels say."""
_MOST = 200
"""Candidates that are handed on."""
_DENSE = 3.0
"""What the nearest vector of a query counts while the leading turns are chosen."""
_STRIDE = 2**40
_LONGEST = 2000
"""More bytes speak no more for a turn: a pasted document is not the answer to everything."""
_BEST_LINE = 0.25
"""What the line of a talk that lies nearest counts beside the mean of all: one of them may call something to mind."""
_ERRAND = 0.75
"""A turn that moved the errand that is talked about, in standard deviations: enough to lead among likes."""
_FIRST = 10
"""So many results are the best by their own scores. Those behind them hardly differ in these, and there what one turn
asks and another answers counts as told together."""
_EXCHANGE = 2
"""So many turns away a word still belongs to what is told."""
_OPENING = 2
"""The opening of a session and its reply."""


@dataclass(frozen=True)
class _Pool:
    """The turns that are ranked, in the order of their numbers, and where they stand."""

    numbers: NDArray[np.int64]
    sessions: NDArray[np.int64]
    """An index for each session, the same for turns of the same one."""
    positions: NDArray[np.int64]
    speakers: Sequence[str]
    timely: NDArray[np.bool_]
    """Whether they were said in the time asked about."""
    lengths: NDArray[np.int64]
    """In bytes: a Chinese character says about as much as half an English word, and takes three."""
    asks: NDArray[np.bool_]
    """Whether they end in a question mark."""

    @functools.cached_property
    def _places(self) -> NDArray[np.int64]:
        """One integer per place, so that a neighbour is found by its distance; no session is longer than the stride."""
        return self.sessions * _STRIDE + self.positions

    @functools.cached_property
    def _order(self) -> NDArray[np.int64]:
        return np.argsort(self._places)

    def beside(self, step: int) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """For each turn the index of the one so many places further in its session, and whether that is in the pool."""
        wanted = self._places + step
        found = np.searchsorted(self._places, wanted, sorter=self._order)
        index = self._order[np.minimum(found, len(wanted) - 1)]
        return index, self._places[index] == wanted


def fuse(
    memory: Indexes,
    user_id: str,
    queries: Sequence[Query],
    hits: Sequence[Hit],
    wanted: RecallFilter,
    *,
    weights: Weights = WEIGHTS,
) -> list[Candidate]:
    """Rank the turns that the channels found, and those beside them.

    Args:
        memory: An open memory.
        user_id: Whose.
        queries: All queries of the turn; a hit's ``query`` is an index into them.
        hits: What the channels found for them.
        wanted: Limits (the current turn, what was known when, an identifier) and preferences (speaker, time).
        weights: What counts how much.

    Returns:
        One candidate per turn, best first; the newer first where scores are equal.
    """
    with memory.database.read() as connection:
        before = first_excluded(connection, user_id, wanted)
        allowed = exact.restricted_to(connection, user_id, wanted)
        hits = [
            hit for hit in hits if (before is None or hit.turn < before) and (allowed is None or hit.turn in allowed)
        ]
        if not hits:
            return []
        finds = Finds.of(hits)
        limits = {
            "user": user_id,
            "numbers": json.dumps(_leading(queries, finds, weights)),
            "reach": max(len(weights.before), len(weights.after)),
            "start": wanted.time_from,
            "end": wanted.time_to,
        }
        pool = _pool(connection, limits, before)
        if not len(pool.numbers):
            return []
        told = weights.told * _told_around(connection, user_id, queries, pool, before)
    own = _own_scores(memory, user_id, queries, finds, pool, weights)
    scores = (
        _with_surroundings(own, pool, weights) + _by_form(pool, weights) + _preferences(pool, finds, wanted, weights)
    )
    order = np.lexsort((-pool.numbers, -scores))
    first, behind = order[:_FIRST], order[_FIRST:]
    scores[behind] = np.minimum(scores[behind] + told[behind], scores[first].min())
    order = np.concatenate((first, behind[np.lexsort((-pool.numbers[behind], -scores[behind]))]))[:_MOST]
    return _candidates(pool.numbers[order].tolist(), scores[order].tolist(), hits)


def _leading(queries: Sequence[Query], finds: Finds, weights: Weights) -> list[int]:
    """The turns that are worth scoring fully, by the channels' own scores, each scaled to its query's range."""
    importance = _weights_of(queries)
    rough = weights.lexical * finds.summed_ranges("lexical", importance, from_zero=True)
    rough += _DENSE * finds.summed_ranges("dense", importance, from_zero=False)
    rough += weights.exact * finds.best("exact") + weights.recent * finds.best("recent")
    order = np.lexsort((-finds.turns, -rough))[:_LEADING]
    return [int(turn) for turn in finds.turns[order]]


def _pool(connection: Connection, limits: Mapping[str, object], before: int | None) -> _Pool:
    """The leading turns and those within reach of them in their sessions."""
    found = places(connection, limits)
    by_number = {row[0]: row for row in found if before is None or row[0] < before}
    rows = [by_number[number] for number in sorted(by_number)]
    if not rows:
        nothing = np.empty(0, dtype=np.int64)
        return _Pool(nothing, nothing, nothing, (), nothing.astype(np.bool_), nothing, nothing.astype(np.bool_))
    numbers, sessions, positions, speakers, timely, lengths, asks = zip(*rows, strict=True)
    index = {session: place for place, session in enumerate(dict.fromkeys(sessions))}
    return _Pool(
        numbers=np.array(numbers, dtype=np.int64),
        sessions=np.array([index[session] for session in sessions], dtype=np.int64),
        positions=np.array(positions, dtype=np.int64),
        speakers=speakers,
        timely=np.array(timely, dtype=np.bool_),
        lengths=np.array(lengths, dtype=np.int64),
        asks=np.array(asks, dtype=np.bool_),
    )


def _own_scores(
    memory: Indexes, user_id: str, queries: Sequence[Query], finds: Finds, pool: _Pool, weights: Weights
) -> Scores:
    """What each turn's own words say: its terms for all queries, its vector for those that are sentences."""
    # BM25 summed over the queries is that of one query with weighted terms; it counts relative to the best of the sums.
    terms = finds.summed("lexical", _weights_of(queries))
    talk = queries[0].origin == TALK
    own = (weights.lexical_of_talk if talk else weights.lexical) * finds.at(
        pool.numbers, terms / max(float(terms.max()), 1e-9)
    )
    sentences = [query for query in queries if is_sentence(query)]
    held, rows = memory.vectors.vectors_of(user_id, pool.numbers.tolist())
    if held.size and sentences:
        asked = memory.vectors.embed_queries([query.text for query in sentences])
        shares = _weights_of(sentences)
        # Talk lies far from what is told; what is left of it without its middle is what it is about.
        among = memory.vectors.embed_queries(commonplaces(detect_language(queries[0].text))) if talk else None
        standard = memory.vectors.spread(user_id).standard_scores(asked, rows, among)
        # The others are one question in several forms, and count as their mean.
        forms = sum(query.weight for query in sentences if query.origin != MATTER)
        near = (shares / max(forms, 1e-9)) @ standard
        if talk:
            near += _BEST_LINE * standard.max(axis=0)
        own[np.searchsorted(pool.numbers, held)] += near
    return own


def _weights_of(queries: Sequence[Query]) -> Scores:
    return np.array([query.weight for query in queries], dtype=np.float64)


def _with_surroundings(own: Scores, pool: _Pool, weights: Weights) -> Scores:
    """Each turn's score with its shares of its neighbours' scores and of its session's best."""
    shared = own.copy()
    for step, share in _shares(weights):
        beside, there = pool.beside(step)
        given = np.where(pool.asks[beside], share + weights.answering, share) if step == -1 else share
        shared += np.where(there, given * own[beside], 0.0)
    best = np.full(int(pool.sessions.max()) + 1, -np.inf)
    np.maximum.at(best, pool.sessions, shared)
    return np.asarray(shared + weights.session * best[pool.sessions])


def _told_around(
    connection: Connection, user_id: str, queries: Sequence[Query], pool: _Pool, before: int | None
) -> Scores:
    """How many words of what is asked about each turn and those near it hold together, by their rarity."""
    matter = next((query.text for query in queries if query.origin == MATTER), "")
    rarities, held = lexical.holding(connection, user_id, matter, pool.numbers, before=before)
    near = held.copy()
    for step in range(-_EXCHANGE, _EXCHANGE + 1):
        beside, there = pool.beside(step)
        near |= held[:, beside] & there
    return np.asarray(rarities @ near)


def _shares(weights: Weights) -> Iterator[tuple[int, float]]:
    """The places of the turns that give to a turn, counted from it, with the share that each gives."""
    yield from ((-distance, share) for distance, share in enumerate(weights.before, start=1))
    yield from ((distance, share) for distance, share in enumerate(weights.after, start=1))


def _by_form(pool: _Pool, weights: Weights) -> Scores:
    """What speaks for a turn whatever is asked: how much it says, whether it only asks, where it stands."""
    said = weights.length * np.log(np.clip(pool.lengths, 1, _LONGEST))
    return np.asarray(said + weights.asking * pool.asks + weights.opening * (pool.positions < _OPENING))


def _preferences(pool: _Pool, finds: Finds, wanted: RecallFilter, weights: Weights) -> Scores:
    """What speaks for a turn besides its words: exact matches, recency, its speaker, its time."""
    bonus = weights.exact * finds.best("exact") + weights.recent * finds.best("recent")
    bonus = finds.at(pool.numbers, bonus)
    if wanted.speaker is not None:
        names = [fold(name) for name in (wanted.speaker, *wanted.beside)]
        named = {one: any(_is_named(name, fold(one)) for name in names) for one in set(pool.speakers)}
        bonus += weights.speaker * np.array([named[speaker] for speaker in pool.speakers])
    bonus += _ERRAND * np.isin(pool.numbers, wanted.errand)
    return np.asarray(bonus + weights.period * pool.timely)


def _is_named(name: str, speaker: str) -> bool:
    """Whether a speaker is the person asked about: by the whole name or one word of it."""
    return name == speaker or name in speaker.split()


def _candidates(numbers: Sequence[int], scores: Sequence[float], hits: Sequence[Hit]) -> list[Candidate]:
    """Candidates with the channels that found them and the items that matched, most specific first."""
    channels: dict[int, dict[str, float]] = {}
    matched: dict[int, dict[int, float]] = {}
    ranked = frozenset(numbers)
    for hit in hits:
        if hit.turn not in ranked:
            continue
        found = channels.setdefault(hit.turn, {})
        found[hit.channel] = max(found.get(hit.channel, hit.score), hit.score)
        if hit.item is not None:
            known = matched.setdefault(hit.turn, {})
            known[hit.item] = max(known.get(hit.item, hit.score), hit.score)
    return [
        Candidate(
            turn=number,
            score=score,
            channels=channels.get(number, {}),
            items=tuple(sorted(matched.get(number, {}), key=lambda item: (-matched[number][item], item))),
        )
        for number, score in zip(numbers, scores, strict=True)
    ]
