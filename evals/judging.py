"""From what was measured to what a run says of each question."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..memory.ingestion.utterances import Utterance
from ..memory.language.sentences import sentences
from .metrics import answers, retrieval
from .metrics.answers import Answered, Quoted
from .metrics.stating import Said
from .progress import Row
from .records import Dialogue, Question
from .running import Measured

_SHOWN = 5
_USER = "user"


def judged(measured: Sequence[Measured], ks: Sequence[int]) -> list[dict[str, Any]]:
    """The questions as the document of a run lists them."""
    judges: dict[int, Judge] = {}
    found = []
    for dialogue, question, row in measured:
        judge = judges.get(id(dialogue)) or judges.setdefault(id(dialogue), Judge.of(dialogue))
        found.append(judge.entry(question, row, ks))
    return found


@dataclass(frozen=True, slots=True)
class Judge:
    """Knows what was said in one dialogue."""

    dialogue: Dialogue
    said: Mapping[str, Utterance]
    speakers: Sequence[str]

    @classmethod
    def of(cls, dialogue: Dialogue) -> "Judge":
        """The judge of a dialogue."""
        return cls(dialogue, dialogue.texts, sorted({utterance.speaker for utterance in dialogue.utterances}))

    def entry(self, question: Question, row: Row, ks: Sequence[int]) -> dict[str, Any]:
        """What the document says of a question."""
        found: dict[str, Any] = {
            "id": question.id,
            "dialogue": self.dialogue.id,
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
            "timings_ms": row["timings_ms"],
            "trace": row["trace"] | {"chosen": row.get("context", [])},
        }
        if question.twin:
            found["twin"] = question.twin
        if "answer" in row:
            found["answer"] = row["answer"] | _judgement(question, self._answered(question, row))
            found |= {name: row[name] for name in ("context", "tokens")}
        if "draft" in row:
            found["draft"] = self._draft(question, row)
        if "baselines" in row:
            found["baselines"] = row["baselines"]
        return found | {"texts": self._texts([*question.gold, *row["retrieved"][:_SHOWN]])}

    def _draft(self, question: Question, row: Row) -> dict[str, Any]:
        """The draft of a model, judged as if every sentence of it had been said."""
        text = row["draft"]
        claims = [{"text": span.cut(text)} for span in sentences(text)]
        as_said = {"text": text, "abstained": False, "mode": "model", "citations": [], "claims": claims}
        return as_said | _judgement(question, self._answered(question, row | {"answer": as_said}))

    def _texts(self, names: Sequence[str]) -> dict[str, str]:
        """What was said in the turns that are shown with a question."""
        said = {name: self.said[name] for name in names if name in self.said}
        return {name: f"{one.speaker}: {one.text}" for name, one in said.items()}

    def _answered(self, question: Question, row: Row) -> Answered:
        answer = row["answer"]
        named = [cited["external_id"] for cited in (*answer["citations"], *row["context"])]
        return Answered(
            text=answer["text"],
            abstained=answer["abstained"],
            by_model=answer["mode"] == "model",
            asked_at=question.asked_at,
            time_zone=self.dialogue.time_zone,
            citations=[
                Quoted(cited["external_id"], self._said(cited["external_id"], cited["quote"]), self._named(cited))
                for cited in answer["citations"]
                if cited["external_id"] in self.said
            ],
            claims=[claim["text"] for claim in answer["claims"]],
            evidence=[self._said(name) for name in dict.fromkeys(named) if name in self.said],
            speakers=self.speakers,
        )

    def _named(self, cited: Row) -> str:
        """Whose words a citation has, as the answer names them."""
        said = self.said[cited["external_id"]]
        return "" if said.spoken_by_assistant or said.speaker == _USER else said.speaker

    def _said(self, external_id: str, text: str | None = None) -> Said:
        """A turn, or words of it, as they are compared."""
        utterance = self.said[external_id]
        return Said(utterance.text if text is None else text, utterance.observed_at, utterance.time_zone)


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
