"""Narrowing a quotation to the clause that answers, where the rest of its sentence does not change what it means."""

from ..calibration import wording
from ..calibration.passages import Passage, disqualified
from ..calibration.scene import Scene, points_back
from ..calibration.weighing import Support, weigh
from ..language.folding import fold
from ..language.lexicon import cue
from ..language.sentences import clauses
from ..records import Span

_DIRECT = frozenset({"value", "who", "when", "where", "how_much", "how_many", "choice"})
_ROUNDING = 0.01


def narrowed(scene: Scene, support: Support) -> Support:
    """The clause of the passage that supports the answer just as well by itself, or the passage as it is.

    A sentence with a condition, a guess or a word that takes something back stays whole: half may say the opposite.
    """
    passage = support.passage
    if scene.question.asks not in _DIRECT or _must_stay_whole(passage.text):
        return support
    spans = clauses(passage.turn.text, passage.span)
    every = [weigh(scene, _part(passage, span)) for span in spans] if len(spans) > 1 else []
    if scene.question.expects is not None and sum(part.fits for part in every) > 1:
        return support  # several clauses hold a value of that kind: only together do they tell which one it is
    good = [part for part in every if _names_the_same(scene, passage, part.passage.span) and _is_as_good(part, support)]
    if scene.question.expects is None:
        # Nothing says which clause holds the value, but an item does: "bought a cuff, the Omron" is one answer.
        good = [part for part in good if part.exact]
    fit = [one for one in good if not disqualified(scene.question, one.passage, scene.turns)]
    return min(fit, key=lambda one: _place_of_topic(scene, one.passage), default=support)


def _place_of_topic(scene: Scene, passage: Passage) -> int:
    """How far into a clause it speaks of what is asked about: what it is about comes first."""
    folded = fold(passage.text)
    places = (folded.find(term) for term in (*scene.question.names, *scene.question.terms))
    return min((place for place in places if place >= 0), default=len(folded))


def _names_the_same(scene: Scene, passage: Passage, span: Span) -> bool:
    """Whether a clause has every name and number of the question that its sentence has."""
    whole, part = fold(passage.text), fold(span.cut(passage.turn.text))
    asked = (*scene.question.names, *scene.question.identifiers)
    return all(name in part for name in asked if name in whole)


def _part(passage: Passage, span: Span) -> Passage:
    return Passage(passage.turn, span, tuple(item for item in passage.items if item.value_span.overlaps(span)))


def _is_as_good(part: Support, whole: Support) -> bool:
    covers_as_much = part.answers and part.direct >= whole.direct - _ROUNDING and part.timed >= whole.timed
    return covers_as_much and len(part.exact) >= len(whole.exact) and not points_back(part.passage.text)


def _must_stay_whole(text: str) -> bool:
    marks = (wording.pattern(name).search(fold(text)) for name in ("conditional", "was_before"))
    return bool(cue(text, "hypothesis") or cue(text, "correction") or any(marks))
