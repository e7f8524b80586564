"""Taking forgotten things out of JSON documents: summaries and traces."""

from collections.abc import Collection, Sequence
from typing import Any

from ..language.folding import fold
from .needles import Needles
from .phrases import Phrase, rare_stems

_GONE = object()
# What an answer is: if one of these had to change, the answer itself was about what is forgotten.
_ESSENTIAL = ("question", "text", "claims", "citations", "evidence", "turn_id")


class Pruning:
    """What must go: entries of the forgotten turns and items, and every string that repeats a telling phrase."""

    def __init__(self, ids: Collection[str], phrases: Sequence[Phrase]) -> None:
        """Prepare for the ids (``t12``, ``f3``) and phrases of a forgetting."""
        self._ids = frozenset(ids)
        self._stems = rare_stems(phrases)
        self._needles = Needles([fold(phrase.text).encode() for phrase in phrases])

    def is_quoted(self, text: str) -> bool:
        """Whether a text repeats what is forgotten."""
        return next(iter(self._needles.in_bytes(fold(text).encode())), None) is not None

    def summary(self, document: dict[str, Any]) -> dict[str, Any] | None:
        """A summary's document without what is forgotten; ``None`` when no entry is left."""
        pruned = self._mapping(document)
        return pruned if any(isinstance(section, list) and section for section in pruned.values()) else None

    def answer(self, document: dict[str, Any]) -> dict[str, Any] | None:
        """An answer's trace without what is forgotten; ``None`` when the answer itself was about it."""
        if self._is_of(document):
            return None
        pruned = self._mapping(document)
        if any(pruned.get(name) != document.get(name) for name in _ESSENTIAL):
            return None
        return pruned

    def document(self, document: dict[str, Any]) -> dict[str, Any]:
        """Any document without what is forgotten, whose places hold ``None``."""
        return self._mapping(document)

    def _is_of(self, node: dict[str, Any]) -> bool:
        return any(node.get(name) in self._ids for name in ("turn_id", "id") if isinstance(node.get(name), str))

    def _mapping(self, node: dict[str, Any]) -> dict[str, Any]:
        pruned = ((name, self._pruned(value)) for name, value in node.items())
        return {name: None if value is _GONE else value for name, value in pruned}

    def _pruned(self, node: Any) -> Any:
        if isinstance(node, dict):
            return _GONE if self._is_of(node) else self._mapping(node)
        if isinstance(node, list):
            return [value for value in map(self._pruned, node) if value is not _GONE]
        return _GONE if isinstance(node, str) and self._is_forgotten(node) else node

    def _is_forgotten(self, text: str) -> bool:
        return text in self._ids or text in self._stems or self.is_quoted(text)
