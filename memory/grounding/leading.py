"""The value that an answer may put before its quotation: a slice of the quotation, or a date that it resolves to."""

from collections.abc import Sequence
from datetime import datetime
from zoneinfo import ZoneInfo

from ..calibration import wording
from ..calibration.asked import Question
from ..calibration.coverage import attribute_text, covers, prepare
from ..calibration.fit import fits
from ..calibration.labels import labelled
from ..calibration.parsing import is_generic
from ..calibration.validity import spoken
from ..language.sentences import clauses
from ..language.times import TimeExpression, find_times
from ..records import Item, Span, Turn

_DIRECT = frozenset({"value", "who", "when", "where", "how_much", "how_many", "choice"})
_LONGEST = 40


def lead_value(question: Question, turn: Turn, span: Span, items: Sequence[Item]) -> str:
    """The most direct value of a quotation, or nothing where a value alone would say more than the quotation does.

    Args:
        question: What is asked; only questions for a value are answered with one.
        turn: The quoted turn.
        span: The quotation.
        items: The items that it rests on, best first.
    """
    if question.asks in {"more", "less"}:
        return _only_label(turn, span)
    if question.asks not in _DIRECT:
        return ""
    if question.asks == "when":
        return _resolved(turn, span)
    for item in items:
        inside = span.start <= item.value_span.start and item.value_span.end <= span.end
        if (
            inside
            and _may_lead(question, turn, item)
            and fits(question.expects, item.value, question.text, turn.observed_at, turn.time_zone)
        ):
            return item.value
    return ""


def _may_lead(question: Question, turn: Turn, item: Item) -> bool:
    asserted = item.polarity == "positive" and item.modality == "asserted" and len(item.value) <= _LONGEST
    kind = item.kind in {"fact", "choice", "decision"} and item.attribute in question.attributes
    return asserted and kind and _is_of(question, turn, item)


def _is_of(question: Question, turn: Turn, item: Item) -> bool:
    """Whether the clause of a value speaks of all that the question names ("my son's name" is not my name)."""
    clause = next(
        (one for one in clauses(turn.text, item.quote_span) if one.overlaps(item.value_span)), item.quote_span
    )
    texts = (attribute_text(item.attribute), prepare(spoken(item.entity)), prepare(clause.cut(turn.text)))
    free = wording.implied(question.expects or "")
    wanted = [term for term in question.terms if term not in free and not is_generic(term)]
    return all(any(covers(text, term) for text in texts) for term in wanted)


def _only_label(turn: Turn, span: Span) -> str:
    """The label of the option that wins a comparison, where the quotation names just one."""
    spans = [place for _, _, place in labelled(turn.text) if place.overlaps(span)]
    return spans[0].cut(turn.text) if len(spans) == 1 else ""


def _resolved(turn: Turn, span: Span) -> str:
    """The day that the quotation's only time expression names, where it is relative ("yesterday")."""
    times = [time for time in find_times(turn.text, turn.observed_at, turn.time_zone) if time.span.overlaps(span)]
    if len(times) != 1 or times[0].grain != "day" or any(character.isdigit() for character in times[0].text):
        return ""
    return day_of(times[0], turn.time_zone)


def day_of(time: TimeExpression, time_zone: str) -> str:
    """The first day of a time expression in the zone in which it was meant, ISO 8601."""
    start: datetime = time.start.astimezone(ZoneInfo(time_zone))
    return start.date().isoformat()
