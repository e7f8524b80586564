"""How a statement is meant: affirmed or denied, done or planned, about all or some, of what is or of what was."""

from collections.abc import Sequence

from ...records import Span
from . import vocabulary, words
from .faults import Fault, against, missing
from .reading import Reading
from .segments import Window

_MEANS = {
    "possible": "only possible",
    "intended": "only intended",
    "able": "open to do",
    "future": "still to come",
    "done": "done",
    "plain": "so",
}
_WEAKER = ("plain", "done", "future", "able", "intended", "possible")


def check_polarity(claim: Reading, window: Window) -> Fault | None:
    """A claim must deny where the evidence denies, and only there; an opposite word denies as well."""
    for segment in told_in_full(claim, window):
        turned = sum(_is_turned(unit, claim, segment.reading) for unit in claim.units) % 2 == 1
        if claim.denies != (segment.reading.denies != turned):
            return against(f"the evidence says the opposite: “{segment.reading.text}”")
    return None


def told_in_full(claim: Reading, window: Window) -> Window:
    """The statements of a window that the claim tells in full; the others only complete them ("but not to almonds")."""
    full = tuple(one for one in window if all(words.says(claim, unit) for unit in one.reading.units))
    return full if len(window) > 1 and full else window


def _is_turned(unit: str, claim: Reading, evidence: Reading) -> bool:
    """Whether the evidence says the opposite of a word, and not the word."""
    return not words.says(evidence, unit) and bool(_opposite(unit, claim, evidence))


def _opposite(unit: str, claim: Reading, evidence: Reading) -> str | None:
    found = (word for word in evidence.units if word in vocabulary.opposites(unit))
    return next((word for word in found if word not in claim.units), None)


def is_opposed(unit: str, claim: Reading, window: Window) -> bool:
    """Whether a word of a claim has its opposite in the evidence."""
    return any(_is_turned(unit, claim, segment.reading) for segment in window)


def check_force(claim: Reading, window: Window) -> Fault | None:
    """What may be is not what will be, and what is planned has not been done."""
    said = max((_force_of(segment.reading, segment.supposed) for segment in window), key=_WEAKER.index)
    if _agree(claim, said):
        return None
    return missing(f"the evidence says that it is {_MEANS[said]}, not that it is {_MEANS[claim.force]}")


def _force_of(reading: Reading, supposed: bool) -> str:
    return "possible" if supposed else reading.force


def _agree(claim: Reading, said: str) -> bool:
    told = claim.force
    timed = bool(claim.times or claim.clocks)
    if told == said or {told, said} == {"plain", "done"}:
        return True
    if {told, said} == {"plain", "future"}:
        return timed
    return told == "intended" and said == "future"


def check_quantities(claim: Reading, window: Window) -> Fault | None:
    """All, only and most are said by the evidence or not at all."""
    for kind in vocabulary.words("strong"):
        pattern = vocabulary.pattern("quantities", kind)
        found = pattern.search(claim.folded)
        if found and not any(pattern.search(segment.reading.folded) for segment in window):
            return missing(f"“{found.group()}” is more than the evidence says")
    return None


def check_limits(claim: Reading, window: Window) -> Fault | None:
    """One of several is not the one, and all but some are not all."""
    for name, reason in (("alternatives", "one of several"), ("exceptions", "so with an exception")):
        pattern = vocabulary.pattern(name)
        limited = any(pattern.search(segment.reading.folded) for segment in window)
        if limited and not pattern.search(claim.folded) and not claim.denies:
            return missing(f"the evidence says that it is {reason}")
    return None


def check_history(claim: Reading, window: Window) -> Fault | None:
    """What used to be so is not told as what is so, nor the other way round."""
    pattern = vocabulary.pattern("formerly")
    told, said = (
        pattern.search(claim.folded),
        [pattern.search(one.reading.folded) for one in told_in_full(claim, window)],
    )
    if told and not any(said):
        return against("the evidence says that it is so, not that it was")
    if any(said) and not vocabulary.pattern("tells_history").search(claim.folded):
        return against("the evidence says that it was so, not that it is")
    return None


def check_replaced(claim: Reading, window: Window) -> Fault | None:
    """What something else has replaced is told as what was, not as what is."""
    if claim.replaced or vocabulary.pattern("tells_history").search(claim.folded) or claim.denies:
        return None
    for segment in window:
        reading = segment.reading
        if any(_rests_on(claim, reading, span) for span in reading.replaced):
            return against(f"the evidence says that something else took its place: “{reading.text}”")
    return None


def _rests_on(claim: Reading, evidence: Reading, span: Span) -> bool:
    """Whether a value or word of the claim stands only in a part of the evidence that has been replaced."""
    inside = [value for value in evidence.values if value.span.overlaps(span)]
    outside = {value.normal for value in evidence.values if not value.span.overlaps(span)}
    values = {value.normal for value in claim.values}
    if any(value.normal in values and value.normal not in outside for value in inside):
        return True
    if any(_same_start(claim, evidence, time.span, span) for time in evidence.times):
        return True
    old, rest = span.cut(evidence.folded), evidence.folded[: span.start] + " " + evidence.folded[span.end :]
    return any(_stands_in(unit, old) and not _stands_in(unit, rest) for unit in (*claim.units, *claim.names))


def _same_start(claim: Reading, evidence: Reading, place: Span, span: Span) -> bool:
    if not place.overlaps(span):
        return False
    starts = {time.start for time in evidence.times if time.span == place}
    return any(time.start in starts for time in claim.times)


def _stands_in(unit: str, folded: str) -> bool:
    return unit in folded


def unsaid_faults(claim: Reading, window: Window, unsaid: Sequence[str]) -> Fault | None:
    """What to say of words that the evidence lacks: another of their kind stands there, or nothing does."""
    for unit in unsaid:
        for segment in window:
            if rival := words.rival_of(claim, (segment.reading,), unit):
                return against(f"the evidence says “{rival}”, not “{unit}”")
    return missing(f"nothing in the evidence says “{unsaid[0]}”") if unsaid else None
