"""Quotations in an answer: word for word what a turn says."""

import functools
import re
from collections.abc import Sequence

from ...language.folding import fold
from ...records import Turn
from .faults import Fault, against

_CUT = re.compile(r"\s*(?:…|\.{3,}|\[(?:…|\.{3})\])\s*")


@functools.cache
def _marks() -> re.Pattern[str]:
    return re.compile(r"“([^“”]+)”|「([^「」]+)」|『([^『』]+)』|\"([^\"]+)\"|‘([^‘’]{3,})’")


def quotations(text: str) -> list[str]:
    """What a text puts between quotation marks."""
    return [next(group for group in match.groups() if group) for match in _marks().finditer(text)]


def check_quotation(quote: str, turns: Sequence[Turn]) -> Fault | None:
    """A quotation must stand in one of the turns; only its last punctuation mark and its first capital may differ."""
    if any(is_quoted(quote, turn.text) for turn in turns):
        return None
    return against(f"the words “{quote}” are not in the turn")


def is_quoted(quote: str, text: str) -> bool:
    """Whether a text holds the words of a quotation; what it leaves out it marks."""
    pieces = [piece for piece in _CUT.split(quote) if piece]
    position = 0
    for piece in pieces:
        found = _find(piece, text, position)
        if found < 0:
            return False
        position = found + 1
    return bool(pieces)


def _find(piece: str, text: str, start: int) -> int:
    bare = piece.strip(" ,，.。;；!！?？")
    # A quotation in mid-sentence may begin small.
    for form in (bare, bare[:1].swapcase() + bare[1:]):
        found = text.find(form, start) if bare and fold(form) == fold(bare) else -1
        if found >= 0 and (piece in text or not text[found + len(form) : found + len(form) + 1].isalnum()):
            return found
    return -1
