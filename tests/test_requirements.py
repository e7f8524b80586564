"""The list of requirements and the tests agree, read from the source so that a skipped or long test counts as well."""

import ast
from collections import defaultdict
from pathlib import Path

from .requirements import REQUIREMENTS

TESTS = Path(__file__).parent


def named_requirements() -> dict[str, set[str]]:
    """Which test files name which id in a `requirement` mark."""
    named = defaultdict(set)
    for path in TESTS.rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "requirement":
                for argument in node.args:
                    named[ast.literal_eval(argument)].add(path.relative_to(TESTS).as_posix())
    return named


def test_every_requirement_has_a_test():
    assert sorted(REQUIREMENTS.keys() - named_requirements().keys()) == []


def test_every_named_requirement_is_listed():
    assert {id: files for id, files in named_requirements().items() if id not in REQUIREMENTS} == {}
