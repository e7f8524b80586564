"""What there is to tell to a question about clauses: the clauses themselves, where they went, and what changed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from itertools import chain

from sqlalchemy import Connection

from ..knowledge.rows import Document
from ..store import Memory
from .condition import Condition
from .finding import Found, find
from .lineage import changes as changes_between
from .readable import called
from .records import Clause
from .rows import Family, clauses_of, families, lineage_of
from .tracing import restored

_WHOLE_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Change:
    """What became of one clause between two versions."""

    kind: str
    """``same``, ``moved`` (the text is the same, the number another), ``changed``, ``added`` or ``removed``."""
    old: Clause | None
    new: Clause | None


@dataclass(frozen=True, slots=True)
class Trace:
    """What one clause is in the other versions."""

    clause: Clause
    elsewhere: tuple[Clause, ...]
    """The earliest version first."""
    alike: frozenset[int]
    """Of those, the numbers of the ones that say the same."""


@dataclass(frozen=True, slots=True)
class Report:
    """What a question about clauses is answered with."""

    condition: Condition
    """With the trouble that showed on looking."""
    shelf: tuple[Family, ...] = ()
    """The documents that are meant, with all their versions."""
    clauses: tuple[Clause, ...] = ()
    """What is quoted."""
    traced: tuple[Trace, ...] = ()
    """What became of the clauses that are asked for."""
    changes: tuple[Change, ...] = ()
    documents: tuple[Document, ...] = ()
    """The versions that are spoken of, the earliest first."""
    outline: tuple[Clause, ...] = ()
    """The clauses of a document, where it is they that are asked for."""
    beside: tuple[Document, ...] = ()
    """Versions that held in the time asked about as well, or that have the number which this one has not."""

    @property
    def found(self) -> bool:
        """Whether there is something to tell."""
        if self.condition.trouble is not None:
            return False
        return bool(self.clauses) if self.condition.wants == "topic" else self.condition.exact


def report_of(memory: Memory, user_id: str, condition: Condition) -> Report:
    """Look up what a condition asks for; ``trouble`` says why there is nothing."""
    with memory.database.read() as connection:
        return tell(connection, user_id, restored(condition))


def tell(connection: Connection, user_id: str, condition: Condition) -> Report:
    """``report_of`` on an open connection."""
    shelf = tuple(families(connection, user_id, condition.keys))
    if condition.trouble is not None or condition.wants == "scope":
        return Report(condition, shelf)
    by_number = {document.number: document for family in shelf for document in family.versions}
    documents = tuple(by_number[number] for number in condition.documents if number in by_number)
    report = Report(condition, shelf, documents=documents)
    others = {"versions": _unchanged, "list": _outlined, "count": _outlined, "moved": _moved, "changes": _changed}
    return others.get(condition.wants, _quoted)(connection, user_id, report)


def _unchanged(connection: Connection, user_id: str, report: Report) -> Report:
    return report


def _quoted(connection: Connection, user_id: str, report: Report) -> Report:
    """The clauses of a number or a topic; the versions that held as well, or have a number that this one has not."""
    found = find(connection, user_id, report.condition)
    if report.condition.wants == "topic" and not found.clauses:
        names = tuple(called(one) for one in _outline(connection, user_id, report.condition))
        return replace(report, condition=replace(report.condition, trouble="nothing_about", candidates=names))
    missing = found.condition.trouble == "no_clause"
    beside = _elsewhere(connection, user_id, report) if missing else _beside(report)
    return replace(report, condition=found.condition, clauses=found.clauses, beside=beside)


def _outlined(connection: Connection, user_id: str, report: Report) -> Report:
    return replace(report, outline=_outline(connection, user_id, report.condition))


def _outline(connection: Connection, user_id: str, condition: Condition) -> tuple[Clause, ...]:
    every = (one for document in condition.documents for one in clauses_of(connection, user_id, document))
    return tuple(one for one in every if len(one.at.parts) == 1 and one.at.parts[0])


def _moved(connection: Connection, user_id: str, report: Report) -> Report:
    """What the clauses of a number became in the other versions."""
    condition = report.condition
    report = replace(report, documents=tuple(sorted(report.documents, key=lambda one: one.valid_from)))
    found = _first_found(connection, user_id, condition)
    if not found.clauses:
        return replace(report, condition=found.condition)
    versions = {number: clauses_of(connection, user_id, number) for number in condition.documents}
    lineages = [lineage_of(connection, user_id, [clause.lineage]) for clause in found.clauses]
    traced = tuple(_trace(clause, line, versions) for clause, line in zip(found.clauses, lineages, strict=True))
    quoted = tuple(max((line.clause, *line.elsewhere), key=lambda one: one.valid_from) for line in traced)
    return replace(report, clauses=quoted, traced=traced)


def _first_found(connection: Connection, user_id: str, condition: Condition) -> Found:
    """The clauses of a number in the version that it is one of; what only another version has is one of that."""
    start, *others = condition.documents
    tried = (_found_in(connection, user_id, condition, number) for number in (start, *reversed(others)))
    missing = _found_in(connection, user_id, condition, start)
    return next((one for one in tried if one.clauses), missing)


def _found_in(connection: Connection, user_id: str, condition: Condition, document: int) -> Found:
    return find(connection, user_id, replace(condition, documents=(document,)))


def _trace(clause: Clause, lineage: Sequence[Clause], versions: Mapping[int, Sequence[Clause]]) -> Trace:
    others = tuple(one for one in lineage if one.number != clause.number and one.document in versions)
    own = wording_of(clause, versions[clause.document])
    alike = frozenset(one.number for one in others if wording_of(one, versions[one.document]) == own)
    return Trace(clause, others, alike)


def _changed(connection: Connection, user_id: str, report: Report) -> Report:
    """What changed between two versions: of the clauses of a number, or of the whole document."""
    condition, documents = report.condition, report.documents
    if len(documents) < 2:
        labels = tuple(document.version_label for document in documents)
        return replace(report, condition=replace(condition, trouble="no_version", said="", candidates=labels))
    older, newer = (clauses_of(connection, user_id, document.number) for document in documents[:2])
    if not condition.numbers:
        return replace(report, changes=tuple(_between(older, newer)))
    old, new = (_found_in(connection, user_id, condition, document.number) for document in documents[:2])
    if not (old.clauses or new.clauses):
        return replace(report, condition=new.condition)
    told = _of_numbers(old.clauses, new.clauses, older, newer)
    quoted = chain.from_iterable((change.old, change.new) for change in told)
    return replace(report, clauses=tuple(filter(None, quoted)), changes=tuple(told))


def _of_numbers(
    old: Sequence[Clause], new: Sequence[Clause], older: Sequence[Clause], newer: Sequence[Clause]
) -> list[Change]:
    """What happened to the clauses that have a number in the newer version, and to others that had it before."""
    told = [_of_clause(one, older, newer) for one in new]
    known = {change.old.lineage for change in told if change.old is not None}
    return told + [_of_old(one, older, newer) for one in old if one.lineage not in known]


def _of_clause(new: Clause, older: Sequence[Clause], newer: Sequence[Clause]) -> Change:
    old = next((one for one in older if one.lineage == new.lineage), None)
    return Change("added", None, new) if old is None else Change(_kind(old, new, older, newer), old, new)


def _of_old(old: Clause, older: Sequence[Clause], newer: Sequence[Clause]) -> Change:
    new = next((one for one in newer if one.lineage == old.lineage), None)
    return Change("removed", old, None) if new is None else Change(_kind(old, new, older, newer), old, new)


def _kind(old: Clause, new: Clause, older: Sequence[Clause], newer: Sequence[Clause]) -> str:
    if wording_of(old, older) != wording_of(new, newer):
        return "changed"
    return "same" if old.at == new.at else "moved"


def wording_of(clause: Clause, version: Sequence[Clause]) -> tuple[str, ...]:
    """What tells whether a clause was changed: the hashes of its words and of all that is below it, without numbers."""
    depth = len(clause.at.parts)
    below = [one for one in version if one.at.parts[:depth] == clause.at.parts and len(one.at.parts) > depth]
    return (clause.sha256, *(one.sha256 for one in below))


def _between(older: Sequence[Clause], newer: Sequence[Clause]) -> list[Change]:
    """What happened to each clause; of what was added, removed or moved as a whole only the whole is told."""
    found = changes_between(older, newer)
    told = [Change("added", None, one) for one in _tops(found.added)]
    told += [Change("removed", one, None) for one in _tops(found.removed)]
    told += [Change("changed", pair.old, pair.new) for pair in found.changed]
    whole = (pair for pair in found.pairs if not pair.changed and len(pair.new.at.parts) == 1)
    rest = [Change(_kind(pair.old, pair.new, older, newer), pair.old, pair.new) for pair in whole]
    # What changed below it is told there.
    return told + [change for change in rest if change.kind != "changed"]


def _tops(clauses: Sequence[Clause]) -> list[Clause]:
    """The clauses of which no other one is the parent."""
    numbers = {one.at.parts for one in clauses}
    return [one for one in clauses if one.at.parts[:-1] not in numbers]


def _elsewhere(connection: Connection, user_id: str, report: Report) -> tuple[Document, ...]:
    """The other versions that do have the number."""
    condition = report.condition
    tried = ((one, _found_in(connection, user_id, condition, one.number)) for one in _others(report))
    return tuple(one for one, found in tried if found.clauses)


def _others(report: Report) -> list[Document]:
    """The versions of the same documents that are not read."""
    every = (one for family in report.shelf for one in family.versions)
    return [one for one in every if one.number not in report.condition.documents]


def _beside(report: Report) -> tuple[Document, ...]:
    """The versions that held in a time asked about besides the one that is read: a year may have several."""
    held = next((one.held for one in report.condition.versions if one.held and not one.since), None)
    if held is None or held[1] - held[0] <= _WHOLE_DAY:
        return ()
    return tuple(one for one in _others(report) if _held_within(one, *held))


def _held_within(document: Document, start: datetime, end: datetime) -> bool:
    return document.valid_from < end and (document.valid_to is None or document.valid_to > start)
