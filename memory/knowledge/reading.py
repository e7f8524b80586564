"""Reading Markdown, text and PDF files into one plain text, in which every paragraph is one line.

A paragraph that was wrapped by an editor, or by the layout of a page, is joined again: sentences are quoted from this
text, and none may end where a line happened to end.
"""

import hashlib
import re
import unicodedata
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from ..errors import BadFile
from ..ingestion.files import read_text
from ..language.folding import CJK, clean, detect_language
from ..language.guises import visible
from ..records import Language
from .pdf import LONGEST_DOCUMENT, read_pdf, too_long

_WRAPPED_FROM = 50
"""Columns from which on a line may have been broken by an editor rather than by its author."""
_SURELY_FROM = 20
"""Columns from which on it was, where the next line goes on in small letters or after a comma."""
_SHORT = 0.8
"""Of the full width: a line that ends a sentence and is shorter ends its paragraph."""
_BREAKS = re.compile(r"\r\n|[\r\n\f\v\x1c-\x1e\x85\u2028\u2029]")
# Lines that begin something of their own: headings, quotes, tables, list items, fences, rules, "Key: value".
_STARTS = re.compile(
    r"\s*(?:#{1,6}\s|[>|]|[-*+•·]\s|\(?\d{1,3}[.)、）](?!\d)\s?|```|~~~|[-=*_]{3,}\s*$|[\w ]{1,30}[:：]\s)|\s{4,}\S"
)
# Numbers of clauses: they begin a line of their own where a sentence ends before them, and are references elsewhere.
_NUMBERED = re.compile(
    r"\s*(?:第\s?[零〇一二三四五六七八九十百千两\d]{1,9}\s?[编章节篇条款]|[一二三四五六七八九十]{1,3}、|"
    r"[（(](?:[一二三四五六七八九十]{1,3}|[a-z]|[ivx]{1,5})[)）]|(?:Article|ARTICLE|Section|SECTION|Clause|CLAUSE|Chapter|"
    r"CHAPTER|Part|PART|§)\s*[\dIVXL]|\d{1,3}(?:\.\d{1,3})+[.)]?\s|[IVXL]{1,6}[.)]\s)"
)
_SENTENCE_END = re.compile(r"(?:[.。;；:：!！?？)）\"”'’]|\b(?:and|or)|[和或])\s*$")
_UNWRAPPED_FROM = 120
"""Columns beyond which no editor breaks lines: where a fifth of the longer lines are, lines are paragraphs."""
_FENCE = re.compile(r"\s*(?:```|~~~)")
_CJK = re.compile(f"[{CJK}，。、；：！？（）《》“”]")


@dataclass(frozen=True, slots=True)
class ReadDocument:
    """A file as it was read."""

    name: str
    media_type: str
    text: str
    language: Language

    @property
    def sha256(self) -> str:
        """Hash of the text: the same content is the same document, however the file was written."""
        return hashlib.sha256(self.text.encode()).hexdigest()


def read_document(path: Path) -> ReadDocument:
    """Read a file of reference knowledge.

    Raises:
        BadFile: it cannot be read, is none of the known kinds, is encrypted or broken, or holds no text.
    """
    kind = _KINDS.get(path.suffix.lower())
    if kind is None:
        message = f"{path} is no Markdown, text or PDF file: give a file that ends in {', '.join(_KINDS)}."
        raise BadFile(message)
    media_type, read = kind
    text = joined_lines(clean(read(path)))
    if not text.strip():
        scanned = " (a scanned page has only pictures of letters)" if media_type == "application/pdf" else ""
        message = f"{path} holds no text{scanned}: give a file with text in it."
        raise BadFile(message)
    return ReadDocument(visible(path.name), media_type, text, detect_language(text))


def joined_lines(text: str) -> str:
    """The text with the lines of each wrapped paragraph joined."""
    lines: list[str] = []
    fenced = False
    before = ""
    every = _BREAKS.split(text.removeprefix("\ufeff"))
    full = _full_width(every)
    for raw in every:
        line = raw.rstrip()
        fenced ^= bool(_FENCE.match(line))
        if not fenced and lines and full and _continues(before, line, full):
            lines[-1] = _joined(lines[-1], line.lstrip())
        else:
            lines.append(line)
        before = line
    return "\n".join(lines).strip("\n") + "\n"


def _full_width(lines: Sequence[str]) -> int:
    """The width at which a text was wrapped, about; 0 where its lines are paragraphs that nobody wrapped."""
    widths = sorted(width for width in map(_width, lines) if width >= _WRAPPED_FROM)
    longer = sum(width > _UNWRAPPED_FROM for width in widths)
    if 5 * longer >= len(widths) and longer:
        return 0
    return widths[len(widths) * 9 // 10] if widths else _WRAPPED_FROM


def _continues(before: str, line: str, full: int) -> bool:
    """Whether a line goes on with the sentence of the one before it, in a text wrapped at ``full`` columns."""
    if not line.strip() or not before.strip() or before.lstrip().startswith(("#", "|")):
        return False
    if _STARTS.match(line) or _ends_paragraph(before, line, full):
        return False
    goes_on = line.lstrip()[:1].islower() or before.endswith((",", "，", "、"))
    return _width(before) >= (_SURELY_FROM if goes_on else _WRAPPED_FROM)


def _ends_paragraph(before: str, line: str, full: int) -> bool:
    """Whether a line ends a sentence and either is short, or stands before a number of a clause."""
    ends = bool(_SENTENCE_END.search(before))
    return ends and (bool(_NUMBERED.match(line)) or _width(before) < _SHORT * full)


def _joined(before: str, line: str) -> str:
    if before.endswith("-") and before[-2:-1].isalpha() and line[:1].islower():
        return before[:-1] + line
    glued = bool(_CJK.match(before[-1]) and _CJK.match(line[0]))
    return before + ("" if glued else " ") + line


def _width(line: str) -> int:
    return sum(2 if unicodedata.east_asian_width(character) in "WF" else 1 for character in line)


def _read_text(path: Path) -> str:
    # A character takes four bytes at most.
    with suppress(OSError):
        if path.stat().st_size > 4 * LONGEST_DOCUMENT:
            raise too_long(path)
    text = read_text(path)
    if len(text) > LONGEST_DOCUMENT:
        raise too_long(path)
    return text


_Reader = Callable[[Path], str]
_KINDS: dict[str, tuple[str, _Reader]] = {
    ".md": ("text/markdown", _read_text),
    ".markdown": ("text/markdown", _read_text),
    ".txt": ("text/plain", _read_text),
    ".text": ("text/plain", _read_text),
    ".pdf": ("application/pdf", read_pdf),
}
