"""Which of several passages is the evidence: what its words say, where its turn stands, and when it was said.

Each sign counts with a weight. The weights are those of a conditional logistic regression (McFadden 1974) on which
turns are the evidence, fitted on half of the bundled dialogues and five LoCoMo conversations: on the other half of the
dialogues the best passage is evidence for .70 of the answerable questions, with words and rank alone for .63.
"""

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from ..language.folding import fold
from ..language.lexicon import cue
from ..records import Candidate, Reference
from . import wording
from .addresses import address_of, meanings
from .asked import Question
from .changes import adds_to, asks_for_before, asks_for_end, changes
from .coverage import covers, names_covered, prepare
from .passages import Passage, is_guess
from .people import same_person
from .scene import Scene
from .weighing import ENOUGH, Support

_COMPARED = 6
"""Turns that are put in the order of time: the best."""
_MANY = 4
"""Of fewer vectors a deviation tells nothing."""
_FARTHEST = 8.0
"""Points of the ranking behind the best that still tell."""


class Signs(NamedTuple):
    """What speaks for a passage or against it."""

    covered: float
    """The share of the question's words that it covers with its context."""
    direct: float
    """The share that it covers by itself."""
    missing: float
    """How many of them neither it nor its context covers."""
    kind: float
    """It holds the kind of value asked for."""
    near: float
    """How much nearer its turn's vector lies than the others', in standard deviations."""
    behind: float
    """How far its turn stands behind the best of the ranking."""
    past: float
    """It tells what happened."""
    settled: float
    """It tells what happened, and the question asks how something ended."""
    planned: float
    """It tells what is only wanted or planned, and the question asks how something ended."""
    denies: float
    """It denies something, and the question can be denied."""
    timed: float
    """It has the very words of the question's time."""
    own: float
    """The speaker is whom the question is about."""


WEIGHTS = Signs(
    covered=0.9,
    direct=0.9,
    missing=-0.6,
    kind=2.05,
    near=0.55,
    behind=-0.26,
    past=0.45,
    settled=0.9,
    planned=-1.7,
    denies=1.2,
    timed=3.0,
    own=1.9,
)
NOW, LAST, FIRST = 3.75, 1.75, -3.0
"""What it counts to have been said after the others, where the present, the end or the beginning is asked for."""


class Standing(NamedTuple):
    """Where a turn stands among those that were kept."""

    near: float
    behind: float


UNKNOWN = Standing(0.0, 0.0)


def standings(kept: Sequence[Candidate]) -> dict[int, Standing]:
    """The standing of each kept turn: by its vector, where it has one, and by the ranking."""
    highest = max((candidate.score for candidate in kept), default=0.0)
    cosines = [candidate.channels["dense"] for candidate in kept if "dense" in candidate.channels]
    middle = statistics.fmean(cosines) if cosines else 0.0
    spread = statistics.pstdev(cosines) if len(cosines) >= _MANY else 0.0

    def near(candidate: Candidate) -> float:
        return (candidate.channels.get("dense", min(cosines)) - middle) / spread if spread else 0.0

    return {one.turn: Standing(near(one), min(highest - one.score, _FARTHEST)) for one in kept}


def signs(question: Question, support: Support, standing: Standing) -> Signs:
    """The signs of one passage."""
    passage, folded = support.passage, fold(support.passage.text)
    ends, past = asks_for_end(question), _tells(passage, "tells_past")
    return Signs(
        covered=support.covered,
        direct=support.direct,
        missing=float(len(support.missing)),
        kind=float(question.expects is not None and support.fits),
        near=standing.near,
        behind=standing.behind,
        past=float(past),
        settled=float(past and ends),
        planned=float(ends and _tells(passage, "tells_plan")),
        denies=float(question.asks == "yes_no" and bool(cue(folded, "negation"))),
        timed=float(support.timed),
        own=float(same_person(fold(passage.turn.speaker), question.subject)),
    )


def _tells(passage: Passage, what: str) -> bool:
    return bool(wording.pattern(what).search(fold(passage.text)))


def ranked(scene: Scene, supports: Sequence[Support], standing: Mapping[int, Standing]) -> list[Support]:
    """The passages with their scores, best first; the later one where scores are equal."""
    question = scene.question
    scored = [
        replace(one, score=_merit(question, one, standing.get(one.passage.turn.number, UNKNOWN))) for one in supports
    ]
    scored.sort(key=_rank, reverse=True)
    weight = _weight_of_time(question)
    if weight:
        best = list(dict.fromkeys(one.passage.turn.number for one in scored))[:_COMPARED]
        scored = [replace(one, score=one.score + weight * _later(one, best)) for one in scored]
        scored.sort(key=_rank, reverse=True)
    return _with_changes(question, scored)


def _with_changes(question: Question, scored: list[Support]) -> list[Support]:
    """What takes back the best passage stands in its place: it is about the same, in whatever words."""
    if not scored or asks_for_before(question):
        return scored
    best = scored[0]
    scored = [best, *(one for one in scored[1:] if not _is_outdated(question, one, best))]
    anew = [one for one in scored[1:] if changes(question, best, one)]
    if not anew:
        return scored
    latest = max(anew, key=lambda one: (one.passage.turn.number, one.score))
    heir = replace(best, passage=latest.passage, timed=latest.timed, exact=latest.exact)
    base = [best] if adds_to(question, best, latest) else []
    return [heir, *base, *(one for one in scored[1:] if one is not latest)]


def _is_outdated(question: Question, support: Support, best: Support) -> bool:
    """Whether the best passage takes a passage back, and does not start from it."""
    return changes(question, support, best) and not adds_to(question, support, best)


def _rank(support: Support) -> tuple[float, object, int]:
    turn = support.passage.turn
    return round(support.score, 2), turn.observed_at, turn.number


def _merit(question: Question, support: Support, standing: Standing) -> float:
    told = signs(question, support, standing)
    return sum(weight * sign for weight, sign in zip(WEIGHTS, told, strict=True)) + _by_wording(question, support)


def _weight_of_time(question: Question) -> float:
    """What it counts that something was said after the others."""
    if asks_for_before(question):
        return FIRST
    now = NOW if wording.pattern("asks_for_now").search(fold(question.text)) else 0.0
    return now + (LAST if asks_for_end(question) else 0.0)


def _later(support: Support, best: Sequence[int]) -> float:
    """The share of the best turns that were said before a passage."""
    number = support.passage.turn.number
    others = [turn for turn in best if turn != number]
    return sum(turn < number for turn in others) / len(others) if others else 0.0


def _by_wording(question: Question, support: Support) -> float:
    """What single words and items say, by hand: they are too rare to be fitted."""
    passage, folded = support.passage, fold(support.passage.text)
    # What is said under a condition is a guess of people's, and a rule of documents.
    guessed = is_guess(passage) and not isinstance(passage.turn, Reference)
    named = bool(question.names) and all(names_covered(name, (prepare(passage.text),)) for name in question.names)
    told = (
        (0.6, bool(support.exact)),
        (0.4, named),
        (-0.4, guessed or bool(wording.pattern("caption").search(folded))),
        (0.3, question.asks == "why" and bool(wording.pattern("causes").search(folded))),
        (0.4, question.decided and _decides(passage)),
        (0.75, _tells_change(question, support)),
    )
    places = 0.3 * question.address.shared(passage.address) + 2.0 * names_field(question, passage)
    return sum(weight for weight, applies in told if applies) + places


def names_field(question: Question, passage: Passage) -> float:
    """How far the question has the words of a field in the passage: "the late fee" those of LATE_FEE."""
    asked = prepare(question.text)
    parts = [name.split("_") for name in address_of(passage.text).fields]
    shares = (sum(any(covers(asked, word) for word in meanings(part)) for part in name) / len(name) for name in parts)
    return max(shares, default=0.0)


def _tells_change(question: Question, support: Support) -> bool:
    """A change that no extractor caught still outdates what an item says."""
    unseen = support.covered >= ENOUGH and not support.exact and not question.history
    return unseen and bool(cue(support.passage.text, "change"))


def _decides(passage: Passage) -> bool:
    return bool(cue(passage.text, "decision")) or any(item.kind in {"decision", "agreement"} for item in passage.items)
