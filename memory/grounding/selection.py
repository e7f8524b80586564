"""Choosing the two or three quotations that answer a question. Evidence is selected, never reworded."""

from collections.abc import Mapping, Sequence

from ..calibration.asked import Question
from ..calibration.assurance import assured, beside, repeats
from ..calibration.changes import adds_to
from ..calibration.options import compared
from ..calibration.scene import Scene
from ..calibration.support import bridge, judge
from ..calibration.weighing import Support
from ..digests.overview import is_overview, topics_of
from ..records import Candidate, Evidence, Item, RecallFilter, Reference, Span, Turn
from . import lists, story
from .narrowing import narrowed
from .widening import widened

_CLOSE = 1.0
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
    if is_overview(question) and not topics_of(question):
        return lists.of_everything(scene, _MOST_IN_STORY + 1)
    if question.asks in {"more", "less"}:
        return _options(scene, kept)
    return _from_passages(scene, kept, limit)


def _from_passages(scene: Scene, kept: Sequence[Candidate], limit: int) -> list[Evidence]:
    supports = judge(scene, kept)
    if scene.question.only_time:
        return story.whole_day(supports, _MOST_IN_STORY + 1)
    if scene.question.story:
        return _in_one_piece(scene, story.tell(scene, supports, _MOST_IN_STORY))
    chosen = _answering(scene.question, supports, limit)
    if not chosen:
        # What holds the answer stands before what leads to it.
        return [_evidence(support) for support in reversed(bridge(scene, supports) or ())]
    return _in_one_piece(scene, [_shown(scene, support) for support in chosen])


def _in_one_piece(scene: Scene, quoted: Sequence[Evidence]) -> list[Evidence]:
    """The quotations, those of one turn that overlap or follow upon each other as one: so they were said."""
    joined: list[Evidence] = []
    for one in quoted:
        place = next((i for i, other in enumerate(joined) if _touch(scene.turns[one.turn], one, other)), None)
        if place is None:
            joined.append(one)
        else:
            other = joined[place]
            span = Span(min(one.span.start, other.span.start), max(one.span.end, other.span.end))
            items = tuple(dict.fromkeys((*other.items, *one.items)))
            joined[place] = Evidence(other.turn, span, max(one.score, other.score), items)
    return joined


def _touch(turn: Turn, one: Evidence, other: Evidence) -> bool:
    """Whether nothing stands between two quotations of a turn, and no line ends there."""
    first, second = sorted((one.span, other.span))
    between = turn.text[first.end : second.start]
    return one.turn == other.turn and not between.strip() and "\n" not in between


def _shown(scene: Scene, support: Support) -> Evidence:
    """What is quoted of a passage: the clause that answers, or as much as it takes to hold the answer."""
    part = narrowed(scene, support)
    return _evidence(part) if part is not support else _evidence(support, widened(scene, support))


def _evidence(support: Support, span: Span | None = None) -> Evidence:
    """A weighed passage as a quotation, or ``span`` around it, with the items that it rests on."""
    numbers = [item.number for item in (*support.exact, *support.passage.items)]
    where = span or support.passage.span
    return Evidence(support.passage.turn.number, where, support.score, tuple(dict.fromkeys(numbers)))


def _answering(question: Question, supports: Sequence[Support], limit: int) -> list[Support]:
    """The passage that answers, and further ones without which it would be half an answer."""
    best = assured(question, supports)
    if best is None:
        return []
    further = (one for one in supports if one is not best and one.answers and _adds(question, one, best))
    return _without_repeats([best, *further])[:limit]


def _adds(question: Question, support: Support, best: Support) -> bool:
    """Whether a passage says more of the same: in the same turn, a further value, or what a change started from."""
    if adds_to(question, support, best):
        return True
    same = support.passage.turn.number == best.passage.turn.number and bool(support.exact) >= bool(best.exact)
    near = support.score >= best.score - _CLOSE and support.covered >= best.covered - _COVERS_LESS
    return near and (same or isinstance(support.passage.turn, Reference) or beside(support, best))


def _without_repeats(supports: Sequence[Support]) -> list[Support]:
    chosen: list[Support] = []
    for support in supports:
        if not any(repeats(support, other) for other in chosen):
            chosen.append(support)
    return chosen


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
