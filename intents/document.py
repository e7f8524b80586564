"""The form of a domain file: what ``intents/<domain>.yaml`` may say, and the JSON schema that is published of it."""

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field

Name = Annotated[str, Field(pattern=r"^[a-z][a-z0-9]*(_[a-z0-9]+)*$", max_length=64)]
Sentence = Annotated[str, Field(min_length=1)]
Phrase = Annotated[str, Field(min_length=1)]
Kind = Literal[
    "number", "amount", "percent", "date", "time", "identifier", "phone", "email", "quantity", "moment", "text"
]


class _Part(BaseModel):
    model_config = ConfigDict(
        extra="forbid", frozen=True, strict=True, populate_by_name=True, use_attribute_docstrings=True
    )


class TextPart(_Part):
    """A text in both languages."""

    en: Sentence
    zh: Sentence


class PhrasesPart(_Part):
    """Phrases in both languages."""

    en: list[Phrase] = Field(default_factory=list)
    zh: list[Phrase] = Field(default_factory=list)


class EntityPart(_Part):
    """What the domain is about, one intent each: orders, meetings, contracts."""

    kind: Name
    """The first half of the entity's key, as facts have it: ``order`` makes ``order:12345``."""
    names: PhrasesPart
    """What it is called."""
    numbered: bool = True
    """Whether it is told apart by a number or code: ``#12345``, "order A-77"."""
    patterns: PhrasesPart = PhrasesPart()
    """Regular expressions over folded text with a group ``id``, for what is told apart by a name."""
    label: TextPart | None = None
    """What one with a ``{name}`` is called; without it the first of the names, with a mark before a number."""


class SlotPart(_Part):
    """Something to be known: what the user wants, or how things are."""

    title: TextPart
    values: dict[Name, PhrasesPart] | None = None
    """The values that it may have, with the words for each, the first of which is shown. None: any of ``kind``."""
    kind: Kind | None = None
    """What its value is where the values are not listed; ``moment`` is a date or time, resolved."""
    patterns: PhrasesPart = PhrasesPart()
    """Where in a phrase it stands: "ship to {value}"."""
    initial: str | None = None
    """Its value in the plan as it was."""
    knowledge: bool = False
    """It is how things are, not what is wanted: set by any statement, by the host or by a fact, kept when a step is
    taken back."""
    facts: list[Name] = Field(default_factory=list)
    """Attributes of facts about the entity that say it."""


class StatePart(_Part):
    """Where one may be."""

    title: TextPart
    initial: bool = False
    untouched: bool = False
    """Whether the plan is as it was: one has only looked. "Keep the original plan" goes back here."""
    final: bool = False
    """Whether the wish is complete."""
    closes: bool = False
    """Whether nothing is open any more."""
    todo: TextPart | None = None
    """What is left to do, with ``{entity}`` and slots in braces; a part in square brackets is left out where a slot in
    it is not known."""
    voids: list[Name] | Literal["all"] = Field(default_factory=list)
    """States whose todos are void when this one is reached."""


class ConditionPart(_Part):
    """A condition on a slot."""

    slot: Name
    is_in: list[str] | None = Field(None, alias="in")
    """It holds for these values."""
    not_in: list[str] | None = None
    """It holds for all but these."""
    unknown: Literal["allow", "ask"] = "allow"
    """What to do while the value is not known."""
    refusal: TextPart
    """Why not, with ``{entity}``, ``{value}`` and slots in braces."""
    question: TextPart | None = None
    """What is asked while it is not known."""
    caveat: TextPart | None = None
    """What is said when it is allowed without being known."""


class TransitionPart(_Part):
    """A step from one state to another."""

    title: TextPart
    sources: list[Name] | Literal["any"] = Field("any", alias="from")
    to: Name
    triggers: PhrasesPart = PhrasesPart()
    """Phrases that ask for it. ``...`` stands for a few words, ``(a|b)`` for either, ``[a]`` for a word that may be
    missing, ``{slot}`` for any word of the slot's values; what begins with ``^`` only counts where a clause begins."""
    examples: PhrasesPart = PhrasesPart()
    """Whole sentences that ask for it, for comparing by meaning."""
    requires: list[Name] = Field(default_factory=list)
    """Slots without which it is asked first."""
    fills: list[Name] = Field(default_factory=list)
    """Further slots that its words may fill."""
    sets: dict[Name, str] = Field(default_factory=dict)
    """Slots that it sets by itself."""
    guard: list[ConditionPart] = Field(default_factory=list)
    """All must hold."""


class DomainPart(_Part):
    """A domain: states, the steps between them, and how they are spoken of."""

    schema_version: Literal[1]
    domain: Name
    title: TextPart
    offers: bool = False
    """Whether a bare yes to a question of the assistant's that names a step takes it."""
    entity: EntityPart
    slots: dict[Name, SlotPart] = Field(default_factory=dict)
    states: Annotated[dict[Name, StatePart], Field(min_length=1)]
    transitions: Annotated[dict[Name, TransitionPart], Field(min_length=1)]
    restored: TextPart
    """What is said when the plan is as it was again."""


def domain_schema() -> dict[str, Any]:
    """The JSON schema of a domain file, as it is published in ``docs/intents.schema.json``."""
    dialect = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    return dialect | DomainPart.model_json_schema(by_alias=True)
