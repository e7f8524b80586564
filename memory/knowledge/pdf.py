"""The text of a PDF, worked out by a process of its own, within limits.

Whoever wrote the file decides how much there is to work out (pages that hold each other, a stream that inflates to
gigabytes), and only a process can be stopped while it does.
"""

import logging
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import BadFile

if TYPE_CHECKING:
    from pypdf import PdfReader

SECONDS = 120
"""Of processor time, for one file; a page takes some hundredths."""
_OCTETS = 2 << 30
"""Of memory, where the system knows limits."""
_PATIENCE = 10
"""How many times as long it may take on a machine that has other work, or no limits of processor time."""
LONGEST_DOCUMENT = 10_000_000
"""Characters of one document: some 5,000 pages."""
_WRONG = 3
_BEGIN = f"import sys; sys.path += sys.argv[3:]; from {__name__} import main; sys.exit(main())"


def read_pdf(path: Path, *, seconds: int = SECONDS) -> str:
    """The text of all pages.

    Raises:
        BadFile: the file is encrypted, no sound PDF, or takes too much time or memory to be read.
    """
    # Modules are found where this process finds them.
    command = [sys.executable, "-P", "-c", _BEGIN, str(path), str(seconds), *filter(None, sys.path)]
    try:
        done = subprocess.run(  # noqa: S603 - this program, with a path that is read as one
            command, stdin=subprocess.DEVNULL, capture_output=True, timeout=_PATIENCE * seconds
        )
    except subprocess.TimeoutExpired as error:
        raise _too_much(path) from error
    if done.returncode == _WRONG:
        raise BadFile(done.stderr.decode("utf-8", "replace"))
    if done.returncode != 0:  # below 0 the system ended it; else it ended in a way that nobody foresaw
        raise _too_much(path) if done.returncode < 0 else _unsound(path, "fault")
    return done.stdout.decode("utf-8", "surrogatepass")


def _pages(path: Path) -> str:
    from pypdf import PdfReader
    from pypdf.errors import DependencyError, PyPdfError

    # It tells of every oddity that it overcomes.
    logging.getLogger("pypdf").setLevel(logging.CRITICAL)
    try:
        with path.open("rb") as file:
            reader = PdfReader(file)
            if reader.is_encrypted and not reader.decrypt(""):
                raise _protected(path)
            return _text(path, reader)
    except OSError as error:
        message = f"{path} cannot be read ({error.strerror}): check the path and its permissions."
        raise BadFile(message) from error
    except DependencyError as error:  # of a cipher that is not at hand
        raise _protected(path) from error
    except (PyPdfError, ValueError, LookupError, TypeError, AttributeError, ArithmeticError, RecursionError) as error:
        raise _unsound(path, type(error).__name__) from error
    except MemoryError as error:
        raise _too_much(path) from error


def _text(path: Path, reader: "PdfReader") -> str:
    pages: list[str] = []
    length = 0
    for page in reader.pages:
        pages.append(page.extract_text())
        length += len(pages[-1])
        if length > LONGEST_DOCUMENT:
            raise too_long(path)
    return "\n\n".join(pages)


def too_long(path: Path) -> BadFile:
    """The error of a file that holds more text than a document may have."""
    return BadFile(f"{path} holds more than {LONGEST_DOCUMENT:,} characters: split it into several documents.")


def _unsound(path: Path, reason: str) -> BadFile:
    return BadFile(f"{path} is no sound PDF ({reason}): open it and save it anew, or give its text.")


def _too_much(path: Path) -> BadFile:
    return BadFile(f"{path} takes too much time or memory to be read: open it and save it anew, or give its text.")


def _protected(path: Path) -> BadFile:
    return BadFile(f"{path} is protected by a password: save a copy without one.")


def _limit(seconds: int) -> None:
    if sys.platform == "win32":
        return
    import resource

    for which, least in ((resource.RLIMIT_CPU, seconds), (resource.RLIMIT_AS, _OCTETS)):
        with suppress(ValueError, OSError):  # not every system limits memory, and some have a lower limit already
            resource.setrlimit(which, (least, least))


def main() -> int:
    """Read the file that the process was started for, and write its text, or why it has none; gives the exit code."""
    path, seconds = sys.argv[1:3]
    _limit(int(seconds))
    try:
        text = _pages(Path(path))
    except BadFile as error:
        sys.stderr.buffer.write(str(error).encode("utf-8", "replace"))
        return _WRONG
    sys.stdout.buffer.write(text.encode("utf-8", "surrogatepass"))
    return 0
