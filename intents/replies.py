"""What is said of what a turn did to errands: a step that was taken, refused, taken back, noted or asked about.

A reply is made of the user's own words, quoted with their turns, and of names that the domain file gives; what does not
pass ``attesting`` is not said.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from ..memory.grounding.quoting import Quotation
from ..memory.records import Answer, Item, Language, Span, Turn
from ..memory.storage.intents import Filled, StepRow
from .domains import Domain, Domains
from .outcomes import Outcome
from .records import Records, quoted
from .wording import Render, Shown, Wording

_MOST_ENTRIES = 3
_MOST_BACK = 3
_WITHOUT_WORDS = frozenset({"refused", "asked"})
"""What is refused is not repeated: the words that it rests on are quoted."""


def to_outcomes(
    outcomes: Sequence[Outcome],
    turn: Turn | None,
    language: Language,
    domains: Domains,
    records: Records,
    render: Render,
) -> Answer | None:
    """Say what a turn did to errands; ``None`` where that cannot be said.

    Args:
        outcomes: as they were settled.
        turn: the recorded turn; ``None`` where nothing is recorded, and the outcomes are what would be done.
        language: to answer in.
        domains: the names of things.
        records: of the errands concerned.
        render: the template.
    """
    wording = Wording(language, domains, records)
    known = [one for one in outcomes if one.domain in domains.by_id][:_MOST_ENTRIES]
    entries = [_Moved(one, turn, wording).entry() for one in known]
    return wording.answer(render, "settled", entries) if entries else None


@dataclass(frozen=True, slots=True)
class _Moved:
    """One outcome, and how it is told."""

    outcome: Outcome
    turn: Turn | None
    wording: Wording

    @property
    def domain(self) -> Domain:
        return self.wording.domains.by_id[self.outcome.domain]

    def entry(self) -> Shown:
        outcome, wording = self.outcome, self.wording
        said = self.said()
        return {
            "kind": self.kind(),
            **wording.about(self.domain, outcome.entity),
            "step": wording.state(self.domain, outcome.to_state),
            "tentative": outcome.tentative,
            "said": None if outcome.kind in _WITHOUT_WORDS else wording.quote(said),
            "slots": wording.slots(self.domain, self.changed()),
            "restored": wording.sentence(outcome.reply) if self.is_as_it_was() else "",
            "back": wording.quotes(self.back()),
            "todos": wording.todos([item for item in self.items(outcome.left) if item.live], beside=said),
            **self.gone(),
            **self.guarded(),
            **self.asking(),
        }

    def kind(self) -> str:
        told = self.turn is not None or self.outcome.kind in _WITHOUT_WORDS
        return self.outcome.kind if told else "planned"

    def said(self) -> Quotation | None:
        trigger = self.outcome.trigger
        if self.turn is None or trigger is None:
            return None
        return quoted(self.turn, Span(trigger.start, trigger.end))

    def items(self, *numbers: int | None) -> list[Item]:
        known = self.wording.records.items
        return [known[number] for number in numbers if number is not None and number in known]

    def changed(self) -> list[Filled]:
        """What the turn says of slots, or how they are again."""
        restored = self.outcome.restored
        return [Filled(name, value) for name, value in restored.items()] if restored else list(self.outcome.slots)

    def gone(self) -> Shown:
        """What is not to be done, and not held, any more."""
        items = self.items(*self.outcome.retracted)
        return {
            "gone": self.wording.todos([item for item in items if item.kind == "todo"]),
            "retracted": [self.wording.fact(self.domain, item) for item in items if item.kind != "todo"],
        }

    def back(self) -> list[StepRow]:
        """The steps that were taken back, or that hold again."""
        every = self.wording.records.steps()
        taken = [every[number] for number in self.outcome.steps if number in every]
        if self.outcome.kind == "redone":
            taken = [every[number] for row in taken for number in row.undoes if number in every]
        return [step for step in taken if step.kind == "step"][-_MOST_BACK:]

    def is_as_it_was(self) -> bool:
        """Whether what was taken back had changed the plan as it was, so that it may be said to be restored."""
        if self.outcome.kind != "undone":
            return False
        changed = {one.slot for step in self.back() for one in step.slots}
        return self.outcome.whole or bool(changed & set(self.domain.defaults))

    def guarded(self) -> Shown:
        """What the guard said, the words that it rests on, and what is possible instead."""
        outcome, wording = self.outcome, self.wording
        refused, guard = outcome.kind == "refused", outcome.guard
        # What is allowed, and known to be, needs no words.
        if guard is None or not (refused or (outcome.kind == "step" and guard.holds == "unknown")):
            return {"why": wording.sentence(outcome.reply) if refused else "", "because": None, "instead": []}
        instead = [f"{self.domain.id}.{one}" for one in guard.alternatives if not self.looks(one)]
        return {
            "why": wording.sentence(guard.why or outcome.reply),
            "because": wording.quote(self.reason()) if refused else None,
            "instead": wording.titles(instead),
        }

    def reason(self) -> Quotation | None:
        """The words that say what the guard refuses."""
        guard, records = self.outcome.guard, self.wording.records
        intent = records.intent_of(self.outcome.domain, self.outcome.entity)
        if guard is None or guard.value is None or intent is None:
            return None
        known = records.known(intent).get(guard.slot)
        return None if known is None else records.told(known)

    def looks(self, transition: str) -> bool:
        """Whether a step changes nothing: it is no alternative to what was refused."""
        step = self.domain.transitions.get(transition)
        return step is not None and self.domain.states[step.to].untouched

    def asking(self) -> Shown:
        """What is asked, with what is to be chosen from."""
        asks, wording = self.outcome.asks, self.wording
        noun = wording.say(self.domain.names[wording.language][0])
        if asks is None:
            return {"ask": "", "question": "", "options": [], "noun": noun}
        options = {"entity": self.entities, "slot": self.slots, "transition": wording.titles}[asks.about]
        return {
            "ask": asks.about,
            "question": wording.say(asks.question),
            "options": options(asks.candidates),
            "noun": noun,
        }

    def slots(self, names: Sequence[str]) -> list[str]:
        return [self.wording.say(self.domain.slots[one].title) for one in names if one in self.domain.slots]

    def entities(self, candidates: Sequence[str]) -> list[str]:
        names = [self.domain.entity_label(one, self.wording.language) for one in candidates]
        # "#12345" says enough where the question names the kind.
        return [self.wording.say(f"#{name.rpartition('#')[2]}" if "#" in name else name) for name in names]
