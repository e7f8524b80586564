"""When the knowledge base may answer beside the memory, and how what both found comes together.

A question about the user, or about what was said, is the memory's alone. Any other may be answered from documents; they
have places of their own among the results, and take none from what the user said.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType

from ..calibration import wording
from ..calibration.asked import Question
from ..calibration.coverage import NEAR, covers, prepare
from ..calibration.rules import Calibration, calibrate
from ..language import resources
from ..language.folding import fold
from ..language.sentences import sentences
from ..records import Candidate, Dropped, Evidence, RecallFilter, Reference, Span
from .cross_checking import Contradiction

RULE = "attribution"
"""Drops chunks from questions that only the user can answer."""
_PLACES = 3
_PLACES_OF_NAMED = 8
_LEAST = 1.0
"""What a chunk must score, in standard deviations of a vector score, to be looked at."""
_COMPARING = frozenset({"more", "less"})
_EDGES = " |*#>-•·`_\t"


def is_personal(question: Question) -> bool:
    """Whether only the conversations can answer: it asks about the user, or about what was said, asked or decided."""
    listed = bool(question.kinds) or question.ordinal is not None or question.only_time
    own = question.subject == "user" and not _asks_for_rules(question.text)
    return own or listed or _asks_for_words(question)


def impersonal(question: Question) -> Question:
    """The question as documents answer it: what "I may" is what anybody may."""
    return replace(question, subject=None) if question.subject == "user" else question


def _asks_for_words(question: Question) -> bool:
    """Whether it asks who said, asked or decided what, or what the agent is."""
    about = (question.about_assistant, question.about_agent, question.about_questions)
    told = (question.said, question.decided, question.just_now, question.asks in {"command", "who_said"})
    return any((*about, *told))


def _asks_for_rules(text: str) -> bool:
    """Whether somebody asks what they may or must do, which is in no memory of theirs."""
    lexicon, folded = resources.load("knowledge"), fold(text)
    asks = resources.compiled(lexicon["entitled"], "pattern").search(folded)
    return bool(asks) and not resources.compiled(lexicon, "own").search(folded)


def consult(
    question: Question,
    candidates: Sequence[Candidate],
    references: Mapping[int, Reference],
    wanted: RecallFilter,
    *,
    k: int,
    broken: Mapping[int, str] = MappingProxyType({}),
) -> Calibration:
    """Let the rules judge chunks as they judge turns, unless the question is none of theirs.

    ``broken`` says which chunks are of another document or version than the one asked about, and by which rule.
    """
    every = [one for one in candidates if one.turn in references]
    dropped = tuple(Dropped(one.id, one.turn, broken[one.turn]) for one in every if one.turn in broken)
    # Who names a document is answered from it, however little of it resembles the question.
    least, places = (_LEAST, _PLACES) if question.clauses is None else (float("-inf"), _PLACES_OF_NAMED)
    known = [one for one in every if one.score >= least and one.turn not in broken]
    if is_personal(question):
        return Calibration((), (*dropped, *(Dropped(one.id, one.turn, RULE) for one in known)))
    judged = calibrate(impersonal(question), known, references, {}, wanted, k=min(places, k))
    return replace(judged, dropped=(*dropped, *judged.dropped))


def merged(said: Calibration, documented: Calibration, *, k: int, named: bool = False) -> Calibration:
    """Both results as one, at most ``k``: documents take up to a third, more where the conversations have no answer.

    One that the question names takes up to eight places.
    """
    if not (documented.kept or documented.dropped):
        return said
    places = _places(said, k, named=named)
    chunks = documented.kept[:places]
    turns = said.kept[: k - len(chunks)]
    first = documented.enough and not said.enough
    return replace(
        said,
        kept=(*chunks, *turns) if first else (*turns, *chunks),
        dropped=(*said.dropped, *documented.dropped),
        enough=said.enough or documented.enough,
        hop_entities=() if documented.enough else said.hop_entities,
        trace=(*said.trace, *documented.trace),
    )


def _places(said: Calibration, k: int, *, named: bool) -> int:
    """How many places documents have: what the conversations leave, and a share in any case."""
    most = _PLACES_OF_NAMED if named else _PLACES
    share = k // 3 if said.enough and not named else max(1, k // 2)
    places = min(most, share, k)
    return places if len(said.kept) >= k - places else min(most, k - len(said.kept))


def joined(
    question: Question,
    said: Sequence[Evidence],
    documented: Sequence[Evidence],
    contradicting: Sequence[Contradiction],
    references: Mapping[int, Reference],
) -> list[Evidence]:
    """The quotations of both: the user's best first, what a document says beside it, then the rest.

    Args:
        question: the understood question.
        said: chosen from the conversations.
        documented: chosen from the documents.
        contradicting: what documents say otherwise than the items of ``said``.
        references: the chunks of ``documented``, by number.
    """
    if is_personal(question):
        return list(said)
    chosen = [_as_documented(question, one, references[one.turn]) for one in documented]
    if question.asks == "why":
        chosen = [one for one in chosen if _tells_cause(one.span.cut(references[one.turn].text))] or chosen
    against = [Evidence(one.reference.number, _line_around(one), 1.0) for one in contradicting]
    chosen = (against[:1] or chosen[:1]) if said else _of_each(question, chosen, references)
    return [*said[:1], *chosen, *said[1:]]


def _of_each(question: Question, chosen: list[Evidence], references: Mapping[int, Reference]) -> list[Evidence]:
    """One quotation of each document, or all of what is told in several quotations."""
    if question.story or question.asks in _COMPARING:
        return chosen
    return list({references[one.turn].session_id: one for one in reversed(chosen)}.values())[::-1]


def _as_documented(question: Question, one: Evidence, reference: Reference) -> Evidence:
    """A quotation of a document: how-tos with the steps that follow, the exception of a time with its rule."""
    text, span = reference.text, Span(*one.span)
    lines = sentences(text)
    if question.story:
        return replace(one, span=_tidy(span, text))
    if wording.pattern("how_to").search(fold(question.text)):
        start = max((line.start for line in lines if line.start <= span.start), default=span.start)
        end = text.find("\n\n", span.end)
        return replace(one, span=_tidy(Span(start, len(text) if end < 0 else end), text))
    if question.time_words and not _has_time(question, span.cut(text)):
        span = next((line for line in lines if _has_time(question, line.cut(text))), span)
    return replace(one, span=_tidy(_grown(question, span, lines, text), text))


def _grown(question: Question, span: Span, lines: Sequence[Span], text: str) -> Span:
    """A quotation with the sentence before or after it where that has a word of the question which it lacks."""
    lacking = [word for word in (*question.terms, *question.names) if not _has_word(word, span.cut(text))]
    after, before = (one for one in lines if one.start >= span.end), (one for one in lines if one.end <= span.start)
    for line in (*list(after)[:1], *list(before)[-1:]):
        whole = Span(min(span.start, line.start), max(span.end, line.end))
        if "\n" not in whole.cut(text) and any(_has_word(word, line.cut(text)) for word in lacking):
            return whole
    return span


def _has_word(word: str, text: str) -> bool:
    return word in fold(text) or covers(prepare(text), word) >= NEAR


def _tells_cause(text: str) -> bool:
    return bool(wording.pattern("causes").search(fold(text)))


def _has_time(question: Question, text: str) -> bool:
    return all(words in fold(text) for words in question.time_words)


def _tidy(span: Span, text: str) -> Span:
    """A span without the marks that only set a line: pipes, bullets, hashes."""
    quote = span.cut(text)
    start = span.start + len(quote) - len(quote.lstrip(_EDGES))
    end = span.end - len(quote) + len(quote.rstrip(_EDGES))
    return Span(start, end) if start < end else span


def _line_around(one: Contradiction) -> Span:
    text = one.reference.text
    spans = (span for span in sentences(text) if span.start <= one.span.start and one.span.end <= span.end)
    return _tidy(next(spans, one.span), text)
