"""From the wishes of a turn to what becomes of each: a step, a refusal, what is taken back, what is asked."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ..memory.records import Span
from ..memory.storage.intents import Filled
from .choosing import Chooser
from .classifying import Step, Wish
from .domains import Domain, Text, Transition
from .force import Heard
from .guards import judge
from .machine import Machine, Move
from .outcomes import Ask, Outcome, Quote, asking
from .retracting import meant_by, step_of, taken_back
from .situation import Situation, View
from .slots import knowledge_in, said_of
from .verdicts import verdict_of


class Proposer:
    """What one turn would do."""

    def __init__(self, situation: Situation, machines: Mapping[str, Machine], heard: Heard) -> None:
        """Look at a heard turn in a situation."""
        self.situation = situation
        self._machines = machines
        self.heard = heard
        self._chooser = Chooser(situation, heard)

    def outcomes(self, wishes: Sequence[Wish]) -> list[Outcome]:
        """What becomes of the wishes, in order; then of what the turn says of how things are."""
        found: list[Outcome] = []
        for wish in wishes:
            known = {(it.domain, it.entity, it.transition) for it in found}
            # The same words twice, or two phrases for one thing, are one step.
            found += [it for it in self._of_wish(wish) if (it.domain, it.entity, it.transition) not in known]
        # "Send it to me, by the original address": what is put back as it was is not changed once more.
        whole = {(it.domain, it.entity) for it in found if it.whole}
        found = [it for it in found if (it.domain, it.entity) not in whole or it.from_state != it.to_state]
        return found + self._noted(found)

    def domain(self, name: str) -> Domain:
        """The domain of that id."""
        return self.situation.vocabularies[name].domain

    def quote(self, span: Span) -> Quote:
        """The words at a span, as the turn has them."""
        return Quote(span.start, span.end, span.cut(self.heard.turn.text))

    def _of_wish(self, wish: Wish) -> list[Outcome]:
        if wish.kind in {"undo", "redo", "restore"}:
            return self._back(wish)
        steps = self._chooser.steps(wish)
        if wish.kind == "withdrawn":
            return self._withdrawn(wish, steps)
        if len(steps) > 1:
            candidates = tuple(f"{domain}.{it}" for domain, it in steps)
            asked = Outcome("asked", steps[0][0], "", trigger=self.quote(wish.span))
            return [asking(asked, Ask("transition", candidates))]
        return [it for domain, transition in steps for it in self._with_each(domain, transition, wish)]

    def _with_each(self, domain: str, transition: str, wish: Wish) -> list[Outcome]:
        """The step with every entity that is meant, or the question which one it is."""
        meant = self._chooser.entities(domain, wish)
        if meant.entities:
            return [it for entity in meant.entities for it in self.step(domain, entity, transition, wish)]
        slots = self._said(domain, transition, wish)
        asked = Outcome("asked", domain, "", transition, trigger=self.quote(wish.span), slots=slots)
        return [asking(asked, Ask("entity", meant.candidates))]

    def _said(self, domain: str, transition: str, wish: Wish) -> tuple[Filled, ...]:
        """What the turn says of the slots of a step, before all in the words that belong to the wish."""
        fills = self.domain(domain).transitions[transition].fills
        vocabulary = self.situation.vocabularies[domain]
        everywhere = said_of(vocabulary, self.heard, fills)
        within = said_of(vocabulary, self.heard, fills, wish.part)
        return tuple({it.slot: it for it in (*everywhere, *within)}.values())

    # --- steps -------------------------------------------------------------------------------------------------------

    def step(
        self, domain: str, entity: str, transition: str, wish: Wish, given: Sequence[Filled] = ()
    ) -> list[Outcome]:
        """What becomes of one step with one entity.

        Args:
            domain: of the step.
            entity: what it is about.
            transition: the step.
            wish: the words that ask for it.
            given: slots that were said before, or read by a model.
        """
        view, renames = self._view(domain, entity)
        step = view.domain.transitions[transition]
        knowledge = knowledge_in(self.situation.vocabularies[domain], self.heard)
        said = {it.slot: it for it in (*given, *self._said(domain, transition, wish), *knowledge)}
        if _restores(step, said, view):
            return self._taken(view, [row.number for row in view.changes], wish, whole=True)
        if wish.force == "firm":
            said = {it.slot: it for it in _remembered(view, step)} | said
        said = {name: Filled(name, value) for name, value in step.sets.items()} | said
        values = view.values | {name: it.value for name, it in said.items()}
        if _is_nothing_new(view, step, wish, said) and judge(step, values).holds != "no":
            return []
        base = Outcome(
            kind="step",
            domain=domain,
            entity=entity,
            transition=transition,
            from_state=view.state,
            to_state=view.state,
            trigger=self.quote(wish.span),
            part=wish.part,
            slots=tuple(said.values()),
            renames=renames,
        )
        return self._tried(base, view, step, asked=wish.force == "asked")

    def _tried(self, base: Outcome, view: View, step: Transition, *, asked: bool) -> list[Outcome]:
        values = view.values | {it.slot: it.value for it in base.slots}
        machine = self._machines[base.domain]
        move = machine.take(step.id, view.state, values)
        instead = machine.allowed(view.state, values) if move.guard.holds == "no" else ()
        base = replace(base, guard=verdict_of(view, move.guard, values, instead))
        if move.to is None:
            refused = replace(base, kind="refused", reply=base.guard.why if base.guard else None)
            # What only looks, and is not to be had from here, is no wish.
            return [] if move.guard.holds != "no" and view.domain.states[step.to].untouched else [refused]
        question = None if asked else _lacking(view, step, base, move, values)
        if question is not None:
            return [asking(base, question)]
        self.situation.foresee(view.moved(move.to, {it.slot: it for it in base.slots}, tentative=asked))
        todo = None if asked else _rendered(view, view.domain.states[move.to].todo, values)
        return [replace(base, to_state=move.to, tentative=asked, todo=todo)]

    def _view(self, domain: str, entity: str) -> tuple[View, str]:
        """The intent of an entity; the first name that one gets continues what was said of it without a name."""
        view = self.situation.view(domain, entity)
        unnamed = self.situation.unnamed(domain)
        if view.intent is not None or unnamed is None or entity == unnamed.entity:
            return view, ""
        known = self.situation.view(domain, unnamed.entity)
        return replace(known, entity=entity), unnamed.entity

    def naming(self, domain: str, entity: str, wish: Wish) -> list[Outcome]:
        """Give the entity that was spoken of without a name its name."""
        view, renames = self._view(domain, entity)
        if not renames:
            return []
        return [Outcome("noted", domain, entity, "", view.state, view.state, self.quote(wish.span), renames=renames)]

    # --- taking back -------------------------------------------------------------------------------------------------

    def take_back(self, domain: str, entity: str, wish: Wish) -> list[Outcome]:
        """Take back what was done with one entity."""
        view = self.situation.view(domain, entity)
        return self._taken(view, meant_by(view, wish), wish, whole=wish.kind == "restore")

    def _withdrawn(self, wish: Wish, steps: Sequence[Step]) -> list[Outcome]:
        """A step that is not wanted, or not any more, is taken back where it was taken."""
        meant = (
            (domain, it, transition)
            for domain, transition in steps
            for it in self._chooser.entities(domain, wish).entities
        )
        for domain, entity, transition in meant:
            view = self.situation.view(domain, entity)
            numbers = step_of(view, transition)
            if numbers:
                return self._taken(view, numbers, wish)
        return []

    def _back(self, wish: Wish) -> list[Outcome]:
        views = [view for view in self._chooser.spoken_of(wish) if meant_by(view, wish)]
        here = [view for view in views if view.intent and view.intent.session_id == self.situation.turn.session_id]
        if not here and len(views) > 1:
            asked = Outcome("asked", views[0].domain.id, "", wish.kind, trigger=self.quote(wish.span))
            return [asking(asked, Ask("entity", tuple(view.entity for view in reversed(views))))]
        if not views:
            return []
        view = max(here or views, key=_last_number)
        return self._taken(view, meant_by(view, wish), wish, whole=wish.kind == "restore")

    def _taken(self, view: View, numbers: Sequence[int], wish: Wish, *, whole: bool = False) -> list[Outcome]:
        if not numbers:
            return []
        self.situation.foresee(replace(view, standing=view.without(numbers)))
        return [taken_back(view, numbers, self.quote(wish.span), whole=whole)]

    # --- how things are ----------------------------------------------------------------------------------------------

    def _noted(self, told: Sequence[Outcome]) -> list[Outcome]:
        """What the turn states of how things are, where no step of the same domain has taken it along."""
        spoken = {(it.domain, slot.slot) for it in told for slot in it.slots}
        stated = (
            (name, filled)
            for name, vocabulary in self.situation.vocabularies.items()
            for filled in knowledge_in(vocabulary, self.heard)
        )
        return [it for name, filled in stated if (name, filled.slot) not in spoken for it in self._note(name, filled)]

    def _note(self, domain: str, filled: Filled) -> list[Outcome]:
        span = Span(filled.start, filled.end)
        part = next((it.span for it in self.heard.sentences if it.span.start <= span.start < it.span.end), span)
        if not self._chooser.is_evident(domain, part):
            return []
        views = (
            self.situation.view(domain, it) for it in self._chooser.entities(domain, Wish("step", span, part)).entities
        )
        return [
            Outcome("noted", domain, view.entity, "", view.state, view.state, self.quote(span), slots=(filled,))
            for view in views
            if view.values.get(filled.slot) != filled.value
        ]


def _restores(step: Transition, said: Mapping[str, Filled], view: View) -> bool:
    """Whether the step would only bring back the values of the plan as it was."""
    wanted = [it for name, it in said.items() if name in step.fills and not it.kept]
    defaults = view.domain.defaults
    return bool(wanted and view.changes) and all(defaults.get(it.slot) == it.value for it in wanted)


def _is_nothing_new(view: View, step: Transition, wish: Wish, said: Mapping[str, Filled]) -> bool:
    """Whether one is there already, and nothing is said that was not known."""
    state = view.domain.states[step.to]
    if view.state != step.to or state.initial or state.untouched:
        return False
    settled = not view.standing.tentative or wish.force == "asked"
    return settled and all(view.values.get(name) == it.value for name, it in said.items())


def _lacking(view: View, step: Transition, base: Outcome, move: Move, values: Mapping[str, str]) -> Ask | None:
    """What has to be asked before a step may be taken: a slot that it requires, or one that its guard looks at."""
    said = {it.slot for it in base.slots}
    missing = next((name for name in step.requires if name not in said), None)
    if missing is not None:
        return Ask("slot", (missing,))
    condition = move.guard.condition
    if move.guard.holds == "unknown" and condition is not None and condition.unknown == "ask":
        return Ask("slot", (condition.slot,), _rendered(view, condition.question, values))
    return None


def _rendered(view: View, text: Text | None, values: Mapping[str, str]) -> Text | None:
    return None if text is None else view.domain.rendered(text, view.entity, values)


def _remembered(view: View, step: Transition) -> list[Filled]:
    """What the last step of that kind said, though it was taken back: "no, do change it after all"."""
    same = (row.slots for row in reversed(view.rows) if row.kind == "step" and row.transition == step.id)
    return [it for it in next(same, ()) if it.slot in step.requires]


def _last_number(view: View) -> int:
    return view.rows[-1].number if view.rows else 0
