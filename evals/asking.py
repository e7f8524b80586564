"""One question put to a memory: what is retrieved, what is answered, how long it takes, as a row of measurements."""

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from ..graph.ask import ask
from ..graph.guard import VeridicalGraph
from ..graph.recall import recall
from ..memory.prompting import EVIDENCE_BUDGET, dated_lines, harmless, state_section
from ..memory.traces import Json
from ..nodes.contract import Context, Resources
from ..prompts.library import load
from ..prompts.tokens import count_tokens
from .baselines import rankings
from .configuration import Configuration
from .drafts import Overheard
from .embeddings import CachedEmbedder
from .progress import Row
from .records import Dialogue, Question
from .stores import Telling

T = TypeVar("T")
_LONGEST_SHOWN = 200


@dataclass(frozen=True, slots=True)
class Examiner:
    """Puts the questions of one dialogue to the memory that it was told to."""

    dialogue: Dialogue
    configuration: Configuration
    resources: Resources
    graph: VeridicalGraph
    telling: Telling
    embedder: CachedEmbedder
    hearing: Overheard | None = None
    """The model of the answer, where there is one."""

    def row(self, question: Question) -> Row:
        """Ask one question, at its time, and measure."""
        self.telling.until(question.asked_at)
        context = Context(user_id=self.dialogue.id, record=False, limit=self.configuration.limit)
        self.embedder.take_costs()
        found, recall_ms, embedding_ms = self._timed(lambda: recall(self.resources, question.text, context))
        timings = {"recall": recall_ms, "embedding": embedding_ms}
        row: Row = {
            "retrieved": list(dict.fromkeys(entry["external_id"] for entry in found["results"])),
            "confidence": _confidence(found),
            "trace": self._trace(found),
        }
        if self.configuration.ask:
            limit = self.configuration.settings.limit
            asked = replace(context, limit=limit)
            answer, timings["ask"], _ = self._timed(lambda: ask(self.graph, question.text, asked))
            row |= self._answered(answer, question)
            draft = self.hearing.take() if self.hearing is not None else ""
            if draft:
                row["draft"] = draft
        if self.configuration.baselines:
            row["baselines"] = {
                name: [self.telling.external[turn] for turn in ranked]
                for name, ranked in rankings(
                    self.resources.memory, self.dialogue.id, question.text, self.configuration.limit
                ).items()
            }
        return row | {"timings_ms": timings}

    def _timed(self, work: Callable[[], T]) -> tuple[T, float, float]:
        """What some work gives, its milliseconds without those for embeddings, and what the embeddings take."""
        begun = time.perf_counter()
        given = work()
        taken = 1000 * (time.perf_counter() - begun)
        spent, owed = self.embedder.take_costs()
        return given, round(max(0.0, taken - spent), 3), round(owed, 3)

    def _answered(self, trace: Json, question: Question) -> Row:
        """What the row says of an answer."""
        return {
            "answer": {
                "text": trace["text"],
                "abstained": trace["abstained"],
                "mode": trace["mode"],
                "citations": [
                    {"external_id": cited["external_id"], "quote": cited["quote"]} for cited in trace["citations"]
                ],
                "claims": [{"text": claim["text"], "verdict": claim["verdict"]} for claim in trace["claims"]],
            },
            "context": self._context(trace["context"]),
            "tokens": trace["tokens"] if trace["model_calls"] else self._would_read(trace, question),
        }

    def _context(self, ids: Sequence[str]) -> list[Row]:
        """The turns that compression left, whole, the best first."""
        numbers = {turn_id: int(turn_id[1:]) for turn_id in ids if turn_id.startswith("t")}
        turns = self.resources.memory.turns(self.dialogue.id, list(numbers.values()))
        return [
            {"external_id": self.telling.external[turn_id], "quote": turns[number].text, "score": -place}
            for place, (turn_id, number) in enumerate(numbers.items())
        ]

    def _would_read(self, trace: Json, question: Question) -> int:
        """The tokens of the prompt that a model would be given for the answer."""
        memory, language = self.resources.memory, question.language
        numbers = [int(turn_id[1:]) for turn_id in trace["context"] if turn_id.startswith("t")]
        turns = memory.turns(self.dialogue.id, numbers)
        state = memory.state(self.dialogue.id)
        zone = self.resources.time_zone
        prompt = load("answer", language, self.configuration.settings.prompts.get("answer"))
        messages = prompt.messages(
            state=state_section(state, language),
            updated=state.last_updated.isoformat() if state.last_updated else "-",
            instructions="",
            evidence=dated_lines(turns.values(), zone, language, budget=EVIDENCE_BUDGET),
            history="",
            recent="",
            question=harmless(question.text),
        )
        return sum(count_tokens(message.text) for message in messages)

    def _trace(self, found: Json) -> Row:
        """How the results came about, short enough to be kept for every question."""
        return {
            "queries": found["queries"],
            "filter": found["filter"],
            "kept": [
                {
                    "external_id": entry["external_id"],
                    "speaker": entry["speaker"],
                    "score": entry["score"],
                    "text": entry["text"][:_LONGEST_SHOWN],
                }
                for entry in found["results"]
            ],
            "dropped": [
                {"external_id": self.telling.external.get(drop["turn_id"], drop["turn_id"]), "rule": drop["rule"]}
                for drop in found["dropped"]
            ],
        }


def _confidence(found: Json) -> float:
    """How sure the memory is that it holds an answer; the best result's score where it does not say."""
    best: Any = max((entry["score"] for entry in found["results"]), default=0.0)
    return float(found.get("confidence", best))
