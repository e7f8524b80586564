"""Cutting a document into chunks: exact slices of its text, by heading and paragraph, never within a sentence."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import PurePath

from ...prompts.tokens import count_tokens
from ..language.folding import fold
from ..language.sentences import sentences
from ..records import Span

LONGEST = 300
"""Tokens of a chunk at most; a single sentence that is longer stays whole."""
LONGEST_TITLE = 200
"""Characters of the title of a chunk at most."""
_MARKDOWN = re.compile(r"(?P<level>#{1,6})\s+(?P<text>.*?)\s*#*\s*")
_NUMBERED = re.compile(
    r"(?P<text>第[一二三四五六七八九十百零〇\d]+[编章节条款]\D{0,15}|"
    r"(?:article|section|chapter|clause|part|appendix)\s+[\dIVX.]+(?:\s+\S+){0,6}|\d+(?:\.\d+)+\s+\S+(?:\s+\S+){0,4})",
    re.IGNORECASE,
)
_ENDS = ".。;；,，!！?？"


@dataclass(frozen=True, slots=True)
class Piece:
    """One chunk: where it is in the text, and the document and headings that it stands under."""

    span: Span
    title: str


@dataclass(slots=True)
class _Section:
    """What stands under one heading."""

    headings: tuple[str, ...]
    lines: list[Span] = field(default_factory=list)


def chunk(text: str, name: str) -> list[Piece]:
    """Cut a text.

    Args:
        text: the stored text of a document, a paragraph per line.
        name: the document's name, which begins every title.

    Returns:
        Pieces in order, without overlap; only headings and blank lines stand between them.
    """
    pieces = [
        Piece(span, _title(name, section.headings))
        for section in _sections(text)
        for span in _packed(text, section.lines)
    ]
    if pieces:
        return pieces
    whole = [span for span in _lines(text) if span.cut(text).strip()]
    return [Piece(span, _title(name, ())) for span in _packed(text, whole)]


def _title(name: str, headings: Sequence[str]) -> str:
    stem = PurePath(name).stem.replace("_", " ").replace("-", " ").strip() or name
    named = headings[1:] if headings and fold(headings[0]) == fold(stem) else headings
    return " › ".join((stem, *named))[:LONGEST_TITLE]


def _sections(text: str) -> Iterator[_Section]:
    levels: list[tuple[int, str]] = []
    section = _Section(())
    fenced = False
    for span in _lines(text):
        line = span.cut(text)
        fenced ^= line.lstrip().startswith(("```", "~~~"))
        heading = None if fenced else _heading(line.strip())
        if heading is None:
            if line.strip():
                section.lines.append(span)
            continue
        yield section
        level, words = heading
        levels = [*((known, name) for known, name in levels if known < level), (level, words)]
        section = _Section(tuple(name for _, name in levels if name))
    yield section


def _heading(line: str) -> tuple[int, str] | None:
    """Level and words of a heading; ``None`` for any other line."""
    markdown = _MARKDOWN.fullmatch(line)
    if markdown:
        return len(markdown["level"]), markdown["text"].strip("*_` ")
    numbered = _NUMBERED.fullmatch(line)
    if numbered and not line.endswith(tuple(_ENDS)):
        return 7 + line.split()[0].rstrip(".").count("."), line
    return None


def _lines(text: str) -> Iterator[Span]:
    start = 0
    for line in text.split("\n"):
        yield Span(start, start + len(line.rstrip()))
        start += len(line) + 1


def _packed(text: str, lines: Sequence[Span]) -> Iterator[Span]:
    """Whole lines as long as they fit together, sentences where one line alone does not fit."""
    start: int | None = None
    end = used = 0
    for unit in _units(text, lines):
        size = count_tokens(unit.cut(text)) + 1
        if start is not None and used + size > LONGEST:
            yield Span(start, end)
            start, used = None, 0
        start = unit.start if start is None else start
        end, used = unit.end, used + size
    if start is not None:
        yield Span(start, end)


def _units(text: str, lines: Sequence[Span]) -> Iterator[Span]:
    for line in lines:
        if count_tokens(line.cut(text)) < LONGEST:
            indent = len(line.cut(text)) - len(line.cut(text).lstrip())
            yield Span(line.start + indent, line.end)
        else:
            yield from (Span(line.start + one.start, line.start + one.end) for one in sentences(line.cut(text)))
