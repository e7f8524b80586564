"""The value that an answer may put before its quotation: a slice of the quotation, or a date that it resolves to."""

from collections.abc import Sequence
from zoneinfo import ZoneInfo

from ..calibration import wording
from ..calibration.asked import Question
from ..calibration.coverage import attribute_text, covers, names_covered, prepare
from ..calibration.fit import fits
from ..calibration.labels import labelled
from ..calibration.parsing import is_generic
from ..calibration.people import same_person
from ..calibration.validity import meant_attribute, spoken, states_attribute
from ..language.folding import fold
from ..language.sentences import clauses
from ..language.times import find_times
from ..records import Item, Span, Turn

_BARE = frozenset({"place", "person", "proper"})
"""Kinds of values that are bare names, which only their sentence shows to be one."""
_DIRECT = frozenset({"value", "who", "where", "how_much", "how_many", "choice"})
_LONGEST = 40
_MOST = 4
_SEPARATORS = {"en": ", ", "zh": "、"}


def lead_value(question: Question, turn: Turn, span: Span, items: Sequence[Item]) -> str:
    """The most direct value of a quotation, or nothing where a value alone would say more than the quotation does.

    Args:
        question: What is asked; only questions for a value are answered with one.
        turn: The quoted turn.
        span: The quotation.
        items: The items that it rests on, best first.
    """
    if question.time_from is not None and question.time_from > question.asked_at:
        return ""  # what holds today is not what will
    if question.asks in {"more", "less"}:
        return _only_label(turn, span)
    if question.asks == "when":
        return _resolved(turn, span)
    leading = [item for item in items if _may_lead(question, turn, span, item)] if question.asks in _DIRECT else []
    return _values(question, leading) if leading else ""


def _values(question: Question, leading: Sequence[Item]) -> str:
    """The value of the first item; of a many-valued attribute all values, for one alone would pass for the whole."""
    first = leading[0]
    if first.single_valued:
        return first.value
    same = [item for item in leading if (item.entity, item.attribute) == (first.entity, first.attribute)]
    values = list(dict.fromkeys(item.value for item in sorted(same, key=lambda item: item.value_span)))
    return _SEPARATORS[question.language].join(values) if len(values) <= _MOST else ""


def _may_lead(question: Question, turn: Turn, span: Span, item: Item) -> bool:
    inside = span.start <= item.value_span.start and item.value_span.end <= span.end
    asserted = item.modality == "asserted" and len(item.value) <= _LONGEST and _has_polarity(question, item)
    about = states_attribute(question, item)
    if not (inside and asserted and about and item.kind in {"fact", "choice", "decision"}):
        return False
    expects = None if question.expects in _BARE else question.expects
    suits = fits(expects, item.value, question.text, turn.observed_at, turn.time_zone)
    return suits and _is_of(question, turn, item)


def _has_polarity(question: Question, item: Item) -> bool:
    return item.polarity == (question.wants or "positive")


def _is_of(question: Question, turn: Turn, item: Item) -> bool:
    """Whether the clause of a value speaks of all that the question names ("my son's name" is not my name)."""
    texts = (attribute_text(meant_attribute(item)), prepare(spoken(item.entity)), prepare(_clause_of(turn, item)))
    free = wording.implied(question.expects or "")
    wanted = (term for term in question.terms if term not in free and not is_generic(term))
    if not all(any(covers(text, term) for text in texts) for term in wanted):
        return False
    speaker = fold(turn.speaker)
    return all(same_person(speaker, name) or names_covered(name, texts) for name in question.names)


def _clause_of(turn: Turn, item: Item) -> str:
    spans = clauses(turn.text, item.quote_span)
    return next((one for one in spans if one.overlaps(item.value_span)), item.quote_span).cut(turn.text)


def _only_label(turn: Turn, span: Span) -> str:
    """The label of the option that wins a comparison, where the quotation names just one."""
    spans = [place for _, _, place in labelled(turn.text) if place.overlaps(span)]
    return spans[0].cut(turn.text) if len(spans) == 1 else ""


def _resolved(turn: Turn, span: Span) -> str:
    """The day that the quotation's only time expression names, ISO 8601, where it is relative ("yesterday")."""
    times = [time for time in find_times(turn.text, turn.observed_at, turn.time_zone) if time.span.overlaps(span)]
    if len(times) != 1 or times[0].grain != "day" or any(character.isdigit() for character in times[0].text):
        return ""
    if wording.pattern("bare_weekday").fullmatch(fold(times[0].text)):
        return ""  # which Friday is meant the tense of the sentence cannot tell for sure
    return times[0].start.astimezone(ZoneInfo(turn.time_zone)).date().isoformat()
