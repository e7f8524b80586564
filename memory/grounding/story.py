"""Answers of several quotations in the order in which things were said: days, lists, orders, causes."""

import itertools
from collections.abc import Sequence

from ..calibration import wording
from ..calibration.assurance import assured
from ..calibration.passages import Passage, disqualified, passages
from ..calibration.scene import Scene
from ..calibration.weighing import Support
from ..language.folding import fold
from ..records import Evidence, Span, Turn

_NEAR_TURNS = 8
"""How many places before or after a turn its reasons may have been said."""
_SHORT = 120


def whole_day(supports: Sequence[Support], limit: int) -> list[Evidence]:
    """Each turn of the time asked about once, oldest first."""
    by_turn: dict[int, list[Support]] = {}
    for support in supports:
        by_turn.setdefault(support.passage.turn.number, []).append(support)
    chosen = [_whole_turn(found) for found in by_turn.values()]
    turns = {number: found[0].passage.turn for number, found in by_turn.items()}
    return sorted(chosen, key=lambda one: (turns[one.turn].observed_at, one.turn))[:limit]


def _whole_turn(found: Sequence[Support]) -> Evidence:
    """What a turn states: all of its statements where they stand together and are short, else the best of them."""
    spans = sorted(support.passage.span for support in found)
    items = tuple(dict.fromkeys(item.number for support in found for item in support.passage.items))
    turn = found[0].passage.turn
    whole = Span(spans[0].start, spans[-1].end)
    if whole.end - whole.start <= _SHORT and "\n" not in whole.cut(turn.text) and _is_gapless(turn.text, spans):
        return Evidence(turn.number, whole, found[0].score, items)
    best = max(found, key=lambda support: (bool(support.passage.items), support.score))
    return Evidence(turn.number, best.passage.span, best.score, items)


def _is_gapless(text: str, spans: Sequence[Span]) -> bool:
    return all(not text[one.end : other.start].strip() for one, other in itertools.pairwise(spans))


def tell(scene: Scene, supports: Sequence[Support], limit: int) -> list[Evidence]:
    """What answers a question about order, causes or a list, oldest first.

    Reasons and steps are often told in the turns around the one that names the matter: those that carry a word of
    order or cause, in the same session, belong to the story.
    """
    seeds = [support for support in supports if support.answers]
    if scene.question.asks == "why":
        # One turn names the matter; what else resembles it has causes of its own.
        surest = assured(scene.question, supports)
        seeds = [one for one in seeds if surest is not None and one.passage.turn.number == surest.passage.turn.number]
    if not seeds:
        return []
    if scene.question.asks == "list":
        chosen = _unique([support.passage for support in seeds], limit)
    else:
        chosen = _with_causes(scene, seeds, limit)
        if scene.question.asks == "why" and not _explains(chosen, seeds):
            return []
    ordered = sorted(chosen, key=lambda passage: (passage.turn.observed_at, passage.turn.number, passage.span))
    return [Evidence(p.turn.number, p.span, 1.0, tuple(item.number for item in p.items)) for p in ordered]


def _unique(found: Sequence[Passage], limit: int) -> list[Passage]:
    chosen: dict[str, Passage] = {}
    for passage in found:
        chosen.setdefault(fold(passage.text).strip(" .。!！"), passage)
    return list(chosen.values())[:limit]


def _with_causes(scene: Scene, seeds: Sequence[Support], limit: int) -> list[Passage]:
    """The best seed, what leads to it and what follows from it, and further seeds while there is room."""
    best = next((seed.passage for seed in seeds if _carries(seed.passage)), seeds[0].passage)
    told = _chain(scene, best)
    beside = _beside(scene, best) if len(told) == 1 else []
    further = [seed.passage for seed in seeds if seed.score >= seeds[0].score - 0.2]
    return _unique([best, *told, *beside, *further], limit)


def _beside(scene: Scene, best: Passage) -> list[Passage]:
    """What the turn says right after and right before the passage."""
    line = _passages(scene, best.turn)
    place = next((i for i, one in enumerate(line) if one.span == best.span), 0)
    return [*line[place + 1 : place + 2], *line[max(0, place - 1) : place]]


def _chain(scene: Scene, best: Passage) -> list[Passage]:
    """The passages of the same speaker that hang together with ``best`` by words of order or cause.

    What leans on what was said before it ("then ...", "so ...") brings that along; what leans on ``best`` follows it.
    """
    line = [passage for turn in _session(scene, best.turn) for passage in _passages(scene, turn)]
    place = _place_of(best, line)
    if place is None:
        return [best]
    first = last = place
    because = scene.question.asks == "why"
    while first > 0 and _hangs_together(line[first - 1], line[first], because=because):
        first -= 1
    while last + 1 < len(line) and _leans_back(line[last + 1]):
        last += 1
    return line[first : last + 1]


def _place_of(wanted: Passage, line: Sequence[Passage]) -> int | None:
    same = ((one.turn.number, one.span) == (wanted.turn.number, wanted.span) for one in line)
    return next((place for place, found in enumerate(same) if found), None)


def _hangs_together(before: Passage, passage: Passage, *, because: bool) -> bool:
    """Whether a passage goes on with the one before it; that both have a cause does not make them one cause."""
    return _leans_back(passage) or (not because and _carries(passage) and _carries(before))


def _leans_back(passage: Passage) -> bool:
    return bool(wording.pattern("leans_back").search(fold(passage.text)))


def _session(scene: Scene, turn: Turn) -> list[Turn]:
    """The turns of the same speaker around a turn, in order."""
    found = [
        other
        for other in scene.turns.values()
        if other.session_id == turn.session_id
        and other.speaker == turn.speaker
        and abs(other.position - turn.position) <= _NEAR_TURNS
    ]
    return sorted(found, key=lambda other: other.position)


def _passages(scene: Scene, turn: Turn) -> list[Passage]:
    found = passages(turn, scene.items.get(turn.number, ()), scene.moment, closed_too=scene.question.history)
    return [passage for passage in found if not disqualified(scene.question, passage, scene.turns)]


def _carries(passage: Passage) -> bool:
    """Whether a passage carries a word of order or cause."""
    folded = fold(passage.text)
    return bool(wording.pattern("sequence").search(folded) or wording.pattern("causes").search(folded))


def _explains(chosen: Sequence[Passage], seeds: Sequence[Support]) -> bool:
    """Whether there is more than the bare matter: a word of cause, something said beside it, or a noted reason."""
    noted = any(item.attribute == "reason" for seed in seeds for item in seed.exact)
    return noted or len(chosen) > 1 or any(_carries(passage) for passage in chosen)
