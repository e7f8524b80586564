"""Reading text files so that whatever is wrong with one is a single sentence with the place."""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from ..errors import BadFile


def read_text(path: Path) -> str:
    """The whole text of a UTF-8 file.

    Raises:
        BadFile: it cannot be opened, or it is not UTF-8.
    """
    return "".join(line for _, line in read_lines(path))


def read_lines(path: Path) -> Iterator[tuple[int, str]]:
    """The numbered lines of a UTF-8 file, from 1, read as they are needed.

    Raises:
        BadFile: it cannot be opened, or a line is not UTF-8.
    """
    number = 0
    try:
        with path.open("rb") as file:
            for number, raw in enumerate(file, start=1):
                yield number, raw.decode("utf-8-sig" if number == 1 else "utf-8")
    except OSError as error:
        message = f"{path} cannot be read ({error.strerror}): check the path and its permissions."
        raise BadFile(message) from error
    except UnicodeDecodeError as error:
        raise bad_line(path, number, "the text is not UTF-8: convert the file to UTF-8") from error


DEEPEST = 100
"""Levels of a JSON document; nothing that is read here needs ten."""
TOO_DEEP = f"the JSON is nested too deeply, beyond {DEEPEST} levels"


class NotJson(ValueError):
    """A text that is no JSON; says why, and on which of its lines."""

    def __init__(self, problem: str, line: int = 1) -> None:
        super().__init__(problem)
        self.line = line


def parse_json(text: str) -> Any:
    """What a JSON text holds.

    Raises:
        NotJson: it is none, or nothing that can be read: nested too deeply, or with a number of thousands of digits.
    """
    try:
        found = json.loads(text)
    except json.JSONDecodeError as error:
        problem = f"not JSON ({error.msg}, column {error.colno})"
        raise NotJson(problem, error.lineno) from error
    except RecursionError as error:
        raise NotJson(TOO_DEEP) from error
    except ValueError as error:
        problem = "the JSON has a number with too many digits"
        raise NotJson(problem) from error
    if is_deep(found):
        raise NotJson(TOO_DEEP)
    return found


def is_deep(value: object) -> bool:
    """Whether lists and objects are nested deeper than what reads them further, level by level, can follow."""
    level = [value]
    for _ in range(DEEPEST + 1):
        level = [inner for outer in level for inner in _held(outer)]
        if not level:
            return False
    return True


def _held(value: object) -> Iterable[object]:
    return value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()


def bad_line(path: Path, line: int, problem: str) -> BadFile:
    """The error of one line; ``problem`` says what is wrong and what to do."""
    return BadFile(f"{path}, line {line}: {problem}.")
