"""The numbers of clauses in a question, in both languages: 第五条第三款, "clause 5(a)", "articles 3 to 5", a bare 5.2."""

import functools
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from ..language import resources
from ..language.numerals import normalise_number
from ..records import Span
from .condition import AskedNumber
from .numbers import read_number
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
    readers = (_chinese, _english, _ordinals, _dotted)
    for cited in (one for reader in readers for one in reader(text, folded)):
        if not any(cited.span.overlaps(known.span) for known in found if known.number.at != cited.number.at):
            found.append(cited)
    found.sort(key=lambda one: one.span)
    return [_with_paragraph(one, folded) for one in found]


@functools.cache
def pattern(name: str) -> re.Pattern[str]:
    """One pattern of ``lexicons/clause_questions.yaml``, to be matched on folded text."""
    return resources.compiled(resources.load("clause_questions"), name)


def _chinese(text: str, folded: str) -> Iterator[Cited]:
    for match in pattern("chinese").finditer(folded):
        if pattern("counted").match(folded, match.end()):
            continue
        at = _numbered(match["number"], match["bis"])
        if at is None:
            continue
        strong = bool(match["unit"] != "条" or match["paragraph"] or pattern("asks_clause").match(folded[match.end() :]))
        strong = strong and match["unit"] in ("条", "款")
        below = (_plain(match["paragraph"]), _plain(match["item"]))
        number = AskedNumber(at, *below, said=match.group(), last=_plain(match["last"]))
        yield Cited(number, Span(*match.span()), strong)
        for further in pattern("one_chinese").findall(match["more"]):
            also = _numbered(further, None)
            if also is not None:
                yield Cited(AskedNumber(also, said=f"第{further}{match['unit']}"), Span(*match.span()), strong)
    for match in pattern("last_chinese").finditer(folded):
        yield Cited(AskedNumber(LAST, said=match.group()), Span(*match.span()), strong=True)


def _english(text: str, folded: str) -> Iterator[Cited]:
    for match in pattern("english").finditer(folded):
        if not _is_number(match["number"], text[match.start("number") : match.end()]):
            continue
        at, last = read_number(match["number"]), read_number(match["last"] or "")
        if at is None:
            continue
        unit, strong = match["unit"], match["weak"] is None
        said = f"{unit} {match['number']}"
        yield Cited(
            AskedNumber(at, said=said, last=last.parts[-1] if last else None), Span(*match.span()), strong
        )
        for further in pattern("one_english").findall(pattern("and").sub(" ", match["more"] or "")):
            also = read_number(further)
            if also is not None:
                yield Cited(AskedNumber(also, said=f"{unit.rstrip('s')} {further}"), Span(*match.span()), strong)


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
    """ "the second paragraph of article 5", "article 5, paragraph 2"."""
    if cited.number.paragraph is not None:
        return cited
    before = next((one for one in pattern("paragraph_of").finditer(folded) if one.end() <= cited.span.start), None)
    after = pattern("paragraph_after").match(folded, cited.span.end)
    if before is not None and cited.span.start - before.end() <= len("the "):
        paragraph = _ordinal(before["ordinal"]) if before["ordinal"] else _plain(before["number"])
        span = Span(before.start(), cited.span.end)
    elif after is not None:
        paragraph, span = _plain(after["number"]), Span(cited.span.start, after.end())
    else:
        return cited
    return replace(cited, number=replace(cited.number, paragraph=paragraph), span=span)


def _ordinal(word: str) -> int:
    return int(resources.load("clause_questions")["ordinals"][word])


def _is_number(folded: str, written: str) -> bool:
    """Whether letters are a Roman number, and no pronoun, article or word ("section i like", "article l")."""
    if not folded.isalpha() or normalise_number(folded) is not None:
        return True
    return written[: len(folded)].isupper() and (folded != "i" or not written[1:2].isspace())


def _numbered(written: str, inserted: str | None) -> ClauseNumber | None:
    at = read_number(written)
    if at is None or not inserted:
        return at
    place = _plain(inserted)
    return None if place is None else ClauseNumber(at.parts, len(at.parts) * INSERTED_AT + place)


def _plain(written: str | None) -> int | None:
    number = normalise_number(written) if written else None
    return int(number) if number is not None and number == int(number) else None
