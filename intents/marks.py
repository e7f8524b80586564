"""Where in a YAML file something stands, so that a problem can be shown in its line."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import yaml

LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The safe loader, with libyaml where the interpreter has it."""
Path = Sequence[str | int]
"""The keys and indexes that lead to a place in a document."""


@dataclass(frozen=True, slots=True, order=True)
class Problem:
    """Something wrong with a domain file, and where."""

    line: int
    column: int
    message: str

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: {self.message}"


class Marks:
    """The places of one file."""

    def __init__(self, text: str) -> None:
        """Parse the text.

        Raises:
            yaml.YAMLError: it is no YAML.
        """
        self._root = yaml.compose(text, Loader=LOADER)

    def at(self, path: Path, message: str) -> Problem:
        """A problem at a place, or at the nearest place above it that the file has."""
        node, mark = self._root, None
        for step in path:
            found = _child(node, step)
            if found is None:
                break
            mark, node = found
        mark = mark or (node.start_mark if node is not None else None)
        return Problem(mark.line + 1 if mark else 1, mark.column + 1 if mark else 1, message)

    def twice(self) -> Iterator[Problem]:
        """Keys that stand twice in one mapping: YAML would take the last and say nothing."""
        yield from _twice(self._root)


def _child(node: Any, step: str | int) -> tuple[Any, Any] | None:
    """Where a key or an entry begins, and its content."""
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if key.value == str(step):
                return key.start_mark, value
    elif isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
        return node.value[step].start_mark, node.value[step]
    return None


def _twice(node: Any) -> Iterator[Problem]:
    if isinstance(node, yaml.MappingNode):
        seen: set[str] = set()
        for key, value in node.value:
            if key.value in seen:
                mark = key.start_mark
                yield Problem(mark.line + 1, mark.column + 1, f"the key {key.value!r} stands twice: keep one")
            seen.add(key.value)
            yield from _twice(value)
    elif isinstance(node, yaml.SequenceNode):
        for entry in node.value:
            yield from _twice(entry)
