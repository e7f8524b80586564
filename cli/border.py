"""The border between the program and a person: every error becomes one sentence and an exit code."""

import sys
import traceback
from typing import Any

import typer
from typer.core import TyperGroup

from ..memory.errors import VeridicalError
from .output import plain

EXIT_UNEXPECTED = 1
EXIT_USAGE = 2
EXIT_INTERRUPTED = 130
_VERBOSE = "veridical.verbose"


class BorderGroup(TyperGroup):
    """The outermost command group, which no exception passes as a traceback unless ``--verbose`` asks for it."""

    def invoke(self, ctx: Any) -> Any:
        """Run the chosen command.

        Raises:
            typer.Exit: something went wrong and was said on stderr; 2 for what the caller can mend, 1 for a fault of
                the program, 130 for an interruption.
        """
        try:
            return super().invoke(ctx)
        except VeridicalError as error:
            _say(str(error), error, verbose=is_verbose(ctx))
            raise typer.Exit(EXIT_USAGE) from error
        except KeyboardInterrupt as error:
            typer.echo(err=True)
            raise typer.Exit(EXIT_INTERRUPTED) from error
        except (typer.Exit, typer.Abort, BrokenPipeError):
            raise
        except Exception as error:
            if _is_usage(error):
                raise
            _say(_unexpected(error), error, verbose=is_verbose(ctx))
            raise typer.Exit(EXIT_UNEXPECTED) from error


def note_verbose(ctx: typer.Context, value: bool) -> bool:
    """Remember ``--verbose`` where the border finds it after the command has failed."""
    if value:
        ctx.meta[_VERBOSE] = True
    return value


def is_verbose(ctx: typer.Context) -> bool:
    """Whether ``--verbose`` was given."""
    return bool(ctx.meta.get(_VERBOSE))


def _say(sentence: str, error: BaseException, *, verbose: bool) -> None:
    if verbose:
        typer.echo("".join(traceback.format_exception(error)), err=True)
    typer.echo(f"veridical: {plain(' '.join(sentence.split()))}", err=True)


def _unexpected(error: Exception) -> str:
    detail = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    return (
        f"a fault of the program, and nothing that was recorded is lost ({detail[:200]}): "
        "run the command again with --verbose and report what it prints."
    )


def _is_usage(error: Exception) -> bool:
    """Whether the option parser raised it, which words its own errors and exits with 2."""
    return hasattr(error, "exit_code") and hasattr(error, "show")


def configure_streams() -> None:
    """Let no character that a terminal cannot show, or that a pipe sends askew, end the program."""
    for stream in (sys.stdin, sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
