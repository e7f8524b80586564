"""What a clause is about: payment, liability, termination, as its heading says or its words do."""

import functools
import re

from ..language import resources
from ..language.folding import fold

GENERAL = "GENERAL"
_LEAST_WORDS = 2
"""Words of a category that a text must have where no heading tells."""
_TELLING = 300
"""Characters at the beginning of a clause in which it says what it is about."""


@functools.cache
def _categories() -> dict[str, re.Pattern[str]]:
    return {name: re.compile(entry["words"]) for name, entry in resources.load("clauses")["categories"].items()}


def term(category: str) -> str:
    """How a category is shown beside an id: ``payment_term``."""
    return str(resources.load("clauses")["categories"].get(category, {}).get("term", category.lower()))


def heading_category(heading: str) -> str | None:
    """The category that a heading names, ``None`` where it names none."""
    return _most(fold(heading), 1)


def text_category(text: str) -> str:
    """The category of a clause by how it begins, ``GENERAL`` where it cannot be told."""
    return _most(fold(text[:_TELLING]), _LEAST_WORDS) or GENERAL


def asked_category(words: str) -> str | None:
    """The category that words of a question name, ``None`` where they name none or several."""
    folded = fold(words)
    named = [name for name, pattern in _categories().items() if pattern.search(folded)]
    return named[0] if len(named) == 1 else None


def _most(folded: str, least: int) -> str | None:
    """The category with the most different words in a text, the first of them where two have as many."""
    counts = {name: len(set(pattern.findall(folded))) for name, pattern in _categories().items()}
    best = max(counts, key=lambda name: counts[name])
    return best if counts[best] >= least else None
