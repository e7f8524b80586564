"""The plain form: one file per dialogue, first its turns and then its questions, one JSON object per line.

``{"turn": {"external_id", "session", "speaker", "text", "timestamp"}}`` and ``{"question": {"id", "text", "asked_at",
"category", "gold", "answers", "stale", "answerable", "twin"?}}``. A question is asked of what was said until then. The
language is that of the folder (``…/zh/…``), else the question's own.
"""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ...memory.errors import BadFile
from ...memory.ingestion.files import bad_line
from ...memory.ingestion.utterances import Utterance, zone_of_offset
from ...memory.language.folding import detect_language
from ...memory.records import Language
from ..records import Dataset, Dialogue, Question, Source
from .choosing import chosen, limited
from .json_files import Malformed, json_lines, list_of, text_of

_LANGUAGES: tuple[Language, ...] = ("en", "zh")
_FORM = 'each line is {"turn": {…}} or {"question": {…}}'


def load(source: Source) -> Dataset:
    """Load a file, or every ``.jsonl`` file of a folder and the folders in it, in the order of their paths.

    Raises:
        BadFile: a line is not of the form; the message names it.
    """
    files = sorted(source.path.rglob("*.jsonl")) if source.path.is_dir() else [source.path]
    if not files:
        message = f"{source.path} holds no .jsonl file: name a file with a dialogue, or a folder of them."
        raise BadFile(message)
    dialogues = [_dialogue(file, source.path) for file in chosen(files, source)]
    _check_questions(dialogues, source.path)
    return Dataset("jsonl", limited(dialogues, source))


def _dialogue(file: Path, root: Path) -> Dialogue:
    name = (file.relative_to(root) if file != root else Path(file.name)).with_suffix("").as_posix()
    folder: Language | None = next((language for language in _LANGUAGES if language == file.parent.name), None)
    utterances: dict[str, Utterance] = {}
    questions: list[Question] = []
    for number, line in json_lines(file):
        try:
            kind, entry = _entry(line)
            if kind == "turn":
                _add(utterances, _utterance(entry, name))
            else:
                questions.append(_question(entry, utterances, folder))
        except Malformed as error:
            raise bad_line(file, number, error.problem) from error
    if not utterances:
        raise bad_line(file, 1, f"the file holds no turn: {_FORM}")
    told = sorted(utterances.values(), key=lambda one: one.observed_at)
    return Dialogue(name, told, questions, folder or detect_language(told[0].text))


def _add(utterances: dict[str, Utterance], said: Utterance) -> None:
    if said.external_id in utterances:
        raise Malformed((), f"external_id {said.external_id!r} is there already: give each turn its own")
    utterances[said.external_id] = said


def _entry(line: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    kinds = [kind for kind in ("turn", "question") if isinstance(line.get(kind), dict)]
    if len(kinds) != 1 or len(line) != 1:
        raise Malformed((), _FORM)
    return kinds[0], line[kinds[0]]


def _utterance(entry: Mapping[str, Any], name: str) -> Utterance:
    moment = _moment(entry, "timestamp")
    speaker = text_of(entry, "speaker").strip()
    return Utterance(
        session_id=text_of(entry, "session") if entry.get("session") is not None else f"{name}/session_1",
        external_id=text_of(entry, "external_id").strip(),
        speaker=speaker,
        text=text_of(entry, "text"),
        observed_at=moment,
        time_zone=zone_of_offset(moment.tzinfo, moment),
        spoken_by_assistant=speaker.casefold() == "assistant",
    )


def _question(entry: Mapping[str, Any], said: Mapping[str, Utterance], folder: Language | None) -> Question:
    gold = _texts(entry, "gold")
    if unknown := [one for one in gold if one not in said]:
        raise Malformed((), f"gold names {unknown[0]!r}, which no turn before it has as external_id")
    answerable = entry.get("answerable", True)
    if not isinstance(answerable, bool):
        raise Malformed((), "'answerable' must be true or false")
    text = text_of(entry, "text")
    return Question(
        id=text_of(entry, "id"),
        text=text,
        asked_at=_moment(entry, "asked_at"),
        category=text_of(entry, "category"),
        language=folder or detect_language(text),
        gold=gold,
        answers=_texts(entry, "answers"),
        stale=_texts(entry, "stale"),
        answerable=answerable,
        twin=text_of(entry, "twin") if entry.get("twin") is not None else None,
    )


def _texts(entry: Mapping[str, Any], name: str) -> tuple[str, ...]:
    found = list_of(entry, name)
    if not all(isinstance(one, str) and one.strip() for one in found):
        raise Malformed((), f"{name!r} must be a list of texts")
    return tuple(found)


def _moment(entry: Mapping[str, Any], name: str) -> datetime:
    value = text_of(entry, name)
    try:
        moment = datetime.fromisoformat(value.strip())
        moment.astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise Malformed((), f"{name!r} is {value!r}: write it as 2024-05-01T09:30:00+08:00") from error
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _check_questions(dialogues: list[Dialogue], path: Path) -> None:
    """Two questions of one id would be taken for one another."""
    seen: set[str] = set()
    for dialogue in dialogues:
        for question in dialogue.questions:
            if question.id in seen:
                message = f"{path} has two questions with the id {question.id!r}: give each its own (in {dialogue.id})."
                raise BadFile(message)
            seen.add(question.id)
