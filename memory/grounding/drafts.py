"""From a model's draft to what may be released: read by sentences, each verified, repaired once or held back."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ..records import Claim, Span
from .claims import units

Check = Callable[[str], Sequence[Claim]]
Repair = Callable[[str, Sequence[Claim]], str | None]


_BABBLE = re.compile(r"(\S.{3,59}?)\1{3}", re.DOTALL)
"""The same piece four times in a row: no words of a record, though each of them may stand in one."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence of a draft: released with its claims, or held back."""

    text: str
    claims: tuple[Claim, ...]
    released: bool
    repaired: bool = False


def verified(draft: Iterator[str], check: Check, repair: Repair) -> Iterator[Sentence]:
    """Yield the sentences of a draft as they are completed, verified.

    Args:
        draft: the model's output as it comes.
        check: gives the claims of a sentence with their verdicts.
        repair: gives a corrected sentence, or ``None``; it is asked once per draft.
    """
    repairs = 1
    for text in _sentences(draft):
        claims = (Claim(text, "unsupported", (), "it repeats itself"),) if _BABBLE.search(text) else tuple(check(text))
        if not (faults := _faults(claims)):
            yield Sentence(text, claims, released=True)
            continue
        better = repair(text, faults) if repairs else None
        repairs = 0
        again = tuple(check(better)) if better else ()
        if better and again and not _faults(again):
            yield Sentence(better, again, released=True, repaired=True)
        else:
            yield Sentence(text, claims, released=False)


def _faults(claims: Sequence[Claim]) -> list[Claim]:
    return [claim for claim in claims if claim.verdict != "supported"]


def _sentences(draft: Iterator[str]) -> Iterator[str]:
    """Sentences, each with the turn ids behind it, as soon as the next one has begun. Repeated ones come once."""
    seen: set[str] = set()
    buffer = ""
    for piece in draft:
        buffer += piece
        *whole, rest = units(buffer) or [Span(0, 0)]
        # An opening bracket may yet become the id that belongs to the sentence before it.
        if whole and not rest.cut(buffer).startswith("["):
            yield from _new([unit.cut(buffer) for unit in whole], seen)
            buffer = buffer[rest.start :]
    yield from _new([unit.cut(buffer) for unit in units(buffer)], seen)


def _new(texts: Sequence[str], seen: set[str]) -> Iterator[str]:
    for text in (one.strip() for one in texts):
        if text and text not in seen:
            seen.add(text)
            yield text
