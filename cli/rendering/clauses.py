"""Documents of clauses: the clauses of a version, and what changed between two."""

from collections.abc import Iterator, Sequence
from datetime import datetime, tzinfo
from difflib import SequenceMatcher
from typing import Any

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from ...memory.clauses.lineage import Changes, Pair
from ...memory.clauses.records import Clause
from ...memory.clauses.rows import Family
from ...memory.knowledge.rows import Document
from ...memory.language.sentences import sentences
from ...memory.listing import iso
from ..output import one_line, styled
from .knowledge import validity
from .parts import BAD, DOUBT, FAINT, GOOD, HEADING, ID, joined, plural

_SHOWN = 100
"""Characters of a clause that a list shows."""


def clause_json(clause: Clause) -> dict[str, Any]:
    """A clause as plain JSON."""
    return {
        "id": clause.clause_id,
        "handle": clause.handle,
        "entity_type": clause.entity_type,
        "category": clause.category,
        "number": clause.at.text,
        "unit": clause.unit,
        "label": clause.label,
        "heading": clause.heading,
        "text": clause.text,
        "chunk_id": f"c{clause.chunk}",
        "span": {"start": clause.span.start, "end": clause.span.end},
        "sha256": clause.sha256,
        "confidence": clause.confidence,
        "lineage": clause.lineage,
        "valid_from": iso(clause.valid_from),
        "valid_to": iso(clause.valid_to),
    }


def clause_page(
    family: Family, version: Document, found: Sequence[Clause], zone: tzinfo, moment: datetime
) -> RenderableType:
    """A version's clauses, one line each."""
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0), pad_edge=False)
    for wide in (False, False, True):
        table.add_column(no_wrap=not wide, overflow="fold")
    for clause in found:
        heading = f"{one_line(clause.heading)}: " if clause.heading else ""
        said = Text.assemble(styled(heading, HEADING), styled(_short(clause)))
        table.add_row(styled(clause.clause_id, ID), styled(f"c{clause.chunk}", FAINT), said)
    return Group(_title(family, version, zone, moment), table)


def changes_json(changes: Changes) -> dict[str, Any]:
    """What changed as plain JSON: clauses by their numbers, with the texts of those that changed."""
    return {
        "changed": [_pair_json(pair) | {"old": pair.old.text, "new": pair.new.text} for pair in changes.changed],
        "moved": [_pair_json(pair) for pair in changes.moved],
        "added": [clause_json(one) for one in changes.added],
        "removed": [clause_json(one) for one in changes.removed],
        "kept": len(changes.kept),
    }


def changes_page(family: Family, older: Document, newer: Document, changes: Changes, zone: tzinfo) -> RenderableType:
    """What changed: first in numbers, then clause by clause."""
    counts = (
        plural(len(changes.changed), "clause changed", "clauses changed"),
        f"{len(changes.moved)} moved", f"{len(changes.added)} added", f"{len(changes.removed)} removed",
        f"{len(changes.kept)} kept",
    )  # fmt: skip
    head = joined((f"{family.key} {older.version_label} → {newer.version_label}", HEADING), *counts)
    moved = [one for one in changes.moved if not one.changed]
    parts: tuple[tuple[str, list[RenderableType]], ...] = (
        ("Changed", [part for pair in changes.changed for part in _pair(pair)]),
        ("Moved", [part for pair in moved for part in _pair(pair)]),
        ("Added", [_alone(one, GOOD) for one in changes.added]),
        ("Removed", [_alone(one, BAD) for one in changes.removed]),
    )
    listed = (line for title, lines in parts if lines for line in (Text(), styled(title, HEADING), *lines))
    return Group(head, *listed)


def _title(family: Family, version: Document, zone: tzinfo, moment: datetime) -> Text:
    note = f"adopted {version.announced}" if version.announced and version.valid_from > moment else ""
    return joined(
        (f"{family.key} {version.version_label}", HEADING),
        (version.id, ID),
        version.title,
        (validity(version, zone, moment).plain, DOUBT if note else ""),
        note,
    )


def _short(clause: Clause) -> str:
    text = one_line(clause.text)
    return text if len(text) <= _SHOWN else f"{text[: _SHOWN - 1]}…"


def _pair(pair: Pair) -> Iterator[RenderableType]:
    """A clause with its numbers in both versions, and the sentences that differ."""
    numbers = (_name(pair.old), _name(pair.new))
    named = joined((" → ".join(numbers) if pair.moved else numbers[1], ID), pair.new.heading)
    yield Padding(named, (0, 0, 0, 2))
    if pair.changed:
        sentences_of = Table.grid(padding=(0, 1, 0, 0))
        sentences_of.add_column()
        sentences_of.add_column(overflow="fold")
        for mark, style, sentence in _differing(_said(pair.old), _said(pair.new)):
            sentences_of.add_row(styled(mark, style), styled(one_line(sentence), style))
        yield Padding(sentences_of, (0, 0, 0, 4))


def _alone(clause: Clause, style: str) -> RenderableType:
    return Padding(Text.assemble(styled(_name(clause), ID), "  ", styled(_short(clause), style)), (0, 0, 0, 2))


def _name(clause: Clause) -> str:
    return one_line(clause.label or clause.at.text)


def _said(clause: Clause) -> str:
    """The text behind the number, which may differ where nothing else does."""
    return clause.text.removeprefix(clause.label).lstrip(" .:、\t\u3000")


def _differing(old: str, new: str) -> Iterator[tuple[str, str, str]]:
    """The sentences that only one of two texts has, in their order."""
    before, after = ([one_line(span.cut(text)) for span in sentences(text)] for text in (old, new))
    for kind, first, last, start, end in SequenceMatcher(None, before, after, autojunk=False).get_opcodes():
        if kind != "equal":
            yield from (("-", BAD, sentence) for sentence in before[first:last])
            yield from (("+", GOOD, sentence) for sentence in after[start:end])


def _pair_json(pair: Pair) -> dict[str, Any]:
    return {
        "lineage": pair.new.lineage,
        "from": pair.old.at.text,
        "to": pair.new.at.text,
        "heading": pair.new.heading,
        "changed": pair.changed,
        "moved": pair.moved,
    }
