"""Whether a passage holds the kind of value that a question asks for: a time for "when", a person for "who"."""

import functools
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from ..language.folding import CJK, fold
from ..language.segmenting import place_names
from ..language.times import TimeExpression, find_times
from ..language.tokens import is_stop
from ..language.values import Value, find_values
from . import wording
from .labels import numbered
from .parsing import NUMERIC, capitalised_names

_COUNTABLE = NUMERIC | {"version", "identifier", "phone", "time"}
_DIGITS = "0-9〇零一二两三四五六七八九十百千半"
_LIKE = dict.fromkeys("楼层", "楼层") | dict.fromkeys("回遍趟顿次", "回遍趟顿次")
"""Measure words that stand for one another."""
_COUNTS = NUMERIC - {"amount"}
_CODES = frozenset({"version", "identifier", "phone"})
_WRITTEN_CODE = re.compile(r"[\dA-Za-z][\d/-]*\d[\dA-Za-z/-]*")
_YEAR = re.compile(r"\d{4}")
_LONGER_THAN_DAYS = frozenset({"month", "quarter", "year"})
_PREPOSITION = 4
"""Characters before a time that belong to it ("at 10 am")."""
_SHORTEST_PHONE = 5
"""Digits of the shortest number that one may call."""
_ADDRESSES = {
    "phone": NUMERIC | {"phone", "identifier"},
    "email": frozenset({"email"}),
    "url": frozenset({"url"}),
}


@dataclass(frozen=True, slots=True)
class _Sample:
    """A passage beside the question: what the question names itself answers nothing."""

    text: str
    question: str
    reference: datetime
    time_zone: str

    @property
    def asked(self) -> str:
        """The question, folded."""
        return fold(self.question)

    @property
    def told(self) -> str:
        """The passage, folded."""
        return fold(self.text)

    def new_values(self) -> list[Value]:
        """The values of the passage, without times, those of the question, and numbers that are part of a name."""
        asked = {value.normal for value in find_values(self.question)}
        found = values_in(self.text, self.reference, self.time_zone)
        names = [span for noun, span in numbered(self.text) if not self._asks_which(noun)]
        return [v for v in found if v.normal not in asked and not any(v.span.overlaps(span) for span in names)]

    def _asks_which(self, noun: str) -> bool:
        """Whether the question asks which one of several it is: "which plot is mine?", "the number of the plot"."""
        which = re.search(rf"\bnumber\b|\b(?:which|what) {re.escape(noun)}", self.asked)
        return noun in self.asked and which is not None


def values_in(text: str, reference: datetime, time_zone: str) -> list[Value]:
    """The values of a text that are no part of a time expression."""
    spans = [time.span for time in find_times(text, reference, time_zone)]
    return [value for value in find_values(text) if not any(value.span.overlaps(span) for span in spans)]


def fits(expects: str | None, text: str, question: str, reference: datetime, time_zone: str) -> bool:
    """Whether ``text`` holds a value of the kind that ``expects`` names and that the question did not hold itself.

    Args:
        expects: amount, number, time, place, person, name, proper, phone, email or url; None fits every text.
        text: The passage.
        question: The question's text.
        reference: When the passage was said.
        time_zone: IANA name of the zone of its relative times.
    """
    sample = _Sample(text, question, reference, time_zone)
    if expects in _ADDRESSES:
        return any(_is_address(value, expects) for value in sample.new_values())
    test = _TESTS.get(expects or "")
    return test is None or (test(sample) and _measures_alike(sample))


def _is_address(value: Value, expects: str) -> bool:
    """Whether a value can be the phone number, address or link asked for: nobody has the phone number 2."""
    digits = sum(map(str.isdigit, value.normal))
    return value.kind in _ADDRESSES[expects] and (expects != "phone" or digits >= _SHORTEST_PHONE)


def _measures_alike(sample: _Sample) -> bool:
    """Whether a question for a weight, a price or a distance meets one: eight thousand steps are no weight."""
    asked, told = sample.asked, sample.told
    return all(answer.search(told) for question, answer in wording.measures() if question.search(asked))


def _holds_place(sample: _Sample) -> bool:
    """A preposition of place outside of times, or a name that the question does not have."""
    rest = list(sample.told)
    for time in find_times(sample.text, sample.reference, sample.time_zone):
        start = max(0, time.span.start - _PREPOSITION)
        rest[start : time.span.end] = " " * (time.span.end - start)
    names = capitalised_names(sample.text) | place_names(sample.told)
    named = any(name not in sample.asked for name in names)
    return named or bool(wording.pattern("place_marks").search("".join(rest)))


def _holds_time(sample: _Sample) -> bool:
    """A time, a day that comes back (on Fridays), a bare hour ("came at 2"), or the year of a thing (a 1961 house)."""
    times = find_times(sample.text, sample.reference, sample.time_zone)
    if times:
        return any(_is_time_asked_for(time, sample) for time in times)
    dated = any(value.kind in {"date", "time"} for value in find_values(sample.text))
    loose = (match.group() for match in wording.pattern("loose_times").finditer(sample.told))
    day = wording.pattern("asks_day").search(sample.asked)
    return dated or any(not (day and _YEAR.search(one)) for one in loose)


def _is_time_asked_for(time: TimeExpression, sample: _Sample) -> bool:
    """Of the next one no past time tells, and of a day no month or year."""
    ahead = wording.pattern("asks_ahead").search(sample.asked)
    day = wording.pattern("asks_day").search(sample.asked)
    return not (ahead and time.end <= sample.reference) and not (day and time.grain in _LONGER_THAN_DAYS)


def _holds_amount(sample: _Sample) -> bool:
    return any(value.kind in NUMERIC for value in sample.new_values())


def _holds_number(sample: _Sample) -> bool:
    """A number, a duration, how often, or a place in line; neither money nor an order's number counts people."""
    measure = wording.pattern("measure_word").search(sample.asked)
    if measure is not None:
        return bool(re.search(rf"[{_DIGITS}]\s*[{_LIKE.get(measure[1], measure[1])}]", sample.told))
    if wording.pattern("asks_code_only").search(sample.asked):
        return any(value.kind in _CODES or _WRITTEN_CODE.fullmatch(value.text) for value in sample.new_values())
    kinds = _countable(sample.asked)
    if any(value.kind in kinds for value in sample.new_values()):
        return True
    often = wording.pattern("frequency").search(sample.told)
    return bool(_durations(sample) or often or wording.pattern("places_in_line").search(sample.text))


def _countable(asked: str) -> frozenset[str]:
    """The kinds of values that answer a question for a number: codes only where one is asked for."""
    if wording.pattern("counts").search(asked):
        return _COUNTS
    return _COUNTABLE if wording.pattern("asks_code").search(asked) else _COUNTABLE - _CODES


def _durations(sample: _Sample) -> set[str]:
    """The quantities of the text that the question does not have."""
    told = {value.normal for value in find_values(sample.text) if value.kind == "quantity"}
    return told - {value.normal for value in find_values(sample.question)}


def _holds_person(sample: _Sample) -> bool:
    """Whether the text names somebody whom the question does not name; a speaker's "I" is somebody."""
    asked, known = sample.asked, people(sample.question)
    if any(one not in asked and not any(other in one for other in known) for one in people(sample.text)):
        return True
    acts = wording.pattern("speaker_acts").search(sample.told)
    return bool(acts) and not wording.pattern("first_person").search(asked)


def _holds_proper_name(sample: _Sample) -> bool:
    """A name that the question does not have; who writes without capitals, or in Chinese, shows none."""
    if sample.text.islower() or re.search(f"[{CJK}]", sample.text):
        return True
    return any(name not in sample.asked for name in capitalised_names(sample.text))


def _holds_name(sample: _Sample) -> bool:
    return _holds_person(sample) or bool(wording.pattern("tells_name").search(sample.told))


_TESTS: dict[str, Callable[[_Sample], bool]] = {
    "time": _holds_time,
    "place": _holds_place,
    "amount": _holds_amount,
    "number": _holds_number,
    "person": _holds_person,
    "name": _holds_name,
    "proper": _holds_proper_name,
}


def people(text: str) -> frozenset[str]:
    """What may name a person in a text: capitalised words, Chinese names by their surnames, relatives and roles."""
    folded = fold(text)
    opening = re.match(r"\W*([A-Z][a-z]+)\b", text)
    opens = {fold(opening.group(1))} if opening and not is_stop(fold(opening.group(1))) else set()
    chinese = {match.group(1) for match in wording.chinese_name().finditer(folded)}
    chinese |= {match.group() for match in wording.forms_of_address().finditer(folded)}
    chinese |= {match.group() for match in wording.pattern("called_in_chinese").finditer(folded)}
    roles = {word for word in wording.words("persons") if word in folded}
    roles |= {match.group() for match in _english_role().finditer(folded)}
    return frozenset(capitalised_names(text) | opens | chinese | roles)


@functools.cache
def _english_role() -> re.Pattern[str]:
    return re.compile(r"\b(?:" + "|".join(sorted(wording.words("persons_en"))) + r")\b")
