"""The lexical channel: of every user by themself, so that neither a row nor a term statistic of another user is seen.

A turn is stored as its stems, every Chinese character by itself, and Chinese is asked for in phrases: words of one or
two characters are found exactly, which a word segmenter cannot promise. The database gives the turns of each term; the
scores are BM25 (Robertson and Zaragoza, 2009), computed here over the few hundred turns that lead: FTS5's own ranking
reads every matching row (90 ms where a common word occurs in 20,000 turns), PostgreSQL's ``ts_rank`` is another
measure, and so the scores are the same in both databases.

What is stored is derived: ``rebuild`` makes it anew from the turn log.
"""

import math
from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from sqlalchemy import Connection

from ..language.folding import fold
from ..language.tokens import Token, content_stems, tokenize
from ..records import Turn
from . import postings
from .fts5 import Fts5
from .full_text import FullText, Match
from .namespaces import TURNS, Namespace
from .postings import MOST, Postings, Reader
from .texts import indexed_text

CANDIDATES = 250
"""Turns whose BM25 is computed, chosen by the sum of their terms' weights."""
_K1, _B, _PIVOT = 1.2, 0.75, 18.0
"""BM25's saturation, its length normalisation, and the length (in terms) that counts as ordinary."""
_MOST_TERMS = 64
_ALL = 2**31 - 1
_BREAK = "\ue000"
"""Of a category that counts as a word, and that no text is written in."""


class _Term(NamedTuple):
    """A term of a query, the turns that it occurs in, its weight."""

    text: str
    found: Postings
    weight: float


def texts_of(connection: Connection, user_id: str, namespace: Namespace = TURNS) -> FullText:
    """The user's full text, in the database of the connection."""
    if connection.dialect.name == "sqlite":
        return Fts5(connection, namespace.table_of(user_id))
    from .keyed_text import KeyedText

    return KeyedText(connection, namespace.name, user_id)


def add_turn(connection: Connection, turn: Turn) -> None:
    """Index one turn in the open transaction; idempotent."""
    add(connection, turn.user_id, turn.number, indexed_text(turn.speaker, turn.text))


def add(connection: Connection, user_id: str, number: int, text: str, namespace: Namespace = TURNS) -> None:
    """Index one text under its number in the open transaction; idempotent."""
    texts = texts_of(connection, user_id, namespace)
    texts.create()
    if texts.delete([number]):
        postings.forget(connection.engine)
    texts.insert(number, indexed_form(text))


def remove_turns(connection: Connection, user_id: str, numbers: Collection[int], namespace: Namespace = TURNS) -> None:
    """Take turns out of the index, and have it drop their terms."""
    texts = texts_of(connection, user_id, namespace)
    if not texts.exists():
        return
    texts.delete(numbers)
    texts.tidy()
    postings.forget(connection.engine)


def drop(connection: Connection, user_id: str, namespace: Namespace = TURNS) -> None:
    """Remove the user's whole index."""
    texts_of(connection, user_id, namespace).drop()
    postings.forget(connection.engine)


def rebuild(connection: Connection, user_id: str, namespace: Namespace = TURNS) -> int:
    """Make the user's index anew from what is true and return the number of texts."""
    drop(connection, user_id, namespace)
    texts = texts_of(connection, user_id, namespace)
    texts.create()
    rows = connection.execute(namespace.texts(user_id)).all()
    for number, bearer, text in rows:
        texts.insert(number, indexed_form(namespace.indexed(bearer, text)))
    return len(rows)


def count(connection: Connection, user_id: str) -> int:
    """How many turns are indexed."""
    texts = texts_of(connection, user_id)
    return texts.count() if texts.exists() else 0


def indexed_turns(connection: Connection, user_id: str, namespace: Namespace = TURNS) -> set[int]:
    """The turns that are indexed."""
    texts = texts_of(connection, user_id, namespace)
    return set(texts.numbers()) if texts.exists() else set()


def bodies(connection: Connection, user_id: str, namespace: Namespace = TURNS) -> Iterator[tuple[int, str]]:
    """Every text of the index under its number, in its indexed form."""
    texts = texts_of(connection, user_id, namespace)
    return texts.bodies() if texts.exists() else iter(())


def search(
    connection: Connection, user_id: str, text: str, k: int, *, before: int | None = None, namespace: Namespace = TURNS
) -> list[tuple[int, float]]:
    """The best ``k`` turns for a text.

    Args:
        connection: Open for reading.
        user_id: Whose memory.
        text: A question or other text; its stop words do not count.
        k: At most so many.
        before: Only turns with a smaller number.
        namespace: What is searched.

    Returns:
        Pairs of turn number and BM25 score, best first, the newer turn first where scores are equal.
    """
    texts = texts_of(connection, user_id, namespace)
    if not texts.exists():
        return []
    reader = Reader(connection, texts, before)
    terms = _weighed(reader, text)
    # The content words of a question are mostly its own terms again.
    key = "\n".join(sorted(term.text for term in terms))
    scores = reader.once(f"bm25\n{key}", lambda: _bm25(texts, terms, _leading(reader, terms)))
    return sorted(scores.items(), key=lambda pair: (-pair[1], -pair[0]))[:k]


def score(connection: Connection, user_id: str, text: str, numbers: Collection[int]) -> dict[int, float]:
    """The BM25 scores of given turns for a text; turns that hold none of its terms are left out."""
    texts = texts_of(connection, user_id)
    if not numbers or not texts.exists():
        return {}
    return _bm25(texts, _weighed(Reader(connection, texts, None), text), numbers)


def holding(
    connection: Connection, user_id: str, text: str, numbers: NDArray[np.int64], *, before: int | None = None
) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """The inverse document frequencies of a text's terms, and which of given turns hold each: ``(terms, turns)``."""
    texts = texts_of(connection, user_id)
    terms = _weighed(Reader(connection, texts, before), text) if texts.exists() else []
    held = [np.isin(numbers, term.found.numbers) for term in terms]
    return np.array([term.weight for term in terms]), np.array(held, dtype=np.bool_).reshape(len(terms), len(numbers))


def rarities(connection: Connection, user_id: str, terms: Sequence[str]) -> dict[str, float]:
    """The inverse document frequency of words or stems among the user's turns."""
    texts = texts_of(connection, user_id)
    if not terms or not texts.exists():
        return {}
    reader = Reader(connection, texts, None)
    spelt = {term: " ".join(token.stem for token in tokenize(term)) for term in terms}
    return {term: _rarity(reader, reader.find(Match(words)).frequency) for term, words in spelt.items() if words}


def mentioning(connection: Connection, user_id: str, phrase: str) -> list[int]:
    """All turns that contain ``phrase``, word for word up to inflection, oldest first."""
    texts = texts_of(connection, user_id)
    words = [token.stem for token in tokenize(phrase)]
    if not words or not texts.exists():
        return []
    return [int(number) for number in reversed(texts.newest(Match(" ".join(words)), None, _ALL))]


def indexed_form(text: str) -> str:
    """What is stored of a text: its stems, separated by spaces, with every Chinese character by itself.

    A break stands where punctuation or, in Chinese, a space parts two of them, so that no phrase reaches across:
    喜欢花，名字叫小鱼 does not hold 花名.
    """
    pieces: list[str] = []
    last: Token | None = None
    for token in tokenize(text):
        gap = text[last.end : token.start] if last is not None else ""
        if last is not None and gap and (gap.strip() or (last.cjk and token.cjk)):
            pieces.append(_BREAK)
        pieces.append(token.stem)
        last = token
    return " ".join(pieces)


def query_terms(text: str) -> list[str]:
    """The terms that a text is searched by, each once: stems of its content words, and pairs of Chinese characters.

    A Chinese word is asked for as the overlapping pairs of its characters (部署方案 by 部署, 署方, 方案), one character
    by itself, and a letter that touches a word with it (C盘). A text of stop words alone is searched by all its words.
    """
    words = _joined(fold(text), content_stems(text)) or [token.stem for token in tokenize(text)]
    return list(dict.fromkeys(term for word in words for term in _terms_of(word)))[:_MOST_TERMS]


def _joined(folded: str, words: Sequence[str]) -> list[str]:
    """The content words, where a single character that touches another word is taken together with it.

    By itself it would name every turn that holds it: 小鱼 must not be asked for as 小 and 鱼.
    """
    joined: list[str] = []
    end, cursor = -1, 0
    for word in words:
        start = folded.find(word, cursor)
        touches = start >= 0 and start == end and not word.isascii()
        if touches and (len(word) == 1 or len(joined[-1]) == 1):
            joined[-1] += word
        else:
            joined.append(word)
        if start >= 0:
            # The pairs of a long run overlap: the next one may begin within this one.
            end, cursor = start + len(word), start + 1
    return joined


def _terms_of(word: str) -> list[str]:
    """A content word in the form of the index: what tokenising keeps whole, or the pairs of what it splits."""
    pieces = [token.stem if token.cjk else token.text for token in tokenize(word)]
    if len(pieces) < 2:
        return [word] if pieces else []
    return [f"{first} {second}" for first, second in pairwise(pieces)]


def _weighed(reader: Reader, text: str) -> list[_Term]:
    """The terms of a text that occur at all, with their turns and their inverse document frequency."""
    terms = []
    for term in query_terms(text):
        found = reader.find(Match(term))
        if found.frequency:
            terms.append(_Term(term, found, _rarity(reader, found.frequency)))
    return terms


def _rarity(reader: Reader, frequency: int) -> float:
    """The inverse document frequency of what so many texts hold."""
    return math.log(1.0 + (max(reader.last - frequency, 0) + 0.5) / (frequency + 0.5))


def _leading(reader: Reader, terms: Sequence[_Term]) -> list[int]:
    """The turns whose BM25 is worth computing: those whose terms weigh most together."""
    if not terms:
        return []
    weights = np.zeros(reader.last + 1, dtype=np.float32)
    for term in terms:
        others = tuple(other.text for other in terms if other is not term)
        found = term.found
        if found.frequency > MOST and others:
            # Too common by itself, it counts where it occurs together with another term.
            found = reader.find(Match(term.text, others))
        weights[found.numbers] += term.weight
    return [int(number) for number in _top(weights, min(CANDIDATES, int(np.count_nonzero(weights))))]


def _top(weights: NDArray[np.float32], k: int) -> NDArray[np.int64]:
    """The ``k`` heaviest turns in falling order, the newer first where they weigh the same."""
    if not k:
        return np.empty(0, dtype=np.int64)
    threshold = np.partition(weights, weights.size - k)[weights.size - k]
    kept = np.flatnonzero(weights >= threshold)
    return np.asarray(kept[np.lexsort((-kept, -weights[kept]))][:k])


def _bm25(texts: FullText, terms: Sequence[_Term], numbers: Collection[int]) -> dict[int, float]:
    """BM25 of given turns; those that hold no term are left out."""
    weights = [(f" {term.text} ", term.weight) for term in terms]
    scores = {}
    for number, body in texts.bodies(numbers):
        padded = f" {body} "
        norm = _K1 * (1.0 - _B + _B * body.count(" ") / _PIVOT)
        value = 0.0
        for term, weight in weights:
            occurrences = padded.count(term)
            if occurrences:
                value += weight * occurrences * (_K1 + 1.0) / (occurrences + norm)
        if value > 0.0:
            scores[number] = value
    return scores
