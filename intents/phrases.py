"""Trigger phrases: a small language for what people say, made into patterns over folded text."""

import re
from collections import deque
from collections.abc import Iterable, Mapping

from ..memory.language.folding import CJK, fold

_GAP = {"en": r"(?:[\s,]+(?!(?:or|and then)\b)[^\s.!?;,]+){0,5}?", "zh": r"[^。！？!?;；\n]{0,12}?"}
_FIRST = r"(?:(?<![^\s])(?<![^.!?;,。！？；，\n\s]\s)|(?<=[。！？；，\n]))"
"""Nothing before it in its clause."""
_PIECE = re.compile(r"\s*\.\.\.\s*|…|[()\[\]|]|\{\w+\}|\s+|[^\s()\[\]|{}.…]+|\.")


def unbalanced(phrase: str) -> bool:
    """Whether the brackets of a phrase do not match."""
    open_ones: list[str] = []
    for character in phrase:
        if character in "([{":
            open_ones.append(character)
        elif character in ")]}" and (not open_ones or "([{".index(open_ones.pop()) != ")]}".index(character)):
            return True
    return bool(open_ones)


def pattern_of(phrase: str, language: str, slots: Mapping[str, Iterable[str]]) -> str:
    """A regular expression for a phrase.

    Args:
        phrase: with ``...`` for a few words, ``(a|b)``, ``[a]`` for what may be missing and ``{slot}``; one that begins
            with ``^`` only counts where a clause begins.
        language: of the phrase; English words end at word boundaries.
        slots: the words for the values of each slot.
    """
    bare = phrase.strip().removeprefix("^")
    pieces = deque(_PIECE.findall(fold(bare).strip()))
    first = _FIRST if bare != phrase.strip() else ""
    return first + _bounded("".join(_read(pieces, language, slots)), bare)


def alternatives(forms: Iterable[str]) -> str:
    """A pattern of any of the words, the longest first, each within its boundaries."""
    return "|".join(_word(form) for form in sorted(set(map(fold, forms)), key=len, reverse=True)) or r"(?!)"


def _read(pieces: deque[str], language: str, slots: Mapping[str, Iterable[str]]) -> list[str]:
    """Read up to the bracket that closes, or to the end."""
    gap = r"\s+" if language == "en" else r"\s*"
    found: list[str] = []
    while pieces:
        piece = pieces.popleft()
        bare = piece.strip()
        if bare in {"]", ")"}:
            break
        if bare == "[":
            inner = "".join(_read(pieces, language, slots))
            # What may be missing takes one of the spaces around it along.
            if found and found[-1] == gap:
                found[-1] = f"(?:{gap}(?:{inner}))?"
            elif pieces and pieces[0].isspace():
                pieces.popleft()
                found.append(f"(?:(?:{inner}){gap})?")
            else:
                found.append(f"(?:{inner})?")
        elif bare == "(":
            found.append(f"(?:{''.join(_read(pieces, language, slots))})")
        else:
            found.append(_piece(bare, gap, language, slots))
    return found


def _piece(bare: str, gap: str, language: str, slots: Mapping[str, Iterable[str]]) -> str:
    if not bare:
        return gap
    if bare in {"...", "…"}:
        return _GAP[language] + (r"[\s,]*(?<![a-z0-9])" if language == "en" else "")
    if bare == "|":
        return bare
    if bare.startswith("{"):
        return f"(?:{alternatives(slots.get(bare[1:-1], ()))})"
    return re.escape(bare)


def _word(form: str) -> str:
    return _bounded(r"\s+".join(map(re.escape, form.split())), form)


def _bounded(pattern: str, phrase: str) -> str:
    """Within word boundaries where it begins and ends with Latin letters or digits."""
    bare = re.sub(r"[()\[\]{}|.…\s]", "", fold(phrase))
    if not bare or re.match(f"[{CJK}]", bare):
        return pattern
    return rf"(?<![a-z0-9])(?:{pattern})(?![a-z0-9])"
