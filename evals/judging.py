"""From what was measured to what a run says of each question."""

from collections.abc import Sequence
from typing import Any

from .metrics import answers, retrieval
from .metrics.answers import Answered, Quoted
from .metrics.stating import Said
from .progress import Row
from .records import Dialogue, Question
from .running import Measured

_SHOWN = 5


def judged(measured: Sequence[Measured], ks: Sequence[int]) -> list[dict[str, Any]]:
    """The questions as the document of a run lists them."""
    return [_question(dialogue, question, row, ks) for dialogue, question, row in measured]


def _question(dialogue: Dialogue, question: Question, row: Row, ks: Sequence[int]) -> dict[str, Any]:
    entry: dict[str, Any] = {
        "id": question.id,
        "dialogue": dialogue.id,
        "category": question.category,
        "language": question.language,
        "text": question.text,
        "answerable": question.answerable,
        "gold": list(question.gold),
        "answers": list(question.answers),
        "stale": list(question.stale),
        "retrieved": row["retrieved"],
        "recall": {str(k): retrieval.recall_at(row["retrieved"], question.gold, k) for k in ks if question.gold},
        "confidence": row["confidence"],
    }
    if question.twin:
        entry["twin"] = question.twin
    if "answer" in row:
        answered = _answered(dialogue, question, row)
        entry["answer"] = row["answer"] | _judgement(question, answered)
        entry["context"] = row["context"]
        entry["tokens"] = row["tokens"]
    if "baselines" in row:
        entry["baselines"] = row["baselines"]
    said = dialogue.texts
    shown = dict.fromkeys([*question.gold, *row["retrieved"][:_SHOWN]])
    entry["timings_ms"] = row["timings_ms"]
    entry["trace"] = row["trace"] | {"chosen": row.get("context", [])}
    entry["texts"] = {name: f"{said[name].speaker}: {said[name].text}" for name in shown if name in said}
    return entry


def _judgement(question: Question, answered: Answered) -> dict[str, Any]:
    wrong, cited = answers.wrong_references(question, answered)
    return {
        "outcome": answers.outcome(question, answered),
        "consistent": answers.consistent(question, answered),
        "wrong_references": wrong,
        "references": cited,
        "fabricated": answers.fabricated(question, answered),
        "f1": answers.best_f1(question, answered),
    }


def _answered(dialogue: Dialogue, question: Question, row: Row) -> Answered:
    answer = row["answer"]
    said = dialogue.texts
    named = [cited["external_id"] for cited in (*answer["citations"], *row["context"])]
    return Answered(
        text=answer["text"],
        abstained=answer["abstained"],
        by_model=answer["mode"] == "model",
        asked_at=question.asked_at,
        time_zone=dialogue.time_zone,
        citations=[
            Quoted(cited["external_id"], _said(cited["quote"], dialogue, cited["external_id"]))
            for cited in answer["citations"]
            if cited["external_id"] in said
        ],
        claims=[claim["text"] for claim in answer["claims"]],
        evidence=[_said(said[name].text, dialogue, name) for name in dict.fromkeys(named) if name in said],
        speakers=sorted({utterance.speaker for utterance in dialogue.utterances}),
    )


def _said(text: str, dialogue: Dialogue, external_id: str) -> Said:
    utterance = dialogue.texts[external_id]
    return Said(text, utterance.observed_at, utterance.time_zone)
