"""The documentation is true: what it names exists, and what exists for users is named."""

import ast
import re
import subprocess
import sys
from pathlib import Path

import pytest
from typer.main import get_command

from .source import ROOT

PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
READMES = [ROOT / "README.md", ROOT / "README.zh-CN.md"]


def targets() -> set[str]:
    """The targets of the Makefile that `make help` lists."""
    return set(re.findall(r"^([a-z-]+):.*## ", read(ROOT / "Makefile"), re.MULTILINE))


def read(page: Path) -> str:
    """The text of a page."""
    return page.read_text(encoding="utf-8")


def undated(text: str) -> str:
    """A transcript without its dates, which depend on the day it is made, and without the spaces at its ends."""
    return re.sub(r"\d{4}-\d{2}-\d{2}", "(date)", text).strip()


def code(page: Path) -> str:
    """Everything in a page that is set as code."""
    text = read(page)
    return "\n".join(re.findall(r"```.*?```|`[^`\n]+`", text, re.DOTALL))


@pytest.mark.requirement("DOCS-TRUE")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_link_and_path_leads_somewhere(page):
    text = read(page)
    links = [link for link in re.findall(r"\]\(([^)#\s]+)", text) if "://" not in link]
    assert [link for link in links if not (page.parent / link).exists()] == []


@pytest.mark.requirement("DOCS-TRUE")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_command_and_target_in_the_documentation_exists(page):
    from veridical.cli.app import app

    commands = set(get_command(app).commands)
    used = set(re.findall(r"\bveridical (?!-)([a-z]+)\b", code(page)))
    assert used - commands == set()
    assert set(re.findall(r"\bmake (?:-s )?([a-z][a-z-]*)", code(page))) - targets() == set()


@pytest.mark.requirement("DOCS-TRUE")
@pytest.mark.parametrize("readme", READMES, ids=lambda page: page.name)
def test_the_readme_names_every_command(readme):
    from veridical.cli.app import app

    named = set(re.findall(r"\bveridical ([a-z]+)\b", code(readme)))
    assert set(get_command(app).commands) - named == set()


@pytest.mark.requirement("DOCS-TRUE", "CHAT-STDIN")
@pytest.mark.parametrize("readme", READMES, ids=lambda page: page.name)
def test_the_transcript_of_the_readme_is_what_the_chat_says(readme, data_dir, tmp_path):
    transcript = re.search(
        r"```console\n\$ printf '(?P<said>.*?)' \| make -s chat\n(?P<shown>.*?)```", read(readme), re.DOTALL
    )
    assert transcript is not None
    run = subprocess.run(
        [sys.executable, "-c", "import veridical.cli.app as app; app.main()", "chat"],
        input=transcript["said"].replace("\\n", "\n"),
        env={"PATH": "", "HOME": str(tmp_path), "VERIDICAL_DATA_DIR": str(data_dir), "LANG": "C.UTF-8"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert undated(run.stdout) == undated(transcript["shown"])


@pytest.mark.requirement("DOCS-TRUE")
@pytest.mark.parametrize("readme", READMES, ids=lambda page: page.name)
def test_the_program_of_the_readme_runs(readme, data_dir, tmp_path):
    (program,) = re.findall(r"```python\n(.*?)```", read(readme), re.DOTALL)
    run = subprocess.run(
        [sys.executable, "-c", program],
        env={"PATH": "", "HOME": str(tmp_path), "VERIDICAL_DATA_DIR": str(data_dir)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert run.stdout.startswith("I can't confirm that from our conversation records.")


@pytest.mark.requirement("DOCS-TRUE")
def test_every_command_and_option_has_help():
    from veridical.cli.app import app

    root = get_command(app)
    commands = [root, *root.commands.values()]
    commands += [sub for command in root.commands.values() for sub in getattr(command, "commands", {}).values()]
    silent = [command.name for command in commands if not command.help]
    silent += [f"{c.name} {p.name}" for c in commands for p in c.params if not getattr(p, "help", None)]
    assert silent == []


@pytest.mark.requirement("DOCS-TRUE")
def test_every_decision_is_in_the_index():
    pages = {path.name for path in (ROOT / "docs/adr").glob("[0-9]*.md")}
    index = read(ROOT / "docs/adr/README.md")
    assert {page for page in pages if f"({page})" not in index} == set()


@pytest.mark.requirement("DOCS-TRUE")
def test_make_help_lists_every_target_that_is_not_internal():
    run = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert {line.split()[1] for line in run.stdout.splitlines()} == targets()


@pytest.mark.requirement("DOCS-TRUE")
def test_every_exception_is_drawn_in_the_tree():
    module = ast.parse(read(ROOT / "memory/errors.py"))
    tree = ast.get_docstring(module) or ""
    classes = {node.name for node in module.body if isinstance(node, ast.ClassDef)}
    assert {name for name in classes if not re.search(rf"\b{name}\b", tree)} == set()
