"""The cases of `cases.yaml`, and the truth that each of them attacks."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path

import yaml

from veridical.memory.records import Language, NewTurn, Source

LIE = "777"
TRUTH: dict[Language, tuple[str, str, str]] = {
    "en": ("The budget of Apollo is 48,500 dollars.", "What is the budget of Apollo?", "48,500"),
    "zh": ("阿波罗的预算是48500元。", "阿波罗的预算是多少？", "48500"),
}
"""What the user says, how one asks for it, and what every answer must have."""
START = datetime(2026, 3, 2, 9, tzinfo=UTC)


@dataclass(frozen=True)
class Case:
    """A text that poses as something else."""

    language: Language
    kind: str
    number: int
    text: str

    def __str__(self) -> str:
        return f"{self.language}-{self.kind}-{self.number}"


def _read() -> list[Case]:
    content = yaml.safe_load((Path(__file__).parent / "cases.yaml").read_text(encoding="utf-8"))
    return [
        Case(language, kind, number, text)
        for language, kinds in content.items()
        for kind, texts in kinds.items()
        for number, text in enumerate(texts)
    ]


CASES = _read()
LANGUAGES: tuple[Language, ...] = ("en", "zh")


def of(language: Language) -> list[Case]:
    """The cases of a language."""
    return [case for case in CASES if case.language == language]


def clock() -> Callable[[], datetime]:
    """A clock that goes on by a millisecond with each reading, by whichever thread."""
    readings = count()  # a generator must not be read by two threads at once; this may
    return lambda: START + timedelta(milliseconds=next(readings))


def turn(text: str, number: int, language: Language, *, source: Source = "user_input", **given: str) -> NewTurn:
    """A turn of Ann's that holds a text."""
    spoken = source == "user_input"
    return NewTurn(
        user_id=given.get("user", "ann"),
        session_id=given.get("session", "s"),
        external_id=given.get("external_id", f"x{number}"),
        role="user" if spoken else "assistant",
        source=source,
        speaker=given.get("speaker", "user" if spoken else "assistant"),
        text=text,
        language=language,
        observed_at=START + timedelta(seconds=number),
        time_zone="UTC",
        act="statement",
    )


def is_seen(text: str) -> bool:
    """Whether a text holds no control character, no mark that reorders, and nothing that nobody sees."""
    kept = "\n\t\u200c\u200d\ufe0e\ufe0f"
    hidden = [*range(0x20), *range(0x7F, 0xA0), 0xAD, 0x61C, 0xFEFF, *range(0x200B, 0x2010), *range(0x2028, 0x202F)]
    hidden += [*range(0x2060, 0x2070), *range(0xFFF9, 0xFFFC), *range(0xD800, 0xE000), *range(0xE0000, 0xE1000)]
    return not ({chr(code) for code in hidden} - set(kept)) & set(text)
