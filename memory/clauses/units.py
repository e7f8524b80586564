"""What stands within a clause and can be cited: its paragraphs (款), and items such as （三） and (a)."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..language.folding import fold
from ..records import Span
from .markers import Line, lines_of
from .numbers import item_number, pattern
from .records import DEEPEST, ClauseNumber, Unit

_FIRST_CIRCLED = 0x2460


@dataclass(frozen=True, slots=True)
class Below:
    """A paragraph or an item of a clause."""

    at: ClauseNumber
    unit: Unit
    label: str
    span: Span
    said: Span
    """The span without the label."""


@dataclass(slots=True)
class _Item:
    """An item as it is read: how it is marked, which one it is, and where it ends."""

    form: str
    parts: tuple[int, ...]
    label: Span
    start: int
    end: int


def units_of(text: str, body: Span, at: ClauseNumber, *, chinese: bool, lone: bool) -> Iterator[Below]:
    """The paragraphs of a clause where it has several, and the items of each.

    Args:
        text: the document.
        body: what the clause says behind its number and heading.
        at: the number of the clause.
        chinese: paragraphs are counted, as in 第五条第二款, and items are numbered within them.
        lone: the clause has numbered clauses below it, so that its items are of no paragraph (0).
    """
    lines = _lines_in(text, body)
    paragraphs = _paragraphs(text, lines)
    for place, paragraph in enumerate(paragraphs, start=1):
        parts = (*at.parts, 0 if lone else place) if chinese else at.parts
        span = Span(paragraph[0].span.start, paragraph[-1].span.end)
        if chinese and not lone and len(paragraphs) > 1:
            yield Below(ClauseNumber(parts, at.inserted), "paragraph", "", span, span)
        for item in _items(text, paragraph, parts):
            said = Span(item.label.end, item.end)
            number = ClauseNumber(item.parts, at.inserted)
            yield Below(number, "item", item.label.cut(text).strip(), Span(item.start, item.end), said)


def _lines_in(text: str, body: Span) -> list[Line]:
    """The lines of a body, at their places in the whole text."""
    found = []
    for line in lines_of(body.cut(text)):
        moved = (Span(span.start + body.start, span.end + body.start) for span in (line.span, line.content))
        span, content = moved
        found.append(Line(span, content, line.style, line.part, line.end, line.alone))
    return found


def _paragraphs(text: str, lines: Sequence[Line]) -> list[list[Line]]:
    """Each paragraph with the items and the lists that it introduces."""
    found: list[list[Line]] = []
    for line in lines:
        listed = _form(text, line) is not None or text[line.span.start] in "*-+•·|>" or line.style.indented
        if found and listed:
            found[-1].append(line)
        else:
            found.append([line])
    return found


def _form(text: str, line: Line) -> tuple[str, re.Match[str]] | None:
    """How an item is marked: two lines marked alike are items of one list."""
    words = line.content.cut(text)
    match = pattern("item").match(fold(words))
    if match is None or match.end() >= len(words):
        return None
    mark = next(name for name, written in match.groupdict().items() if written)
    return f"{mark} {_kind(match[mark])}", match


def _kind(written: str) -> str:
    if written.isascii() and written.isalpha():
        return "letter"
    return "digit" if written.isdigit() else "numeral"


def _items(text: str, lines: Sequence[Line], above: tuple[int, ...]) -> list[_Item]:
    """Items and items of items, told apart by how they are marked; their numbers count up from 1."""
    done: list[_Item] = []
    stack: list[_Item] = []
    for line in lines:
        found = _form(text, line)
        read = None if found is None else _begun(text, line, *found, stack, above)
        if read is not None:
            depth = len(read.parts) - len(above) - 1
            stack = [*stack[:depth], read]
            done.append(read)
        for item in stack:
            item.end = line.span.end
    return done


def _begun(
    text: str, line: Line, form: str, match: re.Match[str], stack: Sequence[_Item], above: tuple[int, ...]
) -> _Item | None:
    """The item that a line begins: the next of a list that is going on, or the first of one within it."""
    start = line.content.start
    label = Span(start, start + len(match.group().rstrip()))
    # A list goes on before another begins within it: after h comes i, and no Roman one.
    for depth in range(len(stack) - 1, -1, -1):
        last = stack[depth]
        expected = last.parts[-1] + 1
        # Markdown counts "1." after "1." by itself.
        counted = match["lettered"] == "1" == last.label.cut(text).strip(" .")
        if last.form == form and (counted or _is_place(match, expected)):
            return _Item(form, (*last.parts[:-1], expected), label, start, line.span.end)
    parts = (*(stack[-1].parts if stack else above), 1)
    if len(parts) > DEEPEST or not _is_place(match, 1):
        return None
    return _Item(form, parts, label, start, line.span.end)


def _is_place(match: re.Match[str], expected: int) -> bool:
    """Whether a label is the one expected; i and v are letters or Roman numerals, whichever fits."""
    if match["circled"]:
        return ord(match["circled"]) - _FIRST_CIRCLED + 1 == expected
    written = match["bracketed"] or match["lettered"]
    return item_number(written) == expected or (written.isascii() and written == chr(ord("a") + expected - 1))
