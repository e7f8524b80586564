"""Checking what an answer claims against the evidence: quotations, values, names, attribution and negation.

It proves what it can quote. An assertion in the answer's own words is supported if every number, amount, date,
identifier and name in it occurs in the evidence, its content words are covered and its polarity agrees.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal
from zoneinfo import ZoneInfo

from ..calibration import parsing, wording
from ..calibration.coverage import covers, prepare
from ..language.folding import fold
from ..language.lexicon import cue
from ..language.sentences import clauses, sentences
from ..language.times import find_times
from ..language.values import Value, find_values
from ..records import Claim, Evidence, Language, Span, Turn, reference_id
from .claims import Assertion, split

_COVERED = 0.5
_ENOUGH_WORDS = 2
"""Fewer content words say too little to compare their polarity."""


@dataclass(frozen=True, slots=True)
class _Fault:
    """What is wrong with an assertion."""

    verdict: Literal["unsupported", "contradicted"]
    reason: str


_Check = Callable[[Assertion, Sequence[Turn], Sequence[str]], _Fault | None]


def verify(text: str, evidence: Sequence[Evidence], turns: Mapping[int, Turn], language: Language) -> list[Claim]:
    """The claims of an answer with their verdicts.

    Args:
        text: The answer.
        evidence: The quotations that it may rest on.
        turns: Their turns, by number.
        language: The answer's language.
    """
    quoted: dict[int, list[str]] = {}
    for one in evidence:
        if one.turn in turns:
            quoted.setdefault(one.turn, []).append(Span(*one.span).cut(turns[one.turn].text))
    return [_claim(assertion, quoted, turns) for assertion in split(text)]


def _claim(assertion: Assertion, quoted: Mapping[int, Sequence[str]], turns: Mapping[int, Turn]) -> Claim:
    known = {reference_id(number): number for number in quoted}
    unknown = [cited for cited in assertion.cited if cited not in known]
    if unknown:
        return Claim(assertion.text, "unsupported", (), f"{', '.join(unknown)} is no evidence")
    if not assertion.cited and _only_frames(assertion):
        return Claim(assertion.text, "supported", (), "claims nothing about the past")
    return _checked(assertion, [known[cited] for cited in assertion.cited] or list(quoted), quoted, turns)


def _checked(
    assertion: Assertion, numbers: Sequence[int], quoted: Mapping[int, Sequence[str]], turns: Mapping[int, Turn]
) -> Claim:
    """Check an assertion against the turns that it may rest on."""
    ids = tuple(reference_id(number) for number in numbers)
    texts = [text for number in numbers for text in quoted[number]]
    fault = _fault(assertion, [turns[number] for number in numbers], texts)
    if fault is None:
        return Claim(assertion.text, "supported", ids)
    return Claim(assertion.text, fault.verdict, ids, fault.reason)


def _fault(assertion: Assertion, turns: Sequence[Turn], texts: Sequence[str]) -> _Fault | None:
    """The first thing that is wrong with an assertion."""
    found = (check(assertion, turns, texts) for check in _CHECKS)
    return next((fault for fault in found if fault is not None), None)


def _only_frames(assertion: Assertion) -> bool:
    """Whether an assertion has no value, no name and no content word of its own."""
    has_content = find_values(assertion.frame) or parsing.capitalised_names(assertion.frame)
    return not has_content and bool(wording.pattern("no_claim").fullmatch(fold(assertion.frame).strip()))


def _check_quotes(assertion: Assertion, turns: Sequence[Turn], texts: Sequence[str]) -> _Fault | None:
    for quote in assertion.quotes:
        if not any(quote in turn.text for turn in turns):
            return _Fault("contradicted", "the quoted words are not in the turn")
    return None


def _check_attribution(assertion: Assertion, turns: Sequence[Turn], texts: Sequence[str]) -> _Fault | None:
    """Who said it: "you said" needs the user's turn, "I said" the assistant's."""
    frame = fold(assertion.frame)
    by_assistant = bool(wording.pattern("said_by_assistant").search(frame))
    by_user = bool(wording.pattern("said_by_user").search(frame)) and not by_assistant
    if by_user and not any(turn.source == "user_input" for turn in turns):
        return _Fault("contradicted", "the user did not say it")
    if by_assistant and not any(turn.source == "ai_generated" for turn in turns):
        return _Fault("contradicted", "the assistant did not say it")
    return None


def _check_values(assertion: Assertion, turns: Sequence[Turn], texts: Sequence[str]) -> _Fault | None:
    """Every number, amount, percentage, identifier and address must be one of the cited turns', in the same unit."""
    held = [value for turn in turns for value in find_values(turn.text)]
    times = _time_spans(assertion.frame, turns)
    for value in find_values(assertion.frame):
        if not _is_time(value, times) and not any(_same_value(value, other) for other in held):
            rival = any(value.kind == other.kind for other in held)
            return _Fault("contradicted" if rival else "unsupported", f"{value.text} is not in the evidence")
    return None


def _is_time(value: Value, times: Sequence[Span]) -> bool:
    return value.kind in {"date", "time"} or any(value.span.overlaps(span) for span in times)


def _same_value(one: Value, other: Value) -> bool:
    """Whether two values are the same; a bare number agrees with one with a unit, a percentage only with its like."""
    same_unit = one.unit is None or other.unit is None or one.unit == other.unit
    return one.normal == other.normal and same_unit and (one.kind == "percent") == (other.kind == "percent")


def _time_spans(frame: str, turns: Sequence[Turn]) -> list[Span]:
    return [time.span for turn in turns[:1] for time in find_times(frame, turn.observed_at, turn.time_zone)]


def _check_times(assertion: Assertion, turns: Sequence[Turn], texts: Sequence[str]) -> _Fault | None:
    """A time must be the day on which a cited turn was said, or one that the turn itself names."""
    for turn in turns[:1]:
        for time in find_times(assertion.frame, turn.observed_at, turn.time_zone):
            if not any(_supports_time(other, time.start.isoformat()[:10], time.text) for other in turns):
                return _Fault("contradicted", f"{time.text} is not a time of the evidence")
    return None


def _supports_time(turn: Turn, day: str, text: str) -> bool:
    zone = ZoneInfo(turn.time_zone)
    days = {turn.observed_at.astimezone(zone).date().isoformat(), turn.observed_at.date().isoformat()}
    for time in find_times(turn.text, turn.observed_at, turn.time_zone):
        days.add(time.start.astimezone(zone).date().isoformat())
        days.add(time.start.isoformat()[:10])
    return day in days or any(one in text for one in days) or fold(text) in fold(turn.text)


def _check_names(assertion: Assertion, turns: Sequence[Turn], texts: Sequence[str]) -> _Fault | None:
    known = " ".join(fold(f"{turn.speaker} {turn.text}") for turn in turns)
    for name in sorted(parsing.capitalised_names(assertion.frame)):
        if name not in known:
            return _Fault("unsupported", f"{name} is not in the evidence")
    return None


def _check_polarity(assertion: Assertion, turns: Sequence[Turn], texts: Sequence[str]) -> _Fault | None:
    """An assertion in own words must deny where the evidence denies, and only there."""
    words = _words(assertion.frame, turns)
    if assertion.quotes or len(words) < _ENOUGH_WORDS:
        return None
    closest = max(_clauses(texts), key=lambda text: _share(words, text), default="")
    denies = bool(cue(assertion.frame, "negation"))
    if _share(words, closest) >= _COVERED and denies != bool(cue(closest, "negation")):
        return _Fault("contradicted", "the evidence says the opposite")
    return None


def _check_coverage(assertion: Assertion, turns: Sequence[Turn], texts: Sequence[str]) -> _Fault | None:
    """Most content words of an assertion in own words must be those of one turn of the evidence."""
    words = _words(assertion.frame, turns)
    if assertion.quotes or max((_share(words, turn.text) for turn in turns), default=0.0) >= _COVERED:
        return None
    return _Fault("unsupported", "the evidence does not say so")


def _words(frame: str, turns: Sequence[Turn]) -> list[str]:
    """The content words of an assertion without its values and times, which are checked by themselves."""
    taken = [value.span for value in find_values(frame)] + _time_spans(frame, turns)
    rest = list(frame)
    for span in taken:
        rest[span.start : span.end] = " " * (span.end - span.start)
    return parsing.content("".join(rest))


def _clauses(texts: Sequence[str]) -> list[str]:
    return [clause.cut(text) for text in texts for span in sentences(text) for clause in clauses(text, span)]


def _share(words: Sequence[str], text: str) -> float:
    """How many of the words a text covers, as a share; 1 where there are none."""
    prepared = prepare(text)
    return sum(covers(prepared, word) for word in words) / len(words) if words else 1.0


_CHECKS: tuple[_Check, ...] = (
    _check_quotes,
    _check_attribution,
    _check_values,
    _check_times,
    _check_names,
    _check_polarity,
    _check_coverage,
)
