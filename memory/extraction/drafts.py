"""A proposal in the making: what a clause says, before it is known what it changes."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Literal

from ..language.lexicon import is_single_valued
from ..records import ItemKind, Polarity, Proposal, Span
from .quoting import Quoted
from .reading import Clause, Reading

MOVED = "date"
"""The attribute of what is moved to another time, unless it is known under a name of its own ("deadline")."""
Modality = Literal["asserted", "intended", "possible"]


@dataclass(frozen=True, slots=True)
class Draft:
    """What one clause states."""

    clause: Clause
    entity: str | None
    """``None`` where the clause names an attribute but nobody whose it is."""
    attribute: str
    value: Quoted
    kind: ItemKind = "fact"
    polarity: Polarity = "positive"
    modality: Modality = "asserted"
    functional: bool = False
    """Whether it has one value at a time, so that words of change replace it even if the lexicon does not say so."""
    old: str = ""
    """The value that it replaces, where the clause names it (folded)."""
    changes: bool = False
    """Whether the clause itself tells of a change ("moved to")."""
    past: bool = False
    """Whether it tells of the past and may no longer hold."""
    theirs: bool = False
    """Whether others did it to what is of their own life, though nobody is named for it ("they moved the wedding")."""
    valid_from: datetime | None = None
    due_at: datetime | None = None
    confidence: float = 1.0

    @property
    def single(self) -> bool:
        """Whether one value of the attribute replaces another by itself."""
        return self.kind in {"fact", "choice"} and self.modality == "asserted" and is_single_valued(self.attribute)


def propose(draft: Draft, reading: Reading) -> Proposal:
    """The proposal that a draft amounts to; a draft about nobody in particular is the speaker's."""
    value = draft.value
    quote_span = Span(min(draft.clause.span.start, value.span.start), max(draft.clause.span.end, value.span.end))
    lead = len(quote_span.cut(reading.words)) - len(quote_span.cut(reading.words).lstrip())
    quote_span = Span(quote_span.start + lead, quote_span.end)
    return Proposal(
        kind=draft.kind,
        entity=draft.entity or reading.speaker,
        attribute=draft.attribute,
        value=reading.original(value.span),
        value_span=value.span,
        quote_span=quote_span,
        normal=value.normal,
        value_type=value.value_type,
        unit=value.unit,
        polarity=draft.polarity,
        single_valued=draft.single and draft.polarity == "positive",
        modality=draft.modality,
        valid_from=draft.valid_from,
        due_at=draft.due_at,
        confidence=draft.confidence,
    )


def with_value(draft: Draft, value: Quoted) -> Draft:
    """The same statement of another value (of a list)."""
    return replace(draft, value=value)
