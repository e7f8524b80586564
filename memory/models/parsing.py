"""Reading the JSON that models write: fences, prose around it, broken escapes and cut-off ends included."""

import json
import re
from collections.abc import Iterator
from itertools import islice
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from .failures import ModelFailure

Parsed = TypeVar("Parsed", bound=BaseModel)

_FENCE = re.compile(r"```(?:json)?\s*(.*?)(?:```|\Z)", re.DOTALL | re.IGNORECASE)
_BAD_ESCAPE = re.compile(r'\\(?!["\\/bfnrt]|u[0-9a-fA-F]{4})')
_TRAILING_COMMA = re.compile(r",(\s*[}\]])")
_MOST_STARTS = 4
_DECODER = json.JSONDecoder(strict=False)
_CLOSERS = {"{": "}", "[": "]"}


def parse(text: str, schema: type[Parsed]) -> Parsed:
    """The first JSON object in ``text`` that fits the schema, after the least repair that makes one.

    Raises:
        ModelFailure: nothing in the text can be read as such an object.
    """
    for candidate in _candidates(text):
        try:
            found, _ = _DECODER.raw_decode(candidate)
            return schema.model_validate(found)
        except (ValidationError, ValueError):
            continue
    raise ModelFailure("malformed", f"no {schema.__name__} in the output")


def _candidates(text: str) -> Iterator[str]:
    bodies = [*(match[1] for match in _FENCE.finditer(text)), text]
    starts = [body[match.start() :] for body in bodies for match in islice(re.finditer(r"\{", body), _MOST_STARTS)]
    mended = [_TRAILING_COMMA.sub(r"\1", _BAD_ESCAPE.sub(r"\\\\", start)) for start in starts]
    yield from starts
    yield from mended
    for start in mended:
        yield from _closed(start)


def _closed(text: str) -> Iterator[str]:
    """The text with its open strings, lists and objects closed, dropping ever more of a half-written end."""
    for end in (len(text), *(match.start() for match in reversed(list(re.finditer(r",", text))))):
        piece = text[:end]
        open_string, stack = _open(piece)
        if stack or open_string:
            yield piece + ('"' if open_string else "") + "".join(_CLOSERS[one] for one in reversed(stack))


def _open(text: str) -> tuple[bool, list[str]]:
    """Whether the text ends within a string, and the brackets that are open at its end."""
    in_string, escaped = False, False
    stack: list[str] = []
    for character in text:
        if escaped:
            escaped = False
        elif in_string:
            escaped = character == "\\"
            in_string = character != '"'
        elif character == '"':
            in_string = True
        elif character in _CLOSERS:
            stack.append(character)
        elif character in _CLOSERS.values() and stack:
            stack.pop()
    return in_string, stack


def as_schema(schema: type[BaseModel]) -> str:
    """The schema as compact JSON, for prompts."""
    document: dict[str, Any] = schema.model_json_schema()
    return json.dumps(document, ensure_ascii=False, separators=(",", ":"))
