"""Taking an answer apart into what it claims: quotations with their frame, and assertions in its own words."""

import functools
import re
from dataclasses import dataclass

from ..language.sentences import sentences
from ..records import Span
from .checks.quotations import quotations
from .checks.segments import is_question

_MARK = r"\[(?P<id>[tc]\d+)(?:: [^\]\n]*)?\]"
_ANY_MARK = re.compile(r"\[([tcfsa]\d+)(?:: [^\]\n]*)?\]")
_MARKS = re.compile(r"(?:\[[tcfsa]\d+(?:: [^\]\n]*)?\][\s,，;；.。]*)+")


@dataclass(frozen=True, slots=True)
class Assertion:
    """One checkable piece of an answer."""

    text: str
    frame: str
    """Its own words: what is not quoted."""
    quotes: tuple[str, ...] = ()
    cited: tuple[str, ...] = ()
    """Ids of the turns that it cites."""


@functools.cache
def _quotation() -> re.Pattern[str]:
    return re.compile(rf"(?:“(?P<curly>.+?)”|「(?P<corner>.+?)」|\"(?P<plain>.+?)\")\s*{_MARK}", re.DOTALL)


def split(text: str) -> list[Assertion]:
    """The assertions of an answer, in order. A question that it asks asserts nothing.

    A quotation followed by its turn id belongs with the words that introduce it; what stands between quotations is cut
    into sentences, each with the ids behind it.
    """
    found: list[Assertion] = []
    position = 0
    for match in _quotation().finditer(text):
        *whole, opening = _openings(text[position : match.start()])
        found += [assertion for line in whole for assertion in _unquoted(line)]
        found.append(_quoted(opening, match))
        position = match.end()
    found += [assertion for line in _lines(text[position:]) for assertion in _unquoted(line)]
    return found


def marks(text: str) -> list[str]:
    """The ids in brackets that a text names, in order."""
    return _ANY_MARK.findall(text)


def units(text: str) -> list[Span]:
    """The sentences of a text with their ids.

    Ids behind a full stop belong to what they follow, also on a line of their own; at the head of a line, to what
    follows.
    """
    found: list[Span] = []
    for span in sentences(text):
        behind = _MARKS.match(span.cut(text))
        start = span.start
        heads = behind and found and "\n" in text[found[-1].end : start] and behind.end() < span.end - start
        if behind and found and not heads:
            start += behind.end()
            found[-1] = Span(found[-1].start, start)
        if start < span.end:
            found.append(Span(start, span.end))
    return found


def _lines(text: str) -> list[str]:
    """The lines of a text; one that holds nothing but ids belongs to the one before it."""
    lines: list[str] = []
    for line in text.split("\n"):
        if lines and (not line.strip() or _MARKS.fullmatch(line.strip())):
            lines[-1] += f" {line}"
        else:
            lines.append(line)
    return lines


def _openings(before: str) -> list[str]:
    """What stands before a quotation: lines and whole sentences, and last the words that introduce it."""
    *whole, opening = before.split("\n")
    pieces = [span.cut(opening) for span in units(opening)]
    ended = bool(pieces) and pieces[-1].rstrip().endswith((".", "。", "!", "！", "]"))
    last = [] if ended or not pieces else [pieces.pop()]
    return [*whole, *pieces, *(last or [""])]


def _quoted(opening: str, match: re.Match[str]) -> Assertion:
    quote = match["curly"] or match["corner"] or match["plain"]
    frame = _without_marks(opening.strip().lstrip(";；,，)）(（.。 "))
    return Assertion(f"{opening.strip()} {match.group()}".strip(), frame, (quote,), (match["id"],))


def _unquoted(text: str) -> list[Assertion]:
    found = []
    for span in units(text):
        sentence = span.cut(text)
        cited = tuple(_ANY_MARK.findall(sentence))
        frame = _without_marks(sentence).strip(" ()（）;；,，-*•·")
        bare = _without_marks(sentence).rstrip()
        if any(character.isalnum() for character in frame) and not (bare.endswith(("?", "？")) and is_question(bare)):
            found.append(Assertion(sentence, frame, tuple(quotations(frame)), cited))
    return found


def _without_marks(text: str) -> str:
    """A text without its ids, and without the space that they leave before a mark."""
    return re.sub(r"\s+(?=[.。,，;；:：])", "", _ANY_MARK.sub("", text)).strip()
