"""How sure the memory is that it holds an answer: 0 to 1, fitted on questions that are known to have one or none.

The score of a retrieval does not tell the two apart (AUC .41 for BM25 on LoCoMo). Four signs do, most of them about who
did it: how much more of the question's rare words a turn of the person asked about holds than one of anybody else; how
far, within limits, that person's best turn leads the others'; how many of the words one passage covers by itself; and
whether a passage is enough of an answer. Their weights are those of a logistic regression over five LoCoMo
conversations; on those that it was not fitted on, the AUC is .847, and .65 of the unanswerable questions are refused
with .15 of the others.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ..language.folding import fold
from ..records import Candidate
from .coverage import covers, prepare
from .people import same_person
from .scene import Scene
from .sufficiency import Verdict

_CONSIDERED = 40
"""Of so many candidates, the best, words and leads are compared."""
_FAR = 4.0
"""Points of the ranking, in standard deviations: a longer lead says no more."""
_WORDS, _LEAD, _DIRECT, _ANSWERS, _BASE = 1.6, 0.25, 1.5, 0.65, -1.55


@dataclass(frozen=True, slots=True)
class Measure:
    """What is known of the words and of the ranking."""

    rarities: Mapping[str, float]
    """The inverse document frequency of each term of the question."""
    preference: float
    """What the ranking adds to a turn of the person asked about."""
    beside: tuple[str, ...] = ()
    """Who is asked about together with that person."""


UNKNOWN = Measure({}, 0.0)


def confidence(scene: Scene, candidates: Sequence[Candidate], verdict: Verdict, measure: Measure) -> float:
    """The probability that the memory holds an answer to the question, if half of all questions had one."""
    words, lead = _attribution(scene, candidates[:_CONSIDERED], measure)
    sign = _BASE + _WORDS * words + _LEAD * lead + _DIRECT * verdict.direct + _ANSWERS * verdict.answered
    return 1.0 / (1.0 + math.exp(-sign))


def _attribution(scene: Scene, candidates: Sequence[Candidate], measure: Measure) -> tuple[float, float]:
    """How far the person asked about leads the others, in the share of words and in the ranking; 0 without a person."""
    person = scene.question.speaker
    if person is None:
        return 0.0, 0.0
    shares: dict[bool, list[float]] = {True: [], False: []}
    scores: dict[bool, list[float]] = {True: [], False: []}
    for candidate in candidates:
        turn = scene.turns.get(candidate.turn)
        if turn is not None:
            speaker = fold(turn.speaker)
            if any(same_person(speaker, name) for name in measure.beside):
                return 0.0, 0.0  # both are meant: nobody is the other
            own = same_person(speaker, person)
            shares[own].append(_share(scene.question.terms, turn.text, measure.rarities))
            scores[own].append(candidate.score - measure.preference * own)
    words = max(shares[True], default=0.0) - max(shares[False], default=0.0)
    best = max(scores[True], default=0.0)
    lead = best - max(scores[False], default=best)
    return words, min(max(lead, -_FAR), _FAR)


def _share(terms: Sequence[str], text: str, rarities: Mapping[str, float]) -> float:
    """The share of the question's terms, each by its rarity, that a text holds."""
    prepared = prepare(text)
    total = sum(rarities.get(term, 0.0) for term in terms)
    return sum(rarities.get(term, 0.0) * covers(prepared, term) for term in terms) / total if total else 0.0
