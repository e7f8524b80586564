"""What the chat itself says, in the language of the machine."""

import os
from collections.abc import Mapping

from ..memory.records import Language
from ..prompts.library import load


def machine_language() -> Language:
    """The language of the machine's locale, as far as the chat speaks it."""
    names = (os.environ.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    return "zh" if next(filter(None, names), "").lower().startswith("zh") else "en"


def chat_text(part: str, *, due: int = 0, still_open: int = 0) -> str:
    """One of the chat's own texts: ``opening``, ``help``, ``todos`` and so on."""
    return load("chat_texts", machine_language()).render(part=part, due=due, open=still_open, forgetting=None)


def state_words() -> Mapping[str, str]:
    """What the page of the memory state calls its parts, by key; ``{}`` stands for a value."""
    lines = load("state_words", machine_language()).render().splitlines()
    return dict(line.split(": ", 1) for line in lines)
