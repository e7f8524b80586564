"""Taking an answer apart into what it claims: quotations with their frame, and assertions in its own words."""

import functools
import re
from dataclasses import dataclass

from ..language.sentences import sentences

_MARK = r"\[(?P<id>[tc]\d+)(?:: [^\]\n]*)?\]"


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


@functools.cache
def _citation() -> re.Pattern[str]:
    return re.compile(r"\[([tc]\d+)(?:: [^\]\n]*)?\]")


def split(text: str) -> list[Assertion]:
    """The assertions of an answer, in order. A question that it asks asserts nothing.

    A quotation followed by its turn id belongs with the words that introduce it; what stands between quotations is cut
    into sentences.
    """
    found: list[Assertion] = []
    position = 0
    for match in _quotation().finditer(text):
        before = text[position : match.start()]
        *whole, opening = _lines(before) or [""]
        found += [assertion for line in whole for assertion in _unquoted(line)]
        found.append(_quoted(opening, match))
        position = match.end()
    rest = text[position:]
    found += [assertion for line in _lines(rest) for assertion in _unquoted(line)]
    return found


def _lines(text: str) -> list[str]:
    """The lines of a piece; its last one is what introduces the quotation that follows."""
    return text.split("\n")


def _quoted(opening: str, match: re.Match[str]) -> Assertion:
    quote = match["curly"] or match["corner"] or match["plain"]
    frame = opening.strip().lstrip(";；,，)）(（.。 ")
    return Assertion(f"{frame} {match.group()}".strip(), frame, (quote,), (match["id"],))


def _unquoted(text: str) -> list[Assertion]:
    found = []
    for span in sentences(text):
        sentence = span.cut(text)
        cited = tuple(_citation().findall(sentence))
        frame = _citation().sub("", sentence).strip(" ()（）;；,，")
        if any(character.isalnum() for character in frame) and not sentence.rstrip().endswith(("?", "？")):
            found.append(Assertion(sentence, frame, (), cited))
    return found
