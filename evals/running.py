"""A run: every dialogue told to a memory, every question asked of it, what is known already left as it is."""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

from ..graph.build import build_graph
from ..memory.retrieval.embedders import open_embedder
from .asking import Examiner
from .configuration import Configuration
from .drafts import overheard
from .embeddings import CachedEmbedder
from .progress import Progress, Row, dialogue_hash, question_key
from .records import Dataset, Dialogue, Question
from .stores import listening, opened

Measured = tuple[Dialogue, Question, Row]


def run(
    dataset: Dataset,
    configuration: Configuration,
    cache: Path,
    *,
    fresh: bool = False,
    on_progress: Callable[[int], None] = lambda _: None,
) -> list[Measured]:
    """Measure every question of a data set.

    Args:
        dataset: from a loader.
        configuration: what is measured with which settings.
        cache: a folder for vectors and for what was measured already.
        fresh: measure again what was measured already.
        on_progress: told how many more questions are done.

    Returns:
        The questions, each with its row of measurements, in the order of the data set.
    """
    progress = Progress(cache / "runs", configuration.hash)
    if fresh:
        progress.forget()
    found: list[Measured] = []
    with closing(CachedEmbedder(open_embedder(configuration.settings.embeddings), cache / "embeddings")) as embedder:
        for dialogue in dataset.dialogues:
            for question, row in _rows(dialogue, configuration, progress, embedder):
                found.append((dialogue, question, row))
                on_progress(1)
    places = {question.id: place for place, (_, question) in enumerate(dataset.questions)}
    return sorted(found, key=lambda measured: places[measured[1].id])


def _rows(
    dialogue: Dialogue, configuration: Configuration, progress: Progress, embedder: CachedEmbedder
) -> Iterator[tuple[Question, Row]]:
    """The rows of a dialogue; it is told to a memory only if a question of it is open."""
    told_hash = dialogue_hash(dialogue)
    keys = {question.id: question_key(told_hash, question) for question in dialogue.questions}
    still = [question for question in dialogue.questions if progress.known(keys[question.id]) is None]
    for question in dialogue.questions:
        row = progress.known(keys[question.id])
        if row is not None:
            yield question, row
    if not still:
        return
    with opened(configuration.settings, embedder) as memory:
        resources, telling = listening(dialogue, memory)
        embedder.embed_query([question.text for question in still])
        resources, hearing = overheard(resources)
        graph = build_graph(resources)
        examiner = Examiner(dialogue, configuration, resources, graph, telling, embedder, hearing)
        # A question may be asked in the middle of a dialogue: what is said later is told later.
        for question in sorted(still, key=lambda question: question.asked_at):
            yield question, progress.add(keys[question.id], examiner.row(question))
