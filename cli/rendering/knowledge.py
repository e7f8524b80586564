"""Reference documents: what was added, what there is, what was removed."""

from collections.abc import Mapping, Sequence
from datetime import datetime, tzinfo
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ...memory.knowledge.rows import Added, Document
from ...memory.listing import iso
from ..output import one_line, styled
from .parts import BAD, DOUBT, FAINT, GOOD, ID, day_or_moment, joined, plural

_READ_FROM = {
    "given": "as given",
    "commencement": "by the day on which its text takes effect",
    "name": "by the date in its name",
    "adoption": "by its last adoption or amendment",
    "heading": "by the date in its heading",
    "added": "since it was added",
}


_NAME_WIDTH = 24


def version_json(document: Document) -> dict[str, Any]:
    """One version of a document as plain JSON."""
    return {
        "id": document.id,
        "name": document.name,
        "key": document.key,
        "title": document.title,
        "entity_type": document.entity_type or None,
        "version": document.version,
        "label": document.version_label,
        "current": document.current,
        "valid_from": iso(document.valid_from),
        "valid_to": iso(document.valid_to),
        "dated_by": document.dated_by,
        "recorded_at": iso(document.recorded_at),
    }


def document_json(document: Document, chunks: int) -> dict[str, Any]:
    """A document as plain JSON."""
    of_file = {"media_type": document.media_type, "language": document.language, "sha256": document.sha256}
    return version_json(document) | of_file | {"chunks": chunks}


def added_document(added: Added) -> dict[str, Any]:
    """What became of a file as plain JSON; ``known`` where its content was there already."""
    ids = [f"c{number}" for number in added.chunks]
    return document_json(added.document, len(ids)) | {"chunk_ids": ids, "clauses": added.clauses, "known": added.known}


def added_page(added: Sequence[Added], zone: tzinfo, now: datetime) -> Group:
    """One line per file, and a second one for what was read of a document of clauses."""
    return Group(*(line for one in added for line in (_added(one), _read(one, zone, now)) if line is not None))


def document_list(found: Sequence[Document], sizes: Mapping[int, int], zone: tzinfo, now: datetime) -> RenderableType:
    """One line per version."""
    if not found:
        return Text("No documents.")
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0), pad_edge=False)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold", min_width=_NAME_WIDTH)
    for wrapped in (False, False, True):
        table.add_column(no_wrap=not wrapped)
    for document in found:
        table.add_row(
            styled(document.id, ID),
            styled(one_line(document.name), "bold"),
            styled(document.version_label),
            styled(plural(sizes[document.number], "chunk"), FAINT),
            validity(document, zone, now),
        )
    return table


def removed_page(gone: Sequence[Document]) -> Group:
    """One line per removed version."""
    return Group(*(joined(("removed", BAD), (_name(document), ""), separator=" ") for document in gone))


def _added(added: Added) -> Text:
    if added.known:
        return joined((_name(added.document), ""), ("is there already; nothing changed", FAINT), separator=" ")
    ids = f"c{added.chunks[0]} to c{added.chunks[-1]}" if len(added.chunks) > 1 else f"c{added.chunks[0]}"
    count = f"{plural(len(added.chunks), 'chunk')}, {ids}"
    return joined(("added", GOOD), (_name(added.document), ""), (f"({count})", FAINT), separator=" ")


def _read(added: Added, zone: tzinfo, now: datetime) -> Text | None:
    """What was read of a document of clauses: which document it is a version of, its clauses, its validity."""
    document = added.document
    if not document.entity_type:
        return None
    read = joined(
        (f"{document.entity_type} {document.key}", ""),
        f"version {document.version_label}",
        plural(added.clauses, "clause"),
        (validity(document, zone, now).plain, ""),
        "" if document.valid_from == document.valid_to else _READ_FROM[document.dated_by],
    )
    return Text("  ").append_text(read)


def _name(document: Document) -> str:
    return f"{document.name} {document.version_label} [{document.id}]"


def validity(document: Document, zone: tzinfo, now: datetime) -> Text:
    """From when to when a version holds, as it looks from now."""
    begins, ends = (day_or_moment(moment, zone) for moment in (document.valid_from, document.valid_to))
    if document.valid_to is not None and document.valid_to <= document.valid_from:
        return styled(f"never held: another holds from {begins}", BAD)
    if document.valid_to is not None and document.valid_to <= now:
        return styled(f"held {begins} to {ends}", BAD)
    if document.valid_from > now:
        return styled(f"will hold from {begins}" + (f" until {ends}" if ends else ""), DOUBT)
    return styled(f"holds since {begins}" + (f" until {ends}" if ends else ""), GOOD)
