"""A domain as the engine reads it: frozen values, made from a checked document."""

import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass

from ..memory.records import Language
from .document import ConditionPart, DomainPart, PhrasesPart, SlotPart, StatePart, TextPart, TransitionPart

NOTHING: Mapping[Language, tuple[str, ...]] = {"en": (), "zh": ()}
Phrases = Mapping[Language, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Text:
    """A text in both languages."""

    en: str
    zh: str

    def read(self, language: Language) -> str:
        """The text in a language."""
        return self.zh if language == "zh" else self.en

    def filled(self, english: Mapping[str, str], chinese: Mapping[str, str]) -> "Text":
        """The text with the words in braces replaced."""
        return Text(self.en.format_map(english), self.zh.format_map(chinese))


@dataclass(frozen=True, slots=True)
class Slot:
    """Something to be known. See ``document.SlotPart``."""

    id: str
    title: Text
    values: Mapping[str, Phrases]
    kind: str | None
    patterns: Phrases
    initial: str | None
    knowledge: bool
    facts: tuple[str, ...]

    def word(self, value: str, language: Language) -> str:
        """What a value is called; a moment is a date, with the time of day where there is one."""
        if self.kind == "moment" and value:
            date, _, time = value.partition("T")
            return date if time.startswith("00:00") else f"{date} {time[:5]}"
        forms = self.values.get(value, NOTHING)[language]
        return forms[0] if forms else value


@dataclass(frozen=True, slots=True)
class State:
    """Where one may be. See ``document.StatePart``."""

    id: str
    title: Text
    initial: bool
    untouched: bool
    final: bool
    closes: bool
    todo: Text | None
    voids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition on a slot. See ``document.ConditionPart``."""

    slot: str
    allowed: frozenset[str] | None
    refused: frozenset[str]
    unknown: str
    refusal: Text
    question: Text | None
    caveat: Text | None


@dataclass(frozen=True, slots=True)
class Transition:
    """A step. See ``document.TransitionPart``."""

    id: str
    title: Text
    sources: frozenset[str]
    to: str
    triggers: Phrases
    examples: Phrases
    requires: tuple[str, ...]
    fills: tuple[str, ...]
    """Every slot that its words may fill, the required ones first."""
    sets: Mapping[str, str]
    guard: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Domain:
    """States, the steps between them, and how they are spoken of."""

    id: str
    title: Text
    offers: bool
    kind: str
    names: Phrases
    label: Text | None
    numbered: bool
    patterns: Phrases
    slots: Mapping[str, Slot]
    states: Mapping[str, State]
    transitions: Mapping[str, Transition]
    restored: Text

    @property
    def initial(self) -> str:
        """The state before anything was said."""
        return next(state.id for state in self.states.values() if state.initial)

    @property
    def defaults(self) -> dict[str, str]:
        """The slots as they are in the plan as it was."""
        return {slot.id: slot.initial for slot in self.slots.values() if slot.initial is not None}

    def entity_label(self, entity: str, language: Language) -> str:
        """What an entity is called: ``order:12345`` is "order #12345"."""
        _, colon, name = entity.partition(":")
        called = (self.names[language] or (self.kind,))[0]
        mark = "#" if self.numbered else ""
        if not colon:
            return f"{'' if language == 'zh' else 'the '}{called}"
        shown = name.upper() if self.numbered or len(name) == 1 else name.replace("_", " ")
        if self.label is not None:
            return self.label.read(language).format(name=shown)
        return f"{called} {mark}{shown}"

    def rendered(self, text: Text, entity: str, slots: Mapping[str, str], **more: str) -> Text:
        """A text of the domain with the entity, the slots and ``more`` in their places.

        A part in square brackets is left out where a slot in it is not known, or is as in the plan as it was.
        """
        said = {name for name, value in slots.items() if value != self.defaults.get(name)}
        text = Text(_with_parts(text.en, said), _with_parts(text.zh, said))
        words: dict[Language, dict[str, str]] = {}
        languages: tuple[Language, ...] = ("en", "zh")
        for language in languages:
            shown = dict.fromkeys(self.slots, "…")
            shown |= {name: self.slots[name].word(value, language) for name, value in slots.items()}
            words[language] = shown | more | {"entity": self.entity_label(entity, language)}
        return text.filled(words["en"], words["zh"])


@dataclass(frozen=True, slots=True)
class Domains:
    """The domains that are known, by id."""

    by_id: Mapping[str, Domain]

    def __iter__(self) -> Iterator[Domain]:
        return iter(self.by_id.values())

    def __len__(self) -> int:
        return len(self.by_id)


def domain_of(part: DomainPart) -> Domain:
    """The domain that a document of the right form describes; ``checking`` says whether it makes sense."""
    return Domain(
        id=part.domain,
        title=_text(part.title),
        offers=part.offers,
        kind=part.entity.kind,
        names=_phrases(part.entity.names),
        label=_text(part.entity.label) if part.entity.label else None,
        numbered=part.entity.numbered,
        patterns=_phrases(part.entity.patterns),
        slots={name: _slot(name, slot) for name, slot in part.slots.items()},
        states={name: _state(name, state, part) for name, state in part.states.items()},
        transitions={name: _transition(name, it, part) for name, it in part.transitions.items()},
        restored=_text(part.restored),
    )


def _with_parts(text: str, said: Collection[str]) -> str:
    def kept(match: re.Match[str]) -> str:
        named = re.findall(r"\{(\w+)\}", match[1])
        return match[1] if all(name in said for name in named) else ""

    return re.sub(r"\[([^\[\]]*)\]", kept, text)


def _text(part: TextPart) -> Text:
    return Text(part.en, part.zh)


def _phrases(part: PhrasesPart) -> Phrases:
    return {"en": tuple(part.en), "zh": tuple(part.zh)}


def _slot(name: str, part: SlotPart) -> Slot:
    return Slot(
        id=name,
        title=_text(part.title),
        values={value: _phrases(forms) for value, forms in (part.values or {}).items()},
        kind=part.kind,
        patterns=_phrases(part.patterns),
        initial=part.initial,
        knowledge=part.knowledge,
        facts=tuple(part.facts),
    )


def _state(name: str, part: StatePart, domain: DomainPart) -> State:
    return State(
        id=name,
        title=_text(part.title),
        initial=part.initial,
        untouched=part.untouched or part.initial,
        final=part.final,
        closes=part.closes,
        todo=_text(part.todo) if part.todo else None,
        voids=tuple(domain.states) if part.voids == "all" else tuple(part.voids),
    )


def _condition(part: ConditionPart) -> Condition:
    return Condition(
        slot=part.slot,
        allowed=None if part.is_in is None else frozenset(part.is_in),
        refused=frozenset(part.not_in or ()),
        unknown=part.unknown,
        refusal=_text(part.refusal),
        question=_text(part.question) if part.question else None,
        caveat=_text(part.caveat) if part.caveat else None,
    )


def _transition(name: str, part: TransitionPart, domain: DomainPart) -> Transition:
    return Transition(
        id=name,
        title=_text(part.title),
        sources=frozenset(domain.states if part.sources == "any" else part.sources),
        to=part.to,
        triggers=_phrases(part.triggers),
        examples=_phrases(part.examples),
        requires=tuple(part.requires),
        fills=tuple(dict.fromkeys([*part.requires, *part.fills])),
        sets=dict(part.sets),
        guard=tuple(_condition(it) for it in part.guard),
    )
