"""The document of a run: what was measured with which configuration, and every question with its trace."""

from collections.abc import Iterable, Mapping, Sequence
from statistics import fmean
from typing import Any

from ..prompts.tokens import count_tokens
from .baselines import NAMES
from .configuration import Configuration
from .judging import judged
from .metrics import abstention, cost, retrieval
from .metrics.answers import OUTCOMES
from .metrics.retention import retention
from .records import Dataset, Source
from .rounding import rounded
from .running import Measured
from .stored_runs import VERSION


def run_document(
    dataset: Dataset, measured: Sequence[Measured], configuration: Configuration, source: Source
) -> dict[str, Any]:
    """What ``eval run --json`` prints, and what comparing, calibrating and the report read."""
    questions = judged(measured, configuration.ks)
    return {
        "dataset": dataset.name,
        "version": VERSION,
        "config": configuration.document(source.conversations),
        "metrics": rounded(_metrics(dataset, questions, configuration.ks)),
        "questions": questions,
    }


def _metrics(dataset: Dataset, questions: Sequence[Mapping[str, Any]], ks: Sequence[int]) -> dict[str, Any]:
    found: dict[str, Any] = {"questions": len(questions), **retrieval.mean_recall(questions, ks)}
    found["by_category"] = _by_category(questions, ks)
    found["abstention"] = abstention.abstention(questions)
    if any("answer" in question for question in questions):
        found |= _of_answers(questions) | _tokens(dataset, questions)
        drafted = [{"answer": question["draft"]} for question in questions if "draft" in question]
        if drafted:
            found["unverified"] = {"drafts": len(drafted), **_of_answers(drafted)}
        found["retention"] = retention(dataset, questions)
        found["context_recall"] = retrieval.context_recall(questions)
    if questions and "baselines" in questions[0]:
        found["baselines"] = {name: retrieval.mean_recall(questions, ks, name) for name in NAMES}
    found["latency_ms"] = cost.latency(questions)
    return found


def _by_category(questions: Sequence[Mapping[str, Any]], ks: Sequence[int]) -> dict[str, Any]:
    found: dict[str, Any] = retrieval.by_category(questions, ks)
    for category, figures in found.items():
        answers = [q["answer"] for q in questions if q["category"] == category and "answer" in q]
        if answers:
            figures["passed"] = fmean(answer["outcome"] == "PASS" for answer in answers)
    return found


def _of_answers(questions: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """Outcomes as shares of all questions, and what is wrong with the answers that were given."""
    answers = [question["answer"] for question in questions]
    claims = [len(answer["claims"]) for answer in answers]
    return {
        "outcomes": {name: fmean(answer["outcome"] == name for answer in answers) for name in OUTCOMES},
        "factual_consistency": _mean(answer["consistent"] for answer in answers),
        "wrong_references": _share((answer["wrong_references"], answer["references"]) for answer in answers),
        "fabrication_rate": _share(
            (len(answer["fabricated"]), told) for answer, told in zip(answers, claims, strict=True)
        ),
        "token_f1": _mean(answer["f1"] for answer in answers),
    }


def _mean(values: Iterable[float | None]) -> float | None:
    """The mean of the values that are known."""
    known = [value for value in values if value is not None]
    return fmean(known) if known else None


def _share(counted: Iterable[tuple[int, int]]) -> float | None:
    """The share of the first counts in the second ones, over all."""
    parts, wholes = zip(*counted, strict=True)
    return sum(parts) / sum(wholes) if sum(wholes) else None


def _tokens(dataset: Dataset, questions: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """Tokens that a model reads for a turn, beside those of the whole history with the question."""
    history = {
        dialogue.id: count_tokens("\n".join(f"{one.speaker}: {one.text}" for one in dialogue.utterances))
        for dialogue in dataset.dialogues
    }
    whole = [history[question["dialogue"]] + count_tokens(question["text"]) for question in questions]
    return {
        "tokens_per_turn": round(fmean(question["tokens"] for question in questions)),
        "full_history_tokens": round(fmean(whole)),
    }
