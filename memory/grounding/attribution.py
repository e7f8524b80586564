"""How much of a text its evidence bears out, as one number: for measuring, and for ranking, not for releasing."""

from datetime import UTC, datetime

from ..language.sentences import sentences
from ..language.tokens import tokenize
from .checks import quantities, words
from .checks.reading import Reading, read

_MOMENT = datetime(2000, 1, 1, tzinfo=UTC)
"""Relative times count from one moment on both sides, whichever it is."""


def attribution_score(text: str, evidence: str) -> float:
    """How far a text is borne out by its evidence, from 0 to 1.

    It is the mean of two shares: of its content, in which like words count and values and times count double, for they
    are what a made-up sentence is made of; and of all its words, since an "I" or a "not" that the evidence lacks tells
    as well. A text without words has nothing that is borne out.

    Args:
        text: An answer, in one or several sentences.
        evidence: What it is said to rest on.
    """
    told = [span.cut(text) for span in sentences(text)]
    held = read(evidence, _MOMENT, "UTC")
    weights = [_weigh(read(sentence, _MOMENT, "UTC"), held) for sentence in told]
    whole = sum(weight for _, weight in weights)
    content = sum(said for said, _ in weights) / whole if whole else 0.0
    return (content + _share_of_words(text, held)) / 2


def _share_of_words(text: str, held: Reading) -> float:
    tokens = tokenize(text)
    said = sum((token.text in held.folded) if token.cjk else (token.stem in held.stems) for token in tokens)
    return said / len(tokens) if tokens else 0.0


def _weigh(told: Reading, held: Reading) -> tuple[float, float]:
    """What of a sentence is said, and what there is to say, in weights."""
    parts = [(1.0, words.says(held, unit)) for unit in told.units]
    parts += [(1.0, words.names_it(held, name, "")) for name in told.names]
    parts += [(2.0, any(quantities.same_value(value, one, held) for one in held.values)) for value in told.values]
    parts += [(2.0, quantities.is_time_of(time, held.times)) for time in told.times]
    return sum(weight for weight, said in parts if said), sum(weight for weight, _ in parts)
