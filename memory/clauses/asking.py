"""What the words of a question say of clauses: which numbers, which versions, and what is wanted of them.

No document is looked at here: ``mentioned.py`` says which ones are meant, ``lookup.py`` what that comes to.
"""

import functools
import re
from datetime import datetime, timedelta

from ..calibration import parsing
from ..language import resources
from ..language.folding import fold
from ..language.times import TimeExpression, find_times, zone
from ..language.tokens import stem
from ..records import Span
from .citing import find_numbers, pattern
from .condition import Asked, AskedVersion, Wants
from .numbers import plain_number

_TICK = timedelta(microseconds=1)
_LOOKED_BACK = 24
_WITHOUT_NUMBER: frozenset[str] = frozenset({"changes", "versions", "list", "count", "topic"})
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
    text = blanked(text, [span for _, span in labels])
    cited = find_numbers(text, fold(text))
    text = blanked(text, [one.span for one in cited])
    times = _times(text, now, time_zone)
    text = blanked(text, [span for _, span in times])
    places = [] if times else _places(fold(text))
    wished = fold(text)
    text = blanked(text, [span for _, span in places])
    points_back = bool(pattern("points_back").search(folded))
    sayer = pattern("sayer").search(folded)
    versions = sorted((*labels, *times, *places), key=lambda one: one[1])
    wants = _wants(wished, numbered=bool(cited) or points_back)
    if wants == "moved" and cited and versions and _points_on(folded, cited[0].span, versions[0][1]):
        # "what was article 15 in the old law?": the number is one of the version in force.
        versions = [(AskedVersion(place=-1), cited[0].span), *versions]
    return Asked(
        wants=wants,
        numbers=tuple(dict.fromkeys(one.number for one in cited)),
        versions=tuple(version for version, _ in versions),
        remaining=text,
        strong=any(one.strong for one in cited),
        of_versions=bool(pattern("version_word").search(folded)),
        follow_up=bool(pattern("follow_up").search(folded.strip())),
        points_back=points_back,
        both=bool(pattern("both").search(folded)),
        rest=bool(pattern("rest").search(folded.strip())),
        sayer=sayer["who"] if sayer else "",
    )


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
        span, said = Span(*match.span()), match.group().strip()
        label = match["label"] or match["zh"] or match["after"]
        place = plain_number(match["place"])
        if any(span.overlaps(other) for _, other in found) or (label and _is_year(label)):
            continue
        found.append((AskedVersion(said, label=label or "", place=None if label else place), span))
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
