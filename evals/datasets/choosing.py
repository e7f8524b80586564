"""Narrowing a data set down to what of it was asked for."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TypeVar

from ...memory.errors import BadInput
from ..records import Dialogue, Source

T = TypeVar("T")


def chosen(entries: Sequence[T], source: Source) -> list[T]:
    """The entries at the places that ``--conversations`` names, in the order of the file.

    Raises:
        BadInput: there is no such place.
    """
    if source.conversations is None:
        return list(entries)
    for place in source.conversations:
        if not 0 <= place < len(entries):
            message = (
                f"There is no conversation {place} in {source.path}: "
                f"--conversations takes numbers from 0 to {len(entries) - 1}."
            )
            raise BadInput(message)
    return [entries[place] for place in sorted(set(source.conversations))]


def limited(dialogues: Iterable[Dialogue], source: Source) -> list[Dialogue]:
    """The dialogues with at most ``--limit`` questions each; those without a question are left out."""
    cut = (replace(dialogue, questions=dialogue.questions[: source.limit]) for dialogue in dialogues)
    return [dialogue for dialogue in cut if dialogue.questions]
