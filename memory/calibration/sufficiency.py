"""Whether the evidence is enough to answer, and if not, what a further retrieval could look for."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..language.folding import fold
from ..records import Candidate
from .coverage import NEAR, covers, prepare
from .options import compared
from .support import Scene, Support, bridge, judge
from .validity import is_specific, spoken

_MOST_HOPS = 3


@dataclass(frozen=True, slots=True)
class Verdict:
    """Whether there is enough, the id of the best turn, why, and what could be looked for."""

    enough: bool
    reason: str
    best: str | None = None
    hop_entities: tuple[str, ...] = ()


def sufficient(scene: Scene, kept: Sequence[Candidate]) -> Verdict:
    """Decide by attribution, coverage, kind of value, and presence of the entity asked about; never by a score."""
    question = scene.question
    if question.asks == "command":
        return Verdict(False, "nothing is asked")
    if question.ordinal is not None:
        return Verdict(bool(question.listed) or bool(kept), "a place in a list")
    if question.kinds:
        return Verdict(True, "items of the kind asked for")
    supports = judge(scene, kept)
    if question.asks in {"more", "less"}:
        options = compared(scene, kept)
        return Verdict(len(options) > 1, f"{len(options)} options with a value")
    best = next((one for one in supports if one.answers), None)
    if best is not None:
        return Verdict(True, "a passage covers the question", best.passage.turn.id)
    joined = bridge(scene, supports)
    if joined is not None:
        return Verdict(True, "two passages cover the question together", joined[1].passage.turn.id)
    return Verdict(False, _why_not(supports), None, _hop_entities(scene, supports))


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
    found: dict[str, None] = {}
    for support in supports[:6]:
        text = prepare(support.passage.text)
        if not any(covers(text, term) >= NEAR for term in scene.question.terms):
            continue
        for item in support.passage.items:
            names = [fold(item.value)] if item.kind == "fact" and len(item.value) <= 20 else []
            names += [spoken(item.entity)] if is_specific(item.entity) else []
            found.update(dict.fromkeys(name for name in names if name and name not in asked))
        found.update(dict.fromkeys(name for name in sorted(_names(support)) if name not in asked))
    return tuple(found)[:_MOST_HOPS]


def _names(support: Support) -> frozenset[str]:
    from_text = prepare(support.passage.text).folded
    return frozenset(name for name in _capitals(support.passage.text) if name in from_text)


def _capitals(text: str) -> list[str]:
    words = [word.strip(".,;:!?\"'’()") for word in text.split()]
    return [fold(word) for word in words[1:] if word[:1].isupper() and len(word) > 1 and word != "I"]
