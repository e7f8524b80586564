"""Which questions ask for an overview of what was said, and of which part of it."""

import functools
import re
from dataclasses import replace

from ..calibration.asked import Question
from ..language import resources
from ..language.folding import fold
from ..language.tokens import stem


@functools.cache
def _pattern(name: str) -> re.Pattern[str]:
    return resources.compiled(resources.load("overview"), name)


@functools.cache
def _filler() -> frozenset[str]:
    table = resources.load("overview")["filler"]
    words = [word for language in table for word in resources.words(table[language])]
    return frozenset([*words, *map(stem, words)])


def is_overview(question: Question) -> bool:
    """Whether a question asks what was talked about, or for a summary."""
    return _pattern("asks").search(fold(question.text)) is not None and not question.kinds


def as_overview(question: Question) -> Question:
    """A question for an overview is answered by a list of what was said."""
    return replace(question, asks="list") if is_overview(question) else question


def topics_of(question: Question) -> tuple[str, ...]:
    """The words and names that an overview is restricted to; none where it is of everything."""
    return tuple(dict.fromkeys(word for word in (*question.names, *question.terms) if word not in _filler()))


def of_last_time(question: Question) -> bool:
    """Whether the conversation before this one is meant."""
    return _pattern("last_time").search(fold(question.text)) is not None
