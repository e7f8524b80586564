"""What a data set is made of: dialogues told in order, and questions about them with what is known to be right."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from ..memory.ingestion.utterances import Utterance
from ..memory.records import Language


@dataclass(frozen=True, slots=True)
class Question:
    """One question about a dialogue, and what an answer is held against."""

    id: str
    """Unique in the data set."""
    text: str
    asked_at: datetime
    """Aware; the clock stands still at it while the question is answered."""
    category: str
    language: Language = "en"
    gold: tuple[str, ...] = ()
    """External ids of the turns that bear out the answer; of turns that say the same, all."""
    answers: tuple[str, ...] = ()
    """Accepted answers, any one of which suffices."""
    stale: tuple[str, ...] = ()
    """Values that were true once and are no longer."""
    answerable: bool = True
    twin: str | None = None
    """The question that this one mirrors without being answerable."""


@dataclass(frozen=True, slots=True)
class Dialogue:
    """What was said to the memory of one user, in order, and the questions about it."""

    id: str
    utterances: Sequence[Utterance]
    questions: Sequence[Question]
    language: Language = "en"

    @property
    def time_zone(self) -> str:
        """IANA name of the zone in which the questions are asked: that of what was said last."""
        return self.utterances[-1].time_zone if self.utterances else "UTC"

    @property
    def texts(self) -> dict[str, Utterance]:
        """The utterances by their external ids, which are unique in a dialogue."""
        return {utterance.external_id: utterance for utterance in self.utterances}


@dataclass(frozen=True, slots=True)
class Dataset:
    """A data set as it is run."""

    name: str
    dialogues: Sequence[Dialogue]

    @property
    def questions(self) -> list[tuple[Dialogue, Question]]:
        """Every question with its dialogue, in order."""
        return [(dialogue, question) for dialogue in self.dialogues for question in dialogue.questions]


@dataclass(frozen=True, slots=True)
class Source:
    """What of which file is to be loaded."""

    path: Path
    conversations: tuple[int, ...] | None = None
    """Places, from 0, of the dialogues that are wanted; ``None``: all."""
    limit: int | None = None
    """At most so many questions, the first ones of each dialogue."""
    labels: Path | None = None
    """Corrected labels, where a data set has some."""
