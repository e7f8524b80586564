"""What a statement changes: change, correction and plain assertion told apart, and the live items that they close."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from ..records import ChangeKind, Item, Proposal
from .drafts import MOVED, Draft, propose
from .lookups import Lookups, compatible, one_subject
from .patterns import pattern
from .reading import Reading

_OF_LATE = timedelta(days=100)
_MOST_NEAR = 40
_TEMPORAL = ("deadline", "start_date", "end_date", "release_date", "meeting_time", "wedding_date")


def settle(draft: Draft, reading: Reading, lookups: Lookups) -> Proposal | None:
    """The proposal for a draft, with whose it is and what it closes; ``None`` where it only tells of the past."""
    if draft.kind not in {"fact", "choice"}:
        return propose(draft, reading)
    if draft.entity is None:
        draft = replace(draft, entity=_entity(draft, reading, lookups))
    draft = _under_known_name(draft, lookups)
    rows = _others(draft, lookups.live.about(draft.entity or reading.speaker, draft.attribute))
    if draft.past and rows:
        return None
    proposal = propose(draft, reading)
    action = _action(draft, reading) if rows and draft.polarity == "positive" else "assert"
    targets = _replaced(draft, rows) if action != "assert" else []
    if not targets:
        return proposal
    began = _began(draft, targets, reading)
    return replace(proposal, action=action, valid_from=began, targets=tuple(item.number for item in targets))


def _began(draft: Draft, targets: Sequence[Item], reading: Reading) -> datetime | None:
    """When a change took effect: not before what it replaces was said to hold, if it is a change of late.

    "I moved to Rome last month" replaces what was told yesterday; "in 2019 I joined Acme" does not.
    """
    if draft.valid_from is None or reading.turn.observed_at - draft.valid_from > _OF_LATE:
        return draft.valid_from
    return max(draft.valid_from, *(min(item.valid_from, reading.turn.observed_at) for item in targets))


def _under_known_name(draft: Draft, lookups: Lookups) -> Draft:
    """A change of what is known under a longer or shorter name ("the dentist" for the dentist appointment)."""
    entity = draft.entity or lookups.reading.speaker
    moves = draft.changes and draft.value.value_type != "text"
    if not moves or lookups.live.about(entity, draft.attribute):
        return draft
    if draft.attribute == MOVED:
        known = (item for key in _TEMPORAL for item in lookups.live.about(entity, key) if item.kind == "fact")
        meant = one_subject(known)
        return replace(draft, attribute=meant.attribute) if meant is not None else draft
    parts = [part for part in re.split(r"_", draft.attribute) if part]
    near = [
        item
        for item in lookups.live.mentioning(parts, _MOST_NEAR)
        if item.kind == "fact" and item.entity == entity and _is_same_thing(draft.attribute, item.attribute)
    ]
    meant = one_subject(item for item in near if compatible(item, draft.value.value_type, draft.value.normal))
    return replace(draft, attribute=meant.attribute) if meant is not None else draft


def _is_same_thing(one: str, other: str) -> bool:
    """Whether one name is the other with less said."""
    if not one.isascii():
        return one in other or other in one
    first, second = set(one.split("_")), set(other.split("_"))
    return first <= second or second <= first


def _others(draft: Draft, items: Iterable[Item]) -> list[Item]:
    """Those that say something else than the draft."""
    return [
        item
        for item in items
        if item.kind == draft.kind and (item.normal, item.polarity) != (draft.value.normal, draft.polarity)
    ]


def _entity(draft: Draft, reading: Reading, lookups: Lookups) -> str:
    """Whose an attribute is that nobody is named for: that of the talk just before, else the speaker's.

    What was talked about longer ago is not taken for the topic: a budget of nobody in particular must not supersede a
    project's at a distance.
    """
    recent = (item for item in lookups.exchange if lookups.is_recent(item) and item.attribute == draft.attribute)
    return next((item.entity for item in recent), reading.speaker)


def _action(draft: Draft, reading: Reading) -> ChangeKind:
    if corrects(draft, reading):
        return "correct"
    return "change" if draft.changes or draft.old or changes(draft, reading) else "assert"


def _replaced(draft: Draft, rows: Sequence[Item]) -> list[Item]:
    """What a change closes: the value that it names as the old one, else the one of what has one value at a time."""
    named = [item for item in rows if draft.old and _means(draft.old, item)]
    if named or not (draft.single or draft.functional):
        return named
    return [item for item in rows if item.polarity == "positive"]


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
