"""Every data set by its name, and the document of its run."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from .configuration import Configuration
from .datasets import jsonl, locomo, longmemeval, madial
from .document import run_document
from .intents import sgd_document, story_document
from .labelled import attribution_document, shift_document
from .precision import precision_document
from .records import Dataset, Source
from .running import run

Loader = Callable[[Source], Dataset]
Runner = Callable[[Source, Configuration, Path], dict[str, Any]]

LOADERS: dict[str, Loader] = {
    "jsonl": jsonl.load,
    "locomo": locomo.load,
    "longmemeval": longmemeval.load,
    "madial": madial.load,
}
"""Data sets of dialogues with questions."""
RUNNERS: dict[str, Runner] = {
    "begin": attribution_document,
    "precision": precision_document,
    "sgd": sgd_document,
    "stories": story_document,
    "tiage": shift_document,
}
"""Data sets that are run in a way of their own."""


def measure(
    name: str,
    source: Source,
    configuration: Configuration,
    cache: Path,
    *,
    fresh: bool = False,
    on_total: Callable[[int], None] = lambda _: None,
    on_progress: Callable[[int], None] = lambda _: None,
) -> dict[str, Any]:
    """Load a data set, run it, and return the document of the run.

    Args:
        name: one of ``LOADERS`` or ``RUNNERS``.
        source: what of which file.
        configuration: what is measured with which settings.
        cache: a folder for vectors and for what was measured already.
        fresh: measure again what was measured already.
        on_total: told how many questions there are.
        on_progress: told how many more of them are done.

    Raises:
        BadFile: the file is not of the form.
    """
    if name in RUNNERS:
        return RUNNERS[name](source, configuration, cache)
    dataset = LOADERS[name](source)
    on_total(len(dataset.questions))
    measured = run(dataset, configuration, cache, fresh=fresh, on_progress=on_progress)
    return run_document(dataset, measured, configuration, source)
