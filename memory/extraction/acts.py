"""What a message does: state, ask, request, correct, greet, take leave, or just keep company."""

import re

from ..language.folding import fold
from ..language.lexicon import cue
from ..language.sentences import clauses, sentences
from ..records import Act, Language, Span
from .masking import mask
from .patterns import pattern

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
        language: its language; a clause with Chinese characters is read as Chinese all the same.
    """
    masked = mask(text)
    pieces = [(span, clause) for span in sentences(masked) for clause in clauses(masked, span)]
    acts = [_act_of(clause.cut(masked), span.cut(masked), language) for span, clause in pieces]
    if not acts:
        return "acknowledgement"
    for act in ("correction", "question", "request", "statement"):
        if act in acts:
            return _weightiest(acts)
    for act in ("leave", "greeting", "small_talk"):
        if act in acts:
            return act
    return acts[-1]


def _weightiest(acts: list[Act]) -> Act:
    """A correction outweighs the rest; of the others the last counts, but a question is never lost."""
    if "correction" in acts:
        return "correction"
    if "question" in acts:
        return "question"
    return next(act for act in reversed(acts) if act in {"request", "statement"})


def _act_of(clause: str, sentence: str, language: Language) -> Act:
    own: Language = "zh" if re.search(r"[\u3400-\u9fff]", clause) else "en"
    social = _social(clause)
    if social is not None:
        return social
    asks = bool(re.search(r"[?？][\"'”’)）\s]*$", sentence))
    if pattern(own, "correction_words").search(clause) and not asks and _is_correction(clause, own):
        return "correction"
    if pattern(own, "tag").fullmatch(clause) and not asks:
        return "acknowledgement"
    if asks or pattern(own, "asking").search(clause):
        return "request" if _is_request(clause, own) else "question"
    del language
    return "request" if _is_request(clause, own) else "statement"


def _is_correction(clause: str, language: Language) -> bool:
    """A clause that puts right; a bare "sorry" or "oops" does not."""
    return bool(cue(clause, "correction")) or bool(pattern(language, "correction_words").fullmatch(clause))


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
