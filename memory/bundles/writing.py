"""Writing a bundle."""

import json
import os
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

from sqlalchemy import Connection, func, select

from ..errors import BadFile
from ..retrieval.vectors import stored_embedder
from ..storage.database import Database
from ..storage.tables import counters
from .rows import FORMAT, SECTIONS, VERSION, written


def export_bundle(
    database: Database, user_id: str, path: Path, *, now: datetime, replace: bool = False
) -> dict[str, int]:
    """Write the user's memory as it stands at one moment; the file is readable by its owner alone.

    Args:
        database: the open store.
        user_id: whose memory.
        path: the file, which appears when it is complete.
        now: the time of the export.
        replace: whether a file of that name may be replaced.

    Returns:
        How many lines of each kind were written.

    Raises:
        BadFile: there is such a file already, or it cannot be written.
    """
    if path.exists() and not replace:
        message = f"{path} exists already: choose another name, or pass --force to replace it."
        raise BadFile(message)
    scratch = path.with_name(f".{path.name}.{uuid4().hex[:8]}")
    try:
        descriptor = os.open(scratch, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as file, database.view() as connection:
            # What is written belongs together, whatever others write meanwhile.
            header = _header(connection, user_id, now)
            for document in (header, *_lines(connection, user_id)):
                file.write(json.dumps(document, ensure_ascii=False, separators=(",", ":")) + "\n")
            file.flush()
            os.fsync(file.fileno())
        scratch.replace(path)
    except OSError as error:
        message = f"{path} cannot be written ({error.strerror}): choose another place."
        raise BadFile(message) from error
    finally:
        scratch.unlink(missing_ok=True)
    counts: dict[str, int] = header["counts"]
    return counts


def _header(connection: Connection, user_id: str, now: datetime) -> dict[str, Any]:
    own = select(counters.c.name, counters.c.value).where(counters.c.user_id == user_id)
    counts = {
        name: int(connection.execute(select(func.count()).where(table.c.user_id == user_id)).scalar_one())
        for name, table in SECTIONS.items()
    }
    return {
        "type": "header",
        "format": FORMAT,
        "version": VERSION,
        "user": user_id,
        "exported_at": now.isoformat(),
        "embedder": stored_embedder(connection),
        # Events belong to the store in which they happened.
        "counters": {row.name: row.value for row in connection.execute(own) if row.name != "event"},
        "counts": counts,
    }


def _lines(connection: Connection, user_id: str) -> Iterator[dict[str, Any]]:
    for name, table in SECTIONS.items():
        order = table.c["id"] if "id" in table.c else table.primary_key.columns.values()[0]
        rows = connection.execute(select(table).where(table.c.user_id == user_id).order_by(order))
        for row in rows:
            yield {"type": name, **written(table, dict(row._mapping))}
