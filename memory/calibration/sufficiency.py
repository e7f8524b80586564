"""Whether the evidence is enough to answer, and if not, what a further retrieval could look for."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..language.folding import fold
from ..records import Candidate
from .assurance import assured
from .coverage import NEAR, covers, prepare
from .options import compared
from .scene import Scene
from .support import Support, bridge, judge, names_in

_MOST_HOPS = 3
_LOOKED_AT = 6


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether there is enough, the id of the best turn, why, and what could be looked for."""

    enough: bool
    reason: str
    best: str | None = None
    hop_entities: tuple[str, ...] = ()
    direct: float = 1.0
    """The largest share of the question's words that a passage covers by itself."""
    answered: bool = True
    """Whether one passage is enough of an answer."""


def sufficient(scene: Scene, kept: Sequence[Candidate]) -> Verdict:
    """Decide by attribution, coverage, kind of value, and presence of the entity asked about; never by a score."""
    question = scene.question
    if question.asks == "command" or question.about_agent:
        return Verdict(False, "nothing is asked of the records", direct=0.0, answered=False)
    if question.ordinal is not None or question.kinds:
        return Verdict(True, "items are asked for by their place or kind")
    if question.asks in {"more", "less"}:
        options = compared(scene, kept)
        compared_two = len(options) > 1
        return Verdict(compared_two, f"{len(options)} options with a value", answered=compared_two)
    return _by_passages(scene, judge(scene, kept))


def _by_passages(scene: Scene, supports: Sequence[Support]) -> Verdict:
    direct = max((one.direct for one in supports), default=0.0)
    best = assured(scene.question, supports)
    if best is not None:
        return Verdict(True, "a passage covers the question", best.passage.turn.id, direct=direct)
    joined = bridge(scene, supports)
    if joined is not None:
        found = joined[1].passage.turn.id
        return Verdict(True, "two passages cover the question together", found, direct=direct, answered=False)
    return Verdict(False, _why_not(supports), None, _hop_entities(scene, supports), direct, answered=False)


def _why_not(supports: Sequence[Support]) -> str:
    if not supports:
        return "nothing may count as evidence"
    best = supports[0]
    if not best.named:
        return "nothing is about what the question names"
    if not best.fits:
        return "nothing holds the kind of value asked for"
    return f"not covered: {', '.join(best.missing)}" if best.missing else "too little is covered"


def _hop_entities(scene: Scene, supports: Sequence[Support]) -> tuple[str, ...]:
    """Names in passages that cover part of the question: their bearer may be who or what the rest is about."""
    asked = fold(scene.question.text)
    partly = [one for one in supports[:_LOOKED_AT] if any(_covers_one(one, term) for term in scene.question.terms)]
    found = dict.fromkeys(name for one in partly for name in sorted(names_in(one.passage)) if name not in asked)
    return tuple(found)[:_MOST_HOPS]


def _covers_one(support: Support, term: str) -> bool:
    return covers(prepare(support.passage.text), term) >= NEAR
