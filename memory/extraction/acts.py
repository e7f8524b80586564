"""What a message does: state, ask, request, correct, greet, take leave, or just keep company."""

import re

from ..language.folding import fold
from ..language.lexicon import cue
from ..language.sentences import clauses, sentences
from ..records import Act, Language, Span
from .masking import mask
from .patterns import pattern

_MOST_CLAUSES = 200
"""Clauses of pages of text that are read at their beginning, and at their end."""
_PLAIN = frozenset(["request", "statement"])
_SOCIAL: tuple[tuple[str, Act], ...] = (
    ("greeting", "greeting"),
    ("leave", "leave"),
    ("affirmation", "acknowledgement"),
    ("small_talk", "small_talk"),
)


def classify_act(text: str, language: Language) -> Act:
    """What a message does, by its last clause that does more than greet, thank or agree.

    Args:
        text: the message.
        language: its language; a clause is read in the language of its own script all the same.
    """
    del language
    masked = mask(text)
    pieces = [(span, clause) for span in sentences(masked) for clause in clauses(masked, span)]
    read = pieces if len(pieces) <= 2 * _MOST_CLAUSES else [*pieces[:_MOST_CLAUSES], *pieces[-_MOST_CLAUSES:]]
    acts = [_act_of(clause.cut(masked), span.cut(masked)) for span, clause in read]
    order: tuple[Act, ...] = ("correction", "question", "request", "statement", "leave", "greeting", "small_talk")
    if not acts:
        # Where nothing of it is the speaker's own, it was still said.
        return "statement" if any(map(str.isalnum, text)) else "acknowledgement"
    first = next((act for act in order if act in acts), acts[-1])
    # A question is never lost; of requests and statements the last counts.
    return next(act for act in reversed(acts) if act in _PLAIN) if first in _PLAIN else first


def _act_of(clause: str, sentence: str) -> Act:
    language: Language = "zh" if re.search(r"[\u3400-\u9fff]", clause) else "en"
    social = _social(clause)
    if social is not None:
        return social
    asks = bool(re.search(r"[?？][\"'”’)）\s]*$", sentence))
    if not asks and _is_correction(clause, language):
        return "correction"
    if not asks and pattern(language, "tag").fullmatch(clause):
        return "acknowledgement"
    if _is_request(clause, language):
        return "request"
    return "question" if asks or pattern(language, "asking").search(clause) else "statement"


def _is_correction(clause: str, language: Language) -> bool:
    """A clause that puts right; a bare "sorry" or "oops" does not."""
    words = pattern(language, "correction_words")
    return bool(words.fullmatch(clause) or (words.search(clause) and cue(clause, "correction")))


def _is_request(clause: str, language: Language) -> bool:
    return bool(pattern(language, "requesting").search(clause)) and not pattern(language, "memory_question").search(
        clause
    )


def _social(clause: str) -> Act | None:
    """The act of a clause that is nothing but a formula."""
    bare = clause.strip(" .。!！?？,，~～…")
    for kind, act in _SOCIAL:
        spans = cue(bare, kind)
        if spans and _uncovered(bare, spans) <= max(2, len(bare) // 3):
            return act
    return None


def _uncovered(text: str, spans: list[Span]) -> int:
    covered = {position for span in spans for position in range(span.start, span.end)}
    return sum(
        1 for position, character in enumerate(fold(text)) if position not in covered and not character.isspace()
    )
