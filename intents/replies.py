"""What is said about errands: a step that was taken, refused, taken back or asked about, and how far an errand is.

Every reply is made of the user's own words, quoted with their turns, and of names that the domain file gives; what does
not pass ``attesting`` is not said.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ..memory.grounding.quoting import Quotation, shown
from ..memory.language.folding import CJK
from ..memory.records import Answer, Citation, Item, Language, Span, Turn
from ..memory.storage.intents import Filled, StepRow
from .attesting import attest
from .domains import Domain, Domains, Text
from .inquiries import Inquiry
from .outcomes import Ask, Outcome
from .records import Records, quoted

Render = Callable[..., str]
"""Renders the template ``intent_reply`` in the answer's language."""
Shown = dict[str, object]

_NUMBER_THEN_WORDS = re.compile(rf"(#[\w-]+?)(?=[{CJK}])")
_MOST_ENTRIES = 3
_MOST_BACK = 3
_MOST_PAST = 5
_MOST_TODOS = 8


@dataclass(slots=True)
class Wording:
    """One reply in the making: what may be said, and what is quoted for it."""

    language: Language
    domains: Domains
    records: Records
    cited: list[Quotation] = field(default_factory=list)
    recorded: set[str] = field(default_factory=set)
    """What the machine recorded, as it is worded."""

    def say(self, text: Text | str | None) -> str:
        """A text of the domain in the reply's language."""
        words = text.read(self.language) if isinstance(text, Text) else text or ""
        words = _NUMBER_THEN_WORDS.sub(r"\1 ", words)
        self.recorded.add(words)
        return words

    def sentence(self, text: Text | str | None) -> str:
        """A text of the domain that stands by itself."""
        words = self.say(text)
        return words[:1].upper() + words[1:]

    def quote(self, one: Quotation | None) -> Shown | None:
        """A quotation as the template shows it."""
        if one is None:
            return None
        self.cited.append(one)
        words = shown(one)
        self.recorded.add(str(words["date"]))
        return words

    def about(self, domain: Domain, entity: str) -> str:
        """What an errand is about."""
        return self.say(domain.entity_label(entity or domain.kind, self.language))

    def opening(self, domain: Domain, entity: str) -> str:
        """The same at the beginning of a sentence."""
        return self.sentence(domain.entity_label(entity or domain.kind, self.language))

    def slots(self, domain: Domain, some: Sequence[Filled]) -> list[Shown]:
        """What is known, each by its title."""
        known = [(domain.slots[one.slot], one) for one in some if one.slot in domain.slots]
        return [
            {"title": self.say(slot.title), "value": self.say(_value(domain, one, self.language))}
            for slot, one in known
        ]

    def todos(self, some: Sequence[Item], *, beside: Quotation | None = None) -> list[Shown]:
        """What is to be done, in the domain's words, and in the user's unless ``beside`` quotes them already."""
        found = []
        for item in some:
            turn = self.records.turns.get(item.turn)
            words = self.quote(Quotation(turn, item.quote_span, (item.number,))) if turn is not None else None
            if words is not None:
                text = self.say(self.records.todo(item.number))
                again = bool(text) and beside is not None and beside.turn.number == item.turn
                found.append(words | {"text": text, "again": again})
        return found

    def fact(self, domain: Domain, item: Item) -> Shown:
        """What was held of an errand."""
        slot, turn = domain.slots.get(item.attribute), self.records.turns.get(item.turn)
        if turn is not None:
            self.cited.append(Quotation(turn, item.quote_span, (item.number,)))
        title = self.say(slot.title if slot else item.attribute.replace("_", " "))
        return {"title": title, "value": self.say(item.value), "id": f"t{item.turn}"}

    def answer(
        self, render: Render, reply: str, entries: Sequence[Shown], todos: Sequence[Shown] = ()
    ) -> Answer | None:
        """The reply with its claims, if all of them are borne out."""
        text = render(reply=reply, entries=entries, todos=todos)
        turns = {one.turn.number: one.turn for one in self.cited}
        claims = attest(text, turns, self.recorded)
        if any(claim.verdict != "supported" for claim in claims):
            return None
        citations: dict[str, Citation] = {}
        for one in self.cited:
            citations.setdefault(one.turn.id, one.citation)
        return Answer(text, False, "floor", tuple(claims), tuple(citations.values()))


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
    entries = [_entry(one, turn, wording) for one in outcomes[:_MOST_ENTRIES] if one.domain in domains.by_id]
    return wording.answer(render, "settled", entries) if entries else None


def to_inquiry(
    inquiry: Inquiry, language: Language, domains: Domains, records: Records, render: Render
) -> Answer | None:
    """Answer a question about errands from their record; ``None`` where it holds no answer."""
    wording = Wording(language, domains, records)
    if inquiry.kind == "todos":
        return wording.answer(render, "todos", [], wording.todos(records.todos[:_MOST_TODOS]))
    if inquiry.kind == "said":
        every = records.steps()
        steps = [every[number] for number in inquiry.steps if number in every]
        entries = [_step(step, wording) for step in steps]
    elif inquiry.kind == "past":
        entries = [_step(step, wording) for step in _past(inquiry, records)]
    else:
        entries = [_standing(number, wording) for number in inquiry.intents if number in records.intents]
    told = [entry for entry in entries if entry.get("said") or inquiry.kind == "state"][-_MOST_PAST:]
    return wording.answer(render, inquiry.kind, told) if told else None


def _entry(outcome: Outcome, turn: Turn | None, wording: Wording) -> Shown:
    domain = wording.domains.by_id[outcome.domain]
    state = domain.states.get(outcome.to_state)
    trigger = outcome.trigger
    said = quoted(turn, Span(trigger.start, trigger.end)) if turn is not None and trigger is not None else None
    records, items = wording.records, wording.records.items
    left = [item for number, item in items.items() if number == outcome.left]
    gone = [items[number] for number in outcome.retracted if number in items]
    kind: str = outcome.kind if turn is not None or outcome.kind in {"asked", "refused"} else "planned"
    return {
        "kind": kind,
        "about": wording.about(domain, outcome.entity),
        "about_first": wording.opening(domain, outcome.entity),
        "step": wording.say(state.title) if state else "",
        "tentative": outcome.tentative,
        # What is refused is not repeated: the words that it rests on are quoted.
        "said": wording.quote(said) if outcome.kind not in {"refused", "asked"} else None,
        "slots": wording.slots(domain, _changed(outcome)),
        "restored": wording.sentence(outcome.reply)
        if outcome.kind == "undone" and _is_as_it_was(outcome, records)
        else "",
        "ask": outcome.asks.about if outcome.asks else "",
        "question": wording.say(outcome.asks.question) if outcome.asks else "",
        "options": _options(domain, outcome.asks, wording),
        "noun": wording.say(domain.names[wording.language][0]),
        "back": [words for step in _back(outcome, records) if (words := wording.quote(records.said(step)))],
        "todos": wording.todos([item for item in left if item.live], beside=said),
        "gone": wording.todos([item for item in gone if item.kind == "todo"]),
        "retracted": [wording.fact(domain, item) for item in gone if item.kind != "todo"],
        **_guard(outcome, domain, wording),
    }


def _changed(outcome: Outcome) -> list[Filled]:
    """What a turn says of slots, or how they are again."""
    if outcome.restored:
        return [Filled(name, value) for name, value in outcome.restored.items()]
    return list(outcome.slots)


def _guard(outcome: Outcome, domain: Domain, wording: Wording) -> Shown:
    """What the guard said, the words that it rests on, and what is possible instead."""
    guard, records = outcome.guard, wording.records
    # What is allowed and known to be needs no words.
    if (
        guard is None
        or outcome.kind not in {"refused", "step"}
        or (outcome.kind == "step" and guard.holds != "unknown")
    ):
        why = wording.sentence(outcome.reply) if outcome.kind == "refused" else ""
        return {"why": why, "because": None, "instead": []}
    intent = records.intent_of(outcome.domain, outcome.entity)
    known = records.known(intent).get(guard.slot) if intent is not None and guard.value is not None else None
    return {
        "why": wording.sentence(guard.why or outcome.reply),
        "because": wording.quote(records.told(known)) if known is not None and outcome.kind == "refused" else None,
        "instead": _titles([f"{domain.id}.{one}" for one in guard.alternatives if not _looks(domain, one)], wording),
    }


def _looks(domain: Domain, transition: str) -> bool:
    """Whether a step changes nothing: it is no alternative to what was refused."""
    step = domain.transitions.get(transition)
    return step is not None and domain.states[step.to].untouched


def _is_as_it_was(outcome: Outcome, records: Records) -> bool:
    """Whether what was taken back had changed the plan as it was, so that it may be said to be restored."""
    intent = records.intent_of(outcome.domain, outcome.entity)
    defaults = records.intents[intent].defaults if intent is not None else {}
    changed = {one.slot for step in _back(outcome, records) for one in step.slots}
    return outcome.whole or bool(changed & set(defaults))


def _back(outcome: Outcome, records: Records) -> list[StepRow]:
    """The steps that an outcome took back, or that hold again because of it."""
    every = records.steps()
    taken = [every[number] for number in outcome.steps if number in every]
    if outcome.kind == "redone":
        taken = [every[number] for row in taken for number in row.undoes if number in every]
    return [step for step in taken if step.kind == "step"][-_MOST_BACK:]


def _options(domain: Domain, ask: Ask | None, wording: Wording) -> list[str]:
    """What is to be chosen from, each by its short name."""
    if ask is None or ask.about == "slot":
        titles = [domain.slots[one].title for one in (ask.candidates if ask else ()) if one in domain.slots]
        return [wording.say(title) for title in titles]
    if ask.about == "transition":
        return _titles(ask.candidates, wording)
    names = [domain.entity_label(one, wording.language) for one in ask.candidates]
    # "#12345" says enough where the question names the kind.
    return [wording.say(f"#{name.rpartition('#')[2]}" if "#" in name else name) for name in names]


def _titles(steps: Sequence[str], wording: Wording) -> list[str]:
    """What steps are called, of ids such as ``orders.cancel``."""
    found = []
    for domain, _, name in (one.rpartition(".") for one in steps):
        if domain in wording.domains.by_id and name in wording.domains.by_id[domain].transitions:
            found.append(wording.say(wording.domains.by_id[domain].transitions[name].title))
    return found


def _step(step: StepRow, wording: Wording) -> Shown:
    """A step of the past, with what took it back."""
    records, domain = wording.records, wording.domains.by_id[step.domain]
    intent = records.intents.get(step.intent) if step.intent is not None else None
    entity = intent.entity if intent else domain.kind
    by = records.undone().get(step.number)
    state = domain.states.get(step.to_state)
    return {
        "about": wording.about(domain, entity),
        "about_first": wording.opening(domain, entity),
        "step": wording.say(state.title) if state else "",
        "slots": wording.slots(domain, step.slots),
        "tentative": step.tentative,
        "said": wording.quote(records.said(step)),
        "by": wording.quote(records.said(by)) if by is not None else None,
    }


def _past(inquiry: Inquiry, records: Records) -> list[StepRow]:
    """What was wanted before what is wanted now, oldest first; all of it where nothing came after."""
    found: list[StepRow] = []
    gone = records.undone()
    for number in inquiry.intents:
        steps = [step for step in records.history.get(number, ()) if step.kind == "step"]
        live = [step.number for step in steps if step.number not in gone]
        found += [step for step in steps if step.number not in live[-1:]] or steps
    return found[-_MOST_PAST:]


def _standing(number: int, wording: Wording) -> Shown:
    """How far an errand is: the step that holds, what is known, what was taken back, what is to be done."""
    records = wording.records
    row, steps = records.intents[number], records.history[number]
    domain, gone = wording.domains.by_id[row.domain], records.undone()
    live = [step for step in steps if step.kind == "step" and step.number not in gone]
    state = domain.states.get(row.state)
    back = [step for step in steps if step.kind == "step" and step.number in gone]
    said = {slot: one for slot, one in records.known(number).items() if one.turn is not None or back}
    left = {item for step in steps for item in step.left.values()}
    return {
        "about_first": wording.opening(domain, row.entity),
        "step": wording.say(state.title) if state else row.state,
        "slots": wording.slots(domain, list(said.values())),
        "tentative": bool(live and live[-1].tentative),
        "said": wording.quote(records.said(live[-1])) if live else None,
        "back": [
            words | {"by": by}
            for step in back[-_MOST_BACK:]
            if (words := wording.quote(records.said(step))) and (by := wording.quote(records.said(gone[step.number])))
        ],
        "todos": wording.todos(
            [item for item in records.todos if item.number in left], beside=records.said(live[-1]) if live else None
        ),
    }


def _value(domain: Domain, one: Filled, language: Language) -> str:
    """A value as the domain words it, or else as it was said."""
    slot = domain.slots[one.slot]
    return slot.word(one.value, language) if one.value in slot.values or not one.quote else one.quote
