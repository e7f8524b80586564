"""Whether a turn begins another topic, told by what it asks and which of its words are new; no model takes part."""

from collections.abc import Sequence, Set

from .grounding.checks.segments import is_question
from .language.folding import fold
from .language.sentences import sentences
from .language.tokens import content_stems

_NEAR = 2
"""Turns whose words tell what is being talked about."""
_MANY = 4
"""New words that make a statement more than the next thing to say about the same."""


def topic_shifts(texts: Sequence[str]) -> bool:
    """Whether the last of some turns begins another topic than those before it.

    Who answers a question stays with its topic. Otherwise a question shifts it with its first new word, for asking is
    the usual way of changing the subject; a statement shifts it that shares no word with the last turns and has several
    that nobody has said yet.

    Args:
        texts: the turns of a conversation, of all speakers, in order.
    """
    *earlier, last = texts
    if not earlier or _asks(earlier[-1]):
        return False
    words = set(content_stems(last))
    new = _unsaid(words, earlier)
    if _asks(last):
        return bool(new)
    return len(new) >= _MANY and _unsaid(words, earlier[-_NEAR:]) == words


def _unsaid(words: Set[str], texts: Sequence[str]) -> set[str]:
    """The words that do not occur in the texts; Chinese, cut otherwise each time, by pairs of characters."""
    known = {word for text in texts for word in content_stems(text)}
    folded = [fold(text) for text in texts]
    return {word for word in words - known if word.isascii() or not any(_touches(word, text) for text in folded)}


def _touches(word: str, text: str) -> bool:
    pieces = [word[place : place + 2] for place in range(max(1, len(word) - 1))]
    return any(piece in text for piece in pieces)


def _asks(text: str) -> bool:
    return any(is_question(span.cut(text)) for span in sentences(text))
