"""From which day a version holds, and how it is called, as its name, its head or its text say.

Which source wins, and why: what was given on the command line; then a commencement (自…起施行, "effective 1 May 2021"),
because it is about validity itself, unless it is older than the version (a revised statute still carries the
commencement of its first version); then the date in the name, which whoever keeps the versions gave to this very one;
then the last adoption or amendment named at the head; then "last updated", which is often forgotten in an edit.
"""

import functools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date

from ..language import resources
from ..language.dates import WrittenDate, find_dates
from ..language.folding import fold
from .markers import Line
from .numbers import plain_number
from .records import DatedBy

_COMPACT = re.compile(r"(?<!\d)(?P<y>(?:19|20)\d\d)(?P<m>0[1-9]|1[0-2])(?P<d>0[1-9]|[12]\d|3[01])(?!\d)")
_VERSION_JOINT = re.compile(r"(?<=[vV]\d)_(?=\d)")
_JOINT = re.compile(r"_|(?<=[^\W\d])\.(?=\d)|(?<=\d)\.(?=[^\W\d])")
_HEAD = 25
"""Lines in which a document says when it was adopted or updated, at most: those before its first clause."""
_TAIL = 12
_FIRST_LINES = 6
"""Lines in which a document that begins with its clauses says so."""
_NEAR = 40
"""Characters between a word of commencement and its date."""


@dataclass(frozen=True, slots=True)
class Dated:
    """From when a version holds by what can be read, and where that was read."""

    day: date | None = None
    by: DatedBy = "added"
    named: date | None = None
    """The day by which the version is called: of its name, its adoption or its update, else that of commencement."""


def dates_in(words: str) -> list[WrittenDate]:
    """The full dates in a name or a line, also those written as 20240628."""
    folded = fold(levelled(words))
    spread = _COMPACT.sub(lambda match: f"{match['y']}-{match['m']}-{match['d']}"[: len(match.group()) + 2], folded)
    return [one for one in find_dates(spread) if None not in (one.year, one.month, one.day)]


def levelled(name: str) -> str:
    """A file's name with blanks between its words, every character at its place: ``Terms.2020-01-05``, ``v2_1``."""
    return _JOINT.sub(" ", _VERSION_JOINT.sub(".", name))


def day_of(written: WrittenDate) -> date:
    """A full date as a day."""
    return date(written.year or 1, written.month or 1, written.day or 1)


def states_date(line: str) -> bool:
    """Whether a line does nothing but say when the document was updated or takes effect."""
    folded = fold(line).strip(" *_>")
    match = _pattern("heading").match(folded) or _pattern("commencement").match(folded)
    return match is not None and len(folded) - match.end() <= _NEAR and len(folded) <= 2 * _NEAR


def read_dates(text: str, lines: Sequence[Line], first_clause: int, name: str) -> Dated:
    """What a document says of its validity.

    Args:
        text: the document.
        lines: its lines.
        first_clause: the offset at which the first clause begins; what is before it is the head.
        name: its name, without the ending.
    """
    head = [line.content.cut(text) for line in lines[:_HEAD] if line.span.start < first_clause]
    base = _without_commencement(text, lines, head, name)
    begun = max(_commencements(text, head), default=None)
    if begun is None or (base.day is not None and begun < base.day):
        return base
    return replace(base, day=begun, by="commencement", named=base.day or begun)


def _without_commencement(text: str, lines: Sequence[Line], head: Sequence[str], name: str) -> Dated:
    """The day of the name, else of the last adoption or signature, else the one at the head."""
    tail = [line.content.cut(text) for line in lines[-_TAIL:]]
    first = [line.content.cut(text) for line in lines[:_FIRST_LINES]]
    sources: tuple[tuple[Iterable[date], DatedBy], ...] = (
        (map(day_of, dates_in(name)), "name"),
        (_beside(head, "adoption"), "adoption"),
        (_beside(tail, "signing"), "adoption"),
        (_beside([*head, *first], "heading"), "heading"),
    )
    found = ((max(days, default=None), by) for days, by in sources)
    return next((Dated(day, by, day) for day, by in found if day is not None), Dated())


def read_label(words: str, *, spelled: bool = False) -> str:
    """The version that a name or a heading writes: ``v2.1``, ``v018``; empty where there is none.

    Args:
        words: the name or the heading.
        spelled: a number needs a word for version before it.
    """
    match = pattern_of("version").search(fold(levelled(words)))
    if match is None or (spelled and match["dotted"]):
        return ""
    chinese = plain_number(match["chinese"])
    return f"v{chinese or match['number'] or match['dotted']}"


@functools.cache
def pattern_of(name: str) -> re.Pattern[str]:
    """One pattern about names, of ``lexicons/clauses.yaml``."""
    return resources.compiled(resources.load("clauses"), name)


@functools.cache
def _pattern(name: str) -> re.Pattern[str]:
    return resources.compiled(resources.load("clauses")["dated"], name)


def _beside(lines: Sequence[str], name: str) -> Iterator[date]:
    """The days that stand in lines with a word of that meaning."""
    for line in lines:
        if _pattern(name).search(fold(line)):
            yield from map(day_of, dates_in(line))


def _commencements(text: str, head: Sequence[str]) -> Iterator[date]:
    """The days from which the document says that it holds itself, not another that it mentions."""
    own = _pattern("own_commencement")
    folded = fold(text)
    for match in own.finditer(folded):
        sentence = folded[match.start() : match.end() + _NEAR]
        yield from (day_of(one) for one in dates_in(sentence)[:1] if not _is_of_another(sentence, one))
    for line in head:
        said = _pattern("commencement").search(fold(line))
        if said is not None:
            yield from (day_of(one) for one in dates_in(line) if 0 <= one.span.start - said.end() <= _NEAR)


def _is_of_another(sentence: str, written: WrittenDate) -> bool:
    return bool(_pattern("of_another").match(sentence, written.span.end))
