"""From the wishes of a turn to what becomes of each: a step, a refusal, what is taken back, what is asked."""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from ..memory.records import Span
from ..memory.storage.intents import Filled, StepRow
from .classifying import Wish
from .domains import Domain, Text, Transition
from .entities import Chosen, Mention, chosen, mentions_in
from .force import Heard
from .guards import Judged
from .machine import Machine
from .outcomes import Ask, Outcome, Quote, Verdict, asking
from .situation import Situation, View
from .slots import knowledge_in, said_of


class Proposer:
    """What one turn would do."""

    def __init__(self, situation: Situation, machines: Mapping[str, Machine], heard: Heard) -> None:
        """Look at a heard turn in a situation."""
        self.situation = situation
        self._machines = machines
        self.heard = heard

    def outcomes(self, wishes: Sequence[Wish]) -> list[Outcome]:
        """What becomes of the wishes, in order; then of what the turn says of how things are."""
        found: list[Outcome] = []
        for wish in wishes:
            known = {(it.domain, it.entity, it.transition) for it in found}
            # The same words twice, or two phrases for one thing, are one step.
            found += [it for it in self._of_wish(wish) if (it.domain, it.entity, it.transition) not in known]
        return found + self._noted(found)

    def _of_wish(self, wish: Wish) -> list[Outcome]:
        if wish.kind in {"undo", "redo", "restore"}:
            return self._back(wish)
        steps = self._likeliest(wish)
        if wish.kind == "withdrawn":
            return self._withdrawn(wish, steps)
        if not steps:
            return []
        if len(steps) > 1:
            question = Ask("transition", tuple(f"{domain}.{it}" for domain, it in steps))
            return [asking(Outcome("asked", steps[0][0], "", trigger=self.quote(wish.span)), question)]
        domain, transition = steps[0]
        meant = self.meant(domain, wish)
        if not meant.entities:
            base = Outcome(
                "asked",
                domain,
                "",
                transition,
                trigger=self.quote(wish.span),
                slots=self._wishes_slots(domain, transition, wish),
            )
            return [asking(base, Ask("entity", meant.candidates))]
        return [it for entity in meant.entities for it in self.step(domain, entity, transition, wish)]

    # --- which step, about what --------------------------------------------------------------------------------------

    def _likeliest(self, wish: Wish) -> list[tuple[str, str]]:
        """The steps that may be meant, by what is named and what was talked about last."""
        steps = [it for it in wish.steps if self._is_evident(it[0], wish)]
        for closer in (self._names_entity, self._names_kind, self._is_recent, self._is_open):
            if len({domain for domain, _ in steps}) > 1:
                steps = [it for it in steps if closer(it[0], wish)] or steps
        if len(steps) > 1:
            steps = [it for it in steps if self._is_available(*it, wish)] or steps
        return steps

    def _is_evident(self, domain: str, wish: Wish) -> bool:
        """Whether a word as general as "cancel" speaks of this domain: something of it is named or open."""
        said = wish.span.cut(self.heard.text)
        telling = len(said) > 2 if not said.isascii() else len(said.split()) > 1
        return (
            telling
            or self._names_kind(domain, wish)
            or self._names_entity(domain, wish)
            or bool(self.situation.recent(domain) or self.situation.open_ones(domain))
        )

    def _names_kind(self, domain: str, wish: Wish) -> bool:
        return self.situation.vocabularies[domain].names_in(wish.part.cut(self.heard.text))

    def _names_entity(self, domain: str, wish: Wish) -> bool:
        return bool(mentions_in(self.situation.vocabularies[domain], wish.part.cut(self.heard.text)))

    def _is_recent(self, domain: str, wish: Wish) -> bool:
        del wish
        last = self.situation.last_row()
        return last is not None and last.domain == domain

    def _is_open(self, domain: str, wish: Wish) -> bool:
        del wish
        return bool(self.situation.open_ones(domain))

    def _is_available(self, domain: str, transition: str, wish: Wish) -> bool:
        entities = self.meant(domain, wish).entities
        states = [self.situation.view(domain, entity).state for entity in entities]
        return all(state in self.domain(domain).transitions[transition].sources for state in states)

    def domain(self, name: str) -> Domain:
        """The domain of that id."""
        return self.situation.vocabularies[name].domain

    def meant(self, domain: str, wish: Wish) -> Chosen:
        """The entities that a wish is about."""
        vocabulary = self.situation.vocabularies[domain]
        everywhere = mentions_in(vocabulary, self.heard.text)
        mentions = _nearest(everywhere, wish) or (everywhere if len(everywhere) == 1 else [])
        recent, open_ones = self.situation.recent(domain), self.situation.open_ones(domain)
        return chosen(vocabulary, self.heard.text, mentions, recent, open_ones)

    def _wishes_slots(self, domain: str, transition: str, wish: Wish) -> tuple[Filled, ...]:
        step = self.domain(domain).transitions[transition]
        vocabulary = self.situation.vocabularies[domain]
        within = said_of(vocabulary, self.heard, step.fills, wish.part)
        elsewhere = said_of(vocabulary, self.heard, step.fills)
        return tuple({it.slot: it for it in (*elsewhere, *within)}.values())

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
        said = {it.slot: it for it in (*given, *self._wishes_slots(domain, transition, wish), *knowledge)}
        if self._restores(step, said, view):
            return self._taken(view, [row.number for row in view.changes], wish, whole=True)
        if wish.force == "firm":
            said |= {
                it.slot: it for it in _remembered(view, transition) if it.slot in step.requires and it.slot not in said
            }
        said |= {name: Filled(name, value) for name, value in step.sets.items() if name not in said}
        values = view.values | {name: it.value for name, it in said.items()}
        base = Outcome(
            "step",
            domain,
            entity,
            transition,
            view.state,
            view.state,
            self.quote(wish.span),
            slots=tuple(said.values()),
            renames=renames,
        )
        if self._is_nothing_new(view, step, wish, said):
            return []
        return [self._tried(base, view, step, wish, values)]

    def _restores(self, step: Transition, said: Mapping[str, Filled], view: View) -> bool:
        """Whether the step would only bring back the values of the plan as it was."""
        wanted = [it for name, it in said.items() if name in step.fills and not it.kept]
        defaults = view.domain.defaults
        return bool(wanted and view.changes) and all(defaults.get(it.slot) == it.value for it in wanted)

    def _is_nothing_new(self, view: View, step: Transition, wish: Wish, said: Mapping[str, Filled]) -> bool:
        if view.state != step.to or view.domain.states[step.to].initial:
            return False
        news = {name: it.value for name, it in said.items() if view.values.get(name) != it.value}
        settled = not view.standing.tentative or wish.force == "asked"
        return settled and not news and not view.domain.states[step.to].untouched

    def _tried(self, base: Outcome, view: View, step: Transition, wish: Wish, values: Mapping[str, str]) -> Outcome:
        move = self._machines[base.domain].take(step.id, view.state, values)
        verdict = self._verdict(view, move.guard, values)
        if move.to is None:
            return replace(base, kind="refused", guard=verdict, reply=verdict.why if verdict else None)
        asked = wish.force == "asked"
        missing = next((name for name in step.requires if name not in values or name not in self._said(base)), None)
        if missing is not None and not asked:
            return asking(base, Ask("slot", (missing,)))
        condition = move.guard.condition
        if move.guard.holds == "unknown" and condition is not None and condition.unknown == "ask" and not asked:
            question = self._rendered(view, condition.question, values)
            return asking(replace(base, guard=verdict), Ask("slot", (condition.slot,), question))
        todo = None if asked else self._rendered(view, view.domain.states[move.to].todo, values)
        done = replace(base, to_state=move.to, tentative=asked, guard=verdict, todo=todo)
        self.situation.foresee(view.moved(move.to, {it.slot: it for it in base.slots}, tentative=asked))
        return done

    @staticmethod
    def _said(base: Outcome) -> set[str]:
        return {it.slot for it in base.slots}

    def _verdict(self, view: View, judged: Judged, values: Mapping[str, str]) -> Verdict | None:
        condition = judged.condition
        if condition is None:
            return None
        why = {"no": condition.refusal, "unknown": condition.caveat, "yes": None}[judged.holds]
        others = self._machines[view.domain.id].allowed(view.state, values) if judged.holds == "no" else []
        shown = {} if judged.value is None else {"value": judged.value}
        return Verdict(
            judged.holds,
            condition.slot,
            judged.value,
            None if why is None else self._worded(view, why, values, condition.slot, shown.get("value")),
            tuple(others),
        )

    def _worded(self, view: View, text: Text, values: Mapping[str, str], slot: str, value: str | None) -> Text:
        """A sentence of a guard, in which ``{value}`` stands for what is known of its slot."""
        words = view.domain.slots[slot]
        english = words.word(value, "en") if value else "…"
        chinese = words.word(value, "zh") if value else "…"
        marked = Text(text.en.replace("{value}", english), text.zh.replace("{value}", chinese))
        return view.domain.rendered(marked, view.entity, values)

    @staticmethod
    def _rendered(view: View, text: Text | None, values: Mapping[str, str]) -> Text | None:
        return None if text is None else view.domain.rendered(text, view.entity, values)

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

    def _withdrawn(self, wish: Wish, steps: Sequence[tuple[str, str]]) -> list[Outcome]:
        """A step that is not wanted, or not any more, is taken back where it was taken."""
        for domain, transition in steps:
            for entity in self.meant(domain, wish).entities:
                view = self.situation.view(domain, entity)
                taken = [row for row in view.changes if row.transition == transition]
                if taken:
                    return self._taken(view, [taken[-1].number], wish)
        return []

    def take_back(self, domain: str, entity: str, wish: Wish) -> list[Outcome]:
        """Take back what was done with one entity."""
        view = self.situation.view(domain, entity)
        return self._taken(view, self._to_take_back(view, wish), wish, whole=wish.kind == "restore")

    def _back(self, wish: Wish) -> list[Outcome]:
        views = [view for view in self._reachable(wish) if self._to_take_back(view, wish)]
        if not views:
            return []
        here = [view for view in views if view.intent and view.intent.session_id == self.situation.turn.session_id]
        if not here and len(views) > 1:
            asked = Outcome("asked", views[0].domain.id, "", wish.kind, trigger=self.quote(wish.span))
            return [asking(asked, Ask("entity", tuple(view.entity for view in reversed(views))))]
        view = max(here or views, key=_last_number)
        return self._taken(view, self._to_take_back(view, wish), wish, whole=wish.kind == "restore")

    def _reachable(self, wish: Wish) -> list[View]:
        """The intents that the sentence may speak of: those that it names, by name or by kind, else all."""
        views = self.situation.views()
        domains = {view.domain.id for view in views}
        named = {
            (domain, it.entity)
            for domain in domains
            for it in mentions_in(self.situation.vocabularies[domain], self.heard.text)
        }
        of_name = [view for view in views if (view.domain.id, view.entity) in named]
        if named:
            return of_name
        of_kind = {domain for domain in domains if self._names_kind(domain, wish)}
        return [view for view in views if view.domain.id in of_kind] or views

    @staticmethod
    def _to_take_back(view: View, wish: Wish) -> list[int]:
        if wish.kind == "restore":
            return [row.number for row in view.changes]
        last = view.last_move()
        if last is None or (wish.kind == "redo" and last.kind != "undone"):
            return []
        return [last.number]

    def _taken(self, view: View, numbers: Sequence[int], wish: Wish, *, whole: bool = False) -> list[Outcome]:
        if not numbers:
            return []
        after = view.without(numbers)
        taken: Sequence[StepRow] = [row for row in view.rows if row.number in set(numbers)]
        again = all(row.kind == "undone" for row in taken)
        values = {name: it.value for name, it in after.slots.items()}
        untouched = not again and view.domain.states[after.state].untouched
        outcome = Outcome(
            kind="redone" if again else "undone",
            domain=view.domain.id,
            entity=view.entity,
            from_state=view.state,
            to_state=after.state,
            trigger=self.quote(wish.span),
            tentative=after.tentative,
            steps=tuple(numbers),
            restored=values,
            whole=whole,
            reply=view.domain.rendered(view.domain.restored, view.entity, values) if whole or untouched else None,
        )
        self.situation.foresee(replace(view, standing=after))
        return [outcome]

    # --- how things are ----------------------------------------------------------------------------------------------

    def _noted(self, told: Sequence[Outcome]) -> list[Outcome]:
        """What the turn states of how things are, where no step of the same domain has taken it along."""
        found = []
        spoken = {(it.domain, slot.slot) for it in told for slot in it.slots}
        for name, vocabulary in self.situation.vocabularies.items():
            for filled in knowledge_in(vocabulary, self.heard):
                if (name, filled.slot) not in spoken:
                    found += self._note(name, filled)
        return found

    def _note(self, domain: str, filled: Filled) -> list[Outcome]:
        span = Span(filled.start, filled.end)
        part = next((it.span for it in self.heard.sentences if it.span.start <= span.start < it.span.end), span)
        wish = Wish("step", span, part)
        if not self._is_evident(domain, replace(wish, span=Span(span.start, span.start + 1))):
            return []
        entities = self.meant(domain, wish).entities
        return [
            Outcome("noted", domain, entity, "", view.state, view.state, self.quote(span), slots=(filled,))
            for entity in entities
            if (view := self.situation.view(domain, entity)).values.get(filled.slot) != filled.value
        ]

    def quote(self, span: Span) -> Quote:
        """The words at a span, as the turn has them."""
        return Quote(span.start, span.end, span.cut(self.heard.turn.text))


def _remembered(view: View, transition: str) -> tuple[Filled, ...]:
    """What the last step of that kind said, though it was taken back: "no, do change it after all"."""
    return next((row.slots for row in reversed(view.rows) if row.kind == "step" and row.transition == transition), ())


def _last_number(view: View) -> int:
    return view.rows[-1].number if view.rows else 0


def _nearest(mentions: Sequence[Mention], wish: Wish) -> list[Mention]:
    """The entities named in the part of the sentence that belongs to the wish."""
    return [it for it in mentions if wish.part.start <= it.span.start < wish.part.end]
