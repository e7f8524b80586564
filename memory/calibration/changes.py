"""Whether one passage takes back what an earlier one says, although nothing but its words tells.

"Order 20 tables." ... "We are down to 18." Extraction sees a change where the attribute is named again; here a word of
change, the same kind of value, and something that ties the two together have to do.
"""

from ..language.folding import fold
from ..language.times import find_times
from . import wording
from .asked import Question
from .coverage import prepare
from .fit import people, values_in
from .passages import Passage
from .weighing import DIRECT, Support

_MEASURED = frozenset({"amount", "number"})
_LESS = 0.2
"""How much less of the question a change may cover than what it takes back."""


def changes(question: Question, earlier: Support, later: Support) -> bool:
    """Whether ``later`` tells another value of what ``earlier`` tells, so that the question is answered by it alone.

    Args:
        question: What is asked.
        earlier: A passage that answers it.
        later: One of a later turn.
    """
    before, after = earlier.passage, later.passage
    if question.expects is None or question.asks == "who_said" or not later.fits:
        return False
    if after.turn.number <= before.turn.number or after.turn.source != before.turn.source:
        return False
    return _takes_back(after) and _is_of_the_same(question, earlier, later)


def _takes_back(passage: Passage) -> bool:
    return bool(wording.pattern("takes_back").search(fold(passage.text)))


def _is_of_the_same(question: Question, earlier: Support, later: Support) -> bool:
    """Whether something ties the two together: the old value and a new one, or the question's words and the unit."""
    before = earlier.passage
    told, anew = _values(before), _values(later.passage)
    if question.expects in _MEASURED | {"time"} and told & anew and anew - told:
        return True
    if not earlier.answers or (question.expects in _MEASURED and not _measure_alike(before, later.passage)):
        return False
    if question.expects not in _MEASURED and asks_for_end(question):
        return False  # of what was chosen in the end, a change of something beside it tells nothing
    alike = later.direct >= DIRECT and later.covered >= earlier.covered - _LESS
    return alike or (later.covered >= DIRECT and bool(_names(before) & _names(later.passage)))


def _names(passage: Passage) -> frozenset[str]:
    return people(passage.text)


def _values(passage: Passage) -> frozenset[str]:
    """The numbers of a passage, and the days that it names."""
    turn = passage.turn
    times = find_times(passage.text, turn.observed_at, turn.time_zone)
    days = (time.start.isoformat() for time in times if time.grain == "day")
    return prepare(passage.text).numbers | frozenset(days)


def _measure_alike(one: Passage, other: Passage) -> bool:
    """Whether two passages have values of one unit; a bare number may be of any."""
    units, others = _units(one), _units(other)
    return bool(units & others) or bool(units and others and "" in units | others)


def _units(passage: Passage) -> set[str]:
    """The units of the values of a passage, empty for a bare number."""
    turn = passage.turn
    return {value.unit or "" for value in values_in(passage.text, turn.observed_at, turn.time_zone)}


def asks_for_end(question: Question) -> bool:
    """Whether a question asks how something ended ("what did we settle on?", 最后去了哪里)."""
    return question.decided or bool(wording.pattern("asks_for_end").search(fold(question.text)))
