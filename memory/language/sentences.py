"""Sentences and clauses, as spans over the untouched text."""

import functools
import re
from itertools import pairwise

from ..records import Span
from . import resources
from .folding import CJK, fold

_CLOSERS = "\"'”’」』）)】》]"


@functools.cache
def _words(name: str) -> frozenset[str]:
    return frozenset(resources.words(resources.load("grammar")[name]))


@functools.cache
def _boundary() -> re.Pattern[str]:
    closers = f"[{re.escape(_CLOSERS)}]*"
    return re.compile(rf"(?P<hard>[。！？!?…]+|\.{{2,}}|．){closers}|(?P<dot>\.){closers}|(?P<line>[\r\n]+)")


@functools.cache
def _word_before() -> re.Pattern[str]:
    return re.compile(r"[^\W\d_]+(?:\.[^\W\d_]+)*$")


@functools.cache
def _list_marker() -> re.Pattern[str]:
    return re.compile(r"(?:(?<=\s)|(?<=[:：,，;；。])|^)\(?(\d{1,2})[.)、）](?!\d)\s?", re.MULTILINE)


def sentences(text: str) -> list[Span]:
    """The sentences of ``text`` as spans without outer whitespace, in order; together they hold all its characters.

    Decimals, versions, URLs, initials and abbreviations do not end a sentence; a line break and the next marker of a
    numbered list do.
    """
    cuts = sorted({0, len(text), *_sentence_ends(text), *_list_starts(text)})
    spans = (_strip(text, start, end) for start, end in pairwise(cuts))
    return [span for span in spans if span.start < span.end]


def _sentence_ends(text: str) -> list[int]:
    starts = set(_list_starts(text))
    markers = {
        match.end(1)
        for match in _list_marker().finditer(text)
        if match.start() in starts or not text[: match.start()].rpartition("\n")[2].strip()
    }
    return [match.end() for match in _boundary().finditer(text) if _ends_sentence(text, match, markers)]


def _ends_sentence(text: str, match: re.Match[str], markers: set[int]) -> bool:
    if match.lastgroup == "line":
        return True
    if match.lastgroup == "hard":
        return _ends_hard(text, match)
    return match.start() not in markers and _ends_at_dot(text, match)


def _ends_hard(text: str, match: re.Match[str]) -> bool:
    """A mark inside a quotation that the sentence continues (``"stop!" he said``) does not end it."""
    closed = match.end() > match.end("hard")
    after = text[match.end() : match.end() + 2].lstrip()
    glued = (
        match.group("hard")[-1] in "!?."
        and text[match.end() : match.end() + 1].isalnum()
        and text[match.end()].isascii()
    )
    return not (closed and after[:1].islower()) and not glued


def _ends_at_dot(text: str, match: re.Match[str]) -> bool:
    end = match.end()
    following = text[end : end + 1]
    if following and not following.isspace():
        return _is_cjk(following) or _missing_space(text, match.start(), end)
    word_match = _word_before().search(text, max(0, match.start() - 30), match.start())
    word = word_match.group() if word_match else ""
    rest = text[end:].lstrip()
    if not rest:
        return True
    if word.lower() in _words("abbreviations"):
        return word.lower() in _words("may_end") and rest[:1].isupper()
    if word_match and len(word) == 1 and word.isupper() and word != "I":
        return _letter_ends(text[: word_match.start()], rest)
    return True


def _letter_ends(before: str, rest: str) -> bool:
    """Whether a single capital with a dot ends a sentence ("plan B. It ...") or is an initial ("John F. Kennedy")."""
    previous = before.split()[-1:] or [""]
    return (
        _first_word(rest) in _words("openers")
        or previous[0].lower() in _words("before_letter")
        or (previous[0].islower() and previous[0] != "and")
    )


def _missing_space(text: str, dot: int, end: int) -> bool:
    """A sentence end without its space ("Paris.Now I ..."), but not a file name, a host or a number."""
    return text[dot - 1 : dot].islower() and text[end].isupper() and _first_word(text[end:]) in _words("openers")


def _first_word(text: str) -> str:
    words = text[:12].split(maxsplit=1)
    return words[0].lower().replace("’", "'") if words else ""


def _list_starts(text: str) -> list[int]:
    """Where the items of a numbered list begin: markers 1, 2, 3 ... in this order, at least two of them."""
    starts: list[int] = []
    for match in _list_marker().finditer(text):
        if int(match.group(1)) == len(starts) + 1:
            starts.append(match.start())
    return starts if len(starts) > 1 else []


@functools.cache
def _cjk() -> re.Pattern[str]:
    return re.compile(f"[{CJK}]")


def _is_cjk(character: str) -> bool:
    return bool(_cjk().match(character))


def _strip(text: str, start: int, end: int) -> Span:
    piece = text[start:end]
    return Span(start + len(piece) - len(piece.lstrip()), max(start, end - len(piece) + len(piece.rstrip())))


@functools.cache
def _clause_cut() -> re.Pattern[str]:
    """Where a clause ends (after a mark) or begins (before a conjunction); matched on folded text."""
    return resources.compiled(resources.load("grammar"), "clause")


def clauses(text: str, span: Span) -> list[Span]:
    """The clauses of one sentence: cut at commas, semicolons, dashes and before contrasting conjunctions.

    A comma inside a number does not cut. The conjunction stays with the clause that it begins; spans come without outer
    whitespace and marks.
    """
    folded = fold(text)
    matches = _clause_cut().finditer(folded, span.start, span.end)
    inner = [match.end() if match.lastgroup == "mark" else match.start() for match in matches]
    cuts = [span.start, *inner, span.end]
    spans = (_strip_marks(text, start, end) for start, end in pairwise(cuts) if start < end)
    return [clause for clause in spans if clause.start < clause.end]


def _strip_marks(text: str, start: int, end: int) -> Span:
    while start < end and (text[start].isspace() or text[start] in ",，;；、—–"):
        start += 1
    while start < end and (text[end - 1].isspace() or text[end - 1] in ",，;；、—–"):
        end -= 1
    return Span(start, end)
