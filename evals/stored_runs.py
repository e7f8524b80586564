"""The run document that `eval run --json` prints, read back from its file."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ..memory.errors import BadFile
from ..memory.ingestion.files import NotJson, parse_json, read_text

RunDocument = Mapping[str, Any]
VERSION = 1
_PARTS: Mapping[str, type] = {"dataset": str, "config": dict, "metrics": dict, "questions": list}


def read_document(path: Path) -> RunDocument:
    """The run document in a file.

    Raises:
        BadFile: it cannot be read, or it is no document of `eval run`.
    """
    try:
        found = parse_json(read_text(path))
    except NotJson as error:
        message = f"{path}: {error}: name a file that `veridical eval run … --json` has written."
        raise BadFile(message) from error
    _check(path, found)
    return dict(found)


def _check(path: Path, found: object) -> None:
    missing = [name for name, kind in _PARTS.items() if not isinstance(_part(found, name), kind)]
    if missing:
        message = (
            f"{path} has no {' and no '.join(missing)}: name a file that `veridical eval run … --json` has written."
        )
        raise BadFile(message)
    if _part(found, "version") != VERSION:
        message = f"{path} is not a run document of version {VERSION}: run the evaluation again."
        raise BadFile(message)
    if not all(isinstance(_part(row, "id"), str) for row in _part(found, "questions")):
        message = f"{path} has questions without an id: run the evaluation again."
        raise BadFile(message)


def _part(found: object, name: str) -> Any:
    return found.get(name) if isinstance(found, dict) else None
