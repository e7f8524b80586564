"""Is what was said long ago still told right? The share that passes, by how many turns ago the evidence was said."""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from ..records import Dataset, Dialogue, Question

AGES = (5, 10, 50, 127)
"""A question counts for the first of these that its evidence is not older than, in turns."""


def retention(dataset: Dataset, questions: Sequence[Mapping[str, Any]]) -> dict[str, float]:
    """The share that passes for each age that occurs; ``older`` beyond the last one.

    Args:
        dataset: with the turns.
        questions: of a run's document, answered.
    """
    ages = {question.id: age for dialogue in dataset.dialogues for question, age in _ages(dialogue) if age is not None}
    passed: dict[str, list[bool]] = {}
    for row in questions:
        if row["id"] in ages:
            passed.setdefault(_named(ages[row["id"]]), []).append(row["answer"]["outcome"] == "PASS")
    names = [*map(str, AGES), "older"]
    return {name: fmean(passed[name]) for name in names if name in passed}


def _ages(dialogue: Dialogue) -> list[tuple[Question, int | None]]:
    places = {utterance.external_id: place for place, utterance in enumerate(dialogue.utterances)}
    times = [utterance.observed_at for utterance in dialogue.utterances]
    found: list[tuple[Question, int | None]] = []
    for question in dialogue.questions:
        gold = [places[name] for name in question.gold if name in places]
        told = bisect_right(times, question.asked_at)
        found.append((question, told - 1 - min(gold) if gold and question.answerable else None))
    return found


def _named(age: int) -> str:
    place = bisect_left(AGES, age)
    return str(AGES[place]) if place < len(AGES) else "older"
