"""Plain designs on the same store and the same vectors, to compare with: nearest vectors, BM25, and both by ranks."""

from collections.abc import Mapping, Sequence

from ..memory.retrieval import lexical
from ..memory.store import Memory

_DEPTH = 200
_SMOOTHING = 60
NAMES = ("vector", "bm25", "rrf")


def rankings(memory: Memory, user_id: str, question: str, k: int) -> dict[str, list[str]]:
    """The best ``k`` turns by each plain design, as ids such as ``t12``.

    ``rrf`` is reciprocal rank fusion (Cormack, Clarke and Büttcher, 2009) of the other two, with its usual 60.
    """
    near = memory.vectors.search(user_id, memory.vectors.embed_queries([question]), _DEPTH)[0]
    with memory.database.read() as connection:
        found = lexical.search(connection, user_id, question, _DEPTH)
    ranked = {"vector": [turn for turn, _ in near], "bm25": [turn for turn, _ in found]}
    ranked["rrf"] = fused(list(ranked.values()))
    return {name: [f"t{turn}" for turn in ranked[name][:k]] for name in NAMES}


def fused(lists: Sequence[Sequence[int]]) -> list[int]:
    """One ranking of several by reciprocal ranks; of equals the one that the first list has higher."""
    scores: dict[int, float] = {}
    for ranked in lists:
        for rank, turn in enumerate(ranked, start=1):
            scores[turn] = scores.get(turn, 0.0) + 1.0 / (_SMOOTHING + rank)
    return _best_first(scores)


def _best_first(scores: Mapping[int, float]) -> list[int]:
    return sorted(scores, key=lambda turn: -scores[turn])
