"""Reading domain files: the ones that come with the product, and a user's own."""

import functools
from collections.abc import Mapping
from importlib import resources
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from ..memory.errors import BadFile
from .checking import problems_of
from .document import DomainPart
from .domains import Domain, Domains, domain_of
from .marks import LOADER, Marks, Problem

_PLAIN = {
    "extra_forbidden": "there is no such key: check its spelling",
    "missing": "this key is missing: add it",
    "string_pattern_mismatch": "use small letters, digits and single underscores",
}


@functools.cache
def shipped() -> Domains:
    """The domains that come with the product."""
    folder = resources.files(__package__)
    files = sorted((it for it in folder.iterdir() if it.name.endswith(".yaml")), key=lambda it: it.name)
    return Domains(dict(_pair(domain_from(yaml.load(it.read_text(encoding="utf-8"), LOADER))) for it in files))  # noqa: S506


def load_domains(folder: Path | None = None) -> Domains:
    """The shipped domains, and those of a folder; one of the folder's takes the place of a shipped one of its name.

    Raises:
        BadFile: a file of the folder is wrong; the message says where.
    """
    if folder is None or not folder.is_dir():
        return shipped()
    own = [read_domain(path) for path in sorted(folder.glob("*.y*ml"))]
    twice = next((it.id for place, it in enumerate(own) if it.id in {other.id for other in own[:place]}), None)
    if twice is not None:
        message = f"Two files of {folder} describe the domain {twice!r}: keep one."
        raise BadFile(message)
    return Domains(dict(shipped().by_id) | dict(map(_pair, own)))


def read_domain(path: Path) -> Domain:
    """The domain of one file.

    Raises:
        BadFile: it cannot be read, or something in it is wrong.
    """
    part, problems = examine(path)
    if part is None or problems:
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        message = f"{path} is wrong in {problems[0]}{more}; `veridical intents check {path}` shows everything."
        raise BadFile(message)
    return domain_of(part)


def domain_from(document: Mapping[str, Any]) -> Domain:
    """The domain of a document that was made in a program, of the form of a file.

    Raises:
        BadFile: something in it is wrong.
    """
    try:
        part = DomainPart.model_validate(document)
    except ValidationError as error:
        first = error.errors()[0]
        message = f"The domain is wrong at {'.'.join(map(str, first['loc']))}: {_said(first)}."
        raise BadFile(message) from error
    wrong = next(iter(problems_of(part)), None)
    if wrong is not None:
        message = f"The domain is wrong at {'.'.join(map(str, wrong[0]))}: {wrong[1]}."
        raise BadFile(message)
    return domain_of(part)


def examine(path: Path) -> tuple[DomainPart | None, list[Problem]]:
    """Read a file and find everything that is wrong with it, in the order of its lines.

    Raises:
        BadFile: it cannot be read at all.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8"
        message = f"{path} cannot be read ({reason}): name a domain file in YAML."
        raise BadFile(message) from error
    try:
        marks, document = Marks(text), yaml.load(text, LOADER)  # noqa: S506 - both loaders are the safe ones
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        return None, [_broken(error)]
    problems = list(marks.twice())
    try:
        part = DomainPart.model_validate(document)
    except ValidationError as error:
        problems += [marks.at(it["loc"], f"{_place(it['loc'])}: {_said(it)}") for it in error.errors()]
        return None, sorted(set(problems))
    problems += [marks.at(place, f"{_place(place)}: {message}") for place, message in problems_of(part)]
    return part, sorted(set(problems))


def _pair(domain: Domain) -> tuple[str, Domain]:
    return domain.id, domain


def _place(path: tuple[str | int, ...]) -> str:
    return ".".join(map(str, path)) or "the file"


def _said(error: Any) -> str:
    """What is wrong, in one clause; a text in one language only is the commonest."""
    if error["type"] == "missing" and error["loc"][-1:] in {("en",), ("zh",)}:
        return f"the {'English' if error['loc'][-1] == 'en' else 'Chinese'} text is missing: add it"
    said = _PLAIN.get(error["type"])
    return said or f"{error['msg'][:1].lower()}{error['msg'][1:]}"


def _broken(error: Exception) -> Problem:
    # A bracket that is not closed is where it opens, not where the file has gone on to.
    mark = getattr(error, "context_mark", None) or getattr(error, "problem_mark", None)
    reason = getattr(error, "problem", None) or str(error).partition("\n")[0]
    line, column = (mark.line + 1, mark.column + 1) if mark is not None else (1, 1)
    return Problem(line, column, f"this is no YAML ({reason}): correct it")
