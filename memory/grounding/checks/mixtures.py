"""Several statements of a turn beneath one claim: half of one with half of another is a new statement."""

from collections.abc import Sequence

from ...calibration import wording
from ...language.values import Value
from . import quantities, roles, vocabulary, words
from .faults import Fault, missing
from .reading import Reading, read
from .segments import Segment, Window

_OWN = frozenset({"first", "first_owner", "second", "second_owner", "name"})


def check_mixture(claim: Reading, window: Window) -> Fault | None:
    """Of several statements all but one must be told in full, or only name what the one speaks of."""
    if len(window) == 1 or (
        _all_contribute(claim, window) and (_is_named_by(claim, window) or _is_whole(claim, window))
    ):
        return None
    return missing("it is put together from different statements")


def _is_whole(claim: Reading, window: Window) -> bool:
    """Whether all statements but one are told in full, and nobody is carried over from one to another."""
    partly = [segment for segment in window if _untold(claim, segment)]
    whole = [segment for segment in window if segment not in partly]
    if len(partly) > 1 or any(not _adds(segment.reading) for segment in whole) or _is_turned_round(claim, window):
        return False
    return not (partly and _is_carried(claim, partly[0], whole))


def _is_turned_round(claim: Reading, window: Window) -> bool:
    """Whether the value of an earlier statement is told of what only a later one speaks of."""
    opening = min(filter(lambda unit: unit in claim.folded, claim.units), key=claim.folded.index, default=None)
    if opening is None:
        return False
    spoken = [place for place, segment in enumerate(window) if words.says(segment.reading, opening)]
    valued = [
        place
        for place, segment in enumerate(window)
        if any(has_value(value, segment.reading) for value in claim.values) or _shares_time(claim, segment.reading)
    ]
    return bool(spoken and valued and min(spoken) > max(valued))


def _is_named_by(claim: Reading, window: Window) -> bool:
    """Whether the first of two statements only says what the other speaks of: no more is taken from it.

    "The id of contract B is 10, and its total is 9,900" bears out that the total of contract B is 9,900.
    """
    before, told = window[0], window[-1]
    if len(window) > 2 or not _leans(told, before) or _takes_values(claim, told):
        return False
    people = wording.words("persons") | wording.words("persons_en")
    if any(unit in people and not words.says(claim, unit) for unit in told.reading.units):
        return False  # "her brother is nine" is not said of her
    taken = [unit for unit in claim.units if not words.says(told.reading, unit)]
    taken += [name for name in claim.names if not words.names_it(told.reading, name, "")]
    subject = _subject(before)
    if all(words.says(subject, one) or words.names_it(subject, one, "") for one in taken):
        return True
    # A pronoun stands for the only name before it.
    names = before.reading.names
    return len(names) == 1 and set(names) <= set(subject.names) and all(one in names[0] for one in taken)


def _leans(segment: Segment, before: Segment) -> bool:
    """Whether a statement speaks of what stands before it: by a pronoun, or because it has no verb."""
    folded = segment.reading.folded
    if vocabulary.pattern("leaning", "pronoun").match(folded):
        return True
    beside = segment.sentence == before.sentence
    return beside and vocabulary.pattern("leaning", "verbless").match(folded) is not None


def _takes_values(claim: Reading, told: Segment) -> bool:
    """Whether a claim has a value or a time that its own statement lacks."""
    reading = told.reading
    values = any(not has_value(value, reading) for value in claim.values)
    return values or any(not quantities.is_time_of(time, reading.times) for time in claim.times)


def _subject(segment: Segment) -> Reading:
    """What a statement speaks of: its words before its verb."""
    match = vocabulary.pattern("leaning", "opening").match(segment.reading.folded)
    end = match.end("subject") if match else 0
    return read(segment.reading.text[:end], segment.turn.observed_at, segment.turn.time_zone)


def _is_carried(claim: Reading, partly: Segment, whole: Sequence[Segment]) -> bool:
    checks = (_takes_second_name, _loses_subject, _takes_a_name, _takes_person)
    return any(check(claim, partly, whole) for check in checks)


def _loses_subject(claim: Reading, partly: Segment, whole: Sequence[Segment]) -> bool:
    """Whether a name of another statement takes the place of the one that a statement begins with."""
    brought = [name for name in claim.names if name not in partly.reading.names]
    subject = roles.subject_of(partly.reading).name
    return bool(brought and subject and subject not in claim.names)


def _takes_a_name(claim: Reading, partly: Segment, whole: Sequence[Segment]) -> bool:
    """Whether all that is taken from a statement is a name, which it says something else of."""
    reading = partly.reading
    taken = [unit for unit in claim.units if not any(words.says(one.reading, unit) for one in whole)]
    valued = any(has_value(value, reading) for value in claim.values) or _shares_time(claim, reading)
    named = bool(taken) and all(any(unit in name for name in claim.names) for unit in taken)
    opening = reading.folded.removeprefix("for ").removeprefix("in ").removeprefix("at ")
    first = bool(reading.names) and opening.startswith(reading.names[0])
    goes_on = first and all(unit in reading.names[0] for unit in taken) and partly.sentence == whole[0].sentence
    return named and not (valued or goes_on or any(_is_naming(reading, name) for name in claim.names))


def _is_naming(reading: Reading, name: str) -> bool:
    """Whether a statement gives a name to what was spoken of: he is called so, it is that."""
    place = reading.folded.find(name)
    bare = reading.folded.strip(" .,。，!") == name
    return bare or (place > 0 and vocabulary.pattern("naming").search(reading.folded[:place]) is not None)


def _takes_person(claim: Reading, partly: Segment, whole: Sequence[Segment]) -> bool:
    """Whether somebody is carried over to a statement that has a subject of its own."""
    if not any(roles.subject_of(segment.reading).person in _OWN for segment in whole):
        return False
    if vocabulary.pattern("leaning", "verbless").match(partly.reading.folded):
        return False
    people = wording.words("persons") | wording.words("persons_en")
    told = [*claim.names, *(unit for unit in claim.units if unit in people)]
    return any(
        words.says(partly.reading, one) and not any(words.says(segment.reading, one) for segment in whole)
        for one in told
    )


def _takes_second_name(claim: Reading, partly: Segment, whole: Sequence[Segment]) -> bool:
    """Whether a name is carried over from a statement that it does not begin."""
    names = partly.reading.names
    here = {name for segment in whole for name in segment.reading.names}
    carried = [name for name in claim.names if name in names and name not in here]
    lost = [name for name in names if name not in claim.names]
    return bool(carried and lost and names.index(carried[0]) > names.index(lost[0]))


def _adds(reading: Reading) -> bool:
    """Whether a statement says more than a name."""
    named = sum(any(unit in name for name in reading.names) for unit in reading.units)
    return bool(len(reading.units) > named or reading.values or reading.times)


def _all_contribute(claim: Reading, window: Window) -> bool:
    """Whether every statement of a window says something of the claim that the others do not say."""
    return all(
        _contributes(claim, segment, [other.reading for other in window if other is not segment]) for segment in window
    )


def _contributes(claim: Reading, segment: Segment, others: Sequence[Reading]) -> bool:
    reading = segment.reading
    said = [unit for unit in claim.units if words.says(reading, unit)]
    if any(not any(words.says(other, unit) for other in others) for unit in said):
        return True
    if any(has_value(value, reading) and not any(has_value(value, one) for one in others) for value in claim.values):
        return True
    if _shares_time(claim, reading) and not any(_shares_time(claim, one) for one in others):
        return True
    # A run of Chinese may be told by two statements together.
    return any(
        not unit.isascii() and not any(words.says(one, unit) for one in (reading, *others)) for unit in claim.units
    )


def _shares_time(claim: Reading, evidence: Reading) -> bool:
    return any(time.start == other.start for time in claim.times for other in evidence.times)


def _untold(claim: Reading, segment: Segment) -> bool:
    """Whether a statement says something that the claim leaves out."""
    reading, speaker = segment.reading, segment.turn.speaker
    if any(not words.says(claim, unit) for unit in reading.units):
        return True
    if any(not words.names_it(claim, name, "") for name in reading.names if name != speaker):
        return True
    if (claim.values or claim.times) and any(not has_value(value, claim) for value in reading.values):
        return True
    return bool(claim.times) and not (_shares_time(claim, reading) or not reading.times)


def has_value(value: Value, evidence: Reading) -> bool:
    """Whether a statement holds a value."""
    return any(quantities.same_value(value, other, evidence) for other in evidence.values)
