"""The bundled dialogues as the verifier sees them, and what can truly be said of their turns in other words."""

import functools
import json
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path

from veridical.memory.records import Language, Turn

HERE = Path(__file__).parent
BUNDLED = HERE.parents[2] / "evals" / "bundled"
ZONES = {"en": "UTC", "zh": "Asia/Shanghai"}


@dataclass(frozen=True, slots=True)
class Asked:
    """A question of a dialogue: what a draft answers."""

    text: str
    at: datetime
    gold: tuple[str, ...] = ()
    answers: tuple[str, ...] = ()
    stale: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Dialogue:
    """One dialogue of the bundled set: its turns in order, and its questions."""

    name: str
    language: Language
    turns: tuple[Turn, ...]
    questions: tuple[Asked, ...]


@dataclass(frozen=True, slots=True)
class Truth:
    """A true statement, the turn that bears it out, and what it answers."""

    text: str
    dialogue: Dialogue
    turn: Turn
    question: str = ""
    """The question that a short answer leaves the rest to."""
    options: tuple[tuple[str, str], ...] = field(default=(), compare=False)
    """Pairs of words: what is so, and what was offered or is stored instead."""
    lasting: bool = True
    """Whether it still held at the end of its dialogue; only then its denial is a lie."""


@functools.cache
def dialogues() -> dict[str, Dialogue]:
    """The bundled dialogues by name."""
    paths = sorted(BUNDLED.glob("*/*.jsonl"))
    return {path.stem: _dialogue(path) for path in paths}


def _dialogue(path: Path) -> Dialogue:
    language: Language = "zh" if path.parent.name == "zh" else "en"
    rows = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    told = [row["turn"] for row in rows if "turn" in row]
    turns = [_turn(number, row, language) for number, row in enumerate(told, start=1)]
    asked = [row["question"] for row in rows if "question" in row]
    return Dialogue(path.stem, language, tuple(turns), tuple(map(_asked, asked)))


def _turn(number: int, row: dict[str, str], language: Language) -> Turn:
    moment = datetime.fromisoformat(row["timestamp"])
    generated = row["speaker"] == "assistant"
    return Turn(
        user_id="local",
        number=number,
        session_id=row["session"],
        position=number,
        external_id=row["external_id"],
        role="assistant" if generated else "user",
        source="ai_generated" if generated else "user_input",
        speaker=row["speaker"],
        text=row["text"],
        language=language,
        observed_at=moment,
        time_zone=ZONES[language],
        recorded_at=moment,
        act="question" if row["text"].rstrip().endswith(("?", "？")) else "statement",
    )


def _asked(row: dict[str, object]) -> Asked:
    def several(key: str) -> tuple[str, ...]:
        held = row.get(key, ())
        return tuple(map(str, held)) if isinstance(held, list) else ()

    at = datetime.fromisoformat(str(row["asked_at"]))
    return Asked(str(row["text"]), at, several("gold"), several("answers"), several("stale"))


def truths() -> list[Truth]:
    """Every hand-written true statement about a bundled dialogue."""
    return [one for path in sorted(HERE.glob("truths.*.txt")) for one in _truths(path)]


def _truths(path: Path) -> list[Truth]:
    found: list[Truth] = []
    for part in path.read_text(encoding="utf-8").split("\n## ")[1:]:
        name, *blocks = part.split("\n@ ")
        dialogue = dialogues()[name.strip()]
        for block in blocks:
            words, *lines = block.strip().splitlines()
            [turn] = [turn for turn in dialogue.turns if words in turn.text]
            found += _of_turn(dialogue, turn, lines)
    return found


def _of_turn(dialogue: Dialogue, turn: Turn, lines: list[str]) -> list[Truth]:
    pairs = [tuple(map(str.strip, line[1:].split("|"))) for line in lines if line.startswith("~")]
    options = tuple((one, other) for one, other in pairs)
    found, question = [], ""
    for line in filter(None, lines):
        if line.startswith("?"):
            question = line[1:].strip()
        elif not line.startswith("~"):
            found.append(Truth(line.lstrip("%"), dialogue, turn, question, options, not line.startswith("%")))
    return found
