"""Are the answers right? The outcome of each question, consistency with the gold, references, and what is made up."""

import re
from collections import Counter
from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from ...memory.language.folding import fold
from ...memory.language.tokens import tokenize
from ..records import Question
from .stating import Said, Values, states, values_of, without

Outcome = Literal["PASS", "STALE", "INVENTED", "MISS"]
OUTCOMES: tuple[Outcome, ...] = ("PASS", "STALE", "INVENTED", "MISS")

_MARKS = re.compile(r"\[[tcfsa]\d+(?:: [^\]\n]*)?\]")
_QUOTED = re.compile(r"“(.+?)”|「(.+?)」", re.DOTALL)
_NAME = re.compile(r"(?<![.!?:\n] )(?<!^)\b[A-Z][a-z]+\b")
_ARTICLES = frozenset({"a", "an", "the", "and"})


@dataclass(frozen=True, slots=True)
class Quoted:
    """A citation of an answer: the turn, the words of it that are quoted, and whose they are."""

    external_id: str
    said: Said
    speaker: str = ""
    """The name with which the answer says whose words they are; empty for the user and the assistant."""

    @property
    def shown(self) -> list[Said]:
        """What the answer shows of it: the words, the day, and whose they are."""
        return [self.said, _date_of(self.said), replace(self.said, text=self.speaker)]


@dataclass(frozen=True, slots=True)
class Answered:
    """An answer as it is judged."""

    text: str
    abstained: bool
    by_model: bool
    asked_at: datetime
    time_zone: str
    citations: Sequence[Quoted] = ()
    claims: Sequence[str] = ()
    evidence: Sequence[Said] = ()
    """The whole turns that it cites or could rest on."""
    speakers: Sequence[str] = ()

    @property
    def whole(self) -> Said:
        """The text of the answer; its relative times count from when it is given."""
        return Said(self.text, self.asked_at, self.time_zone)

    @property
    def first(self) -> list[Said]:
        """What consistency is scored on: the first quotation with its date and speaker; a model's answer whole."""
        return [self.whole] if self.by_model or not self.citations else self.citations[0].shown

    @property
    def every(self) -> list[Said]:
        """All that it says."""
        return [self.whole, *(said for cited in self.citations for said in cited.shown)]


def outcome(question: Question, answered: Answered) -> Outcome:
    """What became of a question.

    PASS: right, or rightly refused, or challenged where the question supposes what is not so. STALE: a value that was
    true and no longer is. INVENTED: an answer where the records hold none, or a value that no evidence holds. MISS:
    refused, or otherwise wrong, although there is evidence.
    """
    if not question.answerable:
        return "PASS" if answered.abstained or _any(question.answers, answered.every, answered) else "INVENTED"
    if answered.abstained:
        return "MISS"
    if not question.answers:
        return "PASS" if {cited.external_id for cited in answered.citations} & set(question.gold) else "MISS"
    return _outcome_of_answer(question, answered)


def _outcome_of_answer(question: Question, answered: Answered) -> Outcome:
    """The outcome of an answer that was given, where an accepted one is known."""
    first = answered.first
    if _any(question.stale, first, answered) and not _any(question.answers, first, answered):
        return "STALE"
    if _any(question.answers, answered.every, answered):
        return "PASS"
    if _any(question.stale, answered.every, answered):
        return "STALE"
    return "INVENTED" if fabricated(question, answered) else "MISS"


def consistent(question: Question, answered: Answered) -> bool | None:
    """Whether the first quotation states an accepted answer; ``None`` where there is nothing to compare."""
    if answered.abstained or not question.answerable or not question.answers:
        return None
    return _any(question.answers, answered.first, answered)


def wrong_references(question: Question, answered: Answered) -> tuple[int, int]:
    """How many citations name no gold turn, and how many citations there are; nothing without gold or answer."""
    if answered.abstained or not question.gold:
        return 0, 0
    wrong = sum(cited.external_id not in question.gold for cited in answered.citations)
    return wrong, len(answered.citations)


def fabricated(question: Question, answered: Answered) -> list[str]:
    """The claims with a number, a time, an identifier or a name that no evidence holds.

    This does not ask the product's verifier. What is quoted word for word is evidence by itself; the question's own
    values may be repeated.
    """
    known = [*answered.evidence, *map(_date_of, answered.evidence), replace(answered.whole, text=question.text)]
    held = [values_of(one) for one in known]
    words = {token.stem for text in (*(one.text for one in known), *answered.speakers) for token in tokenize(text)}
    return [claim for claim in answered.claims if _holds_another(claim, answered, held, words)]


def _holds_another(claim: str, answered: Answered, held: Sequence[Values], words: Container[str]) -> bool:
    """Whether a claim has a value that none of those are, or a name that is none of the words."""
    own = _own_words(claim, answered.evidence)
    claimed = values_of(replace(answered.whole, text=own))
    if not claimed.normals <= {normal for one in held for normal in one.bare}:
        return True
    if not all(_is_met(period, held) for period in claimed.periods):
        return True
    names = _NAME.findall(without(own, claimed.spans))
    return any(token.stem not in words for name in names for token in tokenize(name))


def token_f1(answer: str, gold: str) -> float:
    """The F1 of stemmed words without articles, as LoCoMo and SQuAD score short answers."""
    given, wanted = Counter(_words(answer)), Counter(_words(gold))
    shared = sum((given & wanted).values())
    return 2 * shared / (sum(given.values()) + sum(wanted.values())) if shared else 0.0


def best_f1(question: Question, answered: Answered) -> float | None:
    """The best F1 over the accepted answers; ``None`` where there are none."""
    if not question.answers:
        return None
    text = _MARKS.sub("", answered.text)
    return 0.0 if answered.abstained else max(token_f1(text, accepted) for accepted in question.answers)


def _any(accepted: Sequence[str], said: Sequence[Said], answered: Answered) -> bool:
    return any(states(said, replace(answered.whole, text=one)) for one in accepted)


def _date_of(said: Said) -> Said:
    """The date on which something was said, which an answer shows beside its quotation."""
    return replace(said, text=said.moment.date().isoformat())


def _own_words(claim: str, evidence: Sequence[Said]) -> str:
    """A claim without ids, and without what it quotes word for word."""
    texts = [fold(one.text) for one in evidence]

    def _blank(match: re.Match[str]) -> str:
        quoted = fold(match[1] or match[2])
        return " " if any(quoted in text for text in texts) else match[0]

    said = _MARKS.sub("", claim)
    whole = fold(said).strip()
    return " " if any(whole in text for text in texts) else _QUOTED.sub(_blank, said)


def _is_met(period: tuple[datetime, datetime], held: Sequence[Values]) -> bool:
    return any(_meet(period, other) for one in held for other in one.periods)


def _meet(one: tuple[datetime, datetime], other: tuple[datetime, datetime]) -> bool:
    """Whether one time lies within the other: 'in May' is borne out by a day of it."""
    return (other[0] <= one[0] and one[1] <= other[1]) or (one[0] <= other[0] and other[1] <= one[1])


def _words(text: str) -> list[str]:
    return [token.stem for token in tokenize(text) if token.text not in _ARTICLES]
