"""Domains that offer services: the assistant proposes steps, an intent is carried on, then no more is needed."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from ..memory.language.folding import fold
from ..memory.records import Span
from .classifying import Wish
from .offering import accepts, declines_more, offers_more, refuses, wants
from .outcomes import Outcome
from .proposing import Proposer

Step = tuple[str, str]
Scores = Callable[[str, Sequence[Step]], Mapping[Step, float]]
"""How near a text is to the examples of steps."""
NEARER = 0.02
"""By so much another step has to be nearer than what is going on, before what is wanted is taken for another thing."""
LOOKED_FIRST = 0.01
"""Who does not say that something be done looks first: so much nearer a step that does it has to be."""


@dataclass(frozen=True, slots=True)
class _Said:
    """An answer with what the assistant had said before it."""

    text: str
    before: str

    @property
    def ends(self) -> bool:
        """Whether more help was offered, and none is needed."""
        return self.is_asked_for_more and declines_more(self.text)

    @property
    def is_asked_for_more(self) -> bool:
        """Whether the assistant had asked if there is anything else."""
        return offers_more(self.before)


def served(proposer: Proposer, wishes: Sequence[Wish], scores: Scores) -> list[Outcome]:
    """What becomes of a turn in the domains that offer services.

    A step that is named is taken; a step that the assistant proposed is taken by a yes; what begins without a name is
    told by the nearest example. Anything else carries on what is going on, until more help is offered and declined.

    Args:
        proposer: of the turn.
        wishes: what the turn wants by its words.
        scores: tells steps by examples.
    """
    said = _Said(proposer.heard.turn.text, _before(proposer))
    named = [it for wish in wishes if wish.kind == "step" for it in _open_to(proposer, wish.steps, said)]
    if named:
        last = [wish for wish in wishes if any(step in named for step in wish.steps)][-1]
        choices = _at_hand([step for step in named if step in last.steps], proposer)
        return _taken(proposer, _best(scores(said.text, choices)) or choices[-1], last)
    if said.ends:
        return _closed(proposer)
    if accepts(said.text) and (proposed := _proposed(proposer, said)):
        return _taken(proposer, _best(scores(said.before, proposed)) or proposed[-1], _whole(proposer))
    return _taken(proposer, _unnamed(proposer, said, scores), _whole(proposer))


def _unnamed(proposer: Proposer, said: _Said, scores: Scores) -> Step | None:
    """The step that a turn asks for without its triggers: where something begins, or where it is clearly another."""
    going_on = _going_on(proposer)
    if going_on is None:
        near = scores(said.text, _all_open(proposer, said))
        return _best(_looked_first(proposer, said, near))
    steps = [*_all_open(proposer, said), going_on]
    if said.is_asked_for_more:
        return _clearly_other(going_on, _looked_first(proposer, said, scores(said.text, steps)))
    if wants(said.text) and not refuses(said.text):
        return _clearly_other(going_on, scores(said.text, steps))
    if accepts(said.text) and "?" in said.before:
        return _clearly_other(going_on, scores(said.before, steps))
    return None


def _clearly_other(going_on: Step, near: Mapping[Step, float]) -> Step | None:
    best = _best({step: score for step, score in near.items() if step != going_on})
    return best if best and near[best] - near.get(going_on, 0.0) > NEARER else None


def _looked_first(proposer: Proposer, said: _Said, near: Mapping[Step, float]) -> dict[Step, float]:
    """How near the steps are to what begins: who only asks, or does not say that something be done, looks first."""
    off = 2 * LOOKED_FIRST if said.text.rstrip().endswith(("?", "？")) else LOOKED_FIRST
    return {step: score if _looks(proposer, step) else score - off for step, score in near.items()}


def _looks(proposer: Proposer, step: Step) -> bool:
    domain, transition = step
    whole = proposer.domain(domain)
    return whole.states[whole.transitions[transition].to].untouched


def _at_hand(steps: Sequence[Step], proposer: Proposer) -> list[Step]:
    """Of steps that the same words name, those of the service that was talked about last, if it has some."""
    last = proposer.situation.last_row
    return [step for step in steps if last and step[0] == last.domain] or list(steps)


def _best(scored: Mapping[Step, float]) -> Step | None:
    return max(scored, key=lambda step: scored[step], default=None)


def _going_on(proposer: Proposer) -> Step | None:
    """The step to the state in which the service is that was talked about last."""
    last = proposer.situation.last_row
    if last is None or last.to_state == _initial(proposer, last.domain):
        return None
    steps = proposer.domain(last.domain).transitions.values()
    return next(((last.domain, it.id) for it in steps if it.to == last.to_state), None)


def _services(proposer: Proposer) -> list[str]:
    return [name for name, words in proposer.situation.vocabularies.items() if words.domain.offers]


def _before(proposer: Proposer) -> str:
    before = proposer.situation.before
    return before[-1].text if before and before[-1].source == "ai_generated" else ""


def _state(proposer: Proposer, domain: str) -> str:
    return proposer.situation.view(domain, proposer.domain(domain).kind).state


def _initial(proposer: Proposer, domain: str) -> str:
    return proposer.domain(domain).initial


def _open_to(proposer: Proposer, steps: Sequence[Step], said: _Said) -> list[Step]:
    """Those of the steps that may be taken from where a service is, or anew where more help was offered."""
    return [(domain, it) for domain, it in steps if proposer.domain(domain).offers and _may(proposer, domain, it, said)]


def _may(proposer: Proposer, domain: str, transition: str, said: _Said) -> bool:
    step = proposer.domain(domain).transitions[transition]
    if proposer.domain(domain).states[step.to].closes:
        return False
    anew = said.is_asked_for_more and _initial(proposer, domain) in step.sources
    return anew or _state(proposer, domain) in step.sources


def _all_open(proposer: Proposer, said: _Said) -> list[Step]:
    steps = [(name, it) for name in _services(proposer) for it in proposer.domain(name).transitions]
    return _open_to(proposer, steps, said)


def _proposed(proposer: Proposer, said: _Said) -> list[Step]:
    """The steps that the assistant's words name, other than what is going on."""
    text = fold(said.before)
    named = [
        (name, it.transition)
        for name in _services(proposer)
        for it in proposer.situation.vocabularies[name].named_in(text)
    ]
    return [
        (name, it)
        for name, it in _open_to(proposer, named, said)
        if proposer.domain(name).transitions[it].to != _state(proposer, name)
    ]


def _whole(proposer: Proposer) -> Wish:
    span = Span(0, len(proposer.heard.text))
    return Wish("step", span, span)


def _taken(proposer: Proposer, step: Step | None, wish: Wish) -> list[Outcome]:
    if step is None:
        return []
    domain, transition = step
    kind = proposer.domain(domain).kind
    begun = proposer.domain(domain).transitions[transition].sources
    first = [] if _state(proposer, domain) in begun else _closing(proposer, domain)
    return [*first, *proposer.step(domain, kind, transition, replace(wish, force="firm"))]


def _closed(proposer: Proposer) -> list[Outcome]:
    """Nothing is going on any more in the services that were talked about."""
    return [
        it
        for name in _services(proposer)
        if _state(proposer, name) != _initial(proposer, name)
        for it in _closing(proposer, name)
    ]


def _closing(proposer: Proposer, domain: str) -> list[Outcome]:
    whole = proposer.domain(domain)
    ending = [it.id for it in whole.transitions.values() if whole.states[it.to].closes]
    return proposer.step(domain, whole.kind, ending[0], _whole(proposer)) if ending else []
