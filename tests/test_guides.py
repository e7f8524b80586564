"""The guides are true: every block of the tutorial and the how-tos is run, in order, as a reader would.

A `python` block runs in the page's namespace; `console` holds commands and what they print; a block with `file=NAME`
is written there; `text` after a program is what it prints. `…` stands for anything, dates and times for any.
`sh` is for what a reader's machine is needed for: there each command and option of ours has to exist.
"""

import os
import re
import runpy
import shlex
from pathlib import Path

import pytest
from typer.main import get_command
from typer.testing import CliRunner

from veridical.cli.app import app

from .source import ROOT

GUIDES = [ROOT / "docs/tutorial.md", ROOT / "docs/ecosystem.md", *sorted((ROOT / "docs/howto").glob("*.md"))]
PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
BLOCK = re.compile(r"^```(?P<language>\w+)(?: file=(?P<file>\S+))?\n(?P<body>.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: Path) -> list[re.Match[str]]:
    """The blocks of a page, in order."""
    return list(BLOCK.finditer(page.read_text(encoding="utf-8")))


def alike(shown: str, expected: str) -> bool:
    """Whether what was printed is what the page says, apart from the day, the hour and what it leaves out."""
    pattern = re.escape(expected.strip()).replace("…", ".*")
    pattern = re.sub(r"\d{4}\\-\d{2}\\-\d{2}", r"\\d{4}-\\d{2}-\\d{2}", pattern)
    pattern = re.sub(r"\b\d{2}:\d{2}\b", r"\\d{2}:\\d{2}", pattern)
    printed = "\n".join(line.rstrip() for line in shown.strip().splitlines())
    return re.fullmatch(pattern, printed, re.DOTALL) is not None


def commands(body: str) -> list[tuple[str, str]]:
    """The commands of a console block, each with what it prints."""
    parts = re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]
    return [(command.strip(), shown) for command, _, shown in (part.partition("\n") for part in parts)]


def run(command: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """Run `[NAME=value] [printf '…' |] veridical …` in this process."""
    command, _, file = command.partition(" > ")
    said, _, rest = command.rpartition(" | ")
    words = shlex.split(rest)
    with monkeypatch.context() as patch:
        while "=" in words[0]:
            patch.setenv(*words.pop(0).split("=", 1))
        assert words[0] == "veridical", command
        lines = shlex.split(said)[1].replace("\\n", "\n") if said else None
        result = CliRunner().invoke(app, words[1:], input=lines)
    assert result.exit_code == 0, f"{command}\n{result.output}"
    if file:
        Path(file).write_text(result.stdout, encoding="utf-8")
    return result.stdout


@pytest.mark.requirement("DOCS-TRUE")
@pytest.mark.parametrize("page", GUIDES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_a_guide_does_what_it_says(page, tmp_path, monkeypatch, capfd):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("VERIDICAL_DATA_DIR", str(tmp_path / "data"))
    monkeypatch.setenv("PATH", os.environ["PATH"])
    namespace, printed = {"__name__": "guide"}, ""
    for block in blocks(page):
        language, file, body = block["language"], block["file"], block["body"]
        if file:
            Path(file).write_text(body, encoding="utf-8")
        elif language == "console":
            for command, expected in commands(body):
                shown = run(command, monkeypatch)
                assert not expected.strip() or alike(shown, expected), f"{command}\n{shown}"
        elif language == "python":
            exec(compile(body, str(page), "exec"), namespace)  # noqa: S102 - the page is ours
            printed = capfd.readouterr().out
        elif language == "text":
            assert alike(printed, body), printed


@pytest.mark.requirement("DOCS-TRUE")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_option_in_the_documentation_exists(page):
    root = get_command(app)
    unknown = []
    for block in blocks(page):
        if block["language"] not in {"sh", "console"}:
            continue
        for line in re.findall(r"\bveridical ((?:[a-z].*))$", block["body"], re.MULTILINE):
            words = re.split(r"\s+#|\s+\|", line)[0].split()
            command = root.commands.get(words[0])
            if command is not None and len(words) > 1 and words[1] in getattr(command, "commands", {}):
                command = command.commands[words[1]]
            options = {
                option for param in getattr(command, "params", []) for option in [*param.opts, *param.secondary_opts]
            }
            unknown += [
                f"{line}: {word}" for word in words if word.startswith("--") and word.split("=")[0] not in options
            ]
    assert unknown == []


@pytest.mark.requirement("DOCS-TRUE")
def test_the_reference_is_what_the_code_says_of_itself():
    generated = runpy.run_path(str(ROOT / "docs/reference/generate.py"))["pages"]()
    stale = [name for name, text in generated.items() if (ROOT / "docs/reference" / name).read_text("utf-8") != text]
    assert stale == [], "run `make reference`"
