"""Who does, has or says something: the user, the assistant, a named speaker, somebody whom a turn speaks of."""

import functools
from dataclasses import dataclass
from typing import Literal

from ...calibration import wording
from ...calibration.people import same_person
from ...language.folding import fold
from ...records import Turn
from . import vocabulary, words
from .faults import Fault, against, missing
from .reading import Reading
from .segments import Segment, Window

Person = Literal["first", "first_owner", "second", "second_owner", "third", "name", "other"]
USER = "user"


@dataclass(frozen=True, slots=True)
class Subject:
    """What a statement begins with: whom it is about."""

    person: Person
    name: str = ""
    word: str = ""
    """The word that stands for it, folded."""
    rest: str = ""
    """What follows it, folded."""


@functools.lru_cache(maxsize=8192)
def _opened(folded: str) -> str:
    rest = folded.strip()
    while (match := vocabulary.pattern("subject", "openers").match(rest)) and match.end():
        rest = rest[match.end() :]
    return rest


def subject_of(reading: Reading) -> Subject:
    """The subject of a statement, as far as its beginning shows it."""
    rest = _opened(_without_times(reading))
    for person in ("first", "first_owner", "second", "second_owner"):
        match = vocabulary.pattern("subject", person).match(rest)
        if match:
            return Subject(person, word=match.group(), rest=rest[match.end() :])
    for name in reading.names:
        if rest.startswith(name):
            return Subject("name", name, name, rest[len(name) :])
    return Subject("third" if vocabulary.pattern("subject", "third").match(rest) else "other", rest=rest)


def _without_times(reading: Reading) -> str:
    rest = list(reading.folded)
    for time in reading.times:
        rest[time.span.start : time.span.end] = " " * (time.span.end - time.span.start)
    opened = "".join(rest)
    for word in ("on ", "in ", "at "):
        opened = opened.lstrip(" ,，").removeprefix(word)
    return opened


def check_roles(claim: Reading, window: Window) -> Fault | None:
    """The one who does it in the claim must be the one who does it in the evidence."""
    if vocabulary.pattern("passive").search(claim.folded):
        return _check_speaker(subject_of(claim), window)
    told = subject_of(claim)
    if all(any(unit in name for name in claim.names) for unit in claim.units) and not claim.values:
        return _check_speaker(told, window)  # a name alone does nothing
    fault = _check_speaker(told, window) or _check_order(claim, window)
    return fault or _check_subject(told, claim, window)


def _check_speaker(told: Subject, window: Window) -> Fault | None:
    """What an assistant says of itself in an answer, it must have said; what a user says is not its own."""
    turn = window[0].turn
    # "We" and "our" may hold the user as well.
    alone = told.person in {"first", "first_owner"} and not vocabulary.pattern("subject", "shared").match(told.word)
    if alone and turn.source != "ai_generated":
        return against(f"{_who(turn)} said it, not the assistant")
    return None


def _check_subject(told: Subject, claim: Reading, window: Window) -> Fault | None:
    last = window[-1]
    found = _subject_in(window)
    speaker = fold(last.turn.speaker)
    if told.person == "second":
        return _check_user(found, claim, window)
    if told.person == "name" and found.person == "first" and not same_person(speaker, told.name):
        return against(f"{_who(last.turn)} said it of themself, not of {told.name}")
    if told.person == "name" and found.person == "first_owner" and same_person(speaker, told.name):
        # "Anna lives in Oslo" does not follow from Anna's "my sister lives in Oslo".
        return _check_relative(claim, last)
    return None


def _subject_in(window: Window) -> Subject:
    """The subject of the statement that is told, or of the one before it where it has none."""
    subjects = [subject_of(segment.reading) for segment in reversed(window)]
    return next((one for one in subjects if one.person not in {"third", "other"}), subjects[0])


def _check_user(found: Subject, claim: Reading, window: Window) -> Fault | None:
    """What a claim says of "you" needs what the user says of themself."""
    turn = window[-1].turn
    if turn.source == "user_input" and fold(turn.speaker) != USER and found.person in {"first", "first_owner"}:
        return against(f"{turn.speaker} said it of themself, not the user")
    if found.person == "name" and not _speaks_of_self(window):
        return against(f"it was said of {found.name}, not of the user")
    if found.person == "first_owner":
        return _check_relative(claim, window[-1])
    return None


def _speaks_of_self(window: Window) -> bool:
    pattern = vocabulary.pattern("subject", "first_anywhere")
    return any(pattern.search(segment.reading.folded) for segment in window)


def _check_relative(claim: Reading, segment: Segment) -> Fault | None:
    """What was said of "my sister" is not said of the speaker."""
    kin = _relatives(segment.reading)
    lost = next((word for word in kin if not words.says(claim, word)), None)
    named = any(name in segment.reading.names for name in claim.names)
    return against(f"it was said of somebody else ({lost})") if lost and not named else None


def _relatives(reading: Reading) -> list[str]:
    people = wording.words("persons") | wording.words("persons_en")
    opened = subject_of(reading).rest.lstrip(" 的")
    return [word for word in sorted(people, key=len, reverse=True) if opened.startswith(word)][:1]


def _check_order(claim: Reading, window: Window) -> Fault | None:
    """Of two names, the one that acts must be the one that acts in the evidence."""
    told = [name for name in claim.names if not vocabulary.is_light(name)]
    if len(told) != 2 or len(window) != 1:
        return None
    evidence = window[0].reading
    if vocabulary.pattern("passive").search(evidence.folded) or _listed(evidence.folded, told):
        return None
    places = [evidence.folded.find(name) for name in told]
    if min(places) >= 0 and places[0] > places[1] and claim.folded.find(told[0]) < claim.folded.find(told[1]):
        return _reversed(claim, told)
    return None


def _reversed(claim: Reading, told: list[str]) -> Fault | None:
    """Two names the other way round; "Dana is the boss" and "the boss is Dana" say the same."""
    if subject_of(claim).name != told[0]:
        return None
    return against(f"the evidence has {told[0]} and {told[1]} the other way round")


def _listed(folded: str, names: list[str]) -> bool:
    """Whether names merely stand in a list."""
    first, second = sorted((folded.find(name), name) for name in names)
    between = folded[first[0] + len(first[1]) : second[0]] if first[0] >= 0 else ""
    return between.strip(" ,，、&") in {"", "and", "or", "和", "与", "跟", "及"}


def _who(turn: Turn) -> str:
    if turn.source == "ai_generated":
        return "the assistant"
    return "the user" if fold(turn.speaker) == USER else turn.speaker


# --- frames -------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Frame:
    """Who is said to have said it, in the part of a statement that only frames what was said."""

    speaker: str
    """``user``, ``assistant``, or a folded name."""
    asked: bool
    advised: bool


def may_frame(frame: Frame, turn: Turn) -> bool:
    """Whether a frame is one of a turn: somebody else's name may be part of what the turn itself reports."""
    return frame.speaker in {USER, "assistant"} or same_person(fold(turn.speaker), frame.speaker)


def check_frame(frame: Frame, turn: Turn) -> Fault | None:
    """Who said it must be who said it: the user, the assistant, or the named speaker of the turn."""
    if frame.speaker == "assistant":
        return None if turn.source == "ai_generated" else against("the assistant did not say it")
    if frame.speaker == USER:
        said = turn.source == "user_input" and fold(turn.speaker) == USER
        return None if said else against(f"the user did not say it, {_who(turn)} did")
    return None if same_person(fold(turn.speaker), frame.speaker) else missing(f"{frame.speaker} did not say it")


def check_source(frame: Frame | None, claim: Reading, turn: Turn) -> Fault | None:
    """What the assistant said is told as its words, never as what is so."""
    if turn.source != "ai_generated" or frame is not None or vocabulary.pattern("advising").search(claim.folded):
        return None
    return missing("only the assistant said so")
