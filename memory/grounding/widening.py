"""Widening a quotation by the sentence that goes on with it, where nothing tells that the value is in it already."""

from ..calibration import wording
from ..calibration.changes import revises
from ..calibration.passages import Passage, disqualified, is_interrogative
from ..calibration.scene import Scene
from ..calibration.weighing import Support
from ..language.folding import fold
from ..language.sentences import sentences
from ..records import Span
from .trimming import size

_OPEN = frozenset({"value", "choice", "who", "where", "yes_no"})
_MOST = {"en": 36, "zh": 70}
"""Words (or characters) that a widened quotation may have: a second one still finds room beside it."""


def widened(scene: Scene, support: Support) -> Span:
    """The span of the passage, with the sentence after it if that goes on with it.

    "I can't swim. I'll take the bike." answers what was done instead of swimming only as a whole. Where an item or the
    kind of value asked for says that the answer is there, nothing is added but what changes it ("Make it 14.").
    """
    question, passage = scene.question, support.passage
    following = _following(passage)
    if following is None or passage.turn.source == "ai_generated":
        return passage.span
    told = question.asks not in _OPEN or support.exact or not (question.expects is None or _goes_on(following))
    if told and not revises(following):
        return passage.span
    whole = Passage(passage.turn, Span(passage.span.start, following.span.end), passage.items, passage.closed)
    refused = is_interrogative(following) or disqualified(question, whole, scene.turns)
    return passage.span if refused or size(whole.text, question.language) > _MOST[question.language] else whole.span


def _following(passage: Passage) -> Passage | None:
    """The sentence after the passage, if the passage ends where its own sentence does."""
    spans = sentences(passage.turn.text)
    place = next((place for place, span in enumerate(spans) if span.end == passage.span.end), None)
    return None if place is None or place + 1 == len(spans) else Passage(passage.turn, spans[place + 1])


def _goes_on(following: Passage) -> bool:
    """Whether a sentence speaks on of what the one before was about: it begins with a pronoun."""
    return bool(wording.pattern("speaks_on").match(fold(following.text)))
