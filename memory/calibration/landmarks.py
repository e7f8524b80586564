"""What held before, or after, a value that a question names: "where did I live before Bergen?", 改成12万之前预算是多少.

The value only says which of the versions is meant: it is none of the words that the answer has to hold. Whether it is a
version's at all the items tell: the concert of "where did we eat before the concert?" is none.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from ..language.folding import fold
from ..language.values import find_values
from ..records import Item, Span
from . import wording
from .asked import Question
from .validity import Moment, neighbour

Read = Callable[[str], Question]
"""Understands a question by itself."""


@dataclass(frozen=True, slots=True)
class Landmark:
    """What a question counts from."""

    text: str
    """The whole question."""
    clause: Span
    """The words that count from it, with their "before"."""
    named: Span
    """What they count from."""
    later: bool
    """Whether what came after it is asked for."""

    @property
    def words(self) -> str:
        """What it is called, folded."""
        return fold(self.named.cut(self.text))

    def without(self, span: Span) -> str:
        """The question without some of its words."""
        return f"{self.text[: span.start].rstrip(' ,，')} {self.text[span.end :].lstrip(' ,，')}".strip()


def landmark_in(text: str) -> Landmark | None:
    """What a question counts from, if it counts from anything."""
    folded = fold(text)
    for name, later in (("before_what", False), ("after_what", True)):
        match = wording.pattern(name).search(folded)
        if match is not None:
            group = next(key for key, found in match.groupdict().items() if found)
            return Landmark(text, Span(*match.span()), Span(*match.span(group)), later)
    return None


def counted_from(landmark: Landmark, items: Sequence[Item], read: Read) -> Question | None:
    """The question for the version before or after the one that a landmark names; ``None`` where it names none.

    Args:
        landmark: what the question counts from.
        items: the user's items, closed ones included.
        read: understands a question.
    """
    named = [item for item in items if item.single_valued and _names(landmark.words, item)]
    for question in _readings(landmark, named, read) if named else ():
        moment = Moment(question.asked_at)
        for item in named:
            version = neighbour(question, items, item, moment, later=landmark.later)
            if version is not None:
                return replace(question, text=landmark.text, history=True, version=version)
    if not landmark.later and wording.pattern("of_change").search(landmark.words):
        return replace(read(landmark.without(landmark.clause)), text=landmark.text, history=True)
    return None


def _readings(landmark: Landmark, named: Sequence[Item], read: Read) -> Iterator[Question]:
    """The question without the clause that counts; where that named the matter as well, without the value only."""
    yield read(landmark.without(landmark.clause))
    start = landmark.named.start
    for value in dict.fromkeys(fold(item.value).strip() for item in named):
        place = landmark.words.find(value)
        if place >= 0:
            yield read(landmark.without(Span(start + place, landmark.clause.end)))


def _names(words: str, item: Item) -> bool:
    """Whether words name the value of an item, in whatever form."""
    value = fold(item.value).strip()
    if value.isascii():
        if re.search(rf"(?<![a-z0-9]){re.escape(value)}(?![a-z0-9])", words):
            return True
    elif len(value) > 1 and value in words:
        return True
    return bool({one.normal for one in find_values(item.value)} & {one.normal for one in find_values(words)})
