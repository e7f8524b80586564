"""Reading the conversations of an export: a JSON file, a folder with one, or the zip file as it was downloaded.

Nothing is unpacked to disk. A zip file is read within limits, so that a small file cannot fill the memory.
"""

import zipfile
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import IO, Any, NamedTuple

from ..errors import BadFile
from .files import NotJson, bad_line, parse_json, read_text

LARGEST = 2 << 30
"""Bytes of one file of conversations, unpacked."""
_LARGEST_RATIO = 200
"""How many times larger than packed: text packs 3 to 20 times, what packs more is no text."""
_NAME = "conversations"


class Conversations(NamedTuple):
    """A list of conversations, and where it was read."""

    path: Path
    entries: list[Any]


def read_conversations(path: Path) -> Iterator[Conversations]:
    """The lists of conversations in an export.

    Args:
        path: ``conversations.json``, a folder that holds it, or a zip file that does.

    Raises:
        BadFile: there is none, it is no JSON list, or it is beyond the limits.
    """
    if path.is_dir():
        files = sorted(file for file in path.rglob("*.json") if _is_named(file.name))
        texts = [(file, read_text(file)) for file in files]
    elif path.is_file() and zipfile.is_zipfile(path):
        texts = list(_unpacked(path))
    else:
        texts = [(path, read_text(path))]
    if not texts:
        message = f"{path} holds no {_NAME}.json: name the export as it was downloaded, or that file of it."
        raise BadFile(message)
    for file, text in texts:
        yield Conversations(file, _entries(file, text))


def _is_named(name: str) -> bool:
    """``conversations.json``, or a part of it such as ``conversations-001.json``."""
    return name.startswith(_NAME) and name.endswith(".json")


def _unpacked(path: Path) -> Iterator[tuple[Path, str]]:
    try:
        with zipfile.ZipFile(path) as archive:
            for info in sorted(archive.infolist(), key=lambda info: info.filename):
                if not info.is_dir() and _is_named(PurePosixPath(info.filename).name):
                    with archive.open(info) as file:
                        yield path / info.filename, _text(path, info, file)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError) as error:
        message = f"{path} cannot be unpacked ({error}): download the export again, or name its {_NAME}.json."
        raise BadFile(message) from error


def _text(path: Path, info: zipfile.ZipInfo, file: IO[bytes]) -> str:
    allowed = min(LARGEST, _LARGEST_RATIO * max(info.compress_size, 1 << 10))
    content = file.read(allowed + 1)
    if len(content) > allowed:
        message = f"{path}: {info.filename} is too large when unpacked: unpack it, and name the {_NAME}.json."
        raise BadFile(message)
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        raise bad_line(path / info.filename, line, "the text is not UTF-8: download the export again") from error


def _entries(file: Path, text: str) -> list[Any]:
    try:
        found = parse_json(text)
    except NotJson as error:
        raise bad_line(file, error.line, f"{error}: download the export again") from error
    if not isinstance(found, list):
        raise bad_line(file, 1, "a list of conversations is needed: name the export's conversations.json")
    return found
