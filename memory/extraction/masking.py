"""What of a turn's text its speaker did not say: context injected by a host, code, quoted speech of others.

Masked characters become line ends, one for one, so that offsets stay and sentences end there.
"""

import re

from ..language.folding import fold
from ..language.guises import without_guises
from .patterns import pattern


def mask(text: str) -> str:
    """``text`` folded, with everything blanked that the speaker of the turn does not say in their own name.

    ``len(mask(text)) == len(text)``.
    """
    folded = pattern("both", "foreign").sub(_blank, fold(without_guises(text)))
    folded = pattern("both", "quotation").sub(_blank_speech, folded)
    return pattern("both", "reported_speech").sub(_blank, folded)


def own_words(text: str) -> str:
    """``text`` unfolded, blanked in the places where :func:`mask` blanks."""
    pairs = zip(without_guises(text), mask(text), strict=True)
    return "".join(mine if blank != "\n" else "\n" for mine, blank in pairs)


def _blank(match: re.Match[str]) -> str:
    return "\n" * len(match.group())


def _blank_speech(match: re.Match[str]) -> str:
    """Somebody else's first person is not the speaker's; a quoted title stays."""
    return _blank(match) if pattern("both", "first_person").search(match["inner"]) else match.group()
