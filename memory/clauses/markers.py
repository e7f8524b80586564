"""The lines of a document that may begin a clause, read one by one: what is marked how, and with which number."""

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

from ..language import resources
from ..language.folding import fold
from ..records import Span
from .numbers import pattern, plain_number, read_number
from .records import INSERTED_AT, ClauseNumber

Kind = Literal["article", "word", "decimal", "plain", "enumerated", "roman", "heading"]
_MARKED: tuple[Kind, ...] = ("article", "word", "decimal", "plain", "enumerated", "roman")
_SETTING = re.compile(r"(?P<indent>\s*)(?P<level>#{1,6}\s+)?(?P<bold>\*\*|__)?\s*")
_FENCE = re.compile(r"\s*(?:```|~~~)")
_CLOSING = " \t\u3000#*_"
_SENTENCE_ENDS = ("。", "；", ";", ".", "!", "？", "?", "！", ",", "，", "：", ":", "、")
_LONGEST_HEADING = 60
_RULE = re.compile(r"\s*(?:=+|-+|_+|\*+|<!--.*-->)\s*")
_BOLD_LINE = re.compile(r"(?:\*\*|__)[^*_\n]{2,80}(?:\*\*|__)")
_FRONT_MATTER = re.compile(r"---\n.*?\n---[^\S\n]*(?=\n|$)", re.DOTALL)
BOLD_LEVEL, ALONE_LEVEL = 7, 8
"""Levels of lines that stand for headings where a document has none: in bold type, in a paragraph of their own."""
_MOST_WORDS = 10
_RUN_IN = re.compile(r"(?P<heading>[^.:。：\n]{2,60}?)(?:\*\*|__)?[.:](?:\*\*|__)?\s+(?=[A-Z\"“(])")
_BRACKETED = re.compile(r"[【\[（(](?P<heading>[^】\]）)\n]{2,30})[】\]）)]\s*")


class Style(NamedTuple):
    """How a line is set; the clauses of one document are all set alike."""

    level: int
    bold: bool
    indented: bool
    after: str


@dataclass(frozen=True, slots=True)
class Line:
    """A line that is neither blank nor within a fence."""

    span: Span
    """Without the blanks around it."""
    content: Span
    """Without the marks of a Markdown heading or of bold type either."""
    style: Style
    part: bool
    """Whether it is the heading of a chapter or a part."""
    end: bool
    """Whether what follows belongs to no clause: annexes, signatures."""
    alone: bool
    """Whether it is a paragraph by itself."""


@dataclass(frozen=True, slots=True)
class Marker:
    """A line that may begin a clause."""

    kind: Kind
    word: str
    """Of English words: article, section, clause."""
    at: ClauseNumber
    line: int
    label: Span
    rest: Span
    """What follows the label on the line."""
    style: Style
    sure: bool
    """Whether what follows the number looks like the beginning of a clause, and not like the rest of a sentence."""
    heading: bool
    """Whether the line is set like a heading, with its text below it."""


def lines_of(text: str) -> list[Line]:
    """The lines of a text that say something: no front matter, no rules between paragraphs; code has no content."""
    folded, found = fold(text), []
    raw = text.split("\n")
    for place, start, fenced in _saying(text, raw):
        line, above, below = raw[place], "".join(raw[:place][-1:]), "".join(raw[place + 1 : place + 2])
        whole = Span(start, start + len(line.rstrip()))
        level = _underlining(below) if is_short(line) else 0
        read = _line(text, folded, whole, alone=not (above.strip() or below.strip()), level=level)
        code = Style(0, bold=False, indented=True, after="")
        found.append(Line(whole, Span(whole.end, whole.end), code, False, False, False) if fenced else read)
    return found


def _saying(text: str, raw: list[str]) -> Iterator[tuple[int, int, bool]]:
    """The places of the lines that say something, their offsets, and whether they are code."""
    front = _FRONT_MATTER.match(text)
    start, fenced, begin = 0, False, front.end() if front else 0
    for place, line in enumerate(raw):
        fence = bool(_FENCE.match(line))
        fenced ^= fence
        if line.strip() and start >= begin and (fenced or fence or not _RULE.fullmatch(line)):
            yield place, start, fenced or fence
        start += len(line) + 1


def _underlining(below: str) -> int:
    """The level of a heading that is underlined with = or -, 0 where it is not."""
    marks = set(below.strip())
    return {"=": 1, "-": 2}.get(marks.pop(), 0) if len(marks) == 1 and len(below.strip()) > 2 else 0


def _line(text: str, folded: str, whole: Span, *, alone: bool, level: int) -> Line:
    setting = _SETTING.match(whole.cut(text))
    assert setting is not None  # noqa: S101 - every part of the pattern is optional
    begin = whole.start + setting.end()
    last = whole.end - len(whole.cut(text)) + len(whole.cut(text).rstrip(_CLOSING)) if setting["level"] else whole.end
    content = Span(min(begin, last), last)
    style = Style(level or len((setting["level"] or "").strip()), bool(setting["bold"]), len(setting["indent"]) > 1, "")
    words = content.cut(folded)
    span = Span(whole.start + len(setting["indent"]), whole.end)
    is_part = bool(pattern("part").match(words)) and is_short(content.cut(text))
    return Line(span, content, style, is_part, bool(pattern("end").match(words)), alone)


@functools.cache
def _marks() -> dict[Kind, re.Pattern[str]]:
    table = resources.load("clauses")
    return {kind: resources.compiled(table["marks"], kind, table["macros"]) for kind in _MARKED}


def markers_of(text: str, lines: list[Line]) -> Iterator[Marker]:
    """Everything in a text that may begin a clause, in order; one line has at most one marker."""
    folded = fold(text)
    free = (
        (place, line) for place, line in enumerate(lines) if not (line.part or line.end or _is_set_apart(line, text))
    )
    for place, line in free:
        marker = next(filter(None, (_marker(text, folded, lines, place, kind) for kind in _MARKED)), None)
        if marker is not None:
            yield marker
        elif level := line.style.level or _level_of(text, line, first=place == 0):
            rest = Span(line.content.end, line.content.end)
            style = line.style._replace(level=level)
            yield Marker("heading", "", ClauseNumber(()), place, line.content, rest, style, sure=True, heading=True)


def _is_set_apart(line: Line, text: str) -> bool:
    """Whether a line is of a table, a quotation or code."""
    return line.content.start == line.content.end or text[line.span.start] in "|>"


def _level_of(text: str, line: Line, *, first: bool) -> int:
    """The level at which a line without the marks of a heading may stand for one; the first line is the title."""
    words = line.span.cut(text)
    if first or not (line.alone or line.style.bold):
        return 0
    if line.style.bold:
        return BOLD_LEVEL if _BOLD_LINE.fullmatch(words) else 0
    return ALONE_LEVEL if _is_named(words) and is_short(words.rstrip("?？")) else 0


def _is_named(words: str) -> bool:
    """Whether words are set like the name of something."""
    return len(words.split()) <= _MOST_WORDS and (words.isupper() or words.istitle() or not words.isascii())


def _marker(text: str, folded: str, lines: list[Line], place: int, kind: Kind) -> Marker | None:
    line = lines[place]
    match = _marks()[kind].match(folded, line.content.start, line.content.end)
    at = None if match is None else _number(match, text, kind)
    if match is None or at is None:
        return None
    rest = Span(match.end(), line.content.end)
    follows, after = rest.cut(text), match["after"].strip()
    titled = follows.rstrip(". ") if follows.isupper() else follows
    alone = is_short(titled) and not _is_last_of_block(lines, place)
    # Neither a line of a table of contents, nor a line that begins with a quantity.
    bare = kind == "plain" and not after and not line.style.level
    if pattern("leader").search(follows) or (bare and not (alone and _is_named_after_number(follows))):
        return None
    label = Span(line.content.start, match.start("after") + len(match["after"].rstrip(" \t\u3000([【—–-")))
    return Marker(
        kind=kind,
        word=match["word"][:3] if kind == "word" else "",
        at=at,
        line=place,
        label=label,
        rest=rest,
        style=line.style._replace(after=after[:1]),
        sure=bool(after) or not follows[:1].islower(),
        heading=bool(line.style.level) or alone,
    )


def _is_named_after_number(words: str) -> bool:
    """Whether what follows a number without a point is a heading: "3 Term", "1 总则", but not "3 days"."""
    return words[:1].isupper() or not words[:1].isascii()


def _number(match: re.Match[str], text: str, kind: Kind) -> ClauseNumber | None:
    written = match["number"]
    if kind == "article":
        number, bis = plain_number(written), plain_number(match["bis"])
        return None if number is None else ClauseNumber((number,), INSERTED_AT + bis if bis else 0)
    if written[0].isalpha() and written.isascii() and not text[match.start("number")].isupper():
        return None  # Roman numerals are capitals
    return read_number(written)


def _is_last_of_block(lines: list[Line], place: int) -> bool:
    """Whether nothing comes after a line that could be what it is the heading of."""
    return place + 1 >= len(lines) or lines[place + 1].part or lines[place + 1].end


def is_short(words: str) -> bool:
    """Whether a line is as short as a heading, and does not end like a sentence."""
    words = words.strip(_CLOSING)
    wide = sum(1 if character.isascii() else 2 for character in words)
    return 0 < wide <= _LONGEST_HEADING and not words.endswith(_SENTENCE_ENDS)


def heading_of(text: str, marker: Marker) -> tuple[Span, Span]:
    """The heading of a clause (empty where it has none), and what is left of its first line."""
    words = marker.rest.cut(text)
    bracketed = _BRACKETED.match(text, _back(text, marker), marker.rest.end)
    if bracketed and marker.kind == "article":
        return Span(*bracketed.span("heading")), Span(bracketed.end(), marker.rest.end)
    if marker.heading or (marker.kind == "heading"):
        return marker.rest if marker.kind != "heading" else marker.label, Span(marker.rest.end, marker.rest.end)
    run_in = _RUN_IN.match(words)
    if run_in and len(run_in["heading"].split()) <= 8 and run_in["heading"][:1].isupper():
        start = marker.rest.start
        return Span(start, start + run_in.end("heading")), Span(start + run_in.end(), marker.rest.end)
    return Span(marker.rest.start, marker.rest.start), marker.rest


def _back(text: str, marker: Marker) -> int:
    """Where a bracketed heading begins: the mark took its opening bracket for what follows the number."""
    return next(
        (place for place in range(marker.label.end, marker.rest.start) if text[place] in "【[（("), marker.rest.start
    )
