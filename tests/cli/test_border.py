"""The border: what a person sees of an error, and how quickly the program starts."""

import subprocess
import sys

import pytest
import typer
from typer.testing import CliRunner

from veridical.cli.app import app
from veridical.cli.border import BorderGroup, note_verbose
from veridical.memory.errors import NotFound, StoreCorrupt, VeridicalError


def program(error: BaseException) -> typer.Typer:
    """A program of the same border whose only command fails."""
    failing = typer.Typer(cls=BorderGroup, rich_markup_mode=None, pretty_exceptions_enable=False)

    @failing.callback()
    def root() -> None: ...

    @failing.command()
    def fail(verbose: bool = typer.Option(False, "--verbose", callback=note_verbose)) -> None:
        raise error

    return failing


@pytest.mark.requirement("ERRORS-ONE-SENTENCE")
@pytest.mark.parametrize(
    "error",
    [
        NotFound("item", "f9", "list the items"),
        StoreCorrupt("The file\nis broken: restore it."),
        VeridicalError("[/b] no."),
    ],
)
def test_an_error_that_can_be_mended_is_one_line_and_exit_code_2(error: VeridicalError) -> None:
    result = CliRunner().invoke(program(error), ["fail"])
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr == f"veridical: {' '.join(str(error).split())}\n"


@pytest.mark.requirement("ERRORS-ONE-SENTENCE")
def test_a_fault_of_the_program_is_one_line_that_says_how_to_report_it() -> None:
    result = CliRunner().invoke(program(KeyError("x")), ["fail"])
    assert result.exit_code == 1
    assert result.stderr.count("\n") == 1
    assert "--verbose" in result.stderr
    assert "Traceback" not in result.stderr


@pytest.mark.requirement("ERRORS-ONE-SENTENCE")
@pytest.mark.parametrize("error", [KeyError("x"), NotFound("item", "f9", "list the items")])
def test_verbose_shows_where_it_happened(error: Exception) -> None:
    result = CliRunner().invoke(program(error), ["fail", "--verbose"])
    assert "Traceback" in result.stderr
    assert result.stderr.splitlines()[-1].startswith("veridical: ")


def test_an_interruption_is_no_fault() -> None:
    result = CliRunner().invoke(program(KeyboardInterrupt()), ["fail"])
    assert result.exit_code == 130
    assert "Traceback" not in result.stderr


def test_a_wrong_option_is_a_usage_error() -> None:
    result = CliRunner().invoke(app, ["recall", "--nonsense", "x"])
    assert result.exit_code == 2
    assert "--nonsense" in result.stderr


COMMANDS = ("chat", "ingest", "recall", "ask", "why", "state", "doctor", "reindex", "config")


@pytest.mark.requirement("CLI-COMMANDS")
@pytest.mark.parametrize(
    "command", [*((name,) for name in COMMANDS), *(("memory", name) for name in ("list", "show", "history", "correct"))]
)
def test_every_command_takes_the_common_options(command: tuple[str, ...]) -> None:
    result = CliRunner().invoke(app, [*command, "--help"])
    assert result.exit_code == 0
    wanted = {"--data", "--json", "--verbose"} | (set() if command == ("config",) else {"--user"})
    assert all(option in result.stdout for option in wanted)


@pytest.mark.requirement("STARTUP-LAZY")
def test_the_help_loads_nothing_heavy() -> None:
    heavy = "langgraph", "langchain_core", "sqlalchemy", "chromadb", "numpy", "pydantic", "rich", "alembic", "jinja2"
    code = f"import sys, veridical.cli.app; print([name for name in {heavy!r} if name in sys.modules])"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"
