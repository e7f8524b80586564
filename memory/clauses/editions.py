"""Which version of a document a question means: by label, by place, by edition, or the one in force at a time."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from ..knowledge.rows import Document
from .condition import AskedVersion
from .rows import Family

_TICK = timedelta(microseconds=1)


@dataclass(frozen=True, slots=True)
class Editions:
    """How versions are chosen: at which time, and from what the system knew when."""

    moment: datetime
    """The time asked about where a question names none."""
    now: datetime
    recorded_as_of: datetime | None = None

    def known(self, family: Family) -> list[Document]:
        """The versions that the system knew, the earliest first."""
        limit = self.recorded_as_of
        return [one for one in family.versions if limit is None or one.recorded_at <= limit]

    def in_force(self, family: Family, moment: datetime) -> Document | None:
        """The version that held at a time, as far as was known."""
        known = [one for one in self.known(family) if one.valid_from <= moment]
        if not known:
            return None
        last = known[-1]
        ended = last.valid_to is not None and last.valid_to <= moment and self._knew_of_end(last)
        return None if ended else last

    def _knew_of_end(self, document: Document) -> bool:
        closed = document.closed_at
        return self.recorded_as_of is None or (closed is not None and closed <= self.recorded_as_of)

    def choose(self, family: Family, asked: AskedVersion | None) -> Document | None:
        """The version that a question means; ``None`` where there is none such."""
        known = self.known(family)
        if asked is None:
            return self.in_force(family, self.moment)
        if asked.label:
            return next((one for one in known if _has_label(one, asked.label)), None)
        if asked.edition is not None:
            return next((one for one in reversed(known) if _is_edition(one, *asked.edition)), None)
        if asked.held is not None:
            return self._held(family, asked)
        return self._at(family, known, asked.place or -1)

    def _held(self, family: Family, asked: AskedVersion) -> Document | None:
        start, end = asked.held or (self.moment, self.moment)
        if asked.since:
            return self.in_force(family, start) or next(iter(self.known(family)), None)
        last = min(end - _TICK, max(self.now, start))
        announced = family.announced(last)
        return self.in_force(family, last) or (announced if announced in self.known(family) else None)

    def _at(self, family: Family, known: Sequence[Document], place: int) -> Document | None:
        if place > 0:
            return known[place - 1] if place <= len(known) else None
        current = self.in_force(family, self.moment) or (known[-1] if known else None)
        if current is None or place == -1:
            return current
        index = known.index(current) + place + 1
        return known[index] if index >= 0 else None

    def before(self, family: Family, document: Document) -> Document | None:
        """The version that came before another one."""
        known = self.known(family)
        index = known.index(document) - 1 if document in known else -1
        return known[index] if index >= 0 else None

    def within(self, family: Family, asked: AskedVersion) -> list[Document]:
        """The versions that began to hold within the time that a question names."""
        start, end = asked.held or asked.edition or (self.moment, self.moment)
        return [one for one in self.known(family) if start < one.valid_from < end]


def _has_label(document: Document, label: str) -> bool:
    own = document.version_label.casefold().removeprefix("v")
    return own == label or own.startswith(f"{label}.0") or (not document.label and str(document.version) == label)


def _is_edition(document: Document, start: datetime, end: datetime) -> bool:
    """Whether a version began, or is labelled by a day, within a time: an act is called by the year of its adoption."""
    if start <= document.valid_from < end:
        return True
    try:
        labelled = datetime.fromisoformat(document.version_label).replace(tzinfo=start.tzinfo)
    except ValueError:
        return False
    return start <= labelled < end
