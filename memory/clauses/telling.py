"""What there is to tell to a question about clauses: the clauses themselves, where they went, and what changed."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import timedelta

from sqlalchemy import Connection

from ..knowledge.rows import Document
from .condition import Condition
from .finding import find
from .lineage import changes as changes_between
from .records import Clause
from .rows import Family, clauses_of, families, lineage_of

_TICK = timedelta(microseconds=1)
_WHOLE_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True)
class Change:
    """What became of one clause between two versions."""

    kind: str
    """``same``, ``moved`` (the text is the same, the number another), ``changed``, ``added`` or ``removed``."""
    old: Clause | None
    new: Clause | None


@dataclass(frozen=True, slots=True)
class Report:
    """What a question about clauses is answered with."""

    condition: Condition
    """With the trouble that showed on looking."""
    clauses: tuple[Clause, ...] = ()
    """What is quoted."""
    traced: tuple[tuple[Clause, ...], ...] = ()
    """Per clause that was asked for, what it is in every version, the earliest first; the one asked for begins."""
    changes: tuple[Change, ...] = ()
    documents: tuple[Document, ...] = ()
    """The versions that are spoken of, the earliest first."""
    outline: tuple[Clause, ...] = ()
    """The clauses of a document, where it is they that are asked for."""
    beside: tuple[Document, ...] = ()
    """Versions that held in the time asked about as well."""

    @property
    def found(self) -> bool:
        """Whether there is something to tell."""
        return self.condition.trouble is None and bool(
            self.clauses or self.traced or self.changes or self.outline or self.documents
        )


def tell(connection: Connection, user_id: str, condition: Condition) -> Report:
    """Look up what a condition asks for; ``trouble`` says why there is nothing."""
    if condition.trouble is not None:
        return Report(condition)
    shelf = [family for family in families(connection, user_id) if family.key in condition.keys]
    by_number = {document.number: document for family in shelf for document in family.versions}
    documents = tuple(by_number[number] for number in condition.documents if number in by_number)
    if condition.wants == "versions":
        return Report(condition, documents=documents)
    if condition.wants in {"list", "count"}:
        return Report(condition, documents=documents, outline=_outline(connection, user_id, condition))
    if condition.wants == "moved":
        return _moved(connection, user_id, condition, documents)
    if condition.wants == "changes":
        return _changed(connection, user_id, condition, documents)
    found = find(connection, user_id, condition)
    if found.condition.trouble == "no_clause":
        beside = _elsewhere(connection, user_id, shelf, condition)
    else:
        beside = _beside(shelf, condition, documents)
    return Report(found.condition, clauses=found.clauses, documents=documents, beside=beside)


def _outline(connection: Connection, user_id: str, condition: Condition) -> tuple[Clause, ...]:
    every = (one for document in condition.documents for one in clauses_of(connection, user_id, document))
    return tuple(one for one in every if len(one.at.parts) == 1 and one.at.parts[0])


def _moved(connection: Connection, user_id: str, condition: Condition, documents: Sequence[Document]) -> Report:
    """What the clauses of a number became in the other versions."""
    start, ordered = condition.documents[:1], tuple(sorted(documents, key=lambda one: one.valid_from))
    found = find(connection, user_id, replace(condition, documents=start))
    if not found.clauses:
        # A number that only another version has is one of that version.
        others = reversed([one.number for one in ordered if one.number not in start])
        tried = (find(connection, user_id, replace(condition, documents=(number,))) for number in others)
        found = next((one for one in tried if one.clauses), found)
    if not found.clauses:
        return Report(found.condition, documents=ordered)
    traced = []
    for clause in found.clauses:
        everywhere = [one for one in lineage_of(connection, user_id, [clause.lineage]) if one.number != clause.number]
        traced.append((clause, *(one for one in everywhere if one.document in condition.documents)))
    quoted = tuple(max(line, key=lambda one: one.valid_from) for line in traced)
    return Report(condition, clauses=quoted, traced=tuple(traced), documents=ordered)


def _changed(connection: Connection, user_id: str, condition: Condition, documents: Sequence[Document]) -> Report:
    """What changed between two versions: of the clauses of a number, or of the whole document."""
    if len(documents) < 2:
        return Report(replace(condition, trouble="no_version", said="", candidates=_labels(documents)))
    old, new = (clauses_of(connection, user_id, document.number) for document in documents[:2])
    if not condition.numbers:
        tops = [[one for one in clauses if len(one.at.parts) == 1] for clauses in (old, new)]
        return Report(condition, changes=tuple(_between(*tops)), documents=tuple(documents))
    newer, older = (
        find(connection, user_id, replace(condition, documents=(document.number,))) for document in documents[1::-1]
    )
    if not newer.clauses and not older.clauses:
        return Report(newer.condition, documents=tuple(documents))
    told = [_of_clause(one, old) for one in newer.clauses]
    known = {change.old.lineage for change in told if change.old is not None}
    told += [_of_old(one, new) for one in older.clauses if one.lineage not in known]
    quoted = tuple(one for change in told for one in (change.old, change.new) if one is not None)
    return Report(condition, clauses=quoted, changes=tuple(told), documents=tuple(documents))


def _of_clause(new: Clause, older: Sequence[Clause]) -> Change:
    old = next((one for one in older if one.lineage == new.lineage), None)
    return Change("added", None, new) if old is None else Change(_kind(old, new), old, new)


def _of_old(old: Clause, newer: Sequence[Clause]) -> Change:
    new = next((one for one in newer if one.lineage == old.lineage), None)
    return Change("removed", old, None) if new is None else Change(_kind(old, new), old, new)


def _kind(old: Clause, new: Clause) -> str:
    if old.sha256 != new.sha256:
        return "changed"
    return "same" if old.at == new.at else "moved"


def _between(older: Sequence[Clause], newer: Sequence[Clause]) -> list[Change]:
    found = changes_between(older, newer)
    told = [Change("added", None, one) for one in found.added]
    told += [Change("removed", one, None) for one in found.removed]
    for kind, pairs in (("changed", found.changed), ("moved", found.moved), ("same", found.same)):
        told += [Change(kind, old, new) for old, new in pairs]
    return told


def _elsewhere(
    connection: Connection, user_id: str, shelf: Sequence[Family], condition: Condition
) -> tuple[Document, ...]:
    """The other versions that do have the number."""
    others = [one for family in shelf for one in family.versions if one.number not in condition.documents]
    tried = ((one, find(connection, user_id, replace(condition, documents=(one.number,)))) for one in others)
    return tuple(one for one, found in tried if found.clauses)


def _labels(documents: Sequence[Document]) -> tuple[str, ...]:
    return tuple(document.version_label for document in documents)


def _beside(shelf: Sequence[Family], condition: Condition, documents: Sequence[Document]) -> tuple[Document, ...]:
    """The versions that held in a time asked about besides the one that is read: in 2019 there may have been several."""
    spans = [version.held for version in condition.versions if version.held is not None and not version.since]
    if not spans:
        return ()
    start, end = spans[0]
    if end - start <= _WHOLE_DAY:
        return ()
    every = [one for family in shelf for one in family.versions if one not in documents]
    return tuple(one for one in every if one.valid_from < end and (one.valid_to is None or one.valid_to > start))
