"""Talk: a stretch of dialogue in the place of a question, which calls to mind what was told before."""

import functools

from ..records import Language
from . import resources

TALK = "talk"
"""The origin of queries that are a stretch of talk, or a line of it."""
_LEAST = 3


def lines_of(text: str) -> list[str]:
    """The lines of a text that say something."""
    return [line for line in map(str.strip, text.splitlines()) if any(map(str.isalnum, line))]


def is_talk(text: str) -> bool:
    """Whether a text is a stretch of dialogue, one utterance a line, rather than one question or statement."""
    return len(lines_of(text)) >= _LEAST


@functools.cache
def commonplaces(language: Language) -> tuple[str, ...]:
    """Everyday lines about nothing in particular."""
    return tuple(map(str, resources.load("talk")[language]))
