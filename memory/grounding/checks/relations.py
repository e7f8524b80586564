"""Because, so, before, after, then: the order in which a claim puts two parts, and what the evidence says of it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal

from ...language.folding import fold
from ...language.sentences import sentences
from ...records import Turn
from . import vocabulary
from .faults import Fault, against, missing

Kind = Literal["cause", "sequence"]


@dataclass(frozen=True, slots=True)
class Relation:
    """Two parts of a sentence: what comes first or is the cause, and what comes of it."""

    kind: Kind
    first: str
    second: str


Bears = Callable[[str, str, Turn], bool]
"""Whether a part of a claim is borne out by a piece of a turn."""


def relation_of(sentence: str) -> Relation | None:
    """The relation that a sentence states between its parts."""
    folded = fold(sentence)
    opening = vocabulary.pattern("relations", "cause_opening").match(folded)
    if opening:
        cause, effect = (sentence[slice(*opening.span(name))] for name in ("cause", "effect"))
        return Relation("cause", cause, effect.lstrip(" ,，所以因此"))
    for name, kind, back in _MARKS:
        match = vocabulary.pattern("relations", name).search(folded, 1)
        if match:
            before, after = sentence[: match.start()], sentence[match.end() :]
            if _says_enough(before) and _says_enough(after):
                return Relation(kind, after, before) if back else Relation(kind, before, after)
    return None


_MARKS: tuple[tuple[str, Kind, bool], ...] = (
    ("cause_back", "cause", True),
    ("cause_ahead", "cause", False),
    ("after_back", "sequence", True),
    ("before_back", "sequence", False),
    ("then_ahead", "sequence", False),
)


def _says_enough(part: str) -> bool:
    return sum(map(str.isalnum, part)) > 1


def check_relation(claim: str, turns: Sequence[Turn], bears: Bears) -> Fault | None:
    """A cause must be told as one, and an order as it was told or happened.

    Args:
        claim: A sentence of the answer, whose parts are borne out by themselves.
        turns: What it rests on, in the order in which it was said.
        bears: Whether a part of a claim is borne out by a piece of a turn.
    """
    told = relation_of(claim)
    if told is None:
        return None
    found = [one for turn in turns for one in _stated(told, turn, bears)]
    if found:
        return (
            None if "same" in found else against("the evidence has cause and effect, or the order, the other way round")
        )
    places = _places(told.first, turns, bears), _places(told.second, turns, bears)
    if not all(places):
        return None
    if min(places[0]) > max(places[1]):
        return against("the evidence has it the other way round")
    if told.kind == "cause" and not any(
        vocabulary.pattern("relations", "effect_marks").search(fold(t.text)) for t in turns
    ):
        return missing("the evidence does not say that one was the reason of the other")
    return None


def _reasons(text: str) -> bool:
    return vocabulary.pattern("relations", "effect_marks").search(fold(text)) is not None


def _stated(told: Relation, turn: Turn, bears: Bears) -> list[str]:
    """How the relation stands in a turn that states one between the same parts."""
    found = []
    for sentence in [*(span.cut(turn.text) for span in sentences(turn.text)), turn.text]:
        stated = relation_of(sentence)
        if stated is None:
            continue
        if bears(told.first, stated.first, turn) and bears(told.second, stated.second, turn):
            found.append("same")
        elif bears(told.first, stated.second, turn) and bears(told.second, stated.first, turn):
            found.append("reversed")
    return found


def _places(part: str, turns: Sequence[Turn], bears: Bears) -> list[tuple[int, int]]:
    """Where a part is borne out: place of the turn, place of the sentence."""
    return [
        (place, span.start)
        for place, turn in enumerate(turns)
        for span in sentences(turn.text)
        if bears(part, span.cut(turn.text), turn)
    ]
