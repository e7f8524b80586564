"""What the assistant's last words make of a short answer: more help offered and declined, a step offered and taken."""

import functools
import re
from importlib import resources
from typing import Any

import yaml

from ..memory.language.folding import fold
from ..memory.language.lexicon import cue
from ..memory.records import Language
from .marks import LOADER

_LANGUAGES: tuple[Language, ...] = ("en", "zh")
_SENTENCES_BACK = 2


def offers_more(said: str) -> bool:
    """Whether the assistant's last sentences ask if there is anything else to be done."""
    sentences = [part for part in re.split(r"(?<=[.!?。！？])\s*", fold(said)) if part.strip()]
    return _says("more", " ".join(sentences[-_SENTENCES_BACK:]))


def declines_more(text: str) -> bool:
    """Whether an answer to that says that there is nothing, or only takes leave."""
    folded = fold(text)
    if _says("declines", folded):
        return True
    return "?" not in folded and bool(cue(text, "leave")) and not accepts(text)


def accepts(text: str) -> bool:
    """Whether an answer begins with a yes, whatever it adds."""
    return _says("accepts", fold(text)) and not refuses(text)


def refuses(text: str) -> bool:
    """Whether an answer begins with a no, or puts off what was offered."""
    return _says("refuses", fold(text))


def wants(text: str) -> bool:
    """Whether a text asks for something, in whatever words."""
    return _says("wants", fold(text))


def _says(name: str, folded: str) -> bool:
    return any(_pattern(language, name).search(folded) for language in _LANGUAGES)


@functools.cache
def _pattern(language: Language, name: str) -> re.Pattern[str]:
    text = resources.files(__package__).joinpath("lexicons", "offering.yaml").read_text(encoding="utf-8")
    content: dict[str, Any] = yaml.load(text, Loader=LOADER)  # noqa: S506 - the safe loader
    return re.compile(content[language][name])
