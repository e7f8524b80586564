"""Statements of a model about clauses: those that they name must be the evidence; what they say is judged elsewhere."""

import re

from ..language.folding import fold
from .asking import blanked
from .citing import find_numbers, pattern
from .condition import AskedNumber
from .mentioned import find_documents
from .telling import Report

_GAP = "\x00"


def without_reference(text: str, report: Report) -> tuple[str, str]:
    """A statement without the words that only say where it stands ("under clause 8.1 of contract A").

    Args:
        text: the statement.
        report: the clauses that are its evidence.

    Returns:
        The statement as its evidence has to bear it out, and what is wrong with the clauses that it names, if anything.
    """
    cited = find_numbers(text, fold(text))
    named = find_documents(blanked(text, [one.span for one in cited]), report.shelf)
    wrong = [one.number.said for one in cited if not _is_evidence(one.number, report)]
    if wrong or named.unknown:
        return text, f"{', '.join((*wrong, *named.unknown))} is not in the evidence"
    marked = list(text)
    for span in (*(one.span for one in cited), *named.spans):
        marked[span.start : span.end] = _GAP * (span.end - span.start)
    return pattern("reference").sub(" ", "".join(marked)).replace(_GAP, " ").strip(), ""


def _is_evidence(number: AskedNumber, report: Report) -> bool:
    """Whether a number is one of the clauses that are quoted, or of a part of them."""
    parts = number.at.parts
    for clause in report.clauses:
        if parts == clause.at.parts:
            return True
        within = parts[: len(clause.at.parts)] == clause.at.parts
        if within and re.search(rf"(?<![\d.]){re.escape(number.at.text)}(?!\d|\.\d)", clause.text):
            return True
    return False
