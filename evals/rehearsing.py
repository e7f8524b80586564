"""What the channels found for the questions of a data set, kept so that it can be ranked and judged again and again.

Retrieval is done once; only the ranking and the rules, which other settings change, are done anew.
"""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from langgraph.runtime import Runtime

from ..graph.recall import Gathered, gather
from ..graph.resources import weights_of
from ..graph.settings import Settings
from ..memory.records import Hit
from ..memory.retrieval.embedders import open_embedder
from ..memory.retrieval.fusion import fuse
from ..nodes.calibrate import CalibrateUpdate, calibrate
from ..nodes.compress import CompressInput, compress
from ..nodes.contract import Context, Resources
from .embeddings import CachedEmbedder
from .fitting import Weights
from .records import Dataset, Dialogue, Question
from .stores import listening, opened

MOST = 20
"""How many results are looked at."""


@dataclass(frozen=True, slots=True)
class Rehearsed:
    """A question whose finds are at hand."""

    dialogue: str
    question: Question
    gathered: Gathered
    hits: list[Hit]
    """What was found in turns."""
    resources: Resources
    external: dict[str, str]
    """External ids by the ids of turns."""

    def ranking(self, weights: Weights) -> list[str]:
        """The turns in the order that the weights give them, before any rule has judged them."""
        found = self.gathered.found
        ranked = fuse(
            self.resources.memory,
            found["turn"].user_id,
            found["queries"],
            self.hits,
            found["filter"],
            weights=weights_of(weights),
        )
        return [self.external[f"t{candidate.turn}"] for candidate in ranked[:MOST]]

    def judged(self, weights: Weights) -> CalibrateUpdate:
        """What the rules make of the ranking that the weights give."""
        runtime = Runtime(context=_context(self.dialogue))
        return calibrate(self.gathered.found, runtime, resources=replace(self.resources, weights=weights_of(weights)))

    def confidence(self, judged: CalibrateUpdate) -> float:
        """How sure the memory is that it holds an answer."""
        return judged["confidence"]

    def refuses(self, judged: CalibrateUpdate) -> bool:
        """Whether the rules find nothing in the results that answers, so that the question is declined."""
        found = self.gathered.found
        chosen = compress(
            CompressInput(turn=found["turn"], question=found["question"], kept=judged["kept"], filter=found["filter"]),
            Runtime(context=_context(self.dialogue)),
            resources=self.resources,
        )
        return not chosen["evidence"]

    def results(self, judged: CalibrateUpdate) -> list[str]:
        """The turns that the rules kept, best first."""
        kept = (self.external.get(f"t{candidate.turn}") for candidate in judged["kept"])
        return list(dict.fromkeys(turn for turn in kept if turn is not None))


@contextmanager
def rehearsal(
    dataset: Dataset,
    settings: Settings,
    cache: Path,
    *,
    limit: int | None = None,
    on_progress: Callable[[int], None] = lambda _: None,
) -> Iterator[list[Rehearsed]]:
    """Tell every dialogue to a memory of its own and retrieve for its questions; the memories stay open meanwhile.

    What is asked in the middle of a dialogue is left out: its memory would know more when it is judged again.

    Args:
        dataset: from a loader.
        settings: of the memories; their weights are those of the first ranking.
        cache: a folder for vectors.
        limit: at most so many questions of each dialogue.
        on_progress: told how many more questions are done.
    """
    with ExitStack() as stack:
        embedder = stack.enter_context(
            closing(CachedEmbedder(open_embedder(settings.embeddings), cache / "embeddings"))
        )
        found: list[Rehearsed] = []
        for dialogue in dataset.dialogues:
            resources = stack.enter_context(opened(settings, embedder))
            for one in _rehearsed(dialogue, resources, limit):
                found.append(one)
                on_progress(1)
        yield found


def asked_afterwards(dialogue: Dialogue, limit: int | None = None) -> list[Question]:
    """The questions that were asked when all had been said; if they are too many, some from everywhere among them."""
    end = max(utterance.observed_at for utterance in dialogue.utterances)
    asked = [question for question in dialogue.questions if question.asked_at >= end]
    if limit is None or len(asked) <= limit:
        return asked
    return [asked[place * len(asked) // limit] for place in range(limit)]


def _rehearsed(dialogue: Dialogue, memory: Resources, limit: int | None) -> Iterator[Rehearsed]:
    resources, telling = listening(dialogue, memory)
    questions = sorted(asked_afterwards(dialogue, limit), key=lambda question: question.asked_at)
    for question in questions:
        telling.until(question.asked_at)
        gathered = gather(resources, question.text, _context(dialogue.id))
        then = replace(resources, clock=_standing(telling()))
        hits = [Hit(*row) for row in gathered.found["hits"] if row[0] > 0]
        yield Rehearsed(dialogue.id, question, gathered, hits, then, telling.external)


def _context(dialogue: str) -> Context:
    return Context(user_id=dialogue, record=False, limit=MOST)


def _standing(moment: datetime) -> Callable[[], datetime]:
    return lambda: moment
