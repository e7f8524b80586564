"""Agreements: a user's explicit yes to what the assistant has just proposed. Both turns are cited."""

import functools
import re

from ..language import resources
from ..language.folding import fold
from ..language.sentences import sentences
from ..records import Accepted, Proposal, Span, Turn
from .surroundings import Surroundings

_TRAILING = " \t\r\n,，.。!！~?？"


def find_agreement(turn: Turn, speaker: str, surroundings: Surroundings) -> Proposal | None:
    """The agreement that a user's turn makes, if its first sentence accepts the proposal in the turn just before.

    Args:
        turn: what the user says.
        speaker: the entity that the speaker is.
        surroundings: the turns before it.
    """
    before = surroundings.previous[-1] if surroundings.previous else None
    proposed = _proposed(before) if before is not None else None
    yes = next(iter(sentences(turn.text)), None)
    if before is None or proposed is None or yes is None or not _accepts(turn.text, yes):
        return None
    text = yes.cut(turn.text)
    span = Span(yes.start, yes.start + len(text.rstrip(_TRAILING)))
    return Proposal(
        kind="agreement",
        entity=speaker,
        attribute="agreement",
        value=span.cut(turn.text),
        value_span=span,
        quote_span=span,
        # Two agreements may be the same word; they differ in what is agreed to.
        normal=fold(proposed.cut(before.text)),
        accepted=Accepted(before.number, proposed),
    )


def _proposed(turn: Turn) -> Span | None:
    """The proposal that the assistant's turn ends with; a quotation of what was said proposes nothing."""
    if turn.source != "ai_generated" or turn.act == "acknowledgement":
        return None
    last = sentences(turn.text)[-2:]
    return next((span for span in reversed(last) if _pattern("proposal").search(fold(span.cut(turn.text)))), None)


def _accepts(text: str, yes: Span) -> bool:
    sentence = fold(yes.cut(text)).strip(_TRAILING)
    reserved = _pattern("reservation").search(fold(text[yes.end :]))
    return bool(_pattern("acceptance").match(sentence)) and reserved is None


@functools.cache
def _pattern(name: str) -> re.Pattern[str]:
    return resources.compiled(resources.load("agreements"), name)
