"""Printing: memory is data, so no text of it reaches the terminal as markup or as a control sequence."""

import json
import re
import sys
import unicodedata
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console, RenderableType
    from rich.progress import Progress
    from rich.text import Text

# A terminal's commands: what begins with ESC, up to the letter or the terminator that ends it.
_ESCAPES = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\].*?(?:\x07|\x1b\\|$)|[PX^_].*?(?:\x1b\\|$)|[ -/]*[0-~])", re.DOTALL
)
_KEPT = "\n\t"
_COMMANDING = frozenset({"Cc", "Zl", "Zp"})
# Characters that reorder what a terminal shows can make a quotation read as something else.
_REORDERING = frozenset("\u200e\u200f\u061c\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


_UNSAFE = re.compile(f"[\x7f-\x9f\u2028\u2029\ud800-\udfff{''.join(sorted(_REORDERING))}]")


def plain(text: str) -> str:
    """The text without control characters, reordering marks and lone surrogates; line breaks and tabs stay."""
    return text if text.isprintable() else "".join(map(_shown, _ESCAPES.sub("", text)))


def one_line(text: str) -> str:
    """The text as `plain`, its line breaks and runs of blanks as single spaces."""
    return " ".join(plain(text).split())


def styled(text: str, style: str = "") -> "Text":
    """Rich text of a memory: never read as markup, never a control sequence."""
    from rich.text import Text

    return Text(plain(text), style=style)


def console(*, err: bool = False) -> "Console":
    """A console that interprets nothing in what it prints."""
    from rich.console import Console

    return Console(stderr=err, highlight=False, markup=False, emoji=False)


def show(renderable: "RenderableType") -> None:
    """Print something made by `rendering` on stdout; what goes to a file or a pipe has no blanks at line ends."""
    target = console()
    if target.is_terminal:
        target.print(renderable)
        return
    with target.capture() as captured:
        target.print(renderable)
    typer.echo("\n".join(line.rstrip() for line in captured.get().rstrip("\n").split("\n")))


def echo(text: str = "", *, err: bool = False, nl: bool = True) -> None:
    """Print a text as ``plain`` gives it; the one way in which text leaves the commands."""
    typer.echo(plain(text), err=err, nl=nl)


def show_json(document: Any, *, indent: int | None = 2) -> None:
    """Print a document as JSON on stdout, readable and in its own script where the stream can carry it.

    What would command a terminal, reorder its text or is no character is an escape of JSON: nothing is lost.
    """
    ascii_only = not (sys.stdout.encoding or "").lower().startswith("utf")
    text = json.dumps(document, ensure_ascii=ascii_only, indent=indent, default=str)
    typer.echo(text if text.isprintable() else _UNSAFE.sub(_escaped, text))


def progress_bars() -> "Progress":
    """Progress bars on stderr; nothing where stderr is no terminal."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description:>10}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=console(err=True))


def _shown(character: str) -> str:
    if character in _KEPT:
        return character
    category = unicodedata.category(character)
    if category == "Cs":
        return "\ufffd"
    return "" if category in _COMMANDING or character in _REORDERING else character


def _escaped(match: re.Match[str]) -> str:
    return f"\\u{ord(match[0]):04x}"
