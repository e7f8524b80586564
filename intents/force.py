"""What is meant by words that name a step: a wish, a question whether it may be, a denial, or none of these."""

import functools
import re
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from ..memory.extraction.reading import Reading
from ..memory.language.folding import CJK
from ..memory.records import Language, Span, Turn
from .lexicon import NEVER, force

Force = Literal["firm", "asked", "denied", "withdrawn", "none"]
"""``asked``: whether it may be; ``denied``: it is not wanted; ``withdrawn``: it is not wanted any more."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a turn, folded, with its place and its clauses."""

    text: str
    span: Span
    language: Language
    clauses: tuple[Span, ...]
    """Where its clauses are in the turn."""
    questions: tuple[bool, ...]
    """Which of them ask."""
    reported: tuple[bool, ...]
    people: str
    """A pattern of the names of people in it."""

    def clause_at(self, position: int) -> int:
        """The index of the clause that a position of the turn is in, or stands before."""
        return next((index for index, it in enumerate(self.clauses) if position < it.end), len(self.clauses) - 1)


class Heard:
    """A turn taken apart once for the recognition of intents."""

    def __init__(self, turn: Turn) -> None:
        """Read the turn."""
        self.turn = turn
        self.reading = Reading(turn)
        self.text = self.reading.folded
        """Folded, with what is not the speaker's own blanked; offsets are the turn's."""

    @functools.cached_property
    def sentences(self) -> tuple[Sentence, ...]:
        """Its sentences that say something, in order."""
        return tuple(self._sentences())

    def _sentences(self) -> list[Sentence]:
        found = []
        for index, span in enumerate(self.reading.sentences):
            clauses = [it for it in self.reading.clauses if it.sentence == index]
            if clauses:
                text = span.cut(self.text)
                found.append(
                    Sentence(
                        text=text,
                        span=span,
                        language="zh" if re.search(f"[{CJK}]", text) else "en",
                        clauses=tuple(it.span for it in clauses),
                        questions=tuple(it.question for it in clauses),
                        reported=tuple(it.reported for it in clauses),
                        people=_people(span.cut(self.turn.text)),
                    )
                )
        return found


def force_of(sentence: Sentence, span: Span, *, names: str = NEVER, looks: bool = False, spoken: bool = False) -> Force:
    """How the words at a span of a turn are meant.

    Args:
        sentence: the sentence that they are in.
        span: where they are in the turn.
        names: words for what the domain is about, as a pattern.
        looks: whether the step only looks something up, so that any form of question asks for it.
        spoken: whether the words are about what is being said, and so no report: "forget I said that".
    """
    before = sentence.text[: span.start - sentence.span.start]
    after = sentence.text[span.end - sentence.span.start :]
    language = sentence.language
    if _is_of_others(sentence, before, names):
        return "none"
    denied = _denied(before, after, language)
    if denied is not None:
        return denied
    if _is_imagined(before, language) or (not looks and _is_past(sentence, span, before, after)):
        return "none"
    if sentence.reported[sentence.clause_at(span.start)] and not spoken:
        return "none"
    return "firm" if looks else _asked_or_firm(sentence, span, before, after)


def _denied(before: str, after: str, language: Language) -> Force | None:
    """Whether the step is not wanted, or not any more."""
    if force(language, "takes_back").search(before) or force(language, "takes_back_after").match(after):
        return "withdrawn"
    if not force(language, "negated_before").search(before) or force(language, "negated_unless").search(before):
        return None
    if force(language, "withdrawn_after").match(after) or force(language, "withdrawn_before").search(before):
        return "withdrawn"
    return "denied"


def _is_past(sentence: Sentence, span: Span, before: str, after: str) -> bool:
    said = sentence.text[len(before) : len(sentence.text) - len(after)]
    return _is_told(before, said, after, sentence.language) or _is_done(sentence, span, before)


def _is_of_others(sentence: Sentence, before: str, names: str) -> bool:
    language = sentence.language
    subject = force(language, "others_before", people=sentence.people).search(before)
    if subject and not force(language, "others_unless").search(before):
        return True
    return bool(force(language, "owner", names=names, people=sentence.people).search(sentence.text))


def _is_imagined(before: str, language: Language) -> bool:
    """Whether it is only supposed, considered, or an errand for later."""
    if any(force(language, name).search(before) for name in ("irrealis_before", "errand_before")):
        return True
    condition = force(language, "conditional").search(before)
    if condition is None or force(language, "indirect").search(before):
        return False
    return not force(language, "main").search(condition["rest"])


def _is_told(before: str, said: str, after: str, language: Language) -> bool:
    """Whether it is told, or asked, of the past."""
    if force(language, "requested").search(before) and not force(language, "recall").search(before):
        return False
    if force(language, "past_before").search(before) or force(language, "recall").search(before):
        return True
    # "Can it be ...?" may begin within the words that name the step.
    if force(language, "possible").search(before + said):
        return False
    return bool(force(language, "recall_after").match(after) or force(language, "reported_after").match(after))


def _is_done(sentence: Sentence, span: Span, before: str) -> bool:
    """Whether it is told that somebody did it: "we cancelled it", but not "I want it cancelled"."""
    if not re.match(r"(?!need\b)[a-z]+ed\b", sentence.text[span.start - sentence.span.start :]):
        return False
    if force(sentence.language, "possible").search(before[-40:]):
        return False
    if any(force(sentence.language, name).search(before) for name in ("passive_before", "asked_whether_before")):
        return True
    if force(sentence.language, "wanted_before").search(before):
        return False
    return bool(force(sentence.language, "done_before", people=sentence.people).search(before))


def _asked_or_firm(sentence: Sentence, span: Span, before: str, after: str) -> Force:
    language = sentence.language
    index = sentence.clause_at(span.start)
    asks = sentence.questions[index] or bool(re.search(r"[?？]\W*$", sentence.text))
    if force(language, "requested").search(before) or (asks and force(language, "requested_after").search(after)):
        return "firm"
    if asks and force(language, "advice").search(before):
        return "none"
    possible = force(language, "possible").search(before) or force(language, "indirect").search(before)
    return "asked" if asks or possible else "firm"


def _people(text: str) -> str:
    """The names of people that an English sentence has: capitals within it, or before a verb of wanting and telling."""
    inner = [word for before, word in pairwise([None, *re.findall(r"\b[A-Za-z][\w'-]*", text)]) if before and word]
    named = {word.lower() for word in inner[0:] if re.fullmatch(r"[A-Z][a-z]+", word)}
    first = re.match(r"\W*([A-Z][a-z]+) (?:wants|wanted|asked|asks|needs|says|said|told)\b", text)
    if first:
        named.add(first[1].lower())
    return "|".join(sorted(map(re.escape, named), key=len, reverse=True)) or NEVER
