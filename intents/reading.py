"""A model's reading of a turn, checked, in the place of the floor's."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ..memory.language.folding import fold
from ..memory.proposed_intent import QuotedSlot, ReadIntent
from ..memory.records import Span, Turn
from ..memory.storage.intents import Filled
from .answering import BACK as BACK
from .classifying import Wish
from .entities import mentions_in
from .outcomes import Outcome
from .proposing import Proposer
from .slots import value_of


def read_wishes(proposer: Proposer, reading: ReadIntent, wishes: Sequence[Wish]) -> list[Outcome]:
    """What becomes of the one thing that a model read in a turn.

    Args:
        proposer: of the turn.
        reading: its transition is ``<domain>.<transition>``, ``undo``, ``redo`` or ``restore``.
        wishes: the floor's; where one is the same, its words and its force are taken.
    """
    name = reading.transition or ""
    text = proposer.heard.text
    whole = Wish("step", Span(0, len(text.rstrip()) or len(text)), Span(0, len(text)))
    if name in BACK:
        return proposer.outcomes([next((it for it in wishes if it.kind == name), replace(whole, kind=BACK[name]))])
    domain, _, transition = name.partition(".")
    if not _is_step(proposer, domain, transition):
        return []
    own = (it for it in wishes if it.kind == "step" and (domain, transition) in it.steps)
    wish = replace(next(own, whole), steps=((domain, transition),))
    entity = _entity(proposer, domain, reading.entity)
    if not entity:
        return proposer.outcomes([wish])
    return proposer.step(domain, entity, transition, wish, list(_slots(proposer, domain, reading.slots)))


def _is_step(proposer: Proposer, domain: str, transition: str) -> bool:
    vocabulary = proposer.situation.vocabularies.get(domain)
    return vocabulary is not None and transition in vocabulary.domain.transitions


def _entity(proposer: Proposer, domain: str, named: str) -> str:
    """The entity that a model names, where the conversation has it; a model's own is none."""
    vocabulary = proposer.situation.vocabularies[domain]
    mentions = mentions_in(vocabulary, fold(named), bare=True)
    wanted = {named, *(it.entity for it in mentions)}
    said = {it.entity for it in mentions_in(vocabulary, proposer.heard.text, bare=True)}
    known = {*said, *proposer.situation.recent(domain), *proposer.situation.open_ones(domain)}
    return next(iter(sorted(wanted & known)), "")


def _slots(proposer: Proposer, domain: str, quoted: Sequence[QuotedSlot]) -> Iterator[Filled]:
    vocabulary = proposer.situation.vocabularies[domain]
    turns: dict[str, Turn] = {it.id: it for it in (*proposer.situation.before, proposer.heard.turn)}
    for it in quoted:
        slot, turn = vocabulary.domain.slots.get(it.name), turns.get(it.turn_id)
        if slot is None or turn is None:
            continue
        value = value_of(vocabulary, slot.id, fold(it.quote)) if slot.values else it.value
        start = turn.text.find(it.quote)
        if value is not None and start >= 0:
            yield Filled(
                slot.id, value, it.quote, start, start + len(it.quote), turn.number or None, kept=slot.knowledge
            )
