"""What was measured already: one line per answered question, so that a run that was interrupted goes on."""

import hashlib
import json
from collections.abc import Iterator
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ..memory.ingestion.files import NotJson, parse_json
from .records import Dialogue, Question

Row = dict[str, Any]


class Progress:
    """The file of one configuration: rows by question, as long as question and dialogue are what they were."""

    def __init__(self, folder: Path, configuration_hash: str) -> None:
        """Read what is there. A line that an interruption cut off counts as missing."""
        folder.mkdir(parents=True, exist_ok=True)
        self._file = folder / f"{configuration_hash}.jsonl"
        self._rows = dict(self._read())

    def known(self, key: str) -> Row | None:
        """The row of a question that was answered before."""
        return self._rows.get(key)

    def add(self, key: str, row: Row) -> Row:
        """Keep a row, on disk before anything else is measured, and return it as it will be read back."""
        line = json.dumps({"key": key, "row": row}, ensure_ascii=False)
        self._rows[key] = json.loads(line)["row"]
        with self._file.open("a", encoding="utf-8") as file:
            file.write(f"{line}\n")
        return self._rows[key]

    def forget(self) -> None:
        """Begin anew."""
        self._file.unlink(missing_ok=True)
        self._rows.clear()

    def _read(self) -> Iterator[tuple[str, Row]]:
        if not self._file.is_file():
            return
        text = self._file.read_text(encoding="utf-8", errors="replace")
        if text and not text.endswith("\n"):
            with self._file.open("a", encoding="utf-8") as file:
                file.write("\n")
        for line in text.split("\n"):
            try:
                entry = parse_json(line)
            except NotJson:
                continue  # an interruption cut it off
            yield entry["key"], entry["row"]


def dialogue_hash(dialogue: Dialogue) -> str:
    """Changes with anything that was said."""
    said = [[str(value) for value in asdict(utterance).values()] for utterance in dialogue.utterances]
    return hashlib.sha256(json.dumps([dialogue.id, said]).encode()).hexdigest()[:16]


def question_key(dialogue: str, question: Question) -> str:
    """Names a question and what it is asked of; labels do not count, for a row holds none."""
    asked = json.dumps([question.id, question.text, question.asked_at.isoformat(), question.language])
    return f"{dialogue}-{hashlib.sha256(asked.encode()).hexdigest()[:16]}"
