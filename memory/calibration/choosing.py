"""Which of several things was chosen, where the choice is told in words of its own.

"The floor will be slate, oak or cork." ... "It's going to be cork." The question has the words of what was to be
chosen, and none of the turn that chose: what ties the two together is the option that both name.
"""

import re
from collections.abc import Iterator, Sequence

from ..language.folding import fold
from ..language.lexicon import cue
from ..language.tokens import content_stems
from . import wording
from .asked import Question
from .changes import asks_for_end
from .passages import Passage
from .weighing import Support

_VALUES = frozenset({"value", "choice", "where", "who"})
_LOOKED_AT = 10
_SEVERAL = 3
_NAMED = 0.3
"""Of the question's words, the share that a passage with options must cover."""


def chosen(question: Question, supports: Sequence[Support]) -> Support | None:
    """The passage that tells which one was chosen of the options that another one tells.

    Args:
        question: what is asked.
        supports: the passages that may count, best first.
    """
    if question.history or not (
        asks_for_choice(question) or (supports and _only_weighs(question, supports[0].passage))
    ):
        return None
    if supports and supports[0].answers and _closes(fold(supports[0].passage.text)):
        return None  # it tells what was chosen itself
    asked = frozenset(question.terms)
    for offer in supports[:_LOOKED_AT]:
        options = _options(offer.passage, asked) if _offers(offer) else []
        told = [one for one in supports if _settles(offer.passage, one.passage) and len(_taken(one, options)) == 1]
        if told:
            return max(told, key=lambda one: (one.passage.turn.number, one.score))
    return None


def undecided(question: Question, passage: Passage) -> bool:
    """Whether a passage only tells what might be, where the question asks what came of it."""
    if _only_weighs(question, passage):
        return True
    folded, choice = fold(passage.text), asks_for_choice(question)
    if choice and question.asks in {"choice", "value"} and not (passage.items or _closes(folded)):
        return True
    return (choice or asks_for_end(question)) and _is_open(folded)


def _only_weighs(question: Question, passage: Passage) -> bool:
    """Whether a passage tells what there is to choose from, where the question does not ask for that."""
    weighing, folded = wording.pattern("weighing"), fold(passage.text)
    asked = weighing.search(fold(question.text)) or question.asks not in _VALUES - {"who"}
    if asked or _closes(folded):
        return False
    return bool(weighing.search(folded) or (_weighs_several(passage) and question.asks == "where"))


def _weighs_several(passage: Passage) -> bool:
    """Whether a passage lists several things that were looked at or offered."""
    looked = wording.pattern("weighs_options").search(fold(passage.text))
    return bool(looked) and len(_options(passage, frozenset())) >= _SEVERAL


def asks_for_choice(question: Question) -> bool:
    """Whether a question asks which one was chosen, or how something turned out that was open."""
    if question.asks not in _VALUES:
        return False
    return bool(wording.pattern("asks_for_choice").search(fold(question.text)))


def _offers(support: Support) -> bool:
    """Whether a passage tells what there was to choose from."""
    folded = fold(support.passage.text)
    weighed = wording.pattern("tells_plan").search(folded) or wording.pattern("weighs_options").search(folded)
    return support.covered >= _NAMED and bool(weighed) and not _closes(folded)


def _is_open(folded: str) -> bool:
    return bool(wording.pattern("tells_plan").search(folded)) and not _closes(folded)


def _options(passage: Passage, asked: frozenset[str]) -> list[frozenset[str]]:
    """The distinctive words of each of the things that a passage lists; none where it lists fewer than two."""
    members = [frozenset(content_stems(part)) - asked for part in _parts(fold(passage.text))]
    alone = [member - frozenset().union(*(other for other in members if other is not member)) for member in members]
    found = [member for member in alone if member]
    return found if len(found) > 1 else []


def _parts(folded: str) -> Iterator[str]:
    pieces = re.split(str(wording.pattern("between_options").pattern), folded)
    return (piece for piece in pieces if piece and piece.strip()) if len(pieces) > 1 else iter(())


def _settles(offer: Passage, passage: Passage) -> bool:
    """Whether a passage that was said later settles something."""
    return passage.turn.number > offer.turn.number and _closes(fold(passage.text))


def _closes(folded: str) -> bool:
    return bool(cue(folded, "decision") or wording.pattern("closes").search(folded))


def _taken(support: Support, options: Sequence[frozenset[str]]) -> list[frozenset[str]]:
    """The options that a passage names."""
    stems, folded = frozenset(content_stems(support.passage.text)), fold(support.passage.text)
    return [one for one in options if one & stems or any(not word.isascii() and word in folded for word in one)]
