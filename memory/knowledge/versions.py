"""When each version of a document holds: from its own beginning to that of the version that follows it in time.

Versions may be added in any order. What decides is the day from which a version holds; of two versions of one day, the
one with the higher label is the later, and the one before it never held.
"""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

_NUMBERS = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Placed:
    """One version among those of its document."""

    number: int
    """Of the document."""
    label: str
    valid_from: datetime
    dated: bool
    """Whether the day was stated; otherwise it is that of adding."""
    stated_to: datetime | None = None
    """The end that was stated for it."""


@dataclass(frozen=True, slots=True)
class Validity:
    """From when to when a version holds, and whether another takes its place."""

    valid_from: datetime
    valid_to: datetime | None
    replaced: bool


def label_order(label: str) -> tuple[int, ...]:
    """The numbers of a label such as ``v2.1``; empty for a label that is a date, or none."""
    return tuple(map(int, _NUMBERS.findall(label))) if label[:1] in ("v", "V") else ()


def in_time(
    valid_from: datetime, valid_to: datetime | None, label: str
) -> tuple[datetime, bool, datetime, tuple[int, ...]]:
    """By what placed versions are in their order again: of those of one day, the one that holds is the last."""
    return valid_from, valid_to is None, valid_to or valid_from, label_order(label)


def settled(versions: Iterable[Placed]) -> dict[int, Validity]:
    """The validity of all versions of one document, by the numbers of the versions.

    A version without a day stands where its label puts it among the others, and without a label where it was added.
    """
    ordered = _ordered(list(versions))
    found: dict[int, Validity] = {}
    for place, version in enumerate(ordered):
        following = ordered[place + 1].valid_from if place + 1 < len(ordered) else None
        ends = [one for one in (version.stated_to, following) if one is not None]
        begins = version.valid_from
        found[version.number] = Validity(begins, max(min(ends), begins) if ends else None, following is not None)
    return found


def _ordered(versions: Sequence[Placed]) -> list[Placed]:
    by_label = {one.number for one in versions if not one.dated and label_order(one.label)}
    placed = sorted(versions, key=lambda one: (one.valid_from, label_order(one.label), one.number))
    ordered = [one for one in placed if one.number not in by_label]
    labelled = [one for one in placed if one.number in by_label]
    # The highest first: what is there already keeps its day, and a lower one that comes later never held.
    for version in sorted(labelled, key=lambda one: (label_order(one.label), one.number), reverse=True):
        own = label_order(version.label)
        place = max((at + 1 for at, one in enumerate(ordered) if _is_before(one, own, version.valid_from)), default=0)
        # It holds no longer than to the next one, and no earlier than from the one before.
        begins = min([version.valid_from, *(one.valid_from for one in ordered[place : place + 1])])
        begins = max([begins, *(one.valid_from for one in ordered[:place][-1:])])
        ordered.insert(place, replace(version, valid_from=begins))
    return ordered


def _is_before(one: Placed, label: tuple[int, ...], added: datetime) -> bool:
    known = label_order(one.label)
    return known <= label if known else one.valid_from <= added
