"""Does the memory know what it does not know? Refusals, both ways, and how well the confidence tells them apart."""

from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

FALSE_ABSTENTION = 0.15


def abstention(questions: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """Figures of refusing, as far as there are questions to measure them on.

    Questions with a false premise are left out: they may be refused or challenged.

    ``auc``: how often an answerable question has a higher confidence than an unanswerable one (ties count half).
    ``refused_at_15_false``: the share of the unanswerable below the confidence that refuses 15 % of the answerable.
    ``refused`` and ``false_abstentions``: the shares that the answers as given refused, of the unanswerable and of the
    answerable.
    """
    known = [question for question in questions if question["answerable"]]
    unknown = [question for question in questions if not question["answerable"] and not question["answers"]]
    found: dict[str, float] = {"answerable": len(known), "unanswerable": len(unknown)}
    if known and unknown:
        found |= _told_apart(known, unknown)
    return found | _refused("refused", unknown) | _refused("false_abstentions", known)


def _told_apart(known: Sequence[Mapping[str, Any]], unknown: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    sure, unsure = ([question["confidence"] for question in those] for those in (known, unknown))
    return {"auc": auc(sure, unsure), "refused_at_15_false": refused_at(sure, unsure, FALSE_ABSTENTION)}


def _refused(name: str, questions: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    answered = [question["answer"]["abstained"] for question in questions if question.get("answer")]
    return {name: fmean(answered)} if answered else {}


def auc(higher: Sequence[float], lower: Sequence[float]) -> float:
    """The share of pairs in which the first is the higher; ties count half (Mann and Whitney, 1947)."""
    ranked = sorted([(value, 1) for value in higher] + [(value, 0) for value in lower])
    won = 0.0
    below = place = 0
    while place < len(ranked):
        end = place
        while end < len(ranked) and ranked[end][0] == ranked[place][0]:
            end += 1
        ones = sum(label for _, label in ranked[place:end])
        zeros = end - place - ones
        won += ones * (below + zeros / 2)
        below += zeros
        place = end
    return won / (len(higher) * len(lower))


def refused_at(sure: Sequence[float], unsure: Sequence[float], share: float) -> float:
    """The share of ``unsure`` below the highest threshold under which at most ``share`` of ``sure`` lie."""
    threshold = sorted(sure)[int(share * len(sure) + 1e-9)]
    return fmean(value < threshold for value in unsure)
