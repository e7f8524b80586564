"""What the chat itself says, in the language of the machine."""

import os
from collections.abc import Mapping
from typing import Any

from ..memory.records import Language
from ..prompts.library import load


def machine_language() -> Language:
    """The language of the machine's locale, as far as the chat speaks it."""
    names = (os.environ.get(name, "") for name in ("LC_ALL", "LC_MESSAGES", "LANG"))
    return "zh" if next(filter(None, names), "").lower().startswith("zh") else "en"


def chat_text(
    part: str,
    *,
    due: int = 0,
    still_open: int = 0,
    forgetting: Mapping[str, Any] | None = None,
    language: Language | None = None,
) -> str:
    """One of the chat's own texts: ``opening``, ``help``, ``todos`` and so on, by default in the machine's language."""
    prompt = load("chat_texts", language or machine_language())
    return prompt.render(part=part, due=due, open=still_open, forgetting=forgetting)
