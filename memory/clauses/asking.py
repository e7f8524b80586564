"""What the words of a question say of clauses: which numbers, which versions, and what is wanted of them.

No document is looked at here: ``mentioned.py`` says which ones are meant, ``lookup.py`` what that comes to.
"""

import functools
import re
from collections.abc import Sequence
from datetime import datetime, timedelta

from ..calibration import parsing
from ..calibration.labels import labelled
from ..language import resources
from ..language.folding import fold
from ..language.times import TimeExpression, find_times, zone
from ..language.tokens import stem
from ..records import Span
from .citing import Cited, find_numbers, pattern
from .condition import Asked, AskedVersion, Wants
from .numbers import plain_number

_TICK = timedelta(microseconds=1)
_LOOKED_BACK = 24
_WITHOUT_NUMBER: frozenset[str] = frozenset({"changes", "versions", "list", "count", "topic", "compare"})
"""What can be wanted of a document as a whole."""


def read(text: str, now: datetime, time_zone: str) -> Asked | None:
    """Read a question; ``None`` where it asks what was said in the conversation.

    Args:
        text: the question.
        now: when it is asked.
        time_zone: IANA name of the asker's zone.
    """
    folded = fold(text)
    if pattern("conversation").search(folded):
        return None
    labels = _labels(folded, time_zone)
    text = blanked(text, _spans(labels))
    cited = find_numbers(text, fold(text))
    text = blanked(text, [one.span for one in cited])
    times = _times(text, now, time_zone)
    text = blanked(text, _spans(times))
    places = [] if times else _places(fold(text))
    points_back = _says("points_back", folded)
    wants = _wants(fold(text), numbered=bool(cited) or points_back)
    sayer = pattern("sayer").search(folded)
    return Asked(
        wants=wants,
        numbers=tuple(dict.fromkeys(one.number for one in cited)),
        versions=_ordered([*labels, *times, *places], cited if wants == "moved" else [], folded),
        remaining=blanked(text, _spans(places)),
        strong=any(one.strong for one in cited),
        of_versions=_says("version_word", folded),
        follow_up=_says("follow_up", folded.strip()),
        points_back=points_back,
        both=_says("both", folded),
        rest=_says("rest", folded.strip()),
        sayer=sayer["who"] if sayer else "",
    )


def is_reference(text: str) -> bool:
    """Whether a text does nothing but name a clause, and so asks for it ("clause 5 of contract A", 看A合同第5条)."""
    folded = fold(text)
    cited = find_numbers(text, folded)
    if not any(one.strong for one in cited) or _says("conversation", folded):
        return False
    spans = [*(one.span for one in cited), *(span for _, _, span in labelled(text))]
    rest = pattern("title").sub(" ", fold(blanked(text, spans)))
    return not any(map(str.isalnum, pattern("asks_only").sub(" ", rest)))


def _says(name: str, folded: str) -> bool:
    return pattern(name).search(folded) is not None


def _spans(found: list[tuple[AskedVersion, Span]]) -> list[Span]:
    return [span for _, span in found]


def _ordered(found: list[tuple[AskedVersion, Span]], moved: Sequence[Cited], folded: str) -> tuple[AskedVersion, ...]:
    """The versions as the question names them; "what was article 15 in the old law?" begins with the one in force."""
    ordered = sorted(found, key=lambda one: one[1])
    versions = tuple(version for version, _ in ordered)
    if moved and ordered and _points_on(folded, moved[0].span, ordered[0][1]):
        return (AskedVersion(place=-1), *versions)
    return versions


def _points_on(folded: str, number: Span, version: Span) -> bool:
    """Whether a version is named as what a number is looked for in, and not as what it is a number of."""
    return number.end <= version.start and bool(pattern("becomes").search(folded[number.end : version.start]))


def blanked(text: str, spans: list[Span]) -> str:
    """The text with what was read already blanked out, every other character at its place."""
    characters = list(text)
    for span in spans:
        characters[span.start : span.end] = " " * (span.end - span.start)
    return "".join(characters)


def topic_in(text: str) -> tuple[str, ...]:
    """The content words of what is left of a question when numbers, versions and documents are blanked out."""
    frame = _frame()
    return tuple(dict.fromkeys(word for word in parsing.content(text) if word not in frame))


@functools.cache
def _frame() -> frozenset[str]:
    entry: dict[str, str] = resources.load("clause_questions")["frame"]
    words = {word for listed in entry.values() for word in listed.split()}
    return frozenset(words | {stem(word) for word in words})


@functools.cache
def _wanted() -> tuple[tuple[Wants, re.Pattern[str]], ...]:
    lexicon = resources.load("clause_questions")
    return tuple(
        (kind, re.compile(resources.expand("|".join(f"(?:{one})" for one in patterns), lexicon["macros"])))
        for kind, patterns in lexicon["wants"].items()
    )


def _wants(folded: str, *, numbered: bool) -> Wants:
    """The first kind of wish whose wording is there; a number alone wants its text, anything else a topic."""
    for kind, rule in _wanted():
        if (numbered or kind in _WITHOUT_NUMBER) and rule.search(folded):
            return kind
    return "text" if numbered or not _asks_about(folded) else "topic"


def _asks_about(folded: str) -> bool:
    return bool(pattern("about").search(folded) or pattern("about_zh").search(folded))


# --- Versions ---------------------------------------------------------------------------------------------------------


def _labels(folded: str, time_zone: str) -> list[tuple[AskedVersion, Span]]:
    """Editions that are named by a label, a place or a year: "version 2.1", 第二版, "the 2017 version"."""
    found = [(_of_year(match, time_zone), Span(*match.span())) for match in pattern("edition_year").finditer(folded)]
    for match in pattern("version_label").finditer(folded):
        span = Span(*match.span())
        label = match["label"] or match["zh"] or match["after"] or ""
        if not _is_year(label) and not any(span.overlaps(other) for other in _spans(found)):
            place = None if label else plain_number(match["place"])
            found.append((AskedVersion(match.group().strip(), label=label, place=place), span))
    return found


def _of_year(match: re.Match[str], time_zone: str) -> AskedVersion:
    """An edition that is named by its year; a month or day that no calendar has is left out."""
    year, month, day = int(match["year"] or match["zh"]), int(match["month"] or 0), int(match["day"] or 0)
    start = datetime(year, month if 1 <= month <= 12 else 1, 1, tzinfo=zone(time_zone))
    ends = 32 if 1 <= month <= 12 else 366
    end = (start + timedelta(days=ends)).replace(day=1)
    if 1 <= day <= (end - start).days:
        start = start.replace(day=day)
        end = start + timedelta(days=1)
    return AskedVersion(match.group().strip(), edition=(start, end))


def _times(text: str, now: datetime, time_zone: str) -> list[tuple[AskedVersion, Span]]:
    folded = fold(text)
    times = (time for time in find_times(text, now, time_zone) if time.grain not in {"minute", "hour"})
    return [_of_time(time, folded) for time in times]


def _places(folded: str) -> list[tuple[AskedVersion, Span]]:
    """Versions that are told by their place: "the previous version", 现行, 最早."""
    found = []
    for name, place in (("previous", -2), ("first", 1), ("current", -1)):
        match = pattern(name).search(folded)
        if match:
            found.append((AskedVersion(match.group().strip(), place=place), Span(*match.span())))
    return found


def _is_year(label: str) -> bool:
    """Whether "version 2017" names a year, which is read as a time."""
    return label.isdigit() and 1900 <= int(label) <= 2100


def _of_time(time: TimeExpression, folded: str) -> tuple[AskedVersion, Span]:
    """A time as a version: the edition of that time, the one in force at it, or the one in force when it began."""
    before = folded[max(0, time.span.start - _LOOKED_BACK) : time.span.start]
    edition = pattern("edition").match(folded, time.span.end)
    if edition or pattern("edition_before").search(before):
        span = Span(time.span.start, edition.end() if edition else time.span.end)
        return AskedVersion(span.cut(folded).strip(), edition=(time.start, time.end)), span
    said = time.span.cut(folded)
    opening = before + said
    if pattern("before").search(opening) or pattern("before_zh").search(said + folded[time.span.end :]):
        return AskedVersion(said, held=(time.start - _TICK, time.start)), time.span
    around = opening + folded[time.span.end : time.span.end + _LOOKED_BACK]
    return AskedVersion(said, held=(time.start, time.end), since=bool(pattern("since").search(around))), time.span
