"""Is the evidence found? Recall of gold turns among the first results, and inside the compressed context."""

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from ...prompts.tokens import count_tokens

CONTEXT_ITEMS = 3
CONTEXT_TOKENS = 400


def recall_at(retrieved: Sequence[str], gold: Sequence[str], k: int) -> float:
    """The share of gold turns among the first ``k`` results; each result names another turn."""
    return len(set(gold) & set(retrieved[:k])) / len(set(gold))


def mean_recall(
    questions: Sequence[Mapping[str, Any]], ks: Sequence[int], ranking: str = "retrieved"
) -> dict[str, float]:
    """``recall@k`` averaged over the questions that have gold turns; empty where none has.

    Args:
        questions: of a run's document.
        ks: how many results are looked at.
        ranking: the field with the results, or the name of a baseline.
    """
    labelled = [question for question in questions if question["gold"]]
    if not labelled:
        return {}
    return {
        f"recall@{k}": fmean(recall_at(_ranked(question, ranking), question["gold"], k) for question in labelled)
        for k in ks
    }


def by_category(questions: Sequence[Mapping[str, Any]], ks: Sequence[int]) -> dict[str, dict[str, float]]:
    """``mean_recall`` of each category, with the number of its questions."""
    found: dict[str, dict[str, float]] = {}
    for category in sorted({str(question["category"]) for question in questions}):
        those = [question for question in questions if question["category"] == category]
        found[category] = {**mean_recall(those, ks), "questions": len(those)}
    return found


def context_recall(questions: Sequence[Mapping[str, Any]]) -> float | None:
    """The share of gold turns in the compressed context, averaged over the questions that have gold turns.

    The context is what compression chose: at most 3 quotations, the best first, as far as 400 tokens go.
    """
    labelled = [question for question in questions if question["gold"] and "context" in question]
    if not labelled:
        return None
    return fmean(recall_at(in_context(question["context"]), question["gold"], CONTEXT_ITEMS) for question in labelled)


def in_context(context: Sequence[Mapping[str, Any]]) -> list[str]:
    """The turns of a compressed context that fit: the quotations in the order of their scores."""
    kept: list[str] = []
    left = CONTEXT_TOKENS
    for chosen in sorted(context, key=lambda chosen: -chosen["score"])[:CONTEXT_ITEMS]:
        left -= count_tokens(chosen["quote"])
        if left < 0:
            break
        kept.append(chosen["external_id"])
    return list(dict.fromkeys(kept))


def _ranked(question: Mapping[str, Any], ranking: str) -> Sequence[str]:
    ranked: Sequence[str] = question[ranking] if ranking in question else question["baselines"][ranking]
    return ranked
