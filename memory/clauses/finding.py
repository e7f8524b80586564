"""The clauses that a condition means, found by columns, and what stands next to a number that is not there."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from sqlalchemy import Connection

from ..calibration.coverage import NEAR, covers, prepare
from .citing import LAST
from .condition import AskedNumber, Condition
from .readable import called
from .records import Clause, ClauseNumber
from .rows import clauses_of, find_clauses

_NEAREST = 2
_MOST_LISTED = 60
_MOST_ABOUT = 3


@dataclass(frozen=True, slots=True)
class Found:
    """What a condition came to."""

    condition: Condition
    """With the trouble that showed on looking."""
    clauses: tuple[Clause, ...] = ()
    """In the order of documents, versions and text; none within another."""


def find(connection: Connection, user_id: str, condition: Condition) -> Found:
    """Find the clauses of a condition that asks for numbers, or those of a category."""
    if condition.trouble is not None or not condition.documents:
        return Found(condition)
    if not condition.numbers:
        return Found(condition, tuple(_about(connection, user_id, condition)))
    found: list[Clause] = []
    missing: list[AskedNumber] = []
    for number in condition.numbers:
        clauses = _numbered(connection, user_id, condition.documents, number)
        found += clauses
        # Of two documents that are compared one may not have it.
        if {clause.document for clause in clauses} != set(condition.documents):
            missing.append(number)
    if missing and (not found or condition.wants != "moved"):
        condition = _missing(connection, user_id, condition, missing, found)
    return Found(condition, tuple(_outermost(found, condition.documents)))


def _about(connection: Connection, user_id: str, condition: Condition) -> list[Clause]:
    """The clauses that are about a topic: by their heading, by their category, or as they have all of its words.

    Of the clauses of a category those that have the words come first; where none of this finds one, likeness may.
    """
    found: list[Clause] = []
    for document in condition.documents:
        tops = _tops(connection, user_id, [document])
        headed = [one for one in tops if _covers(one.heading, condition.topic)]
        filed = [one for one in tops if one.category == condition.category]
        worded = [one for one in filed or tops if _covers(one.text, condition.topic)]
        found += (headed or worded or filed)[:_MOST_ABOUT]
    return found


def _tops(connection: Connection, user_id: str, documents: Sequence[int]) -> list[Clause]:
    """The clauses of versions that are no part of another clause."""
    every = (one for document in documents for one in clauses_of(connection, user_id, document, unit="clause"))
    return [one for one in every if len(one.at.parts) == 1]


def _covers(text: str, topic: Sequence[str]) -> bool:
    """Whether a text has every word of a topic."""
    prepared = prepare(text)
    return bool(topic) and all(covers(prepared, word) >= NEAR for word in topic)


def _numbered(connection: Connection, user_id: str, documents: Sequence[int], number: AskedNumber) -> list[Clause]:
    """The clauses of a number: this one or a child of it, or the part of it that is asked for."""
    if number.at == LAST:
        return _last(connection, user_id, documents)
    if number.last is not None:
        return _range(connection, user_id, documents, number)
    if number.paragraph is None and number.item is None:
        return find_clauses(connection, user_id, documents, number.at, with_children=True)
    below = find_clauses(connection, user_id, documents, number.at, with_children=True)
    return [clause for clause in below if _is_part(clause, number, below)]


def _is_part(clause: Clause, number: AskedNumber, siblings: Sequence[Clause]) -> bool:
    """Whether a clause is the paragraph or the item that is asked for; a sole paragraph is the clause itself."""
    below = clause.at.parts[len(number.at.parts) :]
    if number.item is not None:
        paragraphs = below[:1] if len(below) > 1 else (number.paragraph,)
        return clause.unit == "item" and below[-1:] == (number.item,) and number.paragraph in {None, *paragraphs}
    divided = any(one.document == clause.document and len(one.at.parts) > len(number.at.parts) for one in siblings)
    return below == ((number.paragraph,) if divided else ()) and (divided or number.paragraph == 1)


def _range(connection: Connection, user_id: str, documents: Sequence[int], number: AskedNumber) -> list[Clause]:
    first, last = number.at.parts[-1], number.last or 0
    steps = range(first, min(last, first + _MOST_LISTED) + 1)
    every = [ClauseNumber((*number.at.parts[:-1], step)) for step in steps]
    return [clause for at in every for clause in find_clauses(connection, user_id, documents, at, with_children=True)]


def _last(connection: Connection, user_id: str, documents: Sequence[int]) -> list[Clause]:
    return [one for document in documents for one in _tops(connection, user_id, [document])[-1:]]


def _outermost(clauses: Iterable[Clause], documents: Sequence[int]) -> list[Clause]:
    """The clauses that stand within no other one, each once, version by version in the order of the text."""
    every = list({clause.number: clause for clause in clauses}.values())
    outer = [one for one in every if not any(_holds(other, one) for other in every)]
    return sorted(outer, key=lambda clause: (documents.index(clause.document), clause.span))


def _holds(other: Clause, one: Clause) -> bool:
    within = other.span.start <= one.span.start and one.span.end <= other.span.end
    return other.document == one.document and within and other.span != one.span


# --- What is there instead --------------------------------------------------------------------------------------------


def _missing(
    connection: Connection,
    user_id: str,
    condition: Condition,
    missing: Sequence[AskedNumber],
    found: Sequence[Clause],
) -> Condition:
    """The condition with what it lacks: trouble where nothing at all was found, a remark beside what was."""
    near: list[str] = []
    for document in condition.documents:
        if not any(clause.document == document for clause in found):
            near += _nearest(clauses_of(connection, user_id, document), missing[0])
    said = ", ".join(number.said for number in missing)
    trouble = condition.trouble if found else "no_clause"
    return replace(condition, trouble=trouble, said=said, candidates=tuple(dict.fromkeys(near)))


def _nearest(clauses: Sequence[Clause], number: AskedNumber) -> list[str]:
    """The labels of the clauses on the same level that stand next to a number, below it and above."""
    at = number.at.parts if number.paragraph is None else (*number.at.parts, number.paragraph)
    level = _level(clauses, at) or _level(clauses, at[:1])
    below = [one for one in level if one.at.parts[-1] < at[-1]][-_NEAREST:]
    above = [one for one in level if one.at.parts[-1] > at[-1]][:_NEAREST]
    return [called(one) for one in (*below, *above)]


def _level(clauses: Sequence[Clause], at: tuple[int, ...]) -> list[Clause]:
    """The clauses that have as many parts as a number, and but the last of them alike."""
    alike = (len(at), at[:-1])
    return [one for one in clauses if (len(one.at.parts), one.at.parts[:-1]) == alike and one.at.parts[0]]
