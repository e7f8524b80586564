"""What gets installed: the content of the wheel, built in a copy of the project and imported from there."""

import re
import runpy
import shutil
import subprocess
import sys
import tomllib
import zipfile
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest

from .source import ROOT, product, product_folders

OPTIONAL = {
    "service": ("service/", "cli/commands/serve.py"),
    "postgres": ("memory/storage/postgresql.py", "memory/storage/announcing.py", "graph/postgres_checkpointer.py"),
    "mcp": ("integrations/mcp.py",),
}
"""The extras, and where the product may import what they bring."""
VERSION = runpy.run_path(str(ROOT / "__init__.py"))["__version__"]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel of the project, built without a network."""
    copy = tmp_path_factory.mktemp("build") / "any-name"
    shutil.copytree(ROOT, copy, ignore=shutil.ignore_patterns(".*", "build", "dist", "*.egg-info", "__pycache__"))
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*command, "--wheel-dir", str(copy / "dist"), str(copy)], check=True)
    (built,) = (copy / "dist").glob("*.whl")
    return built


@pytest.fixture(scope="module")
def content(wheel: Path) -> set[str]:
    """The paths inside the wheel."""
    return set(zipfile.ZipFile(wheel).namelist())


@pytest.mark.requirement("WHEEL-CONTENT")
def test_the_wheel_installs_one_name(content):
    assert {path.partition("/")[0] for path in content} == {"veridical", f"veridical-{VERSION}.dist-info"}


@pytest.mark.requirement("WHEEL-CONTENT")
def test_the_wheel_holds_every_module(content):
    assert {f"veridical/{module.where}" for module in product()} - content == set()


@pytest.mark.requirement("WHEEL-CONTENT")
def test_the_wheel_holds_every_data_file(content):
    data = {
        f"veridical/{path.relative_to(ROOT).as_posix()}"
        for folder in product_folders()
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and path.suffix != ".pyc"
    }
    assert data - content == set()


@pytest.mark.requirement("WHEEL-CONTENT")
def test_every_product_folder_is_typed(content):
    assert {f"veridical/{folder}/py.typed" for folder in product_folders()} - content == set()


@pytest.mark.requirement("WHEEL-CONTENT")
def test_the_wheel_holds_no_test_and_no_notebook(content):
    folders = {path.split("/")[1] for path in content if path.startswith("veridical/") and path.count("/") > 1}
    assert folders == set(product_folders())
    assert [path for path in content if path.endswith(".ipynb") or "/test" in path] == []


@pytest.mark.requirement("WHEEL-CONTENT")
def test_the_installed_package_reads_its_own_files(wheel, tmp_path):
    zipfile.ZipFile(wheel).extractall(tmp_path)
    code = (
        "import veridical.memory.language.lexicon as lexicon, veridical.prompts, sys;"
        f"assert lexicon.__file__.startswith({str(tmp_path)!r}), lexicon.__file__;"
        "print(sorted(lexicon.synonyms('budget'))[:1])"
    )
    run = subprocess.run(
        [sys.executable, "-c", code],
        cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr


def test_the_public_names_are_loaded_when_asked_for():
    import veridical

    assert veridical.__version__ == VERSION
    assert {name: getattr(veridical, name).__name__ for name in ("Context", "Memory", "build_graph")} == {
        "Context": "Context",
        "Memory": "Memory",
        "build_graph": "build_graph",
    }
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = veridical.nothing


def distribution(name: str) -> str:
    """The name of a distribution in the form in which names are compared."""
    return re.sub(r"[-_.]+", "-", name).lower()


def names_of(dependencies: list[str]) -> set[str]:
    return {distribution(re.split(r"[^\w.-]", name)[0]) for name in dependencies}


def extra_of(where: str) -> str | None:
    """The extra that a module needs; all others work with what is always installed."""
    return next((extra for extra, places in OPTIONAL.items() if where.startswith(places)), None)


@pytest.mark.requirement("WHEEL-CONTENT")
def test_every_library_that_the_product_imports_is_declared():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    declared = {None: names_of(project["dependencies"])}
    declared |= {extra: names_of(project["optional-dependencies"][extra]) for extra in OPTIONAL}
    owners = packages_distributions()
    undeclared = {
        (module.where, name)
        for module in product()
        for name in module.imports()
        if not name.startswith(".") and (top := name.partition(".")[0]) not in {*sys.stdlib_module_names, "veridical"}
        if not (declared[None] | declared.get(extra_of(module.where), set()))
        & {distribution(owner) for owner in owners.get(top, [])}
    }
    assert undeclared == set()
