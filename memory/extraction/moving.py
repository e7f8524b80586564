"""Errands and plans that get another time: the old one is closed, and what moved it stands in its place."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from ..language.times import find_times
from ..records import Item, ItemKind, Proposal, Span
from .drafts import Draft, Modality, propose
from .endings import about
from .lookups import Lookups
from .patterns import pattern
from .quoting import Quoted
from .reading import Clause, Reading


def replanned(draft: Draft, reading: Reading, lookups: Lookups) -> Proposal:
    """The proposal for an errand or a plan; one with a new time closes the plan of the same thing that it moves."""
    proposal = propose(draft, reading)
    if draft.kind != "event" or draft.due_at is None or not _is_told_anew(draft, reading):
        return proposal
    old = about(draft.value.normal, [item for item in _planned(lookups) if item.kind == "event"])
    return replace(proposal, action="change", targets=tuple(item.number for item in old)) if old else proposal


def _is_told_anew(draft: Draft, reading: Reading) -> bool:
    """Whether the sentence of a draft changes or corrects something."""
    sentence = reading.sentences[draft.clause.sentence].cut(reading.folded)
    words = (pattern(draft.clause.language, name) for name in ("change_words", "correction_words"))
    return any(rule.search(sentence) for rule in words)


def find_moved(reading: Reading, lookups: Lookups, stated: Sequence[Proposal]) -> list[Proposal]:
    """Errands and plans at a new time, where the turn says that what they are about was moved.

    Args:
        reading: the turn.
        lookups: of the turn.
        stated: the facts of the turn, and what it changes.
    """
    moves = [it for it in stated if it.kind == "fact" and it.value_type in {"date", "time"}]
    planned = _planned(lookups) if moves else []
    moved = (
        _moved(clause, it, planned, reading) for it in moves for clause in reading.clauses if _stands_in(it, clause)
    )
    return [proposal for proposal in moved if proposal is not None]


def _stands_in(proposal: Proposal, clause: Clause) -> bool:
    """Whether a clause moves what a proposal states to another time."""
    inside = clause.span.start <= proposal.value_span.start < clause.span.end
    return inside and bool(pattern(clause.language, "change_words").search(clause.text))


def _due(proposal: Proposal, reading: Reading) -> datetime | None:
    times = find_times(proposal.value, reading.turn.observed_at, reading.turn.time_zone)
    return times[0].start if len(times) == 1 and times[0].end > reading.turn.observed_at else None


def _planned(lookups: Lookups) -> list[Item]:
    """What the speaker still has to do, or means to do, at a time."""
    own = {lookups.reading.speaker, lookups.reading.turn.speaker}
    kinds: tuple[ItemKind, ...] = ("todo", "event")
    plans = (item for kind in kinds for item in lookups.live.open(kind))
    return [it for it in plans if it.due_at is not None and it.speaker in own and it.modality != "possible"]


def _moved(clause: Clause, move: Proposal, planned: Sequence[Item], reading: Reading) -> Proposal | None:
    due = _due(move, reading)
    thing = reading.folded[clause.span.start : move.value_span.start]
    thing = pattern(clause.language, "change_words").sub(" ", thing)
    found = about(thing, planned) if re.search(r"\w", thing) else []
    if not found or due is None or found[0].due_at == due:
        return None
    old = found[0]
    lead = len(clause.text) - len(clause.text.lstrip())
    span = Span(clause.span.start + lead, clause.span.end)
    said = Quoted(span, " ".join(span.cut(reading.folded).split()))
    modality: Modality = "intended" if old.kind == "event" else "asserted"
    errand = Draft(clause, old.entity, old.attribute, said, kind=old.kind, modality=modality, due_at=due)
    return replace(propose(errand, reading), action="change", targets=(old.number,))
