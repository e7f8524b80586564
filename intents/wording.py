"""A reply about errands in the making: what the machine recorded in a language's words, and the user's own, quoted."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from ..memory.grounding.quoting import Quotation, shown
from ..memory.language.folding import CJK
from ..memory.records import Answer, Citation, Item, Language
from ..memory.storage.intents import Filled, StepRow
from .attesting import attest
from .domains import Domain, Domains, Text
from .records import Records

Render = Callable[..., str]
"""Renders the template ``intent_reply`` in the answer's language."""
Shown = dict[str, object]

_NUMBER_THEN_WORDS = re.compile(rf"(#[\w-]+?)(?=[{CJK}])")


@dataclass(slots=True)
class Wording:
    """One reply: what may be said, and what is quoted for it."""

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

    def quotes(self, steps: Sequence[StepRow]) -> list[Shown]:
        """The words that made some steps."""
        return [words for words in map(self.quote, map(self.records.said, steps)) if words is not None]

    def about(self, domain: Domain, entity: str) -> Shown:
        """What an errand is about, within a sentence and at its beginning."""
        label = domain.entity_label(entity or domain.kind, self.language)
        return {"about": self.say(label), "about_first": self.sentence(label)}

    def state(self, domain: Domain, state: str) -> str:
        """What a state is called."""
        return self.say(domain.states[state].title if state in domain.states else state)

    def slots(self, domain: Domain, some: Sequence[Filled]) -> list[Shown]:
        """What is known, each by its title."""
        known = [one for one in some if one.slot in domain.slots]
        return [{"title": self.say(domain.slots[one.slot].title), "value": self._value(domain, one)} for one in known]

    def titles(self, steps: Sequence[str]) -> list[str]:
        """What steps are called, of ids such as ``orders.cancel``."""
        parts = [one.rpartition(".") for one in steps]
        known = [(self.domains.by_id[domain], name) for domain, _, name in parts if domain in self.domains.by_id]
        return [self.say(domain.transitions[name].title) for domain, name in known if name in domain.transitions]

    def todos(self, some: Sequence[Item], *, beside: Quotation | None = None) -> list[Shown]:
        """What is to be done, in the domain's words, and in the user's unless ``beside`` quotes them already."""
        known = [(item, self.records.turns[item.turn]) for item in some if item.turn in self.records.turns]
        found = []
        for item, turn in known:
            words = self.quote(Quotation(turn, item.quote_span, (item.number,))) or {}
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

    def _value(self, domain: Domain, one: Filled) -> str:
        """A value as the domain words it, or else as it was said."""
        slot = domain.slots[one.slot]
        listed = one.value in slot.values or not one.quote
        return self.say(slot.word(one.value, self.language) if listed else one.quote)
