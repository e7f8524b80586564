"""Comparing what was talked about: options with their amounts, so that "the pricier one" can be told."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation

from ..language.sentences import clauses, sentences
from ..language.values import Value
from ..records import Candidate, Span, Turn
from .coverage import covers, prepare
from .fit import values_in
from .labels import labelled
from .parsing import NUMERIC, is_generic, names
from .passages import Passage, is_interrogative
from .scene import Scene

_TOGETHER = 8
"""Options whose turns lie further apart than this were not weighed against each other."""


@dataclass(frozen=True, slots=True)
class Option:
    """Something with an amount: where it was said, what it is called there, and how much it is."""

    turn: Turn
    span: Span
    """The clause that names it and its amount."""
    label: Span | None
    amount: Decimal
    unit: str | None
    is_amount: bool
    """Whether it is a sum of money rather than just a number."""


def compared(scene: Scene, kept: Sequence[Candidate]) -> list[Option]:
    """The options talked about last, in the order in which the question ranks them: best match first."""
    turns = sorted((scene.turns[c.turn] for c in kept if c.turn in scene.turns), key=lambda turn: -turn.number)
    found = [option for turn in turns if _may_count(scene, turn) for option in _options(turn)]
    if any(option.is_amount for option in found):
        found = [option for option in found if option.is_amount]
    group = _latest_group(found)
    return sorted(group, key=lambda option: (option.amount, option.turn.number), reverse=scene.question.asks == "more")


def _may_count(scene: Scene, turn: Turn) -> bool:
    question = scene.question
    if (turn.source == "ai_generated") != question.about_assistant:
        return False
    text = prepare(turn.text)
    terms = () if question.follow_up else [term for term in question.terms if not is_generic(term)]
    return all(covers(text, term) > 0 for term in terms)


def _options(turn: Turn) -> Iterable[Option]:
    for sentence in sentences(turn.text):
        if is_interrogative(Passage(turn, sentence)):
            continue
        previous_end = sentence.start
        for value in _amounts(turn, sentence):
            yield Option(
                turn=turn,
                span=_clause_of(turn.text, sentence, value),
                label=_label_of(turn.text, sentence, value, previous_end),
                amount=Decimal(value.normal),
                unit=value.unit,
                is_amount=value.kind == "amount",
            )
            previous_end = value.span.end


def _amounts(turn: Turn, sentence: Span) -> list[Value]:
    names = [span for _, _, span in labelled(turn.text)]
    found = []
    for value in values_in(turn.text, turn.observed_at, turn.time_zone):
        inside = sentence.start <= value.span.start and value.span.end <= sentence.end
        if (
            inside
            and value.kind in NUMERIC
            and not any(value.span.overlaps(name) for name in names)
            and _is_number(value.normal)
        ):
            found.append(value)
    return found


def _is_number(normal: str) -> bool:
    try:
        return Decimal(normal).is_finite()
    except InvalidOperation:
        return False


def _clause_of(text: str, sentence: Span, value: Value) -> Span:
    return next((clause for clause in clauses(text, sentence) if clause.overlaps(value.span)), sentence)


def _label_of(text: str, sentence: Span, value: Value, previous_end: int) -> Span | None:
    """What the amount belongs to: the label or name just before it, else the one just after it in the sentence."""
    spans = [span for _, _, span in labelled(text)] or _names_in(text, sentence)
    inside = [span for span in spans if span.overlaps(sentence)]
    before = [span for span in inside if previous_end <= span.start and span.end <= value.span.start]
    after = [span for span in inside if span.start >= value.span.end]
    return next(iter((*before[-1:], *after)), None)


def _names_in(text: str, sentence: Span) -> list[Span]:
    found = names(sentence.cut(text), (), ())
    return [Span(span.start + sentence.start, span.end + sentence.start) for _, span in found]


def _latest_group(found: Sequence[Option]) -> list[Option]:
    """The options of the latest turn that has one, with those of the turns around it; all in one unit."""
    if not found:
        return []
    newest = found[0]
    near = [o for o in found if newest.turn.number - o.turn.number <= _TOGETHER and o.unit == newest.unit]
    own = [option for option in near if option.turn.number == newest.turn.number]
    return own if len(own) > 1 else near
