"""LoCoMo: long conversations between two named people, with questions whose evidence is a list of turn ids.

Categories are those of the data set: 1 multi-hop, 2 temporal, 3 open-domain, 4 single-hop, 5 adversarial. The evidence
of category 5 is the turn that the question misattributes: it is no gold.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

from ...memory.errors import BadFile
from ...memory.ingestion.locomo import read_locomo
from ...memory.ingestion.utterances import Utterance
from ..records import Dataset, Dialogue, Question, Source
from .choosing import chosen, limited
from .json_files import Malformed, json_files, list_of, located, read_json, text_of

UNANSWERABLE = "5"
_FORM = "LoCoMo is a list of conversations, each with sample_id, conversation and qa"
_TURN = re.compile(r"D\d+:\d+")
_QUESTION = re.compile(r"locomo_(\d+)_qa(\d+)")
_LATER = timedelta(hours=1)
"""The questions are about the whole conversation: they are asked after its last turn."""


def load(source: Source) -> Dataset:
    """Load conversations with their questions.

    Args:
        source: the data set's file or a folder with it; ``labels`` is a list of corrected labels
            (``question_id`` = ``locomo_<conversation>_qa<question>``, ``correct_evidence``).

    Raises:
        BadFile: a file is not of the form; the message names the line.
    """
    corrected = _corrected(source.labels) if source.labels else {}
    files = json_files(source.path, ("sample_id", "conversation", "qa"), _FORM)
    samples = [sample for file in files for sample in _samples(file)]
    dialogues = []
    for place in chosen(range(len(samples)), source):
        labels = {number: gold for (one, number), gold in corrected.items() if one == place}
        dialogues.append(_relabelled(_read(*samples[place]), labels))
    return Dataset("locomo", limited(dialogues, source))


def _samples(file: Path) -> list[tuple[Path, str, int, Mapping[str, Any]]]:
    """The conversations of a file, each with the file, its text, and the place in it."""
    text, content = read_json(file, _FORM)
    if not isinstance(content, list) or not all(isinstance(sample, dict) for sample in content):
        message = f"{file}, line 1: {_FORM}."
        raise BadFile(message)
    return [(file, text, index, sample) for index, sample in enumerate(content)]


def _read(file: Path, text: str, index: int, sample: Mapping[str, Any]) -> Dialogue:
    try:
        return _dialogue(file, index, sample)
    except Malformed as error:
        raise located(file, text, error) from error


def _dialogue(file: Path, index: int, sample: Mapping[str, Any]) -> Dialogue:
    sample_id = text_of(sample, "sample_id", (index,))
    utterances = [one for one in read_locomo(file, conversation=sample_id) if one.text.strip()]
    if not utterances:
        raise Malformed((index,), f"conversation {sample_id!r} has no turns")
    questions = [
        _question(sample_id, number, entry, (index, "qa", number), utterances)
        for number, entry in enumerate(list_of(sample, "qa", (index,)))
    ]
    return Dialogue(sample_id, utterances, questions)


def _question(
    sample_id: str, number: int, entry: object, place: tuple[str | int, ...], utterances: Sequence[Utterance]
) -> Question:
    if not isinstance(entry, dict):
        raise Malformed(place, "a question must be an object with question, category and evidence")
    category = str(entry.get("category", ""))
    if category not in {"1", "2", "3", "4", UNANSWERABLE}:
        raise Malformed(place, f"'category' is {entry.get('category')!r}: it must be a number from 1 to 5")
    known = {utterance.external_id for utterance in utterances}
    answerable = category != UNANSWERABLE
    return Question(
        id=f"{sample_id}/qa{number}",
        text=text_of(entry, "question", place),
        asked_at=max(one.observed_at for one in utterances) + _LATER,
        category=category,
        gold=tuple(one for one in _turns(list_of(entry, "evidence", place)) if one in known and answerable),
        answers=_accepted(entry) if answerable else (),
        answerable=answerable,
    )


def _accepted(entry: Mapping[str, Any]) -> tuple[str, ...]:
    return () if entry.get("answer") is None else (str(entry["answer"]),)


def _turns(evidence: Sequence[object]) -> list[str]:
    """The ids of turns in a list of evidence, each once: an entry may hold several."""
    return list(dict.fromkeys(one for each in evidence for one in _TURN.findall(str(each))))


def _relabelled(dialogue: Dialogue, labels: Mapping[int, tuple[str, ...]]) -> Dialogue:
    """The dialogue with its corrected evidence."""
    known = dialogue.texts
    questions = [
        replace(question, gold=tuple(one for one in labels[number] if one in known))
        if question.answerable and number in labels
        else question
        for number, question in enumerate(dialogue.questions)
    ]
    return replace(dialogue, questions=questions)


def _corrected(file: Path) -> dict[tuple[int, int], tuple[str, ...]]:
    """The corrected evidence by place of the conversation and of the question."""
    form = "labels are a list of objects with question_id and correct_evidence"
    text, content = read_json(file, form)
    if not isinstance(content, list):
        message = f"{file}, line 1: {form}."
        raise BadFile(message)
    found: dict[tuple[int, int], tuple[str, ...]] = {}
    for index, entry in enumerate(content):
        try:
            place, evidence = _label(entry, index)
        except Malformed as error:
            raise located(file, text, error) from error
        if evidence:
            found[place] = evidence
    return found


def _label(entry: object, index: int) -> tuple[tuple[int, int], tuple[str, ...]]:
    """One corrected label: the places of the conversation and of the question, and the turns."""
    if not isinstance(entry, dict):
        raise Malformed((index,), "a label must be an object with question_id and correct_evidence")
    match = _QUESTION.fullmatch(text_of(entry, "question_id", (index,)))
    if match is None:
        raise Malformed((index,), "'question_id' must be like locomo_0_qa12")
    return (int(match[1]), int(match[2])), tuple(_turns(list_of(entry, "correct_evidence", (index,))))
