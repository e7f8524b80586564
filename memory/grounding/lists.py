"""Answers out of lists: the second errand, the open todos."""

from collections.abc import Iterable, Sequence

from ..calibration import wording
from ..calibration.asked import Listed, Question
from ..calibration.coverage import NEAR, covers, prepare
from ..calibration.scene import Scene
from ..records import Candidate, Evidence, Item, Span

_NOTED = frozenset({"fact", "decision", "agreement"})
_LISTABLE = frozenset({"todo", "choice"})


def at_place(scene: Scene, kept: Sequence[Candidate]) -> list[Evidence]:
    """The listed thing at the place asked for: of the list given last, else of the latest turn that lists several."""
    listed = scene.question.listed or _list_in(scene, kept)
    if listed and (scene.question.ordinal or 0) > len(listed):
        # Shown were only those that are left: the places of the whole list count.
        listed = _list_of(scene, listed[0].turn)
    place = scene.question.ordinal or _place_after_last(scene.question, listed)
    index = place - 1 if place > 0 else len(listed) + place
    if not 0 <= index < len(listed):
        return []
    wanted = listed[index]
    turn = scene.turns.get(wanted.turn)
    among = scene.items.get(wanted.turn, ())
    item = next((one for one in among if one.number == wanted.item), None)
    if turn is not None and item is not None:
        return [Evidence(turn.number, own_span(item, among), 1.0, (item.number,))]
    start = turn.text.find(wanted.quote) if turn else -1
    if turn is None or start < 0:
        return []
    return [Evidence(turn.number, Span(start, start + len(wanted.quote)), 1.0, (wanted.item,) if wanted.item else ())]


def _place_after_last(question: Question, listed: Sequence[Listed]) -> int:
    """The place after the one talked about last ("and the next?")."""
    places = [place for place, one in enumerate(listed, 1) if one.item in question.after_items]
    return places[-1] + 1 if places else 1


def _list_of(scene: Scene, number: int) -> tuple[Listed, ...]:
    listed = [item for item in scene.items.get(number, ()) if item.kind in _LISTABLE]
    return tuple(Listed(item.turn, item.quote, item.number) for item in listed)


def _list_in(scene: Scene, kept: Sequence[Candidate]) -> tuple[Listed, ...]:
    for number in sorted((candidate.turn for candidate in kept), reverse=True):
        listed = _list_of(scene, number)
        if len(listed) > 1:
            return listed
    return ()


def of_kind(scene: Scene, limit: int) -> list[Evidence]:
    """The items of the kinds asked for, each by its own quotation, oldest first: what is open, or what is done."""
    found = [item for item in scene.every_item() if item.kind in scene.question.kinds and item.turn in scene.turns]
    whole = bool(_NOTED.intersection(scene.question.kinds))  # such a question names nothing that it has to be about
    found = [item for item in found if _is_in_state(scene, item) and (whole or _is_covered(scene.question, item))]
    return _quoted(scene, _in_order(found)[:limit])


def of_everything(scene: Scene, limit: int) -> list[Evidence]:
    """What was noted in the turns at hand and holds, each by its own quotation, oldest first; the latest of it."""
    found = [item for item in scene.every_item() if item.kind != "question" and scene.moment.holds(item)]
    quoted = _quoted(scene, _in_order(found)[-limit:])
    return list({(one.turn, one.span): one for one in quoted}.values())


def _in_order(items: Iterable[Item]) -> list[Item]:
    return sorted(items, key=lambda item: (item.observed_at, item.number))


def _quoted(scene: Scene, items: Iterable[Item]) -> list[Evidence]:
    """Items, each by its own quotation."""
    known = scene.items
    return [Evidence(it.turn, own_span(it, known.get(it.turn, ())), 1.0, (it.number,)) for it in items]


def own_span(item: Item, items: Sequence[Item]) -> Span:
    """What tells a listed thing from the others: its quotation, or its value where one sentence lists several."""
    shared = any(
        one.number != item.number and one.kind == item.kind and one.quote_span == item.quote_span for one in items
    )
    return item.value_span if shared else item.quote_span


def _is_in_state(scene: Scene, item: Item) -> bool:
    """Whether an item is done or open, as the question asks, and due or noted in the time it names."""
    question = scene.question
    if not (item.closed_by == "completion" if question.done else scene.moment.holds(item)):
        return False
    if question.time_from is None or question.time_to is None:
        return True
    return question.time_from <= (item.due_at or item.observed_at) < question.time_to


def _is_covered(question: Question, item: Item) -> bool:
    """Whether an item is about what the question adds to the bare kind ("todos for the wedding")."""
    text = prepare(f"{item.quote} {item.entity} {item.attribute}")
    return all(covers(text, term) >= NEAR for term in question.terms if not _names_kind(term))


def _names_kind(term: str) -> bool:
    return term in wording.words("list_nouns") or any(rule.search(term) for _, rule in wording.table("kinds"))
