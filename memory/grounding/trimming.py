"""Fitting quotations into the limits of an answer. A shortened quotation is still an exact slice of its turn."""

from ..calibration.asked import Question
from ..calibration.coverage import covers, prepare
from ..language.sentences import clauses
from ..language.tokens import Token, tokenize
from ..records import Language, Span

WORDS = 60
"""An answer in English has at most so many words."""
CHARACTERS = 120
"""An answer in Chinese has at most so many characters."""


def size(text: str, language: Language) -> int:
    """The length of a text as its language counts it: words, or characters (a Latin word is one) in Chinese."""
    tokens = tokenize(text)
    cjk = sum(token.cjk for token in tokens)
    return len(tokens) if language == "zh" else len(tokens) - cjk + (cjk + 1) // 2


def trim(text: str, span: Span, question: Question, most: int) -> Span:
    """The part of ``span`` that answers best and is no longer than ``most`` as the question's language counts."""
    if size(span.cut(text), question.language) <= most:
        return span
    parts = clauses(text, span) or [span]
    start = end = max(range(len(parts)), key=lambda i: (_worth(parts[i].cut(text), question), -i))

    def fits(first: int, last: int) -> bool:
        inside = first >= 0 and last < len(parts)
        return inside and size(text[parts[first].start : parts[last].end], question.language) <= most

    while fits(start, end + 1) or fits(start - 1, end):
        start, end = (start, end + 1) if fits(start, end + 1) else (start - 1, end)
    chosen = Span(parts[start].start, parts[end].end)
    return chosen if fits(start, end) else _cut(text, chosen, question, most)


def _worth(text: str, question: Question) -> float:
    prepared = prepare(text)
    return sum(covers(prepared, term) for term in (*question.terms, *question.names)) + 0.1 * bool(prepared.numbers)


def _cut(text: str, span: Span, question: Question, most: int) -> Span:
    """A window of whole tokens around the first word that the question asks about."""
    tokens = [token for token in tokenize(text) if span.start <= token.start and token.end <= span.end]
    if not tokens:
        return span
    asked = next((i for i, token in enumerate(tokens) if _is_asked(token, question)), 0)
    first = max(0, min(asked - most // 3, len(tokens) - most))
    window = tokens[first : first + most]
    while len(window) > 1 and size(text[window[0].start : window[-1].end], question.language) > most:
        window = window[:-1]
    return Span(window[0].start, window[-1].end)


def _is_asked(token: Token, question: Question) -> bool:
    return any(token.stem == term or (token.cjk and token.text in term) for term in question.terms)
