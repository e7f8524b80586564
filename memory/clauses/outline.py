"""Which of the marked lines are clauses: those that count up, in the one way of marking that the document uses.

References at the beginning of a line, lists within a clause and tables of contents are marked alike; what sets clauses
apart is that their numbers follow one another from the first to the last, all set in the same way.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from .markers import ALONE_LEVEL, BOLD_LEVEL, Kind, Line, Marker
from .records import DEEPEST, INSERTED_AT, ClauseNumber, EntityType

_CONFIDENCE: dict[Kind, float] = {
    "article": 1.0, "word": 1.0, "decimal": 0.95, "plain": 0.9, "enumerated": 0.9, "roman": 0.9, "heading": 0.8,
}  # fmt: skip
_WIDEST_GAP = 5
"""How many numbers may be left out where nothing but the order tells a clause from a list."""
_MOST_GOING = 50
"""Sequences that may still be continued: lists within lists are not nested deeper."""
_MOST_COMPARED = 200
"""The longest sequences, among which is that of the clauses: each is compared with each."""
_DEEPEST_HEADING = 3
_SIMPLE: tuple[Kind, ...] = ("enumerated", "roman")
_FIRSTS = {(0,), (1,), (0, 1), (1, 0), (1, 1)}


@dataclass(frozen=True, slots=True)
class Entry:
    """A line that begins a clause, with the number of the clause within its document."""

    marker: Marker
    at: ClauseNumber

    @property
    def depth(self) -> int:
        """How many parts the number has."""
        return len(self.at.parts)


@dataclass(frozen=True, slots=True)
class Outline:
    """The clauses of a document in order, and the lines at which a clause ends though no other begins."""

    kind: Kind
    entries: tuple[Entry, ...]
    boundaries: frozenset[int]
    """Places among the lines: headings of chapters, what follows the last clause."""

    @property
    def confidence(self) -> float:
        """How sure the way of marking is."""
        return _CONFIDENCE[self.kind]


def outlines(
    text: str, markers: Sequence[Marker], lines: Sequence[Line], entity_type: EntityType | None
) -> list[Outline]:
    """The outlines that a document may have, the most telling first; a document of clauses has at least one.

    Args:
        text: the document.
        markers: every line that may begin a clause.
        lines: all lines.
        entity_type: what the title says the document is: a policy is divided by its headings rather than by its lists.
    """
    headed = _headed(markers)
    numbered: list[tuple[Kind, Sequence[Entry]]] = [
        ("article", _best(_runs(_of_kinds(markers, "article", "decimal"), gap=1000), text)),
        ("word", _best(_worded(markers), text)),
        *_simply_numbered(text, markers, headed, entity_type),
    ]
    runs = [(kind, run) for kind, run in numbered if len(run) > 1 and _is_of(kind, run)]
    return [
        Outline(kind, tuple(run), _boundaries(run, markers, lines)) for kind, run in [*runs, *_under_headings(headed)]
    ]


def _under_headings(headed: Sequence[Entry]) -> list[tuple[Kind, Sequence[Entry]]]:
    return [("heading", headed)] if headed else []


def _is_of(kind: Kind, run: Sequence[Entry]) -> bool:
    """Whether a sequence has a marker of the kind after which it is called; decimals may be of "1." as well."""
    return kind == "plain" or any(entry.marker.kind == kind for entry in run)


def _simply_numbered(
    text: str, markers: Sequence[Marker], headed: Sequence[Entry], entity_type: EntityType | None
) -> list[tuple[Kind, Sequence[Entry]]]:
    """What counts up by numbers alone; the way of marking that begins first is that of the clauses, others of lists."""
    dotted = _runs(_of_kinds(markers, "plain", "decimal"), gap=_WIDEST_GAP)
    best = _best(dotted, text)
    found = [(kind, _best(_runs(_of_kinds(markers, kind), gap=2), text)) for kind in _SIMPLE]
    if not _are_lists(best, dotted, headed, entity_type):
        deep = any(entry.depth > 1 for entry in best)
        found.append(("decimal" if deep else "plain", best))
    return sorted(((kind, run) for kind, run in found if run), key=lambda one: one[1][0].marker.line)


def _of_kinds(markers: Sequence[Marker], *kinds: Kind) -> list[Marker]:
    return [marker for marker in markers if marker.kind in kinds]


def _runs(markers: Iterable[Marker], *, gap: int) -> list[list[Entry]]:
    """Sequences of markers that count up; one that begins anew is another sequence."""
    runs: list[list[Entry]] = []
    going: list[list[Entry]] = []
    for marker in markers:
        entry = Entry(marker, marker.at)
        continued = [run for run in reversed(going) if _continues(run, marker, gap)]
        if continued:
            # Of a list and the clauses around it, the one whose lines look like this goes on, and ends the list.
            run = next((one for one in continued if one[0].marker.heading == marker.heading), continued[0])
            run.append(entry)
            going = going[: going.index(run) + 1]
        elif _begins(marker, first=not runs):
            runs.append([entry])
            going = [*going, runs[-1]][-_MOST_GOING:]
    return runs


def _begins(marker: Marker, *, first: bool) -> bool:
    """Whether a sequence may start here: at 1, or, in an excerpt of numbered articles or headings, anywhere."""
    if marker.at.parts in _FIRSTS and not marker.at.inserted:
        return True
    return first and marker.sure and (marker.kind in ("article", "word") or marker.heading)


def _continues(run: Sequence[Entry], marker: Marker, gap: int) -> bool:
    alike = next((entry.marker for entry in run if entry.depth == len(marker.at.parts)), None)
    if alike is not None and not _is_set_alike(alike, marker):
        return False
    step = _step(run[-1].at, marker.at)
    return step == 1 or (marker.sure and 1 < step <= gap)


def _is_set_alike(one: Marker, other: Marker) -> bool:
    if one.kind != other.kind or one.word != other.word:
        return False
    same = one.style.level == other.style.level and one.style.indented == other.style.indented
    if one.kind == "article":
        return same or not (one.style.level and other.style.level)
    if one.kind in ("plain", "roman", "enumerated"):
        return same and one.style == other.style
    return same


def _step(last: ClauseNumber, at: ClauseNumber) -> int:
    """By how much a number goes beyond the last one; 0 where it does not follow it."""
    if at.inserted:
        return int(_is_inserted_behind(last, at))
    shared = 0
    while shared < min(len(last.parts), len(at.parts)) and last.parts[shared] == at.parts[shared]:
        shared += 1
    rest = at.parts[shared:]
    # Below the level at which it counts on, it begins anew.
    if len(rest) not in (1, 2) or any(part not in (0, 1) for part in rest[1:]):
        return 0
    if shared == len(last.parts):
        return int(rest[0] in (0, 1) and len(rest) == 1)
    return max(0, rest[0] - last.parts[shared])


def _is_inserted_behind(last: ClauseNumber, at: ClauseNumber) -> bool:
    """Whether 5A comes after 5, or 5B or 5A.1 after 5A."""
    level = at.inserted // INSERTED_AT
    same = last.parts[:level] == at.parts[:level]
    return same and (last.inserted < at.inserted or (last.inserted == at.inserted and at.parts > last.parts))


def _worded(markers: Sequence[Marker]) -> list[list[Entry]]:
    """Articles, sections and clauses by their words, one kind within the other where both are used."""
    worded = [marker for marker in markers if marker.kind == "word"]
    words = list(dict.fromkeys(marker.word for marker in worded))
    if len(words) > 1:
        outer, inner = words[0], words[1]
        worded = _nested([marker for marker in worded if marker.word in (outer, inner)], outer)
    decimals = [marker for marker in markers if marker.kind == "decimal"]
    return _runs(sorted([*worded, *decimals], key=lambda marker: marker.line), gap=1000)


def _nested(worded: list[Marker], outer: str) -> list[Marker]:
    """Sections that begin anew in each article are parts of it; where they count on, articles are chapters."""
    inner = [marker for marker in worded if marker.word != outer]
    if max(len(marker.at.parts) for marker in inner) > 1:
        return worded
    begun = [marker.at.parts for marker in inner].count((1,))
    if begun > 1:
        return list(_within(worded, outer))
    return inner if len(inner) > 1 else [marker for marker in worded if marker not in inner]


def _within(worded: Sequence[Marker], outer: str) -> Iterator[Marker]:
    """Markers with the number of the article before those of its sections."""
    above: tuple[int, ...] = ()
    for marker in worded:
        if marker.word == outer:
            above = marker.at.parts
            yield marker
        else:
            yield replace(marker, at=ClauseNumber((*above, *marker.at.parts)[:DEEPEST]))


def _headed(markers: Sequence[Marker]) -> list[Entry]:
    """Headings without numbers, counted in their order."""
    headings = _headings(markers)
    levels = sorted({marker.style.level for marker in headings})[:_DEEPEST_HEADING]
    counts: list[int] = []
    entries = []
    for marker in headings:
        if marker.style.level in levels:
            depth = min(levels.index(marker.style.level), len(counts))
            counts = [*counts[:depth], sum(counts[depth : depth + 1]) + 1]
            entries.append(Entry(marker, ClauseNumber(tuple(counts))))
    return entries


def _headings(markers: Sequence[Marker]) -> list[Marker]:
    """The headings below the title; where there are none, the lines that stand for headings."""
    by_level: dict[int, list[Marker]] = {}
    for marker in markers:
        by_level.setdefault(marker.style.level, []).append(marker)
    plain = [marker for marker in markers if 0 < marker.style.level < BOLD_LEVEL]
    return _without_title(plain) or by_level.get(BOLD_LEVEL) or by_level.get(ALONE_LEVEL, [])


def _without_title(headings: list[Marker]) -> list[Marker]:
    """The headings but for the one that is of a level of its own, or stands before another without a word between."""
    top = min((marker.style.level for marker in headings), default=0)
    highest = [marker for marker in headings if marker.style.level == top]
    if len(highest) == 1:
        return [marker for marker in headings if marker is not highest[0]]
    return headings[1:] if [marker.line for marker in headings[:2]] == [0, 1] else headings


def _are_lists(
    best: Sequence[Entry], runs: Sequence[Sequence[Entry]], headed: Sequence[Entry], entity_type: EntityType | None
) -> bool:
    """Whether what is numbered are lists under headings, and not the clauses themselves."""
    set_as_headings = any(entry.marker.style.level for entry in best)
    if set_as_headings or len(headed) < 2 or headed[0].marker.style.level >= BOLD_LEVEL:
        return False
    begun_anew = sum(len(run) > 1 for run in runs) > 1
    return begun_anew or entity_type != "contract"


def _best(runs: Sequence[Sequence[Entry]], text: str) -> Sequence[Entry]:
    """The first long sequence that is no table of contents: what comes after it are annexes."""
    least = min(sorted(map(len, runs), reverse=True)[:_MOST_COMPARED], default=0)
    runs = [run for run in runs if len(run) >= least][:_MOST_COMPARED]
    candidates = [run for place, run in enumerate(runs) if not any(_lists(run, one, text) for one in runs[place + 1 :])]
    longest = max(map(len, candidates), default=0)
    return next((run for run in candidates if 2 * len(run) >= longest), [])


def _lists(run: Sequence[Entry], other: Sequence[Entry], text: str) -> bool:
    """Whether a sequence is the table of contents of another: the same headings under the same numbers."""
    named = {entry.at: entry.marker.rest.cut(text).strip(" .*_") for entry in other}
    alike = sum(named.get(entry.at, "").startswith(entry.marker.rest.cut(text).strip(" .*_\t\u2026")) for entry in run)
    return len(run) > 1 and 2 * alike > len(run)


def _boundaries(run: Sequence[Entry], markers: Sequence[Marker], lines: Sequence[Line]) -> frozenset[int]:
    begun = {entry.marker.line for entry in run}
    last = max(begun, default=-1)
    chapters = {place for place, line in enumerate(lines) if line.part or (line.end and place > last)}
    outer = _outer_headings(run, markers) | _outer_words(run, markers) | _outer_numerals(run, markers)
    return frozenset((chapters | outer) - begun)


def _outer_headings(run: Sequence[Entry], markers: Sequence[Marker]) -> set[int]:
    """Lines with headings that are above the clauses."""
    level = max((entry.marker.style.level for entry in run), default=0)
    above = [one for one in markers if 0 < one.style.level < BOLD_LEVEL]
    return {one.line for one in above if not level or one.style.level < level}


def _outer_numerals(run: Sequence[Entry], markers: Sequence[Marker]) -> set[int]:
    """Lines such as 一、合同期限 that stand over articles, where they count up by themselves."""
    if not run or run[0].marker.kind != "article":
        return set()
    counted = _runs([one for one in _of_kinds(markers, "enumerated") if one.heading], gap=1)
    return {entry.marker.line for one in counted if len(one) > 1 for entry in one}


def _outer_words(run: Sequence[Entry], markers: Sequence[Marker]) -> set[int]:
    """Lines with articles that are chapters of sections."""
    if not run or run[0].marker.kind != "word":
        return set()
    words = {entry.marker.word for entry in run}
    return {one.line for one in markers if one.kind == "word" and one.word not in words and one.heading}
