"""Reading the lexicons: YAML files in ``lexicons/``, loaded once, on first use.

A lexicon may hold regular expressions over folded text. In them ``{name}`` stands for a macro of the same file (its
``macros`` mapping) or of ``numerals.yaml``; a quantifier such as ``{1,3}`` is none, for it has no letters.
"""

import functools
import re
from importlib import resources
from typing import Any

import yaml


@functools.cache
def load(name: str) -> dict[str, Any]:
    """The content of ``lexicons/<name>.yaml``, a mapping.

    Loaded with libyaml where the interpreter has it, because the tables are long.
    """
    # Relative to this package, so that it works both from a checkout and from an installed wheel.
    text = resources.files(__package__).joinpath("lexicons", f"{name}.yaml").read_text(encoding="utf-8")
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    content: dict[str, Any] = yaml.load(text, Loader=loader)  # noqa: S506 - both loaders are the safe ones
    return content


def words(entry: str | list[str]) -> list[str]:
    """The words of a space-separated entry, or of a list of them; ``_`` stands for a space within a word."""
    text = entry if isinstance(entry, str) else " ".join(entry)
    return [word.replace("_", " ") for word in text.split()]


def alternatives(phrases: list[str] | dict[str, Any]) -> str:
    """A pattern of any of the phrases, the longest first."""
    return "|".join(re.escape(phrase) for phrase in sorted(phrases, key=len, reverse=True))


@functools.cache
def _macro() -> re.Pattern[str]:
    return re.compile(r"\{([a-z_]+)\}")


def expand(pattern: str, macros: dict[str, str]) -> str:
    """A pattern with its macros, and the macros in them, written out."""
    known = load("numerals")["macros"] | macros
    while match := _macro().search(pattern):
        pattern = pattern[: match.start()] + str(known[match.group(1)]) + pattern[match.end() :]
    return pattern


def compiled(table: dict[str, Any], key: str, macros: dict[str, str] | None = None) -> re.Pattern[str]:
    """The regular expression under ``key`` of a lexicon or of a part of one.

    Args:
        table: The mapping that holds it; its own ``macros`` apply.
        key: The entry.
        macros: Further macros.
    """
    return re.compile(expand(table[key], table.get("macros", {}) | (macros or {})), re.MULTILINE)
