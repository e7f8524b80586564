"""What commands print: whatever a memory holds and whatever it is called, no terminal is commanded by it."""

import ast
import json
import re
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

import veridical.cli
from veridical.cli.app import app
from veridical.graph.build import build_graph
from veridical.graph.resources import open_resources
from veridical.graph.settings import Settings
from veridical.memory.handles.records import NewHandle, Origin
from veridical.memory.handles.registry import register
from veridical.nodes.contract import Context

from .corpus import CASES, turn

_COMMANDING = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff]")
USER = "ann\x1b]0;777\x07\u202e[bold]"
TERMINAL = [case.text for case in CASES if case.kind in {"terminal", "markup", "invisible"}]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A memory of a user whose name, words, sessions, terminals and handles are all hostile."""
    folder = tmp_path_factory.mktemp("hostile") / "data"
    with open_resources(Settings(data_dir=folder, embeddings="hashing:64")) as resources:
        graph = build_graph(resources)

        def say(text: str) -> None:
            context = Context(user_id=USER, session_id="s\x1b[31m", terminal="\x9b2J\u202e")
            graph.invoke({"messages": [("user", text)]}, context=context)

        say("My plan is \x1b[31mred\u202e777\x9b2J\x1b]8;;x\x07, and my favourite colour is [bold]blue\u2066[/bold].")
        say("I must call \x1b]52;c;Nzc3\x07Bob \u202etomorrow.")
        turns = [turn(text, place, "en", user=USER, speaker=text[:60]) for place, text in enumerate(TERMINAL, 1)]
        resources.memory.record_many(turns, now=resources.clock())
        new = NewHandle("note\x1b[0m", {"name": "\x1b[1mx\u202e"}, {"code\x07": "\x1b[31m777\u202e"})
        with resources.memory.database.write(USER) as connection:
            register(connection, USER, new, Origin("\x1b[5m", "crm\x9b"), now=resources.clock())
        say("What is my plan?")
    return folder


def run(folder: Path, *arguments: str) -> Result:
    options = ["--data", str(folder), "--user", USER]
    environment = {"VERIDICAL_EMBEDDINGS": "hashing:64", "COLUMNS": "200"}
    return CliRunner().invoke(app, [*arguments, *options], env=environment)


COMMANDS = [
    *[["memory", "list"], ["memory", "show", "t1"], ["memory", "show", "f1"], ["memory", "history", "f1"]],
    *[["state"], ["recall", "777 \x1b[31mplan"], ["ask", "What is my \x1b]0;x\x07 plan?"], ["why", "a1"]],
    *[["forget", "--value", "777"], ["doctor"], ["knowledge", "list"], ["intents", "show"]],
]


@pytest.mark.requirement("HOSTILE-PRINTED", "PRINT-PLAIN")
@pytest.mark.parametrize("as_json", [False, True], ids=["text", "json"])
def test_no_command_prints_what_would_command_a_terminal(folder: Path, as_json: bool) -> None:
    shown = ""
    for command in COMMANDS:
        result = run(folder, *command, *(["--json"] if as_json else []))
        assert result.exit_code in {0, 1}, (command, result.output)
        assert _COMMANDING.findall(result.output) == [], command
        shown += result.output
        if as_json and result.stdout.strip():
            json.loads(result.stdout)
    assert "777" in shown
    assert as_json or "[bold]blue[/bold]" in shown


@pytest.mark.requirement("HOSTILE-PRINTED")
def test_as_json_nothing_of_a_text_is_lost(folder: Path) -> None:
    document = json.loads(run(folder, "memory", "show", "t1", "--json").stdout)
    assert "\x1b[31mred\u202e777\x9b2J" in json.dumps(document, ensure_ascii=False).replace("\\u001b", "\x1b")


@pytest.mark.requirement("HOSTILE-PRINTED", "ERRORS-ONE-SENTENCE")
@pytest.mark.parametrize(
    "command",
    [
        ["memory", "show", "t\x1b[31m9"],
        ["why", "\x1b]0;x\x07"],
        ["ingest", "no\x1b[2Jfile\u202e.jsonl", "--format", "jsonl"],
        ["knowledge", "remove", "\x9b2J"],
        ["knowledge", "add", "\x1b[31mno.md"],
        ["forget", "--turn", "\u202e"],
        ["recall", "x", "--as-of", "\x1b[31m2020"],
    ],
    ids=" ".join,
)
def test_errors_say_what_was_given_without_its_commands(folder: Path, command: list[str]) -> None:
    result = run(folder, *command)
    assert result.exit_code == 2
    assert _COMMANDING.findall(result.output) == []
    assert "Traceback" not in result.output


@pytest.mark.requirement("HOSTILE-PRINTED")
def test_texts_leave_the_commands_in_one_way() -> None:
    direct = {
        path.name
        for path in Path(veridical.cli.__file__).parent.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and node.attr in {"echo", "secho"}
    }
    # The command line itself says its version, and the border what went wrong, as `plain` gives it.
    assert direct <= {"output.py", "border.py", "app.py"}
