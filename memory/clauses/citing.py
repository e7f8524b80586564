"""The numbers of clauses in a question, in both languages: 第五条第三款, "clause 5(a)", "articles 3 to 5", 5.2."""

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from ..language import resources
from ..language.numerals import normalise_number
from ..records import Span
from .condition import AskedNumber
from .numbers import plain_number, read_number
from .records import INSERTED_AT, ClauseNumber

LAST = ClauseNumber((-1,))
"""The last clause, whatever its number."""


@dataclass(frozen=True, slots=True)
class Cited:
    """A number in a question, its place, and how surely it is one of a clause."""

    number: AskedNumber
    span: Span
    strong: bool
    """Whether a word says that it is one: article, clause, section; of 条 where nothing else is counted."""


def find_numbers(text: str, folded: str) -> list[Cited]:
    """The numbers of clauses in a text, in order.

    Args:
        text: as it was written: a Roman I is none of the pronoun's.
        folded: its folding.
    """
    found: list[Cited] = []
    for reader in (_chinese, _english, _ordinals, _dotted):
        found += [one for one in reader(text, folded) if not any(_within(one, known) for known in found)]
    found = sorted((_with_paragraph(one, folded) for one in found), key=lambda one: (one.span.start, -one.span.end))
    return [one for place, one in enumerate(found) if not any(_within(one, other) for other in found[:place])]


def _within(one: Cited, other: Cited) -> bool:
    return one.span != other.span and one.span.overlaps(other.span)


@functools.cache
def pattern(name: str) -> re.Pattern[str]:
    """One pattern of ``lexicons/clause_questions.yaml``, to be matched on folded text."""
    return resources.compiled(resources.load("clause_questions"), name)


def _chinese(text: str, folded: str) -> Iterator[Cited]:
    for match in pattern("chinese").finditer(folded):
        at = _numbered(match["number"], match["bis"])
        listed = pattern("listed_before").search(folded[: match.start()])
        if at is not None and not listed and not pattern("counted").match(folded, match.end()):
            yield from _of_chinese(match, at, folded[match.end() :])
    for match in pattern("last_chinese").finditer(folded):
        yield Cited(AskedNumber(LAST, said=match.group()), Span(*match.span()), strong=True)


def _of_chinese(match: re.Match[str], at: ClauseNumber, follows: str) -> Iterator[Cited]:
    """The numbers of 第五、六条第二款, by what follows them."""
    unit, span = match["unit"], Span(*match.span())
    asks = match["paragraph"] or pattern("asks_clause").match(follows)
    strong = unit == "款" or (unit == "条" and bool(asks))
    below = (plain_number(match["paragraph"]), plain_number(match["item"]))
    number = AskedNumber(at, *below, said=match.group(), last=plain_number(match["last"]))
    yield Cited(_of_paragraph(number) if unit == "款" and len(at.parts) == 1 else number, span, strong)
    for further in pattern("one_chinese").findall(match["more"]):
        also = _numbered(further, None)
        if also is not None:
            yield Cited(AskedNumber(also, said=f"第{further}{unit}"), span, strong)


def _english(text: str, folded: str) -> Iterator[Cited]:
    for match in pattern("english").finditer(folded):
        if not _is_number(match["number"], text[match.start("number") :]):
            continue
        at, last = read_number(match["number"]), read_number(match["last"] or "")
        if at is None:
            continue
        unit, strong = match["unit"], match["weak"] is None
        said = f"{unit} {match['number']}"
        yield Cited(AskedNumber(at, said=said, last=last.parts[-1] if last else None), Span(*match.span()), strong)
        for further in pattern("one_english").findall(pattern("and").sub(" ", match["more"] or "")):
            also = read_number(further)
            if also is not None:
                yield Cited(AskedNumber(also, said=f"{unit.rstrip('s')} {further}"), Span(*match.span()), strong)


def _of_paragraph(number: AskedNumber) -> AskedNumber:
    """A paragraph without its clause, which is the one spoken of."""
    return replace(number, at=ClauseNumber(()), paragraph=number.at.parts[0])


def _ordinals(text: str, folded: str) -> Iterator[Cited]:
    ordinals = resources.load("clause_questions")["ordinals"]
    for match in pattern("english_ordinal").finditer(folded):
        written = match["number"]
        value = int(written) if written.isdigit() else int(ordinals[written])
        at = LAST if value < 0 else ClauseNumber((value,))
        yield Cited(AskedNumber(at, said=match.group()), Span(*match.span()), strong=True)


def _dotted(text: str, folded: str) -> Iterator[Cited]:
    for match in pattern("dotted").finditer(folded):
        at = read_number(match["number"])
        if at is not None:
            yield Cited(AskedNumber(at, said=match.group().strip()), Span(*match.span()), strong=bool(match["unit"]))


def _with_paragraph(cited: Cited, folded: str) -> Cited:
    """The number with what stands beside it: "the second paragraph of article 5", "article 5, paragraph 2"."""
    if cited.number.paragraph is not None:
        return cited
    before = next((one for one in pattern("paragraph_of").finditer(folded) if one.end() <= cited.span.start), None)
    after = pattern("paragraph_after").match(folded, cited.span.end)
    if before is not None and cited.span.start - before.end() <= len("the "):
        paragraph = _ordinal(before["ordinal"]) if before["ordinal"] else plain_number(before["number"])
        span = Span(before.start(), cited.span.end)
    elif after is not None:
        paragraph, span = plain_number(after["number"]), Span(cited.span.start, after.end())
    else:
        return cited
    return replace(cited, number=replace(cited.number, paragraph=paragraph), span=span)


def _ordinal(word: str) -> int:
    return int(resources.load("clause_questions")["ordinals"][word])


def _is_number(folded: str, written: str) -> bool:
    """Whether letters are a Roman number, and no pronoun or word ("which section I should read").

    Args:
        folded: the letters or digits.
        written: the text from there on.
    """
    if not folded.isalpha() or normalise_number(folded) is not None:
        return True
    follows = written[len(folded) :].strip()
    alone = folded != "i" or not follows[:1].isalpha() or follows.startswith(("of ", "and ", "to "))
    return written[: len(folded)].isupper() and alone


def _numbered(written: str, inserted: str | None) -> ClauseNumber | None:
    at = read_number(written)
    if at is None or not inserted:
        return at
    place = plain_number(inserted)
    return None if place is None else ClauseNumber(at.parts, len(at.parts) * INSERTED_AT + place)
