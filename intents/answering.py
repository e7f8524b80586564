"""Answers to what was asked: "the second one", "SF", "yes", after the assistant had to ask."""

from collections.abc import Sequence
from dataclasses import replace

from ..memory.language.folding import fold
from ..memory.records import Span, Turn
from ..memory.storage.intents import StepRow
from .classifying import Wish, says_no, says_yes
from .entities import mentions_in, picked
from .outcomes import Outcome, outcome_of
from .proposing import Proposer
from .slots import said_of

_FRESH = 4
"""So many turns later a question still stands."""


def answered(proposer: Proposer, last: StepRow | None) -> list[Outcome]:
    """What becomes of a turn that names no step itself, but answers what was asked before it.

    Args:
        proposer: of the turn.
        last: the newest row of the session's history.
    """
    turn, text = proposer.heard.turn, proposer.heard.text
    whole = _whole(proposer)
    offered = _offered(proposer)
    if says_yes(text):
        return _accepted(proposer, last, offered, whole)
    if says_no(text):
        return _declined(proposer, last, offered, whole)
    if last is None or last.turn is None or (turn.number and turn.number - last.turn > _FRESH):
        return []
    if last.kind == "asked":
        return _settled(proposer, outcome_of(last), last, whole)
    if last.kind == "step" and last.tentative:
        return _completed(proposer, last, whole)
    return []


def _whole(proposer: Proposer) -> Wish:
    """A wish that the whole turn says."""
    text = proposer.heard.text
    start = len(text) - len(text.lstrip())
    span = Span(start, len(text.rstrip()) or len(text))
    return Wish("step", span, Span(0, len(text)))


def _settled(proposer: Proposer, asked: Outcome, row: StepRow, whole: Wish) -> list[Outcome]:
    """Do what was asked about, if the turn says which entity, which step or which value was meant."""
    ask = asked.asks
    if ask is None or asked.domain not in proposer.situation.vocabularies:
        return []
    vocabulary = proposer.situation.vocabularies[asked.domain]
    text = proposer.heard.text
    if ask.about == "entity":
        named = [it.entity for it in mentions_in(vocabulary, text, bare=True)]
        entity = picked(text, ask.candidates) or (named[0] if len(named) == 1 else None)
        if entity is None:
            return []
        if asked.transition in {"undo", "redo", "restore"}:
            return proposer.take_back(asked.domain, entity, replace(whole, kind=asked.transition))  # type: ignore[arg-type]
        return proposer.step(asked.domain, entity, asked.transition, whole, asked.slots)
    if ask.about == "slot":
        given = said_of(vocabulary, proposer.heard, ask.candidates)
        return proposer.step(asked.domain, asked.entity, asked.transition, whole, asked.slots) if given else []
    chosen = picked(text, ask.candidates)
    if chosen is None:
        return []
    domain, _, transition = chosen.partition(".")
    return proposer.outcomes([replace(whole, steps=((domain, transition),))])


def _completed(proposer: Proposer, row: StepRow, whole: Wish) -> list[Outcome]:
    """Make a step firm that was only asked about, once the turn says what it needs."""
    if row.domain not in proposer.situation.vocabularies:
        return []
    vocabulary = proposer.situation.vocabularies[row.domain]
    step = vocabulary.domain.transitions.get(row.transition)
    if step is None or not said_of(vocabulary, proposer.heard, step.fills):
        return []
    return proposer.step(row.domain, outcome_of(row).entity, row.transition, whole, row.slots)


def _offered(proposer: Proposer) -> list[tuple[str, str]]:
    """The steps that the assistant's last question names."""
    before = proposer.situation.before
    if not before or before[-1].source != "ai_generated":
        return []
    question = _last_question(before)
    return [
        (name, it.transition)
        for name, vocabulary in proposer.situation.vocabularies.items()
        for it in vocabulary.named_in(question)
    ]


def _last_question(before: Sequence[Turn]) -> str:
    text = fold(before[-1].text).rstrip()
    if not text.endswith(("?", "？")):
        return ""
    start = max(text.rfind(mark, 0, -1) for mark in ".!?。！？\n")
    return text[start + 1 :]


def _accepted(
    proposer: Proposer, last: StepRow | None, offered: Sequence[tuple[str, str]], whole: Wish
) -> list[Outcome]:
    """A yes makes a step firm that was only asked about; another step it takes only where the domain lets it."""
    if last is not None and last.tentative and (last.domain, last.transition) in offered:
        return proposer.step(last.domain, outcome_of(last).entity, last.transition, whole, last.slots)
    allowed = [it for it in offered if proposer.domain(it[0]).offers]
    return proposer.outcomes([replace(whole, steps=tuple(allowed))]) if allowed else []


def _declined(
    proposer: Proposer, last: StepRow | None, offered: Sequence[tuple[str, str]], whole: Wish
) -> list[Outcome]:
    """A no takes back what was only asked about."""
    if last is None or not last.tentative or (last.domain, last.transition) not in offered:
        return []
    return proposer.outcomes([replace(whole, kind="withdrawn", steps=((last.domain, last.transition),))])
