"""Whether one passage takes back what an earlier one says, although nothing but its words tells.

"Order 20 tables." ... "We are down to 18." Extraction sees a change where the attribute is named again; here a word of
change, the same kind of value, and something that ties the two together have to do.
"""

import itertools
import re
from collections.abc import Iterator
from decimal import Decimal

from ..language.folding import fold
from ..language.times import find_times
from ..language.tokens import content_stems
from ..language.values import Value, find_values
from ..records import Span
from . import wording
from .asked import Question
from .coverage import NEAR, covers, prepare
from .fit import fits, people, values_in
from .parsing import NUMERIC, is_generic
from .passages import Passage
from .weighing import DIRECT, Support

_MEASURED = frozenset({"amount", "number"})
_NAMED = frozenset({"person", "place", "name"})
_COMPARED = _MEASURED | {"time"}
_HALF = 0.5
"""Of the share of the question that the earlier one covers, how much a later one must cover."""
_BEHIND = 8
"""How many characters behind a word of change what it changes to may begin."""
_LIKE = 2
"""How many times as much a value may be that is still another one of the same."""
_LESS = 0.2
"""How much less of the question a change may cover than what it takes back."""


def changes(question: Question, earlier: Support, later: Support) -> bool:
    """Whether ``later`` tells another value of what ``earlier`` tells, so that the question is answered by it alone.

    Args:
        question: What is asked.
        earlier: A passage that answers it.
        later: One of a later turn.
    """
    if question.expects is None or question.asks == "who_said" or not _follows(earlier, later):
        return False
    if earlier.answers and (_is_told_anew(question, earlier, later) or _steps_from(question, earlier, later)):
        return True
    return later.fits and _takes_back(later.passage) and _is_of_the_same(question, earlier, later)


def adds_to(question: Question, earlier: Support, later: Support) -> bool:
    """Whether ``later`` tells only by how much something changed ("two days later", 又加了三节): both count."""
    return _steps_from(question, earlier, later) and not _tells_outcome(question, later.passage)


def _steps_from(question: Question, earlier: Support, later: Support) -> bool:
    """Whether ``later`` tells by how much what ``earlier`` tells changed."""
    if question.expects not in _COMPARED or not _follows(earlier, later) or later.passage.turn is earlier.passage.turn:
        return False
    as_near = later.direct >= _HALF * earlier.direct and _shares_word(question, later.passage)
    return _tells_step(later.passage) and earlier.fits and as_near


def _tells_outcome(question: Question, passage: Passage) -> bool:
    """Whether a passage tells beside a step where it led: 追加了两万，一共20万."""
    turn, rest = passage.turn, wording.pattern("tells_step").sub(" ", fold(passage.text))
    return fits(question.expects, rest, question.text, turn.observed_at, turn.time_zone)


def _is_told_anew(question: Question, earlier: Support, later: Support) -> bool:
    """Whether a like number is told later, with one of the question's words: how it is by then."""
    before, after = earlier.passage, later.passage
    alike = later.named and later.direct >= _HALF * earlier.direct and not before.address.is_elsewhere(after.address)
    if question.expects not in _MEASURED or not (alike and later.fits and _measure_alike(before, after)):
        return False
    same = _shares_word(question, after) and not _are_told_apart(question, before, after)
    same = same and not is_numbered_otherwise(question, before, after)
    return same and _is_of_like_size(before, after)


def is_numbered_otherwise(question: Question, one: Passage, other: Passage) -> bool:
    """Whether a number that the question names stands in the one passage and not in the other: shelf 3, shelf 11."""
    asked = prepare(question.text).numbers
    return bool(asked & prepare(one.text).numbers - prepare(other.text).numbers)


def _are_told_apart(question: Question, one: Passage, other: Passage) -> bool:
    """Whether two passages put other words before a word of the question: the blue tent, the green tent."""
    befores = [
        {word: before for before, word in itertools.pairwise(content_stems(passage.text)) if word in question.terms}
        for passage in (one, other)
    ]
    shared = befores[0].keys() & befores[1].keys()
    found = ((befores[0][word], befores[1][word]) for word in shared)
    return any(
        a != b and not (a in question.terms or b in question.terms or a.isdigit() or b.isdigit()) for a, b in found
    )


def may_replace(question: Question, earlier: Support, later: Support) -> bool:
    """Whether ``later`` may tell what became of what ``earlier`` tells, but not so surely that it answers instead.

    A value that stands there with nothing that it is of ("it's 80 now", 那就六个人了) is of what was spoken of before.
    """
    before, after = earlier.passage, later.passage
    if question.expects not in _COMPARED or asks_for_before(question) or not _follows(earlier, later):
        return False
    if is_numbered_otherwise(question, before, after):
        return False
    if question.expects in _MEASURED and not _measure_alike(before, after):
        return False
    if question.expects == "time" and not _lies_ahead(before):
        return False  # a day that has been is not put off
    tied = _shares_word(question, after) or bool(set(content_stems(before.text)) & set(content_stems(after.text)))
    if not tied and _goes_on_in_its_turn(after):
        return False
    if _tells_step(after) and (tied or question.expects in _MEASURED):
        return True
    if not later.fits:
        return False
    leans = wording.pattern("goes_on").search(fold(after.text)) or (tied and _takes_back(after))
    return bool(leans and _stands_alone(after)) or (_shares_word(question, after) and _is_of_like_size(before, after))


def revises(passage: Passage) -> bool:
    """Whether a sentence changes what the one before it said: "Make it 14.", 改成14把吧."""
    begins = wording.pattern("goes_on").match(fold(passage.text))
    return bool(begins) and (_takes_back(passage) or _tells_step(passage))


def _goes_on_in_its_turn(passage: Passage) -> bool:
    """Whether a like number stands before it in its turn, which is the one that changes: "12 chairs. Make it 14"."""
    turn = passage.turn
    told = Passage(turn, Span(0, passage.span.start))
    return bool(told.text.strip()) and _measure_alike(told, passage)


def _lies_ahead(passage: Passage) -> bool:
    """Whether a passage names a time that had not passed when it was said, or one that comes back."""
    turn = passage.turn
    times = find_times(passage.text, turn.observed_at, turn.time_zone)
    return any(time.end > turn.observed_at for time in times) or not times


def _follows(earlier: Support, later: Support) -> bool:
    """Whether ``later`` was said later, by the same side."""
    before, after = earlier.passage.turn, later.passage.turn
    return after.number > before.number and after.source == before.source


def _tells_step(passage: Passage) -> bool:
    return bool(wording.pattern("tells_step").search(fold(passage.text)))


def _stands_alone(passage: Passage) -> bool:
    """Whether nothing behind one of its values says what it is of."""
    turn, text = passage.turn, passage.text
    spans = [value.span for value in _numbers(passage)]
    spans += [time.span for time in find_times(text, turn.observed_at, turn.time_zone)]
    return any(wording.pattern("ends_value").match(fold(text[span.end :])) for span in spans)


def _shares_word(question: Question, passage: Passage) -> bool:
    """Whether a passage has one of the question's words or names."""
    text = prepare(passage.text)
    return any(covers(text, term) >= NEAR for term in question.terms) or any(n in text.folded for n in question.names)


def _is_of_like_size(one: Passage, other: Passage) -> bool:
    """Whether two passages hold numbers that may be two versions of one."""
    sizes, others = _sizes(one), _sizes(other)
    return any(
        size != another and max(size, another) <= _LIKE * min(size, another) for size in sizes for another in others
    )


def _sizes(passage: Passage) -> set[Decimal]:
    return {size for value in _numbers(passage) if (size := _size(value)) > 0}


def _numbers(passage: Passage) -> list[Value]:
    """The numbers of a passage, with their units; what only names something, such as AK-204, is none."""
    turn = passage.turn
    return [one for one in values_in(passage.text, turn.observed_at, turn.time_zone) if one.kind in NUMERIC]


def _size(value: Value) -> Decimal:
    try:
        return Decimal(value.normal)
    except ArithmeticError:
        return Decimal(0)


def _takes_back(passage: Passage) -> bool:
    return any(_taken_back(fold(passage.text)))


def _taken_back(folded: str) -> Iterator[re.Match[str]]:
    return wording.pattern("takes_back").finditer(folded)


def _is_of_the_same(question: Question, earlier: Support, later: Support) -> bool:
    """Whether something ties the two together: the old value and a new one, or the question's words and the unit."""
    before = earlier.passage
    if question.expects in _NAMED - {"place"} and _changes_number(later.passage):
        return False  # whoever is named beside it
    told, anew = _values(before), _values(later.passage)
    if question.expects in _COMPARED and told & anew and anew - told:
        return True
    if question.expects in _MEASURED and earlier.answers and _raises(before, later.passage):
        return True
    if not earlier.answers:
        return False
    if question.expects in _NAMED and _names_the_old(question, before, later.passage):
        return True
    if question.expects in _MEASURED and not _measure_alike(before, later.passage):
        return False
    if question.expects not in _MEASURED and asks_for_end(question):
        return False  # of what was chosen in the end, a change of something beside it tells nothing
    if question.expects in _MEASURED and question.names and later.named:
        return True
    alike = later.direct >= DIRECT and later.covered >= earlier.covered - _LESS
    return alike or (later.covered >= DIRECT and bool(_names(before) & _names(later.passage)))


def _raises(before: Passage, after: Passage) -> bool:
    """Whether a number changes of what the earlier passage names: "from Reed, 85 a kilo", "Reed went up to 92"."""
    shared = set(content_stems(before.text)) & set(content_stems(after.text))
    named = any(len(word) > 1 and not (word.isdigit() or is_generic(word)) for word in shared)
    return named and _changes_number(after) and _measure_alike(before, after) and _is_of_like_size(before, after)


def _changes_number(passage: Passage) -> bool:
    """Whether a number stands right behind a word of change."""
    folded = fold(passage.text)
    behind = (folded[found.end() : found.end() + _BEHIND] for found in _taken_back(folded))
    return any(map(find_values, behind))


def _names_the_old(question: Question, before: Passage, after: Passage) -> bool:
    """Whether a passage names what an earlier one named as the answer, and something else, which takes its place."""
    asked, told, anew = fold(question.text), _names(before), _names(after)
    other = {name for name in anew - told if not any(name in one or one in name for one in told)}
    return any(name not in asked for name in told & anew) and any(name not in asked for name in other)


def _names(passage: Passage) -> frozenset[str]:
    return people(passage.text)


def _values(passage: Passage) -> frozenset[str]:
    """The numbers of a passage, and the days that it names."""
    turn = passage.turn
    times = find_times(passage.text, turn.observed_at, turn.time_zone)
    days = {time.start.isoformat() for time in times if time.grain == "day"}
    back = {match.group() for match in wording.pattern("loose_times").finditer(fold(passage.text))}
    return prepare(passage.text).numbers | days | back


def _measure_alike(one: Passage, other: Passage) -> bool:
    """Whether two passages have values of one unit; a bare number may be of any."""
    units, others = _units(one), _units(other)
    return bool(units & others) or bool(units and others and "" in units | others)


def _units(passage: Passage) -> set[str]:
    """The units of the values of a passage, empty for a bare number."""
    return {value.unit or "" for value in _numbers(passage)}


def asks_for_before(question: Question) -> bool:
    """Whether a question asks how something was before, or at first."""
    return question.history or bool(wording.pattern("asks_for_first").search(fold(question.text)))


def asks_for_end(question: Question) -> bool:
    """Whether a question asks how something ended ("what did we settle on?", 最后去了哪里)."""
    return question.decided or bool(wording.pattern("asks_for_end").search(fold(question.text)))
