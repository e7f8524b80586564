"""How a statement is meant: affirmed or denied, done or planned, about all or some, of what is or of what was."""

from collections.abc import Sequence

from ...language.tokens import content_stems
from . import scopes, vocabulary, words
from .faults import Fault, against, missing
from .reading import Reading, blanked, force_of
from .segments import Segment, Window

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
    for segment in scopes.told_in_full(claim, window):
        turned = sum(_is_turned(unit, claim, segment.reading) for unit in claim.units) % 2 == 1
        if claim.denies != (scopes.denied(claim, segment.reading) != turned):
            return against(f"the evidence says the opposite: “{segment.reading.text}”")
    return None


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
    said = max((_force_of(claim, segment) for segment in window), key=_WEAKER.index)
    if _agree(claim, said):
        return None
    return missing(f"the evidence says that it is {_MEANS[said]}, not that it is {_MEANS[claim.force]}")


def _force_of(claim: Reading, segment: Segment) -> str:
    reading = segment.reading
    if segment.supposed:
        return "possible"
    # What was overtaken is meant in its own way: "at first I wanted A, now it is B".
    others = [span for span in reading.replaced if not scopes.rests_on(claim, reading, span)]
    force = force_of(blanked(reading.folded, others)) if others else reading.force
    ahead = any(time.start > segment.turn.observed_at for time in reading.times)
    over = vocabulary.pattern("over").search(claim.folded) and not vocabulary.pattern("arranged").search(claim.folded)
    # "I fly on Friday" does not say that somebody flew.
    return "intended" if force == "plain" and ahead and over else force


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
    said = [segment.reading for segment in scopes.told_in_full(claim, window)]
    told = pattern.search(claim.folded)
    if told and not any(one.ended or pattern.search(one.folded) for one in said):
        return against("the evidence says that it is so, not that it was")
    were, are = (vocabulary.pattern("states", tense) for tense in ("were", "are"))
    if are.search(claim.folded) and any(were.search(one.folded) and not are.search(one.folded) for one in said):
        return against("the evidence says that it was so, not that it is")
    holding = any(pattern.search(blanked(one.folded, one.replaced)) for one in said)
    if holding and not vocabulary.pattern("tells_history").search(claim.folded):
        return against("the evidence says that it was so, not that it is")
    return None


def check_replaced(claim: Reading, window: Window) -> Fault | None:
    """What something else has replaced is told as what was, not as what is."""
    if any(_turns_round(claim, segment.reading) for segment in window):
        return against("the evidence has what was and what is the other way round")
    if claim.replaced or vocabulary.pattern("tells_history").search(claim.folded) or claim.denies:
        return None
    for segment in window:
        reading = segment.reading
        if any(scopes.rests_on(claim, reading, span) for span in reading.replaced):
            return against(f"the evidence says that something else took its place: “{reading.text}”")
    return None


def _turns_round(claim: Reading, evidence: Reading) -> bool:
    """Whether a claim has replaced what the evidence puts in its place: "from B to A" for "from A to B"."""
    old = " ".join(span.cut(evidence.folded) for span in evidence.replaced)
    rest = blanked(evidence.folded, evidence.replaced)
    told = (word for span in claim.replaced for word in content_stems(span.cut(claim.folded)))
    return bool(old) and any(word in rest and word not in old for word in told)


def unsaid_faults(claim: Reading, window: Window, unsaid: Sequence[str]) -> Fault | None:
    """What to say of words that the evidence lacks: another of their kind stands there, or nothing does."""
    for unit in unsaid:
        for segment in window:
            if rival := words.rival_of(claim, (segment.reading,), unit):
                return against(f"the evidence says “{rival}”, not “{unit}”")
    return missing(f"nothing in the evidence says “{unsaid[0]}”") if unsaid else None
