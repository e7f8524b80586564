"""Reference documents: what was added, what there is, what was removed."""

from collections.abc import Mapping, Sequence
from datetime import datetime, tzinfo
from typing import Any

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from ...memory.knowledge.rows import Added, Document
from ..output import one_line, styled
from .parts import BAD, FAINT, GOOD, ID, day_or_moment, joined, plural


def document_json(document: Document, chunks: int) -> dict[str, Any]:
    """A document as plain JSON."""
    return {
        "id": document.id,
        "name": document.name,
        "version": document.version,
        "media_type": document.media_type,
        "language": document.language,
        "sha256": document.sha256,
        "chunks": chunks,
        "current": document.current,
        "valid_from": _iso(document.valid_from),
        "valid_to": _iso(document.valid_to),
        "recorded_at": _iso(document.recorded_at),
    }


def added_document(added: Added) -> dict[str, Any]:
    """What became of a file as plain JSON; ``known`` where its content was there already."""
    ids = [f"c{number}" for number in added.chunks]
    return document_json(added.document, len(ids)) | {"chunk_ids": ids, "known": added.known}


def added_page(added: Sequence[Added]) -> Group:
    """One line per file."""
    return Group(*map(_added, added))


def document_list(found: Sequence[Document], sizes: Mapping[int, int], zone: tzinfo) -> RenderableType:
    """One line per document."""
    if not found:
        return Text("No documents.")
    table = Table(box=None, show_header=False, padding=(0, 2, 0, 0), pad_edge=False)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for _ in range(3):
        table.add_column(no_wrap=True)
    for document in found:
        table.add_row(
            styled(document.id, ID),
            styled(one_line(document.name), "bold"),
            styled(f"v{document.version}"),
            styled(plural(sizes[document.number], "chunk"), FAINT),
            _validity(document, zone),
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


def _name(document: Document) -> str:
    return f"{document.name} v{document.version} [{document.id}]"


def _validity(document: Document, zone: tzinfo) -> Text:
    if document.current:
        return styled(f"holds since {day_or_moment(document.valid_from, zone)}", GOOD)
    return styled(f"held until {day_or_moment(document.valid_to, zone)}", BAD)


def _iso(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat().replace("+00:00", "Z")
