"""What holds for every test: a scrubbed environment, a home of its own, no network, and known requirement ids."""

import logging
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import settings
from sqlalchemy import inspect

from veridical.memory.storage.database import Database

from .requirements import REQUIREMENTS
from .source import ROOT

# A deadline would assert an absolute time; machines are shared.
settings.register_profile("unhurried", deadline=None)
settings.load_profile("unhurried")

# Settings of the product, and of the libraries that would call a model, a tracer or a tracker if they found a key.
_PREFIXES = (
    "VERIDICAL_",
    "OPENAI_",
    "AZURE_",
    "ANTHROPIC_",
    "LANGCHAIN_",
    "LANGGRAPH_",
    "LANGSMITH_",
    "CHROMA_",
    "OTEL_",
)


@pytest.fixture(autouse=True)
def clean_environment(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Start every test without settings of the machine, in UTC, and with an empty home folder."""
    for name in os.environ:
        if name.startswith(_PREFIXES):
            monkeypatch.delenv(name)
    home = tmp_path_factory.mktemp("home")
    for name in ("HOME", "XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_STATE_HOME"):
        monkeypatch.setenv(name, str(home))
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("NO_COLOR", "1")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.fixture(autouse=True, scope="session")
def new_stores_are_copied(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Run the migrations once in a session and copy what they made into every new store: a third of many a test."""
    made = Database(tmp_path_factory.mktemp("new-store"))
    upgrade = Database._upgrade

    def copy(database: Database) -> None:
        if not database.on_server and not inspect(database.engine).get_table_names():
            with closing(made.engine.raw_connection()) as source, closing(database.engine.raw_connection()) as target:
                source.driver_connection.backup(target.driver_connection)
        upgrade(database)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Database, "_upgrade", copy)
        yield
    made.close()


@pytest.fixture(scope="session")
def sdist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source distribution of the project, built without a network in a copy of it."""
    copy = tmp_path_factory.mktemp("build") / "any-name"
    # Only what a release could be made of: nothing of it may come from a build before.
    ignored = shutil.ignore_patterns(".*", "build", "dist", "*.egg-info", "__pycache__", "tests", "notebooks", "bench")
    shutil.copytree(ROOT, copy, ignore=ignored)
    code = "from setuptools import build_meta; print(build_meta.build_sdist('dist'))"
    subprocess.run([sys.executable, "-c", code], cwd=copy, check=True, capture_output=True)
    (built,) = (copy / "dist").glob("*.tar.gz")
    return built


@pytest.fixture(scope="session")
def wheel(sdist: Path) -> Path:
    """The wheel of the project, built from its source distribution without a network."""
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    subprocess.run([*command, "--wheel-dir", str(sdist.parent), str(sdist)], check=True)
    (built,) = sdist.parent.glob("*.whl")
    return built


@pytest.fixture(autouse=True)
def quiet_logs() -> Iterator[None]:
    """Leave the loggers to the next test as they were: a command that logs sets them up for its whole process."""
    yield
    for name in ("veridical", "uvicorn.error"):
        logging.getLogger(name).handlers.clear()
        logging.getLogger(name).setLevel(logging.NOTSET)


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    """A data folder that does not exist yet."""
    return tmp_path / "data"


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Refuse unknown requirement ids, and keep only the tests of `--requirement ID` where it is given."""
    wanted = set(config.getoption("requirement"))
    for item in items:
        named = {id for marker in item.iter_markers("requirement") for id in marker.args}
        if unknown := named - REQUIREMENTS.keys():
            raise pytest.UsageError(
                f"{item.nodeid} names unknown requirements {sorted(unknown)}: see tests/requirements.py"
            )
        item.user_properties.extend(("requirement", id) for id in sorted(named))
    if wanted:
        kept = [i for i in items if wanted & {id for marker in i.iter_markers("requirement") for id in marker.args}]
        config.hook.pytest_deselected(items=[item for item in items if item not in kept])
        items[:] = kept


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add `--requirement` and `--update-golden`."""
    parser.addoption("--requirement", action="append", default=[], metavar="ID", help="run the tests of this id only")
    parser.addoption("--update-golden", action="store_true", help="write the golden files instead of comparing")
