"""From the outline of a document to the places of its clauses: which lines are a clause's own, and what they say."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..records import Span
from .dating import states_date
from .markers import Line, Marker, heading_of, is_short
from .outline import Entry, Outline
from .records import ClauseNumber

_EDGES = " \t\u3000*_:：.。"
_LABEL_EDGES = " \t\u3000.:、：。"


@dataclass(frozen=True, slots=True)
class Section:
    """An entry with the lines that are its own, and those of the entries below it."""

    entry: Entry
    own: Span
    whole: Span
    label: str
    heading: str
    body: Span
    """What its own lines say behind number and heading; may be empty."""
    chapter: str


def sections(text: str, title: str, lines: Sequence[Line], outline: Outline) -> list[Section]:
    """The clauses of an outline in order, those before the first heading of a policy included."""
    found = [_section(text, lines, outline, place) for place in range(len(outline.entries))]
    return [*_before_headings(text, title, lines, outline), *found] if outline.kind == "heading" else found


def _section(text: str, lines: Sequence[Line], outline: Outline, place: int) -> Section:
    entry, headed = outline.entries[place], outline.kind == "heading"
    first = entry.marker.line
    stop, end = _ends(lines, outline, place)
    start = lines[first + 1].span.start if headed and stop > first + 1 else entry.marker.label.start
    own = Span(start, _end_of(lines, first, stop))
    heading, said = _heading_and_body(text, lines[first + 1 : stop], entry.marker, own.end)
    return Section(
        entry=entry,
        own=own,
        whole=Span(start, max(own.end, _end_of(lines, first, end))),
        label="" if headed else entry.marker.label.cut(text).rstrip(_LABEL_EDGES),
        heading=heading.cut(text).strip(_EDGES),
        body=Span(said, own.end),
        chapter=_chapter(text, lines, first),
    )


def _heading_and_body(text: str, below: Sequence[Line], marker: Marker, end: int) -> tuple[Span, int]:
    """The heading of a clause, which may be the line under its number, and where what it says begins."""
    heading, rest = heading_of(text, marker)
    if rest.start < rest.end:
        return heading, rest.start
    if below and heading.start == heading.end and _is_heading(text, below[0]):
        heading, below = below[0].content, below[1:]
    return heading, below[0].span.start if below else end


def _ends(lines: Sequence[Line], outline: Outline, place: int) -> tuple[int, int]:
    """The line at which what is a clause's own ends, and the one at which all that is below it ends."""
    entry, later = outline.entries[place], outline.entries[place + 1 :]
    first = entry.marker.line
    following = later[0].marker.line if later else len(lines)
    beyond = next((one.marker.line for one in later if one.depth <= entry.depth), len(lines))
    stop = _stop(outline, first, following)
    return stop, _stop(outline, first, beyond) if stop == following else stop


def _stop(outline: Outline, first: int, limit: int) -> int:
    """Where the lines after one end: at a limit, or at a boundary before it."""
    return next((place for place in range(first + 1, limit) if place in outline.boundaries), limit)


def _end_of(lines: Sequence[Line], first: int, stop: int) -> int:
    """The offset at which the last line before ``stop`` ends; closing marks of a heading are none of it."""
    return lines[first].content.end if stop - 1 == first else lines[stop - 1].span.end


def _is_heading(text: str, line: Line) -> bool:
    """Whether the line under a number that stands alone is its heading."""
    return is_short(line.span.cut(text)) and not line.style.indented


def _chapter(text: str, lines: Sequence[Line], first: int) -> str:
    """The heading of the chapter that a line stands in."""
    return next((lines[place].content.cut(text) for place in range(first, -1, -1) if lines[place].part), "")


def _before_headings(text: str, title: str, lines: Sequence[Line], outline: Outline) -> Iterator[Section]:
    """What a policy says before its first heading: clause 0."""
    first = outline.entries[0].marker.line if outline.entries else len(lines)
    begin = next((place for place, line in enumerate(lines) if not _is_of_title(text, line, title)), len(lines))
    stop = min([first, *(place for place in outline.boundaries if place >= begin)])
    if begin < stop:
        span = Span(lines[begin].span.start, lines[stop - 1].span.end)
        end = Span(span.end, span.end)
        marker = Marker("heading", "", ClauseNumber(()), begin, end, end, lines[begin].style, sure=True, heading=False)
        yield Section(Entry(marker, ClauseNumber((0,))), span, span, "", title, span, "")


def _is_of_title(text: str, line: Line, title: str) -> bool:
    """Whether a line at the head is the title, or says only when the document was updated."""
    words = line.content.cut(text).strip(" *_")
    return bool(line.style.level) or words == title or states_date(words)
