"""Loading and rendering the templates: pinned versions, strict variables, and a content hash for every use."""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

import yaml
from jinja2 import Environment, StrictUndefined, Template, UndefinedError
from langchain_core.messages import BaseMessage, HumanMessage, SystemMessage

from .reference import PromptRef

_FILE_NAME = re.compile(r"v(?P<version>\d+)\.(?P<language>[a-z]{2})\.md")
_FRONT_MATTER = re.compile(r"\A---\n(?P<head>.*?)\n---\n(?P<body>.*)\Z", re.DOTALL)
_USER = "\n<!-- user -->\n"


class PromptError(Exception):
    """A template that does not exist, is malformed, or was rendered without one of its variables."""


@dataclass(frozen=True)
class Prompt:
    """One version of a template in one language."""

    ref: PromptRef
    language: str
    purpose: str
    variables: frozenset[str]
    changes: str
    parts: tuple[Template, ...]
    """The system message, and the user message where the file has a line ``<!-- user -->``."""

    def render(self, **values: Any) -> str:
        """Render a template of one part with exactly the variables that the front matter declares.

        Raises:
            PromptError: a declared variable is missing, or an undeclared one is given; the message names it.
        """
        (text,) = self._rendered(values)
        return text

    def messages(self, **values: Any) -> list[BaseMessage]:
        """Render the system and the user message of a prompt, as ``render`` does."""
        system, user = self._rendered(values)
        return [SystemMessage(system), HumanMessage(user)]

    def _rendered(self, values: dict[str, Any]) -> list[str]:
        wrong = self.variables ^ values.keys()
        if wrong:
            problem = "needs" if wrong & self.variables else "does not know"
            message = f"Prompt {self.ref.name} v{self.ref.version} {problem} {', '.join(sorted(wrong))}."
            raise PromptError(message)
        try:
            return [part.render(**values).strip() for part in self.parts]
        except UndefinedError as error:
            message = f"Prompt {self.ref.name} v{self.ref.version}: {error}."
            raise PromptError(message) from error


@cache
def load(name: str, language: str, version: int | None = None) -> Prompt:
    """Load a template, its newest version unless one is pinned.

    Raises:
        PromptError: there is no such template, version or language, or its front matter is malformed.
    """
    chosen = _chosen(name, language, version)
    content = source(name, language, chosen)
    match = _FRONT_MATTER.match(content)
    if match is None:
        message = f"Prompt {name!r} v{chosen} has no front matter between two lines of ---."
        raise PromptError(message)
    head = yaml.safe_load(match["head"])
    return Prompt(
        ref=PromptRef(name, chosen, digest(content)),
        language=language,
        purpose=head["purpose"],
        variables=frozenset(head["variables"]),
        changes=head["changes"],
        parts=tuple(_environment().from_string(part) for part in match["body"].split(_USER)),
    )


def _chosen(name: str, language: str, version: int | None) -> int:
    """The version that is meant: the pinned one, or the newest."""
    known = [found for found, written_in in _versions(name) if written_in == language]
    if not known or (version is not None and version not in known):
        wanted = "" if version is None else f" v{version}"
        message = f"There is no prompt {name!r}{wanted} in language {language!r}."
        raise PromptError(message)
    return max(known) if version is None else version


def catalogue() -> list[Prompt]:
    """Every template in every version and language, by name, version and language."""
    names = sorted(entry.name for entry in files(__package__).iterdir() if entry.is_dir())
    return [load(name, language, version) for name in names for version, language in sorted(_versions(name))]


def source(name: str, language: str, version: int) -> str:
    """The file of a template, front matter included."""
    return (files(__package__) / name / f"v{version}.{language}.md").read_text(encoding="utf-8")


def digest(content: str) -> str:
    """The SHA-256 of a template file's content, hexadecimal."""
    return hashlib.sha256(content.encode("utf-8")).hexdigest()


def _versions(name: str) -> Iterator[tuple[int, str]]:
    folder = files(__package__) / name
    if not folder.is_dir():
        return
    for entry in folder.iterdir():
        if match := _FILE_NAME.fullmatch(entry.name):
            yield int(match["version"]), match["language"]


@cache
def _environment() -> Environment:
    # Templates yield plain text for terminals and models; what shows it as HTML escapes it there.
    return Environment(undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, autoescape=False)  # noqa: S701
