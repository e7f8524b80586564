"""The project's own source, parsed, for the tests that judge it."""

import ast
import runpy
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from unittest.mock import patch

ROOT = Path(__file__).parent.parent
NOT_OURS = {".git", ".venv", ".typing", "build", "dist", "__pycache__"}


@dataclass(frozen=True, eq=False)
class Module:
    """One parsed file; `name` is its dotted name below `veridical`, such as `memory.storage.turns`."""

    path: Path
    name: str
    tree: ast.Module

    @property
    def where(self) -> str:
        return self.path.relative_to(ROOT).as_posix()

    @property
    def layer(self) -> str:
        return self.name.partition(".")[0]

    def imports(self) -> Iterator[str]:
        """Yield the dotted name of every import, wherever it stands; relative ones as `.memory.storage`."""
        package = self.name if self.path.name == "__init__.py" else self.name.rpartition(".")[0]
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and not node.level:
                yield node.module or ""
            elif isinstance(node, ast.ImportFrom):
                parts = package.split(".")
                base = parts[: len(parts) - node.level + 1]
                target = ".".join([*base, *([node.module] if node.module else [])])
                # `from . import x` and `from .. import memory` may name modules: each name counts as one.
                yield from (f".{target}.{alias.name}".replace("..", ".") for alias in node.names)


@cache
def product_folders() -> tuple[str, ...]:
    """The folders that make up the package, as setup.py names them."""
    with patch("setuptools.setup"):
        return tuple(runpy.run_path(str(ROOT / "setup.py"))["FOLDERS"])


def parse(path: Path) -> Module:
    """Read and parse one file."""
    parts = path.relative_to(ROOT).with_suffix("").parts
    return Module(
        path, ".".join(parts[:-1] if parts[-1] == "__init__" else parts), ast.parse(path.read_bytes(), str(path))
    )


@cache
def product() -> tuple[Module, ...]:
    """Every module of the package."""
    return (
        parse(ROOT / "__init__.py"),
        *(parse(p) for f in product_folders() for p in sorted((ROOT / f).rglob("*.py"))),
    )


@cache
def suite() -> tuple[Module, ...]:
    """Every module under tests/."""
    return tuple(parse(path) for path in sorted((ROOT / "tests").rglob("*.py")))


def text_files() -> Iterator[tuple[str, str]]:
    """Yield the path and the content of every text file of the project."""
    for path in sorted(ROOT.rglob("*")):
        parts = path.relative_to(ROOT).parts
        hidden = any(part.startswith(".") and part not in {".ci", ".gitignore"} for part in parts)
        if hidden or NOT_OURS & set(parts) or not path.is_file():
            continue
        try:
            yield path.relative_to(ROOT).as_posix(), path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
