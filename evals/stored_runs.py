"""The run document that `eval run --json` prints, read back from its file."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..memory.errors import BadFile
from ..memory.ingestion.files import read_text

RunDocument = Mapping[str, Any]
Row = Mapping[str, Any]
"""One question of a run document, with what was found for it and what was answered."""

VERSION = 1
_PARTS: Mapping[str, type] = {"dataset": str, "config": dict, "metrics": dict, "questions": list}


def read_document(path: Path) -> RunDocument:
    """The run document in a file.

    Raises:
        BadFile: it cannot be read, or it is no document of `eval run`.
    """
    try:
        found = json.loads(read_text(path))
    except (json.JSONDecodeError, RecursionError) as error:
        message = f"{path} is not JSON ({error}): name a file that `veridical eval run … --json` has written."
        raise BadFile(message) from error
    missing = [name for name, kind in _PARTS.items() if not isinstance(_part(found, name), kind)]
    if missing:
        message = (
            f"{path} has no {' and no '.join(missing)}: name a file that `veridical eval run … --json` has written."
        )
        raise BadFile(message)
    if found.get("version") != VERSION:
        message = (
            f"{path} is a run document of version {found.get('version')!r}, not {VERSION}: run the evaluation again."
        )
        raise BadFile(message)
    if not all(isinstance(row, dict) and isinstance(row.get("id"), str) for row in found["questions"]):
        message = f"{path} has questions without an id: run the evaluation again."
        raise BadFile(message)
    return dict(found)


def has_recall(row: Row) -> bool:
    """Whether turns are known that answer the question, so that finding them can be measured."""
    return bool(row.get("recall"))


def _part(found: object, name: str) -> object:
    return found.get(name) if isinstance(found, dict) else None
