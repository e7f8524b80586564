"""Passages: the sentences of recalled turns, with the items that each quotes and what disqualifies it as evidence."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from ..language.folding import fold
from ..language.lexicon import cue
from ..language.sentences import clauses, sentences
from ..language.times import find_times
from ..records import Item, Span, Turn
from . import wording
from .questions import Question
from .validity import Moment, concerns, is_specific, related, spoken

_LONG = 200
"""A sentence of more characters is offered clause by clause as well."""
_SHORT_NAME = 3
_TIMELESS = frozenset({"when", "why", "order"})
"""What these ask for may lie outside of the time that they name."""
_QUIET_ACTS = frozenset({"greeting", "leave", "acknowledgement"})
_ASKS = re.compile(r"[?？]\s*[\"'”’)）]*$")


@dataclass(frozen=True, slots=True)
class Passage:
    """One sentence or clause of a turn, offered as evidence."""

    turn: Turn
    span: Span
    items: tuple[Item, ...] = ()
    """Items quoted by it that hold at the time asked about; for a question about history, all of them."""
    closed: tuple[Item, ...] = ()
    """Items quoted by it that no longer, or not yet, hold."""

    @property
    def text(self) -> str:
        """The words of the passage, exactly as in the turn."""
        return self.span.cut(self.turn.text)


def passages(turn: Turn, items: Sequence[Item], moment: Moment, *, closed_too: bool) -> list[Passage]:
    """The sentences of a turn (the clauses of long ones), with the items that each quotes."""
    found = []
    for span in _units(turn.text):
        quoted = [item for item in items if item.quote_span.overlaps(span)]
        held = tuple(item for item in quoted if closed_too or moment.holds(item))
        found.append(Passage(turn, span, held, tuple(item for item in quoted if item not in held)))
    return found


def _units(text: str) -> Iterator[Span]:
    for sentence in sentences(text):
        parts = clauses(text, sentence)
        if sentence.end - sentence.start <= _LONG or len(parts) < 2:
            yield sentence
        else:
            yield from parts


def is_interrogative(passage: Passage) -> bool:
    """Whether the passage only asks: it ends in a question mark, or its whole turn was a question."""
    if _ASKS.search(passage.text):
        return True
    return (
        passage.turn.act == "question"
        and not _ASKS.search(passage.turn.text)
        and len(sentences(passage.turn.text)) == 1
    )


def is_guess(passage: Passage) -> bool:
    """Whether the passage is only a hypothesis ("maybe it's the database")."""
    return bool(cue(passage.text, "hypothesis"))


def disqualified(question: Question, passage: Passage, neighbours: Mapping[int, Turn]) -> str:
    """Why the passage cannot be evidence for the question, as the name of a rule; empty if it can."""
    if wrong := _wrong_source(question, passage):
        return wrong
    if is_interrogative(passage) != question.about_questions and passage.turn.source != "ai_generated":
        return "question"
    if not question.history and _is_superseded(question, passage):
        return "superseded"
    if _corrected_guess(passage):
        return "guess"
    if question.subject not in {None, "user"} and not _is_about(question.subject or "", passage, neighbours):
        return "attribution"
    if not in_time(question, passage):
        return "time"
    return "identity" if _about_another(question, passage) else ""


def _wrong_source(question: Question, passage: Passage) -> str:
    generated = passage.turn.source == "ai_generated"
    if question.asks == "who_said":
        return ""
    if generated != question.about_assistant:
        return "source"
    if question.only_time and (passage.turn.act in {*_QUIET_ACTS, "small_talk", "question"}):
        return "small_talk"
    return "small_talk" if passage.turn.act in _QUIET_ACTS and not passage.items else ""


def _is_superseded(question: Question, passage: Passage) -> bool:
    """Whether what the passage says about the question no longer holds, and nothing else that it says about it does."""
    if not passage.closed or any(concerns(question, item) for item in passage.items):
        return False
    bare = not (question.terms or question.attributes)
    return any(concerns(question, item) for item in passage.closed) or (bare and not passage.items)


def _corrected_guess(passage: Passage) -> bool:
    """A guess that the same turn takes back ("maybe it's X ... no, it was Y")."""
    after = passage.turn.text[passage.span.end :].strip()
    taken_back = cue(after, "correction") or wording.pattern("settles").search(fold(after))
    return bool(taken_back) and is_guess(passage)


def _is_about(person: str, passage: Passage, neighbours: Mapping[int, Turn]) -> bool:
    """Whether a passage speaks of a person: their own words about themselves, their name, or "you" said to them."""
    folded = fold(passage.text)
    speakers = {fold(turn.speaker) for turn in neighbours.values()} | {fold(passage.turn.speaker)}
    if person in folded or any(fold(item.entity) == person for item in passage.items):
        return True
    if not any(same_person(speaker, person) for speaker in speakers):
        return True  # no speaker of that name: whether the passage is about them is a matter of coverage
    second = bool(wording.pattern("second_person").search(folded))
    first = bool(wording.pattern("first_person").search(folded))
    if same_person(fold(passage.turn.speaker), person):
        return first or not second
    return second and not first and len(speakers) <= 2


def same_person(speaker: str, name: str) -> bool:
    """Whether a folded name is a speaker's, or the beginning of it ("mel" for "melanie")."""
    short, long = sorted((speaker, name), key=len)
    return speaker == name or (len(short) >= _SHORT_NAME and long.startswith(short))


def in_time(question: Question, passage: Passage) -> bool:
    """Whether the passage belongs to the time asked about: said then, placed then, or due then."""
    start, end = question.time_from, question.time_to
    if start is None or end is None or question.as_of is not None or question.asks in _TIMELESS:
        return True
    turn = passage.turn
    if start <= turn.observed_at < end:
        return True
    if question.only_time and question.said:
        return False
    dated = [moment for item in passage.items for moment in (item.valid_from, item.due_at) if moment is not None]
    if any(start <= moment < end for moment in dated):
        return True
    times = find_times(turn.text, turn.observed_at, turn.time_zone)
    if any(time.start < end and start < time.end for time in times):
        return True
    # The value of a state is answered with its date, although it was not settled on the day that the question supposes.
    return any(item.attribute in question.attributes for item in passage.items) and not question.only_time


def _about_another(question: Question, passage: Passage) -> bool:
    """Whether all that the passage quotes belongs to another entity than the one asked about."""
    wanted = _targets(question)
    if not wanted or not passage.items:
        return False
    folded = fold(passage.turn.text)
    if any(target in folded for target in wanted):
        return False
    return all(is_specific(item.entity) and not related(item.entity, question) for item in passage.items)


def _targets(question: Question) -> tuple[str, ...]:
    entity = (spoken(question.entity),) if question.entity else ()
    return (*question.names, *question.owners, *entity)
