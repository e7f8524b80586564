"""The form in which a turn is searched: what was said, and who said it where that is a name."""

from ..language.folding import fold

_ROLES = frozenset({"", "user", "assistant", "tool", "system", "human", "ai", "bot", "me", "i", "我", "用户", "助手"})


def indexed_text(speaker: str, text: str) -> str:
    """The text of a turn as both indexes see it: ``Ann: I moved``, or the text alone of a user or an assistant.

    Questions about a conversation between people name them, and its turns do not: on LoCoMo the name in front takes the
    recall of evidence among the first five from .25 to .46 (vectors) and from .59 to .63 (BM25).
    """
    return text if fold(speaker).strip() in _ROLES else f"{speaker}: {text}"
