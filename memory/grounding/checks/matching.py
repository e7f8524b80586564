"""One claim against one window of a turn: everything that it says must be there, said in the same way of the same."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ...language.times import TimeExpression
from ...language.tokens import content_stems
from ...language.values import Value
from ...records import Turn
from . import force, frames, mixtures, quantities, roles, scopes, vocabulary, words
from .faults import Fault, against, missing
from .reading import Reading, read
from .segments import Window

_SHORT = 2
"""Content words of a claim that has hardly any."""


@dataclass(frozen=True, slots=True)
class Claimed:
    """A claim as it is matched."""

    reading: Reading
    now: Reading | None
    """The same, its relative times counted from the moment of the answer."""
    frame: roles.Frame | None
    framed_times: tuple[TimeExpression, ...]
    """Times of the frame: when it was said."""
    reported: str = ""
    """Who is said to have said it, where that is nobody who speaks in the turn: the turn must report it."""
    anchors: tuple[str, ...] = ()
    """Names that the question asks about: they hold for a claim that names nothing itself."""
    spoken_of: tuple[str, ...] = ()
    """Names of the sentence before a claim that begins with a pronoun: it is about one of them."""


@dataclass(frozen=True, slots=True)
class Fit:
    """How well a window bears out a claim."""

    fault: Fault | None
    score: float
    turn: Turn
    window: Window = ()


def fit(claim: Claimed, window: Window) -> Fit:
    """Match a claim with a window; the first thing that is wrong counts."""
    turn = window[0].turn
    faults = (check(claim, window) for check in _CHECKS)
    fault = next((one for one in faults if one is not None), None)
    return Fit(fault, _score(claim.reading, window), turn, window)


def _score(claim: Reading, window: Window) -> float:
    """How much of a claim a window says; longer windows count a little less."""
    readings = [segment.reading for segment in window]
    said = len(claim.units) - len(words.unsaid(claim, readings))
    values = sum(any(mixtures.has_value(value, reading) for reading in readings) for value in claim.values)
    named = sum(any(words.names_it(one, name, window[0].turn.speaker) for one in readings) for name in claim.names)
    return said + 1.5 * values + named - 0.1 * len(window)


def _check_asked(claim: Claimed, window: Window) -> Fault | None:
    """What was only asked bears out nothing but that it was asked."""
    asked = claim.frame is not None and claim.frame.asked
    if asked:
        return None if any(segment.asks for segment in window) else against("it was said, not asked")
    return missing("it was only asked") if any(segment.asks for segment in window) else None


def _check_frame(claim: Claimed, window: Window) -> Fault | None:
    return check_frame(claim, window[0].turn)


def check_frame(claim: Claimed, turn: Turn) -> Fault | None:
    """Who is said to have said it, and when, must be who said it, and when."""
    if claim.reported and not frames.reports(turn, claim.reported):
        return missing(f"{claim.reported} did not say it")
    if claim.frame is None:
        return roles.check_source(None, claim.reading, turn)
    fault = roles.check_frame(claim.frame, turn)
    if fault is not None:
        return fault
    wrong = next((time for time in claim.framed_times if not quantities.is_day_of(time, turn)), None)
    return against(f"it was not said on {wrong.text}") if wrong else None


def _check_names(claim: Claimed, window: Window) -> Fault | None:
    reading = claim.reading
    speaker = window[-1].turn.speaker
    for name in reading.names:
        if roles.is_passive_speaker(name, reading, window):
            return missing(f"{name} is not in what was said")
        if not any(words.names_it(one.reading, name, speaker) or words.is_called(one.reading, name) for one in window):
            return missing(f"{name} is not in what was said")
    spoken = (words.names_it(one.reading, name, speaker) for name in claim.spoken_of for one in window)
    if claim.spoken_of and not any(spoken):
        return missing(f"it was not said of {claim.spoken_of[0]}")
    own = reading.names or any(value.kind == "identifier" for value in reading.values)
    if own or any(words.names_it(reading, anchor, "") for anchor in claim.anchors):
        return None
    # Of several things that a question asks about a sentence may speak of one.
    asked = (words.names_it(one.reading, anchor, speaker) for anchor in claim.anchors for one in window)
    if claim.anchors and not any(asked):
        return missing(f"it was not said of {claim.anchors[0]}")
    return None


def _check_values(claim: Claimed, window: Window) -> Fault | None:
    """Every value must be one of the evidence, with its unit, and bounded from the same side."""
    if _repeats_value(claim.reading, window):
        return against("the evidence has another value beside this one")
    for counted in quantities.counted(claim.reading):
        if not any(counted in segment.reading.folded for segment in window):
            return missing(f"{counted} is not in the evidence")
    for value in claim.reading.values:
        holders = [segment.reading for segment in window if mixtures.has_value(value, segment.reading)]
        if not holders:
            kinds = {other.kind for segment in window for other in segment.reading.values}
            return (against if value.kind in kinds else missing)(f"{value.text} is not in the evidence")
        if not any(_same_bound(claim.reading, value, reading) for reading in holders):
            return against(f"the evidence bounds {value.text} otherwise")
    return None


def _repeats_value(claim: Reading, window: Window) -> bool:
    """Whether a claim has a value twice where the evidence has it once, beside another of the kind."""
    twice = Counter((value.normal, value.unit) for value in claim.values)
    held = [value for segment in window for value in segment.reading.values]
    several = len({value.normal for value in held}) > 1
    return several and any(
        number > 1 and sum(one.normal == normal for one in held) < number for (normal, _), number in twice.items()
    )


def _same_bound(claim: Reading, value: Value, evidence: Reading) -> bool:
    sides = {
        quantities.bound_of(evidence, other)
        for other in evidence.values
        if quantities.same_value(value, other, evidence)
    }
    return quantities.bound_of(claim, value) in sides


def _check_times(claim: Claimed, window: Window) -> Fault | None:
    """A time must be one that the evidence names, or the day on which a decision was told."""
    turn, told = window[-1].turn, claim.reading
    told = _as_said(claim, turn)
    evidence = [time for segment in window for time in segment.reading.times]
    clocks = {clock.normal for segment in window for clock in segment.reading.clocks}
    for clock in told.clocks:
        if clock.normal not in clocks:
            return (against if clocks else missing)(f"{clock.text} is not a time of the evidence")
    days = [time for time in told.times if quantities.names_day(time, told.clocks)]
    if _repeats(days, evidence):
        return against("the evidence has another time beside this one")
    for place, time in enumerate(days):
        if not _is_supported(time, place, claim, window, evidence):
            return (against if evidence else missing)(f"{time.text} is not a time of the evidence")
    return None


def _repeats(told: Sequence[TimeExpression], evidence: Sequence[TimeExpression]) -> bool:
    """Whether a claim has a time twice where the evidence has two different ones: "out on the 9th, back on the 9th"."""
    twice, held = Counter(time.start for time in told), Counter(time.start for time in evidence)
    return len(held) > 1 and any(number > 1 and held[start] < number for start, number in twice.items())


def _as_said(claim: Claimed, turn: Turn) -> Reading:
    return read(claim.reading.text, turn.observed_at, turn.time_zone)


def _is_supported(
    time: TimeExpression, place: int, claim: Claimed, window: Window, evidence: list[TimeExpression]
) -> bool:
    turn = window[-1].turn
    if claim.now is not None and quantities.depends_on_now(time):
        today = [one for one in claim.now.times if one.span == time.span]
        return any(quantities.is_time_of(one, evidence) for one in today)
    if quantities.is_time_of(time, evidence):
        return True
    return not evidence and claim.reading.force == "done" and quantities.is_day_of(time, turn)


def _check_words(claim: Claimed, window: Window) -> Fault | None:
    """Every content word must be said, in the same or in other words."""
    readings = [segment.reading for segment in window]
    if (verb := _unsaid_verb(claim.reading, readings)) is not None:
        return missing(f"nothing in the evidence says “{verb}”")
    unsaid = [unit for unit in words.unsaid(claim.reading, readings) if not _is_accounted(unit, claim, window)]
    if not unsaid:
        return None
    return force.unsaid_faults(claim.reading, window, unsaid)


def _unsaid_verb(claim: Reading, readings: Sequence[Reading]) -> str | None:
    """What a sentence that has nothing but names says of them, where no statement says it: "you went with Mongo"."""
    named = [unit for unit in claim.units if any(unit in name for name in claim.names)]
    if (verb := _unsaid_character(claim, readings)) is not None:
        return verb
    if not named or len(named) < len(claim.units) or claim.values or claim.times:
        return None
    told = claim.stems - {stem for name in claim.names for stem in content_stems(name)}
    told -= vocabulary.words("grammar") | frozenset(claim.names)
    held = frozenset().union(*(reading.stems for reading in readings))
    loose = (verb for verb in sorted(told - held) if not (vocabulary.stand_ins(verb) & held))
    return next(loose, None)


def _unsaid_character(claim: Reading, readings: Sequence[Reading]) -> str | None:
    """A Chinese verb of one character, which is no content word, of a short claim without values: 新上了 for 新招了."""
    if claim.values or claim.times or len(claim.units) > _SHORT:
        return None
    told = {one for one in claim.folded if "\u3400" <= one <= "\u9fff"} - set("".join((*claim.units, *claim.names)))
    loose = told - vocabulary.characters("grammar_zh") - set("".join(one.folded for one in readings))
    return min(loose, default=None)


def _is_accounted(unit: str, claim: Claimed, window: Window) -> bool:
    """Whether a word is checked elsewhere: a name of the speaker, an opposite, which denies."""
    speaker = window[-1].turn.speaker
    named = any(words.names_it(window[-1].reading, name, speaker) for name in claim.reading.names if unit in name)
    return named or force.is_opposed(unit, claim.reading, window) or _is_implied(unit, claim.reading, window)


def _is_implied(unit: str, claim: Reading, window: Window) -> bool:
    """Whether the form of a statement says a word: an amount its price, a "please" that something is wanted."""
    said = [segment.reading for segment in window]
    if unit in vocabulary.forms("implied", "price"):
        return any(_is_priced(claim, one) for one in said)
    if unit in vocabulary.forms("implied", "request"):
        return any(vocabulary.pattern("polite").search(one.folded) for one in said)
    phrased = (told for words_of, told in vocabulary.phrased() if unit in words_of)
    return any(told.search(claim.folded) and any(held.search(one.folded) for one in said) for told, held in phrased)


def _is_priced(claim: Reading, said: Reading) -> bool:
    """Whether a statement says nothing of an amount of money but whose it is."""
    money = any(value.kind == "amount" and value.unit and mixtures.has_value(value, said) for value in claim.values)
    own = (unit for unit in said.units if not any(unit in name for name in said.names))
    return money and all(words.says(claim, one) for one in own)


def _on_reading(check: Callable[[Reading, Window], Fault | None]) -> Callable[[Claimed, Window], Fault | None]:
    return lambda claim, window: check(claim.reading, window)


_CHECKS: tuple[Callable[[Claimed, Window], Fault | None], ...] = (
    _check_asked,
    _check_frame,
    _check_names,
    _check_values,
    _check_times,
    _check_words,
    _on_reading(mixtures.check_mixture),
    _on_reading(roles.check_roles),
    _on_reading(force.check_polarity),
    _on_reading(force.check_force),
    _on_reading(force.check_quantities),
    _on_reading(force.check_limits),
    _on_reading(force.check_history),
    _on_reading(force.check_replaced),
    _on_reading(scopes.check_ended),
    _on_reading(scopes.check_telling),
    _on_reading(scopes.check_bare),
    _on_reading(scopes.check_planned),
)
