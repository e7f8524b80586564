"""Who does, has or says something: the user, the assistant, a named speaker, somebody whom a turn speaks of."""

import functools
import re
from dataclasses import dataclass, replace
from typing import Literal

from ...calibration import wording
from ...calibration.people import same_person
from ...language.folding import fold
from ...records import Turn
from . import vocabulary, words
from .faults import Fault, against, missing
from .reading import Reading
from .segments import Segment, Window, segments

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


_OWNERS: dict[Person, Person] = {"first": "first_owner", "second": "second_owner"}


@functools.cache
def _people() -> tuple[str, ...]:
    return tuple(sorted(wording.words("persons") | wording.words("persons_en"), key=len, reverse=True))


def _kin(subject: Subject) -> str:
    """The relative or other person that follows a possessive: my *sister*."""
    opened = subject.rest.lstrip(" 的家")
    return next((word for word in _people() if opened.startswith(word)), "")


@functools.lru_cache(maxsize=512)
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
            subject = Subject(person, word=match.group(), rest=rest[match.end() :])
            # In Chinese "my mother" may leave out the possessive.
            return replace(subject, person=_OWNERS.get(person, person)) if _kin(subject) else subject
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
    if fault := _check_recipient(claim, window) or _check_compared(claim, window):
        return fault
    if vocabulary.pattern("passive").search(claim.folded):
        return _check_speaker(subject_of(claim), window)
    told = subject_of(claim)
    if all(any(unit in name for name in claim.names) for unit in claim.units) and not claim.values:
        return _check_speaker(told, window)  # a name alone does nothing
    fault = _check_speaker(told, window) or _check_order(claim, window)
    return fault or _check_subject(told, claim, window)


def _check_recipient(claim: Reading, window: Window) -> Fault | None:
    """Who gets it in the evidence must not be the one who gives it in the claim."""
    for segment in window:
        for language in ("en", "zh"):
            got = vocabulary.pattern("recipient", language).search(segment.reading.folded)
            if got and _gives(got["to"], claim):
                return against(f"the evidence has {got['to']} get it")
    return None


def _check_compared(claim: Reading, window: Window) -> Fault | None:
    """Of two that are compared in Chinese the first must be the first in the evidence."""
    pattern = vocabulary.pattern("compared")
    told = pattern.search(claim.folded)
    for segment in window if told else ():
        said = pattern.search(segment.reading.folded)
        if said and told and (said["one"], said["other"]) == (told["other"], told["one"]):
            return against(f"the evidence has {said['one']} and {said['other']} the other way round")
    return None


def _gives(recipient: str, claim: Reading) -> bool:
    """Whether a claim begins with somebody, or has them get what they give."""
    place = claim.folded.find(recipient)
    if place < 0:
        return False
    before = claim.folded[:place]
    return not re.search(
        r"(?:\b(?:to|by|for|from|with)\s(?:the |an? |my |your |his |her |our |their )?|[给向跟对从由被])$", before
    ) and not _opened(before.removesuffix("the ").removesuffix("your "))


def _check_speaker(told: Subject, window: Window) -> Fault | None:
    """What an assistant says of itself in an answer, it must have said; what a user says is not its own."""
    turn = window[0].turn
    # "We" and "our" may hold the user as well.
    alone = told.person in {"first", "first_owner"} and not vocabulary.pattern("subject", "shared").match(told.word)
    if alone and turn.source != "ai_generated":
        return against(f"{_who(turn)} said it, not the assistant")
    return None


def _check_subject(told: Subject, claim: Reading, window: Window) -> Fault | None:
    last, found = window[-1], _subject_in(window)
    done_to = vocabulary.pattern("subject", "objects").search(last.reading.folded)
    own = found.person == "first" and not done_to
    if told.person in {"second", "second_owner"}:
        return _check_user(told, found, claim, window)
    if own and told.person == "name" and not same_person(fold(last.turn.speaker), told.name):
        return against(f"{_who(last.turn)} said it of themself, not of {told.name}")
    if own and vocabulary.pattern("subject", "you").search(told.rest):
        return against(f"{_who(last.turn)} does it, and it is not done to them")
    if _is_of_others(told, found, last):
        return against(f"{_who(last.turn)} did not say it of themself")
    if found.person == "first_owner" and told.person == "name" and same_person(fold(last.turn.speaker), told.name):
        # "Anna lives in Oslo" does not follow from Anna's "my sister lives in Oslo".
        return _check_relative(found, claim, last)
    others = vocabulary.pattern("subject", "third_owner").match(told.word or told.rest)
    if others and found.person == "first_owner" and fold(last.turn.speaker) == USER and not _kin(found):
        return against("it was said of the user's own")
    return None


def _is_of_others(told: Subject, found: Subject, segment: Segment) -> bool:
    """Whether a claim about the speaker of a turn rests on what they say of somebody else."""
    speaker = fold(segment.turn.speaker)
    if told.person != "name" or not same_person(speaker, told.name):
        return False
    if words.names_it(segment.reading, told.name, ""):
        return False  # "Anna, that's me"
    own = vocabulary.pattern("subject", "first_anywhere").search(segment.reading.folded)
    if found.person in {"name", "third"}:
        return not own
    # Chinese shows neither subject nor name: without a "我" it may be anybody.
    return found.person == "other" and not speaker.isascii() and not own


def _subject_in(window: Window) -> Subject:
    """The subject of the statement that is told, or of one before it where it has none or a pronoun."""
    subject = subject_of(window[-1].reading)
    if not _leans(subject):
        return subject
    every = segments(window[-1].turn)
    for segment in reversed(every[: every.index(window[-1])]):
        before = subject_of(segment.reading)
        near = segment.sentence == window[-1].sentence or subject.person == "third"
        if not near:
            break
        if before.person not in {"third", "other"}:
            return before
    return subject


def _leans(subject: Subject) -> bool:
    """Whether a statement takes its subject from the one before it."""
    if subject.person == "third":
        return vocabulary.pattern("subject", "pronoun").match(subject.rest) is not None
    return subject.person == "other"


def _check_user(told: Subject, found: Subject, claim: Reading, window: Window) -> Fault | None:
    """What a claim says of "you" needs what the user says of themself."""
    turn = window[-1].turn
    if turn.source == "user_input" and fold(turn.speaker) != USER and found.person in {"first", "first_owner"}:
        return against(f"{turn.speaker} said it of themself, not the user")
    if vocabulary.pattern("subject", "third_owner").match(_opened(window[-1].reading.folded)):
        return against("it was said of somebody else's")
    if found.person == "first_owner":
        return _check_relative(found, claim, window[-1])
    if told.person == "second_owner" or _speaks_of_self(window):
        return None
    if found.person == "name":
        return against(f"it was said of {found.name}, not of the user")
    done_to = vocabulary.pattern("subject", "objects").search(window[-1].reading.folded)
    if done_to and not vocabulary.pattern("receives").search(claim.folded):
        return against("it is done to the user, not by them")
    return None


def _speaks_of_self(window: Window) -> bool:
    pattern, objects = (vocabulary.pattern("subject", name) for name in ("first_anywhere", "objects"))
    return any(pattern.search(objects.sub(" ", segment.reading.folded)) for segment in window)


def _check_relative(found: Subject, claim: Reading, segment: Segment) -> Fault | None:
    """What was said of "my sister" is not said of the speaker."""
    kin = _kin(found)
    if not kin or words.says(claim, kin) or any(name in segment.reading.names for name in claim.names):
        return None
    return against(f"it was said of somebody else ({kin})")


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


def is_passive_speaker(name: str, claim: Reading, window: Window) -> bool:
    """Whether a claim names the speaker of a turn as somebody to whom it is done, and the turn has no "me"."""
    speaker = fold(window[-1].turn.speaker)
    if not same_person(speaker, name) or any(words.names_it(segment.reading, name, "") for segment in window):
        return False
    place = claim.folded.find(name)
    before, after = claim.folded[:place].rstrip(), claim.folded[place + len(name) :]
    acts = not _opened(before) or before.endswith(("by", "由", "被")) or after.startswith(("'s", "的"))
    done_to = vocabulary.pattern("subject", "first_person")
    return not acts and not any(done_to.search(segment.reading.folded) for segment in window)


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
    if frame.advised and turn.source == "user_input" and not vocabulary.pattern("advising").search(fold(turn.text)):
        return missing("nobody advised it")
    if frame.speaker == USER:
        said = turn.source == "user_input" and fold(turn.speaker) == USER
        return None if said else against(f"the user did not say it, {_who(turn)} did")
    return None if same_person(fold(turn.speaker), frame.speaker) else missing(f"{frame.speaker} did not say it")


def check_source(frame: Frame | None, claim: Reading, turn: Turn) -> Fault | None:
    """What the assistant said is told as its words, never as what is so."""
    if turn.source != "ai_generated" or frame is not None or vocabulary.pattern("advising").search(claim.folded):
        return None
    return missing("only the assistant said so")
