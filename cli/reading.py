"""Where a chat's lines come from: a terminal, or whatever is piped in."""

import sys
from collections.abc import Iterator
from contextlib import suppress

PROMPT = "> "


def is_terminal() -> bool:
    """Whether somebody sits at the keyboard."""
    return all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout))


def typed_lines() -> Iterator[str]:
    """Lines as they are typed, with editing and recall; they end at the end of input or at an interruption."""
    with suppress(ImportError):
        import readline  # noqa: F401 - its import is what gives `input` editing
    while True:
        try:
            yield input(PROMPT)
        except (EOFError, KeyboardInterrupt):
            return


def piped_lines() -> Iterator[str]:
    """Lines of standard input as they arrive; bytes that are no UTF-8 become U+FFFD."""
    if sys.stdin is None:  # it was closed by whoever started the program
        return
    source = sys.stdin.buffer
    for number, raw in enumerate(iter(source.readline, b"")):
        line = raw.decode("utf-8-sig" if number == 0 else "utf-8", errors="replace")
        yield line.rstrip("\r\n")
