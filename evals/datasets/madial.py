"""MADial: dialogues in which the assistant should call a memory of the user's to mind, in Chinese and in English.

A user's memories (``<language>-memory.jsonl``) are the turns of a dialogue with the memory, each in a session of its
own at its date. A question is a dialogue (``<language>-dialogue.jsonl``) as far as it had come when a memory was called
to mind: ``test-turn`` counts the lines of ``dialogue`` from 0, with the mark of its beginning, and names the
assistant's lines that do it. Nothing may be known of the last of them. Gold are the ``relevant-id`` memories.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from ...memory.errors import BadFile
from ...memory.ingestion.files import bad_line
from ...memory.ingestion.utterances import Utterance
from ...memory.records import Language
from ..records import Dataset, Dialogue, Question, Source
from .choosing import chosen, limited
from .json_files import Malformed, json_lines, list_of, text_of

_LANGUAGES: tuple[Language, ...] = ("zh", "en")
_LINE = re.compile(r'\s*<(?P<speaker>[^<>]+)>\s*[:：]\s*["“]?(?P<text>.*?)["”]?\s*', re.DOTALL)
_BLANK = re.compile(r"\s*<(?:BOD|EOD)>\s*")
_ASSISTANT = "Assistant"
_Entry = Mapping[str, Any]
_Spoken = list[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class _Memory:
    """A memory of a user's, and the user where the file says so."""

    identifier: str
    event: str
    moment: datetime
    user: str | None


def load(source: Source) -> Dataset:
    """Load a folder with both languages, or one language by naming its dialogue file.

    A dialogue is one user in one language; the category of a question is its language.

    Raises:
        BadFile: a file is missing or not of the form; the message names the line.
    """
    files = _files(source.path)
    dialogues = [dialogue for language, file in files for dialogue in _of_language(language, file)]
    return Dataset("madial", limited(chosen(dialogues, source), source))


def _files(path: Path) -> list[tuple[Language, Path]]:
    if path.is_dir():
        found = [(language, path / f"{language}-dialogue.jsonl") for language in _LANGUAGES]
        found = [(language, file) for language, file in found if file.is_file()]
    else:
        found = [(language, path) for language in _LANGUAGES if path.name == f"{language}-dialogue.jsonl"]
    if not found:
        message = f"{path} holds no MADial: name a folder with zh-dialogue.jsonl and zh-memory.jsonl, or those of en."
        raise BadFile(message)
    return found


def _of_language(language: Language, file: Path) -> list[Dialogue]:
    """The users of one language, each with their memories and the dialogues that should call them to mind."""
    memories = _memories(file.with_name(f"{language}-memory.jsonl"))
    users: dict[str, str] = {}
    told: dict[str, list[tuple[int, _Entry, _Spoken]]] = {}
    for number, entry in json_lines(file):
        try:
            lines, speaker = _lines(entry)
        except Malformed as error:
            raise bad_line(file, number, error.problem) from error
        user = str(entry.get("user-id"))
        users.setdefault(speaker, user)
        told.setdefault(user, []).append((number, entry, lines))
    own = {user: [memory for memory in memories if _owner(memory, users) == user] for user in told}
    return [_dialogue(language, file, user, own[user], entries) for user, entries in told.items()]


def _dialogue(
    language: Language, file: Path, user: str, own: Sequence[_Memory], entries: Sequence[tuple[int, _Entry, _Spoken]]
) -> Dialogue:
    """One user: the memories, and the dialogues that should call them to mind."""
    if not own:
        raise bad_line(file, entries[0][0], f"user-id {user} has no memories in {language}-memory.jsonl")
    known = {memory.identifier for memory in own}
    asked_at = max(memory.moment for memory in own) + timedelta(days=1)
    questions = [_question(language, file, one, known, asked_at) for one in entries]
    return Dialogue(f"{language}-{user}", _utterances(own, language), questions, language)


def _memories(file: Path) -> list[_Memory]:
    if not file.is_file():
        message = f"{file} is missing: it holds the memories that the dialogues are about."
        raise BadFile(message)
    found = []
    for number, line in json_lines(file):
        for identifier, entry in line.items():
            try:
                if not isinstance(entry, dict):
                    raise Malformed((), "a memory must be an object with time and event")  # noqa: TRY301
                moment = datetime.fromisoformat(text_of(entry, "time")).replace(tzinfo=UTC)
                user = str(entry["user-id"]) if "user-id" in entry else None
                found.append(_Memory(identifier, text_of(entry, "event"), moment, user))
            except Malformed as error:
                raise bad_line(file, number, error.problem) from error
            except ValueError as error:
                raise bad_line(file, number, f"'time' is {entry.get('time')!r}: it must be like 2024-05-01") from error
    return sorted(found, key=lambda memory: memory.moment)


def _owner(memory: _Memory, users: Mapping[str, str]) -> str | None:
    """Whose a memory is: the file says it, or it names the person whom the dialogues name."""
    if memory.user is not None:
        return memory.user
    named = [(memory.event.find(name), user) for name, user in users.items() if name in memory.event]
    return min(named, default=(0, None))[1]


def _utterances(memories: Sequence[_Memory], language: Language) -> list[Utterance]:
    return [
        Utterance(
            session_id=f"{language}/{memory.identifier}",
            external_id=memory.identifier,
            speaker="user",
            text=memory.event,
            observed_at=memory.moment,
            time_zone="UTC",
        )
        for memory in memories
    ]


def _lines(entry: Mapping[str, Any]) -> tuple[list[tuple[str, str]], str]:
    """The lines before the last test turn as pairs of speaker and text, and the name of the user."""
    lines, turns = list_of(entry, "dialogue"), list_of(entry, "test-turn")
    if not turns or not set(turns) <= set(range(1, len(lines))):
        raise Malformed((), "'test-turn' must name lines of 'dialogue'")
    found = [_spoken(line) for line in lines[: max(turns)] if not _BLANK.fullmatch(str(line))]
    user = next((speaker for speaker, _ in found if speaker not in {_ASSISTANT, ""}), None)
    if user is None:
        raise Malformed((), "nobody says anything before the test turn")
    return found, user


def _spoken(line: object) -> tuple[str, str]:
    """The speaker and the text of a line; a few lines lack their speaker."""
    if not isinstance(line, str):
        raise Malformed((), "'dialogue' must be a list of texts")
    match = _LINE.fullmatch(line)
    return (match["speaker"], match["text"]) if match else ("", line.strip(' "\n'))


def _question(
    language: Language,
    file: Path,
    one: tuple[int, _Entry, _Spoken],
    known: set[str],
    asked_at: datetime,
) -> Question:
    number, entry, lines = one
    gold = [str(identifier) for identifier in list_of(entry, "relevant-id")]
    if unknown := [identifier for identifier in gold if identifier not in known]:
        raise bad_line(file, number, f"relevant-id {unknown[0]} is no memory of user-id {entry.get('user-id')}")
    return Question(
        id=f"{language}/{number}",
        text=so_far(lines),
        asked_at=asked_at,
        category=language,
        language=language,
        gold=tuple(dict.fromkeys(gold)),
    )


def so_far(lines: Sequence[tuple[str, str]]) -> str:
    """The dialogue so far as the text that is asked with: what both said, a line each.

    All of it finds more than its end: what a dialogue is about was said at its beginning, and its last line is often no
    more than a reaction.
    """
    return "\n".join(text for _, text in lines)
