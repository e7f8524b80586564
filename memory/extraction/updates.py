"""What a statement changes: change, correction and plain assertion told apart, and the live items that they close."""

import re
from dataclasses import replace

from ..records import ChangeKind, Item, Proposal
from .drafts import Draft, propose
from .lookups import Lookups
from .patterns import pattern
from .reading import Reading


def settle(draft: Draft, reading: Reading, lookups: Lookups) -> Proposal | None:
    """The proposal for a draft, with whose it is and what it closes; ``None`` where it only tells of the past."""
    if draft.kind not in {"fact", "choice"}:
        return propose(draft, reading)
    if draft.entity is None:
        draft = replace(draft, entity=_entity(draft, reading, lookups))
    rows = [
        item
        for item in lookups.live.about(draft.entity or reading.speaker, draft.attribute)
        if item.kind == draft.kind and (item.normal, item.polarity) != (draft.value.normal, draft.polarity)
    ]
    if draft.past and rows:
        return None
    proposal = propose(draft, reading)
    if not rows or draft.polarity == "negative":
        return proposal
    action, targets = _closing(draft, rows, reading)
    return replace(proposal, action=action, targets=tuple(item.number for item in targets)) if targets else proposal


def _entity(draft: Draft, reading: Reading, lookups: Lookups) -> str:
    """Whose an attribute is that nobody is named for: that of the talk just before, else the speaker's."""
    for item in lookups.exchange:
        if item.attribute == draft.attribute:
            return item.entity
    if lookups.live.about(reading.speaker, draft.attribute):
        return reading.speaker
    if changes(draft, reading) or corrects(draft, reading):
        entities = {item.entity for item in lookups.live.with_attribute(draft.attribute)}
        if len(entities) == 1:
            return entities.pop()
    return reading.speaker


def _closing(draft: Draft, rows: list[Item], reading: Reading) -> tuple[ChangeKind, list[Item]]:
    named = [item for item in rows if draft.old and _means(draft.old, item)]
    replaced = named or (
        [item for item in rows if item.polarity == "positive"] if draft.single or draft.functional else []
    )
    if corrects(draft, reading):
        return "correct", replaced
    if draft.changes or draft.old or changes(draft, reading):
        return "change", replaced
    return "assert", []


def changes(draft: Draft, reading: Reading) -> bool:
    """Whether the sentence of a draft speaks of a change."""
    return bool(pattern(draft.clause.language, "change_words").search(sentence_of(draft, reading)))


def corrects(draft: Draft, reading: Reading) -> bool:
    """Whether it puts something right: its sentence says so, or the short one before it does ("That's wrong.")."""
    words = pattern(draft.clause.language, "correction_words")
    if words.search(sentence_of(draft, reading)):
        return True
    index = draft.clause.sentence
    before = reading.sentences[index - 1].cut(reading.folded) if index > 0 else ""
    return bool(before) and len(before) <= 40 and bool(words.search(before))


def sentence_of(draft: Draft, reading: Reading) -> str:
    """The sentence in which a draft stands."""
    return reading.sentences[draft.clause.sentence].cut(reading.folded)


def _means(old: str, item: Item) -> bool:
    bare = re.sub(r"^(?:the|an?|my|our) ", "", old.strip())
    return bare == item.normal or old.strip() == item.normal or (len(bare) > 1 and bare in item.normal)
