"""What a statement changes: change, correction and plain assertion told apart, and the live items that they close."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta

from ..language.lexicon import attribute_phrases, of_relative
from ..records import ChangeKind, Item, Proposal
from .aliases import known_otherwise
from .drafts import MOVED, Draft, propose
from .lookups import Lookups, compatible, one_subject
from .moving import replanned
from .namesakes import of_the_same
from .patterns import pattern, words
from .reading import Reading

_OF_LATE = timedelta(days=100)
_MOST_NEAR = 40
_TIE = "affiliation"
"""What somebody has with a company, a club or a town, of which it is not said which of them it is."""
_TEMPORAL = ("deadline", "start_date", "end_date", "release_date", "meeting_time", "wedding_date")


def settle(draft: Draft, reading: Reading, lookups: Lookups) -> Proposal | None:
    """The proposal for a draft, with whose it is and what it closes; ``None`` where it only tells of the past."""
    if draft.kind not in {"fact", "choice"}:
        return replanned(draft, reading, lookups)
    owned = _owned(_left(draft, lookups), reading, lookups)
    if owned is None:
        return None
    nameless, draft = draft.entity is None, owned
    whole = lookups.live.about(draft.entity or reading.speaker, draft.attribute)
    known = of_the_same(draft.attribute, reading.original(draft.clause.span), whole)
    if draft.past and known:
        return None
    rows = _others(draft, known)
    proposal = propose(draft, reading)
    action = _action(draft, reading) if rows and draft.polarity == "positive" else "assert"
    targets = _replaced(draft, rows) if action != "assert" else []
    if nameless and draft.single and _action(draft, reading) != "assert":
        proposal = replace(proposal, rivals=_rivals(draft, lookups))
    if not targets:
        return proposal
    began = _began(draft, targets, reading)
    return replace(proposal, action=action, valid_from=began, targets=tuple(item.number for item in targets))


def _left(draft: Draft, lookups: Lookups) -> Draft:
    """The draft, where what somebody quit or left is not known to be an employer: "I quit the gym", "I left Paris"."""
    relation, attribute = of_relative(draft.attribute)
    leaves = (attribute, draft.polarity) == ("employer", "negative")
    if not leaves or not pattern("en", "may_leave").search(draft.clause.text):
        return draft
    known = lookups.live.with_value([draft.value.normal])
    if any(of_relative(item.attribute)[1] == "employer" for item in known):
        return draft
    return replace(draft, attribute=f"{relation}_{_TIE}" if relation else _TIE)


def _rivals(draft: Draft, lookups: Lookups) -> tuple[int, ...]:
    """What the same change of nobody in particular could mean as well: "the budget is 9,000 now", of two projects."""
    near = {item.number for item in lookups.exchange} if draft.entity != lookups.reading.speaker else None
    return tuple(
        item.number
        for item in lookups.live.with_attribute(draft.attribute)
        if item.entity not in {draft.entity, *lookups.others} and (near is None or item.number in near)
    )


def _began(draft: Draft, targets: Sequence[Item], reading: Reading) -> datetime | None:
    """When a change took effect: not before what it replaces was said to hold, if it is a change of late.

    "I moved to Rome last month" replaces what was told yesterday, and so does "in 2019 we moved from Oslo to Rome"
    where that was Oslo; "in 2019 I joined Acme" does not.
    """
    if draft.valid_from is None:
        return None
    named = draft.old and any(_means(draft.old, item) for item in targets)
    if reading.turn.observed_at - draft.valid_from > _OF_LATE and not named:
        return draft.valid_from
    return max(draft.valid_from, *(min(item.valid_from, reading.turn.observed_at) for item in targets))


def _owned(draft: Draft, reading: Reading, lookups: Lookups) -> Draft | None:
    """The draft with whose it is, under the name that it is known by; ``None`` where it is nobody's that is known."""
    if draft.theirs:
        known = lookups.live.mentioning(sorted(attribute_phrases(draft.attribute)), _MOST_NEAR)
        told = (item for item in known if of_relative(item.attribute)[1] == draft.attribute)
        others = one_subject(
            item for item in told if item.entity != reading.speaker or item.attribute != draft.attribute
        )
        return replace(draft, entity=others.entity, attribute=others.attribute) if others is not None else None
    entity = draft.entity or _entity(draft, reading, lookups)
    if lookups.live.about(entity, draft.attribute):
        return replace(draft, entity=entity)
    kin = known_otherwise(draft, lookups) if draft.single and not draft.past else []
    meant = kin[0] if kin else _known_as(draft, entity, reading, lookups)
    return replace(
        draft, entity=entity if meant is None else meant.entity, attribute=meant.attribute if meant else draft.attribute
    )


def _known_as(draft: Draft, entity: str, reading: Reading, lookups: Lookups) -> Item | None:
    """What an update means that is known under a longer or shorter name ("the dentist" for the dentist appointment).

    Where it names nobody, it means what has one such value, whosever that is ("The renovation budget is 8,000." and
    much later "the budget is 12,000 now"); of several the one that was told last.
    """
    if not (draft.changes or _action(draft, reading) != "assert"):
        return None
    if draft.attribute == MOVED:
        return one_subject(it for key in _TEMPORAL for it in lookups.live.about(entity, key) if it.kind == "fact")
    found = _of_like_names(draft, entity, lookups)
    # "The cost was set at 5,000" may be the first that is said of it, "is 5,000 now" is not.
    again = _action(replace(draft, changes=False), reading) != "assert"
    if draft.entity is None and (draft.single or draft.functional) and again:
        found += [it for it in lookups.live.with_attribute(draft.attribute) if it.entity not in lookups.others]
    fitting = [item for item in found if item.kind == "fact" and compatible(item, draft.value)]
    return one_subject(fitting) or one_subject(item for item in fitting if lookups.is_last(item))


def _of_like_names(draft: Draft, entity: str, lookups: Lookups) -> list[Item]:
    """What is known of an entity under a longer or shorter name of the attribute; of words only the name itself."""
    if draft.value.value_type == "text":
        return []
    parts = [part for part in draft.attribute.split("_") if part]
    near = lookups.live.mentioning(parts, _MOST_NEAR)
    return [item for item in near if item.entity == entity and _is_same_thing(draft.attribute, item.attribute)]


def _is_same_thing(one: str, other: str) -> bool:
    """Whether one name is the other with less said, of the same person."""
    if of_relative(one)[0] != of_relative(other)[0]:
        return False
    if not one.isascii():
        return one in other or other in one
    first, second = ({*name.split("_")} - {"time", "date"} for name in (one, other))
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
    numbered = (
        lookups.numbered_before(draft.clause.span.start) if draft.attribute in words("en", "of_numbered") else None
    )
    recent = (item for item in lookups.exchange if lookups.is_recent(item) and item.attribute == draft.attribute)
    return numbered or next((item.entity for item in recent), reading.speaker)


def _action(draft: Draft, reading: Reading) -> ChangeKind:
    if corrects(draft, reading) or _denies(draft, reading):
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


def _denies(draft: Draft, reading: Reading) -> bool:
    """Whether a bare "no" stands before what is stated: of something that is known otherwise it puts it right."""
    denial = pattern(draft.clause.language, "denial").pattern
    before = reading.folded[: draft.clause.span.start]
    return bool(re.match(denial, draft.clause.text) or re.search(rf"(?:^|[.!?;。！？；]\s*){denial}$", before))


def sentence_of(draft: Draft, reading: Reading) -> str:
    """The sentence in which a draft stands."""
    return reading.sentences[draft.clause.sentence].cut(reading.folded)


def _means(old: str, item: Item) -> bool:
    bare = re.sub(r"^(?:the|an?|my|our) ", "", old.strip())
    return bare == item.normal or old.strip() == item.normal or (len(bare) > 1 and bare in item.normal)
