"""The passages that support an answer, best first, and two passages that answer together."""

from collections.abc import Iterator, Sequence
from typing import Literal

from ..language.folding import fold
from ..language.tokens import content_stems
from ..records import Candidate, Item
from . import wording
from .changes import changes
from .coverage import covers, prepare
from .parsing import capitalised_names
from .passages import Passage, disqualified, passages
from .ranking import ranked, standings
from .scene import Scene
from .validity import concerns, is_specific, spoken, version_before
from .weighing import ENOUGH, Support, weigh

__all__ = ["ENOUGH", "Scene", "Support", "bridge", "judge", "mentions", "weigh"]

_LONG_TURN = 20_000
"""Characters beyond which not every sentence of a turn is weighed: each is, against the whole turn."""
_MOST_PASSAGES = 24
_BRIDGED = 0.8
_BRIDGES = 12
_SHORT_VALUE = 20
_NO_NAMES = frozenset({"", "i", "my", "the", "we", "our"})


def judge(scene: Scene, kept: Sequence[Candidate]) -> list[Support]:
    """Every passage of the kept turns that may count as evidence, best first (ties: the later one)."""
    wanted = version_before(scene.question, scene.every_item(), scene.moment) if scene.question.history else None
    found = [weigh(scene, passage) for candidate in kept for passage in _eligible(scene, candidate.turn, wanted)]
    if not found and scene.question.history and scene.question.version is None:
        found = _taken_back(scene, kept)
    return ranked(scene, found, standings(kept))


def _taken_back(scene: Scene, kept: Sequence[Candidate]) -> list[Support]:
    """What a later passage takes back, where no item tells what was before."""
    every = [weigh(scene, passage) for candidate in kept for passage in _eligible(scene, candidate.turn)]
    return [one for one in every if one.answers and any(changes(scene.question, one, other) for other in every)]


def _eligible(scene: Scene, number: int, wanted: Item | Literal[False] | None = False) -> Iterator[Passage]:
    """What of a turn may count; ``wanted`` is the version asked for, None where there is none, False for any."""
    question, turn = scene.question, scene.turns.get(number)
    if turn is None:
        return
    closed_too = question.history or question.done
    offered = passages(turn, scene.items.get(number, ()), scene.moment, closed_too=closed_too)
    for passage in offered if len(turn.text) <= _LONG_TURN else _likeliest(scene, offered):
        right = wanted is False or _is_right_version(scene, passage, wanted)
        if right and not disqualified(question, passage, scene.turns):
            yield passage


def _likeliest(scene: Scene, offered: Sequence[Passage]) -> list[Passage]:
    """Of a turn of many pages the passages that share most words with the question, in their order."""
    wanted = {*scene.question.terms, *(stem for name in scene.question.names for stem in content_stems(name))}
    shared = [len(wanted & set(content_stems(passage.text))) for passage in offered]
    best = sorted(range(len(offered)), key=lambda place: (-shared[place], place))[:_MOST_PASSAGES]
    return [offered[place] for place in sorted(best)]


def _is_right_version(scene: Scene, passage: Passage, wanted: Item | None) -> bool:
    """For a question about history: not the current value, and of the old ones the one asked for."""
    if not scene.question.history:
        return True
    of_one_value = (item for item in passage.items if item.single_valued or item == wanted)
    about = [item for item in of_one_value if concerns(scene.question, item)]
    if not about:
        return wanted is None and _is_of_before(scene, passage)
    return wanted is not None and any(item.number == wanted.number for item in about)


def _is_of_before(scene: Scene, passage: Passage) -> bool:
    """Whether a passage without versions tells of the past, or was said before the current value or last answer."""
    if wording.pattern("was_before").search(fold(passage.text)):
        return True
    question = scene.question
    later = [number for number in question.after_turns if number in scene.turns] if question.follow_up else []
    later += [
        item.turn
        for item in scene.every_item()
        if item.single_valued and scene.moment.holds(item) and concerns(question, item)
    ]
    return bool(later) and passage.turn.number < min(later)


def bridge(scene: Scene, supports: Sequence[Support]) -> tuple[Support, Support] | None:
    """Two passages that answer together: the second names somebody or something that the first leads to.

    "My boss is Anna." and "Anna lives in Oslo." answer "where does my boss live?".
    """
    best = supports[:_BRIDGES]
    for target in best:
        if target.fits and target.direct > 0 and target.missing:
            link = next((one for one in best if one is not target and _links(scene, one, target)), None)
            if link is not None:
                return link, target
    return None


def _links(scene: Scene, link: Support, target: Support) -> bool:
    """Whether ``link`` covers what ``target`` misses, and leads to it by a name that the question does not have."""
    shared = mentions(link.passage) & mentions(target.passage)
    asked = fold(scene.question.text)
    if not shared or any(name in asked for name in shared):
        return False
    text = prepare(link.passage.text)
    tied = any(_is_named_so(name, text.folded) for name in shared)
    return tied and all(covers(text, term) >= _BRIDGED for term in target.missing)


def _is_named_so(name: str, folded: str) -> bool:
    """Whether a text says who or what bears a name: "my boss is Anna", "Anna is my boss", 老板叫李雷."""
    found = wording.pattern("naming").finditer(folded)
    near = ((folded[: match.start()].rstrip(), folded[match.end() :].lstrip(" :\"'“")) for match in found)
    return any(before.endswith(name) or behind.startswith(name) for before, behind in near)


def mentions(passage: Passage) -> frozenset[str]:
    """The names in a passage, and the capitalised word that it opens with, which may be one."""
    words = passage.text.split()
    return names_in(passage) | ({fold(word.strip("'’s,.")) for word in words[:1] if word[:1].isupper()} - _NO_NAMES)


def names_in(passage: Passage) -> frozenset[str]:
    """The names in a passage: entities and short values of its items, and capitalised words that do not open it."""
    found = {spoken(item.entity) for item in passage.items if is_specific(item.entity)}
    found |= {fold(item.value) for item in passage.items if item.kind == "fact" and len(item.value) <= _SHORT_VALUE}
    return frozenset(found | capitalised_names(passage.text)) - _NO_NAMES
