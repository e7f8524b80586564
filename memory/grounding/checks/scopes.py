"""Words that take in what they govern: what ended, was not done, is gone or only wanted, was planned and overtaken.

A claim that leaves such a word out says something else, although all of its own words are in the evidence: "I quit
smoking" does not say that somebody smokes, nor "I sold my car" that they have one.
"""

from collections.abc import Callable, Sequence

from ...language.times import TimeExpression
from ...language.tokens import content_stems
from ...language.values import Value
from ...records import Span
from . import vocabulary, words
from .faults import Fault, against, missing
from .reading import Reading, blanked
from .segments import Window


def denied(claim: Reading, evidence: Reading) -> bool:
    """Whether the evidence denies what a claim speaks of, in the terms of the claim."""
    found = evidence.denies
    if any(rests_on(claim, evidence, span) for span in evidence.contrasts):
        found = True  # not in Lyon but in Nantes: Lyon is denied
    undone = vocabulary.table()["scopes"]["undone"]
    found ^= sum(_left_out(("undone", kind), claim, evidence) for kind in undone) % 2 == 1
    # What somebody used to do they do no longer.
    return found ^ (evidence.ended and not claim.ended and _says("was", claim))


def _says(name: str, reading: Reading) -> bool:
    return vocabulary.pattern("scopes", name).search(reading.folded) is not None


def _left_out(path: tuple[str, str], claim: Reading, evidence: Reading) -> bool:
    """Whether the evidence has a word of a kind, and the claim neither has one nor an opposite of it."""
    pattern = vocabulary.pattern("scopes", *path)
    if not pattern.search(evidence.folded) or pattern.search(claim.folded):
        return False
    opposed = {word for unit in claim.units for word in vocabulary.opposites(unit)}
    return not any(word in opposed for word in evidence.units)


def check_ended(claim: Reading, window: Window) -> Fault | None:
    """What is told as ended must have ended."""
    said = any(one.reading.ended or vocabulary.pattern("formerly").search(one.reading.folded) for one in window)
    return missing("the evidence does not say that it ended") if claim.ended and not said else None


def check_telling(claim: Reading, window: Window) -> Fault | None:
    """What is gone, or only wanted, is told as that."""
    for kind in vocabulary.table()["scopes"]["telling"]:
        for segment in told_in_full(claim, window):
            if _left_out(("telling", kind), claim, segment.reading):
                return missing(f"the claim leaves out what the evidence says of it: “{segment.reading.text}”")
    return None


def check_bare(claim: Reading, window: Window) -> Fault | None:
    """That somebody has something, or is somewhere, is said by the evidence, and not that they do something else."""
    for kind in vocabulary.table()["scopes"]["bare"]:
        told, said = (vocabulary.pattern("scopes", "bare", kind, side) for side in ("claim", "evidence"))
        if told.search(claim.folded) and not any(said.search(segment.reading.folded) for segment in window):
            return missing("the evidence says something else of it")
    return None


def check_planned(claim: Reading, window: Window) -> Fault | None:
    """What was planned at first is told as a plan, not as what is or was so."""
    pattern = vocabulary.pattern("planned_then")
    said = any(_is_planned(claim, segment.reading, pattern.search) for segment in told_in_full(claim, window))
    told = vocabulary.pattern("tells_plan").search(claim.folded)
    return against("the evidence says that it was planned so at first") if said and not told else None


def _is_planned(claim: Reading, evidence: Reading, search: Callable[[str], object]) -> bool:
    """Whether the claim rests on a plan of then, not on what came of it."""
    if any(search(span.cut(evidence.folded)) and rests_on(claim, evidence, span) for span in evidence.replaced):
        return True
    return bool(search(blanked(evidence.folded, evidence.replaced)))


def told_in_full(claim: Reading, window: Window) -> Window:
    """The statements of a window that the claim tells in full; the others only complete them ("but not to almonds")."""
    full = tuple(one for one in window if all(words.says(claim, unit) for unit in one.reading.units))
    return full if len(window) > 1 and full else window


def rests_on(claim: Reading, evidence: Reading, span: Span) -> bool:
    """Whether a value, time, name or word of the claim stands only in a certain part of the evidence.

    Of a part that has values, times or names these decide, for the rest of a statement may leave its verb to it: "the
    delivery was first planned for Friday, now for Monday".
    """
    inside = [value for value in evidence.values if value.span.overlaps(span)]
    times = [time for time in evidence.times if time.span.overlaps(span)]
    old, rest = span.cut(evidence.folded), blanked(evidence.folded, [span])
    if _shares_value(claim, evidence, inside) or _shares_time(claim, evidence, times):
        return True
    if any(name in old and name not in rest for name in claim.names):
        return True
    if (inside or times) and span not in evidence.contrasts:
        return False
    return any(_stands_only_in(unit, old, rest) for unit in claim.units)


def _shares_value(claim: Reading, evidence: Reading, inside: Sequence[Value]) -> bool:
    outside = {value.normal for value in evidence.values if value not in inside}
    told = {value.normal for value in claim.values} - outside
    return any(value.normal in told for value in inside)


def _shares_time(claim: Reading, evidence: Reading, inside: Sequence[TimeExpression]) -> bool:
    outside = {time.start for time in evidence.times if time not in inside}
    told = {time.start for time in claim.times} - outside
    return any(time.start in told for time in inside)


def _stands_only_in(unit: str, part: str, rest: str) -> bool:
    """Whether a part of the evidence, and not the rest, holds a word, or two characters of a run of Chinese."""
    if unit.isascii():
        return unit in content_stems(part) and unit not in content_stems(rest)
    pairs = [unit[place : place + 2] for place in range(max(1, len(unit) - 1))]
    return any(pair in part and pair not in rest for pair in pairs)
