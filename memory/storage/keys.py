"""The names under which facts are kept and shown: unambiguous, in snake_case, in any script."""

import re

from ..language.folding import fold
from ..records import ItemKind

_WORD = r"[^\sA-Z\x21-\x2f\x3a-\x40\x5b-\x60\x7b-\x7e]+"
KEY = rf"^{_WORD}(_{_WORD})*$"
"""Words without capitals, blanks and punctuation, joined by single underscores: ``wedding_budget``, ``预算``."""
NAMED: frozenset[ItemKind] = frozenset({"fact", "event", "decision", "agreement", "choice"})
"""Kinds of items whose attribute is the name of a field; that of a question or a todo is made of its words."""
_UNNAMED = "note"


def is_key(name: str) -> bool:
    """Whether a name may stand in MEMORY_STATE."""
    return re.search(KEY, name) is not None


def key_of(name: str) -> str:
    """The name itself if it is a key, else the key made of its words."""
    return name if is_key(name) else re.sub(r"[\W_]+", "_", fold(name)).strip("_") or _UNNAMED
