"""The documentation is true: what it names exists, and what exists for users is named."""

import ast
import re
import subprocess
from pathlib import Path

import pytest
from typer.main import get_command

from .source import ROOT

PAGES = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")])
READMES = [ROOT / "README.md", ROOT / "README.zh-CN.md"]


def targets() -> set[str]:
    """The targets of the Makefile that `make help` lists."""
    return set(re.findall(r"^([a-z-]+):.*## ", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))


def code(page: Path) -> str:
    """Everything in a page that is set as code."""
    text = page.read_text(encoding="utf-8")
    return "\n".join(re.findall(r"```.*?```|`[^`\n]+`", text, re.DOTALL))


@pytest.mark.requirement("DOCS-TRUE")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_every_link_and_path_leads_somewhere(page):
    text = page.read_text(encoding="utf-8")
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
    index = (ROOT / "docs/adr/README.md").read_text(encoding="utf-8")
    assert {page for page in pages if f"({page})" not in index} == set()


@pytest.mark.requirement("DOCS-TRUE")
def test_make_help_lists_every_target_that_is_not_internal():
    run = subprocess.run(["make", "help"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert {line.split()[1] for line in run.stdout.splitlines()} == targets()


@pytest.mark.requirement("DOCS-TRUE")
def test_every_exception_is_drawn_in_the_tree():
    module = ast.parse((ROOT / "memory/errors.py").read_text(encoding="utf-8"))
    tree = ast.get_docstring(module) or ""
    classes = {node.name for node in module.body if isinstance(node, ast.ClassDef)}
    assert {name for name in classes if not re.search(rf"\b{name}\b", tree)} == set()
