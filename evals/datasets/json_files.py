"""Reading JSON files of a known form, so that whatever is wrong with one is a sentence with its line."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from ...memory.errors import BadFile
from ...memory.ingestion.files import NotJson, bad_line, parse_json, read_lines, read_text
from ...memory.ingestion.places import Place, line_of


class Malformed(Exception):
    """Something in a parsed file is not as it should be, at the place given by keys and indexes."""

    def __init__(self, place: Place, problem: str) -> None:
        super().__init__(problem)
        self.place = place
        self.problem = problem


def read_json(file: Path, form: str) -> tuple[str, Any]:
    """The text of a file and what it holds.

    Args:
        file: a UTF-8 file.
        form: what it should be, for the error.

    Raises:
        BadFile: it cannot be read, or it is not JSON.
    """
    text = read_text(file)
    try:
        return text, parse_json(text)
    except NotJson as error:
        raise bad_line(file, error.line, f"{error}: {form}") from error


def located(file: Path, text: str, error: Malformed) -> BadFile:
    """The error with the line on which the malformed object begins."""
    return bad_line(file, line_of(text, error.place), error.problem)


def json_lines(file: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a file with one on each line, with their lines; a blank line is skipped.

    Raises:
        BadFile: it cannot be read, or a line holds no object.
    """
    for number, line in read_lines(file):
        if not line.strip():
            continue
        try:
            found = parse_json(line)
        except NotJson as error:
            raise bad_line(file, number, f"{error}: write one JSON object per line") from error
        if not isinstance(found, dict):
            raise bad_line(file, number, "a JSON object is needed on each line")
        yield number, found


def text_of(source: Mapping[str, Any], name: str, place: Place = ()) -> str:
    """A field that must be text with something in it.

    Raises:
        Malformed: it is missing, or something else.
    """
    value = source.get(name)
    if not isinstance(value, str) or not value.strip():
        raise Malformed(place, f"{name!r} is missing or no text: give it a value")
    return value


def list_of(source: Mapping[str, Any], name: str, place: Place = ()) -> list[Any]:
    """A field that must be a list; an absent one is empty.

    Raises:
        Malformed: it is something else.
    """
    value = source.get(name, [])
    if not isinstance(value, list):
        raise Malformed(place, f"{name!r} must be a list")
    return value


def json_files(path: Path, holding: tuple[str, ...], form: str) -> list[Path]:
    """The file itself, or those files of the folder whose text holds all of the given names.

    Raises:
        BadFile: the folder holds none.
    """
    if not path.is_dir():
        return [path]
    found = [file for file in sorted(path.glob("*.json")) if _holds(file, holding)]
    if not found:
        message = f"{path} holds no such file: {form}."
        raise BadFile(message)
    return found


def _holds(file: Path, names: tuple[str, ...]) -> bool:
    content = read_text(file)
    return all(f'"{name}"' in content for name in names)
