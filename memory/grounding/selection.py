"""Choosing the two or three quotations that answer a question. Evidence is selected, never reworded."""

from collections.abc import Mapping, Sequence

from ..calibration.asked import Listed, Question
from ..calibration.options import compared
from ..calibration.passages import Passage
from ..calibration.scene import Scene
from ..calibration.support import Support, bridge, judge
from ..language.folding import fold
from ..records import Candidate, Evidence, Item, RecallFilter, Span, Turn
from . import story

_CLOSE = 0.35
"""How far behind the best a further quotation may be."""
_MOST_IN_STORY = 5


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
    if question.asks == "command":
        return []
    if question.ordinal is not None:
        return _in_list(scene, kept)
    if question.asks in {"more", "less"}:
        return _options(scene, kept)
    if question.kinds:
        return story.of_kind(scene, _MOST_IN_STORY)
    supports = judge(scene, kept)
    if question.only_time:
        return story.whole_day(supports, _MOST_IN_STORY)
    if question.story:
        return story.tell(scene, supports, _MOST_IN_STORY)
    chosen = _answering(supports, limit)
    if not chosen and (joined := bridge(scene, supports)):
        chosen = list(joined)
    return [as_evidence(support) for support in chosen]


def as_evidence(support: Support) -> Evidence:
    """A weighed passage as a quotation, with the items that it rests on."""
    numbers = [item.number for item in (*support.exact, *support.passage.items)]
    return Evidence(support.passage.turn.number, support.passage.span, support.score, tuple(dict.fromkeys(numbers)))


def _answering(supports: Sequence[Support], limit: int) -> list[Support]:
    """The passages that answer, without repetitions and without those far behind the best."""
    chosen: list[Support] = []
    for support in supports:
        if not support.answers or len(chosen) == limit:
            continue
        if chosen and (support.score < chosen[0].score - _CLOSE or _repeats(support, chosen)):
            continue
        chosen.append(support)
    return chosen


def _repeats(support: Support, chosen: Sequence[Support]) -> bool:
    """Whether a passage says what was chosen already: the same words, the same single value, or within it."""
    text = _plain(support.passage)
    for other in chosen:
        known = _plain(other.passage)
        if text in known or known in text or _same_value(support, other):
            return True
    return False


def _same_value(one: Support, other: Support) -> bool:
    single = {(item.entity, item.attribute) for item in one.exact if item.single_valued}
    return bool(single & {(item.entity, item.attribute) for item in other.exact if item.single_valued})


def _plain(passage: Passage) -> str:
    return fold(passage.text).strip(" .。!！")


def _in_list(scene: Scene, kept: Sequence[Candidate]) -> list[Evidence]:
    """The listed thing at the place asked for."""
    listed = scene.question.listed or _list_in(scene, kept)
    place = scene.question.ordinal or 0
    if place == 0:
        place = _after_last(scene.question, listed)
    index = place - 1 if place > 0 else len(listed) + place
    if not 0 <= index < len(listed):
        return []
    wanted = listed[index]
    turn = scene.turns.get(wanted.turn)
    start = turn.text.find(wanted.quote) if turn else -1
    if turn is None or start < 0:
        return []
    return [Evidence(turn.number, Span(start, start + len(wanted.quote)), 1.0, (wanted.item,) if wanted.item else ())]


def _after_last(question: Question, listed: Sequence[Listed]) -> int:
    """The place after the one talked about last ("and the next?")."""
    places = [place for place, one in enumerate(listed, 1) if one.item in question.after_items]
    return places[-1] + 1 if places else 1


def _list_in(scene: Scene, kept: Sequence[Candidate]) -> tuple[Listed, ...]:
    """The latest kept turn that lists several things."""
    for number in sorted((candidate.turn for candidate in kept), reverse=True):
        listed = [item for item in scene.items.get(number, ()) if item.kind in {"todo", "choice"}]
        if len(listed) > 1:
            return tuple(Listed(item.turn, item.quote, item.number) for item in listed)
    return ()


def _options(scene: Scene, kept: Sequence[Candidate]) -> list[Evidence]:
    """The option that wins the comparison, and the one that it wins against."""
    ranked = compared(scene, kept)
    if len(ranked) < 2 or ranked[0].amount == ranked[1].amount:
        return []
    chosen: list[Evidence] = []
    for option in (ranked[0], ranked[-1]):
        if not any(other.turn == option.turn.number and other.span.overlaps(option.span) for other in chosen):
            chosen.append(Evidence(option.turn.number, option.span, 1.0))
    return chosen
