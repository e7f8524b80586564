"""Finding the line of a value in a JSON text, after the ordinary parser has lost it."""

import json
from json.decoder import JSONObject  # type: ignore[attr-defined]
from json.scanner import py_make_scanner  # type: ignore[attr-defined]
from typing import Any

Place = tuple[str | int, ...]
"""Keys and indexes from the top of a JSON document down to a value."""


class _Located(dict[str, Any]):
    """An object that knows at which character it begins."""

    start = 0


def line_of(text: str, place: Place) -> int:
    """The line, from 1, on which the innermost object on the way to ``place`` begins.

    It parses again, with Python's slower scanner: for error messages only.
    """
    value: Any = _parse(text)
    start = 0
    for step in place:
        try:
            value = value[step]
        except (KeyError, IndexError, TypeError):
            break
        start = getattr(value, "start", start)
    return text.count("\n", 0, start) + 1


def _parse(text: str) -> object:
    decoder = json.JSONDecoder()

    def parse_object(s_and_end: tuple[str, int], *args: object) -> tuple[_Located, int]:
        found, end = JSONObject(s_and_end, *args)
        located = _Located(found)
        located.start = s_and_end[1] - 1
        return located, end

    decoder.parse_object = parse_object  # type: ignore[attr-defined]
    decoder.scan_once = py_make_scanner(decoder)  # type: ignore[attr-defined]
    return decoder.decode(text)
