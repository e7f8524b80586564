"""Reading text files so that whatever is wrong with one is a single sentence with the place."""

from collections.abc import Iterator
from pathlib import Path

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


def bad_line(path: Path, line: int, problem: str) -> BadFile:
    """The error of one line; ``problem`` says what is wrong and what to do."""
    return BadFile(f"{path}, line {line}: {problem}.")
