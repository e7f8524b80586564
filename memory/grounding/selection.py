"""Choosing the two or three quotations that answer a question. Evidence is selected, never reworded."""

from collections.abc import Mapping, Sequence

from ..calibration.asked import Question
from ..calibration.options import compared
from ..calibration.scene import Scene
from ..calibration.support import bridge, judge
from ..calibration.weighing import Support
from ..language.folding import fold
from ..records import Candidate, Evidence, Item, RecallFilter, Span, Turn
from . import lists, story
from .narrowing import narrowed
from .widening import widened

_CLOSE = 0.35
"""How far behind the best a further quotation may be."""
_COVERS_LESS = 0.15
"""How much less of the question a further quotation may cover."""
_MOST_IN_STORY = 5
"""A list or a day gets one more, so that the answer can say that there is more."""


def select(
    question: Question,
    kept: Sequence[Candidate],
    turns: Mapping[int, Turn],
    items: Mapping[int, Sequence[Item]],
    *,
    limit: int = 3,
    limits: RecallFilter | None = None,
) -> list[Evidence]:
    """The quotations that answer the question, best first; oldest first for order, causes, lists and days.

    Empty where nothing is enough: what merely resembles the question is no evidence.

    Args:
        question: The understood question.
        kept: What calibration kept, best first.
        turns: Those turns by number, and any around them.
        items: The items of those turns, by turn number.
        limit: At most so many quotations (five where they tell a story).
        limits: The recall's filter; its times win over the question's.
    """
    scene = Scene.of(question, turns, items, limits)
    if question.asks == "command" or question.about_agent:
        return []
    if question.ordinal is not None:
        return lists.at_place(scene, kept)
    if question.kinds:
        return lists.of_kind(scene, _MOST_IN_STORY + 1)
    if question.asks in {"more", "less"}:
        return _options(scene, kept)
    return _from_passages(scene, kept, limit)


def _from_passages(scene: Scene, kept: Sequence[Candidate], limit: int) -> list[Evidence]:
    supports = judge(scene, kept)
    if scene.question.only_time:
        return story.whole_day(supports, _MOST_IN_STORY + 1)
    if scene.question.story:
        return story.tell(scene, supports, _MOST_IN_STORY)
    chosen = _answering(supports, limit)
    if not chosen:
        return [_evidence(support) for support in bridge(scene, supports) or ()]
    return [_shown(scene, support) for support in chosen]


def _shown(scene: Scene, support: Support) -> Evidence:
    """What is quoted of a passage: the clause that answers, or as much as it takes to hold the answer."""
    part = narrowed(scene, support)
    return _evidence(part) if part is not support else _evidence(support, widened(scene, support))


def _evidence(support: Support, span: Span | None = None) -> Evidence:
    """A weighed passage as a quotation, or ``span`` around it, with the items that it rests on."""
    numbers = [item.number for item in (*support.exact, *support.passage.items)]
    where = span or support.passage.span
    return Evidence(support.passage.turn.number, where, support.score, tuple(dict.fromkeys(numbers)))


def _answering(supports: Sequence[Support], limit: int) -> list[Support]:
    """The passages that answer, without repetitions and without those far behind the best."""
    chosen: list[Support] = []
    for support in supports:
        if support.answers and len(chosen) < limit and _adds(support, chosen):
            chosen.append(support)
    return chosen


def _adds(support: Support, chosen: Sequence[Support]) -> bool:
    """Whether a further passage is nearly as good as the best and says something else."""
    if not chosen:
        return True
    best = chosen[0]
    near = support.score >= best.score - _CLOSE and support.covered >= best.covered - _COVERS_LESS
    return near and not any(_repeats(support, other) for other in chosen)


def _repeats(support: Support, other: Support) -> bool:
    """Whether one passage has the words of the other, or gives the same single value."""
    text, known = (fold(one.passage.text).strip(" .。!！") for one in (support, other))
    single = {(item.entity, item.attribute) for item in support.exact if item.single_valued}
    values = {(item.entity, item.attribute) for item in other.exact if item.single_valued}
    return text in known or known in text or bool(single & values)


def _options(scene: Scene, kept: Sequence[Candidate]) -> list[Evidence]:
    """The option that wins the comparison, and the one that it wins against."""
    ranked = compared(scene, kept)
    if len(ranked) < 2 or ranked[0].amount == ranked[1].amount:
        return []
    first, other = ranked[0], ranked[-1]
    chosen = [Evidence(first.turn.number, first.span, 1.0)]
    if first.turn.number != other.turn.number or not first.span.overlaps(other.span):
        chosen.append(Evidence(other.turn.number, other.span, 1.0))
    return chosen
