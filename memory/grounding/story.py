"""Answers of several quotations in the order in which things were said: days, lists, orders, causes."""

from collections.abc import Sequence

from ..calibration import wording
from ..calibration.passages import Passage, disqualified, passages
from ..calibration.support import Scene, Support
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
    return all(not text[one.end : other.start].strip() for one, other in zip(spans, spans[1:], strict=False))


def tell(scene: Scene, supports: Sequence[Support], limit: int) -> list[Evidence]:
    """What answers a question about order, causes or a list, oldest first.

    Reasons and steps are often told in the turns around the one that names the matter: those that carry a word of
    order or cause, in the same session, belong to the story.
    """
    seeds = [support for support in supports if support.answers]
    if not seeds:
        return []
    if scene.question.asks == "list":
        chosen = _unique([support.passage for support in seeds], limit)
    else:
        chosen = _with_causes(scene, seeds, limit)
        if scene.question.asks == "why" and not _explains(chosen):
            return []
    ordered = sorted(chosen, key=lambda passage: (passage.turn.observed_at, passage.turn.number, passage.span))
    return [Evidence(p.turn.number, p.span, 1.0, tuple(item.number for item in p.items)) for p in ordered]


def _unique(found: Sequence[Passage], limit: int) -> list[Passage]:
    chosen: dict[str, Passage] = {}
    for passage in found:
        chosen.setdefault(fold(passage.text).strip(" .。!！"), passage)
    return list(chosen.values())[:limit]


def _with_causes(scene: Scene, seeds: Sequence[Support], limit: int) -> list[Passage]:
    """The best seed, what carries a cause or an order around it, and further seeds while there is room."""
    best = seeds[0].passage
    around = [passage for turn in _session(scene, best.turn) for passage in _passages(scene, turn) if _carries(passage)]
    around = [passage for passage in around if passage.span != best.span or passage.turn.number != best.turn.number]
    around.sort(key=lambda passage: (abs(passage.turn.position - best.turn.position), passage.span))
    beside = [passage for passage in _passages(scene, best.turn) if passage.span != best.span] if not around else []
    further = [seed.passage for seed in seeds[1:] if seed.score >= seeds[0].score - 0.2]
    return _unique([best, *around, *beside, *further], limit)


def _session(scene: Scene, turn: Turn) -> list[Turn]:
    return [
        other
        for other in scene.turns.values()
        if other.session_id == turn.session_id and abs(other.position - turn.position) <= _NEAR_TURNS
    ]


def _passages(scene: Scene, turn: Turn) -> list[Passage]:
    found = passages(turn, scene.items.get(turn.number, ()), scene.moment, history=scene.question.history)
    return [passage for passage in found if not disqualified(scene.question, passage, scene.turns)]


def _carries(passage: Passage) -> bool:
    """Whether a passage carries a word of order or cause."""
    folded = fold(passage.text)
    return bool(wording.pattern("sequence").search(folded) or wording.pattern("causes").search(folded))


def _explains(chosen: Sequence[Passage]) -> bool:
    """Whether there is more than the bare matter: a word of cause, or something said beside it."""
    return len(chosen) > 1 or any(_carries(passage) for passage in chosen)
