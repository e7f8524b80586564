"""Answers in a form of the host's: every text, number and date of it must be borne out like a sentence.

What chooses among given words (an enumeration, a literal, yes or no) is a judgement and no claim. Names, numbers and
dates may be the user's of this turn; what is or was done with them must be borne out by something else.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from datetime import date, datetime, time
from decimal import Decimal
from enum import Enum
from typing import Any, Literal, get_args, get_origin

from pydantic import BaseModel

from ..memory.grounding.claims import units
from ..memory.language.times import find_times
from ..memory.language.values import find_values
from ..memory.understanding import Said
from .turns import only_names
from .verifying import Verifying


def unsupported(structured: Any, verifying: Verifying) -> list[str]:
    """The places of a structured answer that nothing bears out, each with its value and why."""
    return [fault for place, leaf in _leaves(structured, "", None) if (fault := _fault(place, leaf, verifying))]


def _leaves(value: Any, place: str, kind: Any) -> Iterator[tuple[str, Any]]:
    """What a structure claims, each with its place."""
    if value is None or isinstance(value, bool | Enum) or _is_choice(kind):
        return
    if isinstance(value, BaseModel):
        kinds = {name: one.annotation for name, one in type(value).model_fields.items()}
        for name, annotation in kinds.items():
            yield from _leaves(getattr(value, name), f"{place}.{name}".lstrip("."), annotation)
    elif is_dataclass(value):
        for one in fields(value):
            yield from _leaves(getattr(value, one.name), f"{place}.{one.name}".lstrip("."), one.type)
    elif isinstance(value, Mapping):
        for name, part in value.items():
            yield from _leaves(part, f"{place}.{name}".lstrip("."), None)
    elif isinstance(value, Sequence | set | frozenset) and not isinstance(value, str):
        for number, part in enumerate(value):
            yield from _leaves(part, f"{place}[{number}]", kind)
    else:
        yield place, value


def _is_choice(kind: Any) -> bool:
    """Whether an annotation gives the words to choose from, alone or within a list or an option."""
    inner = [one for one in get_args(kind) if one is not type(None)]
    return get_origin(kind) is Literal or (bool(inner) and all(map(_is_choice, inner)))


def _fault(place: str, leaf: Any, verifying: Verifying) -> str:
    """Why nothing bears out a leaf; empty where something does."""
    turn = verifying.turning.perceived
    if isinstance(leaf, str):
        if leaf in turn.text and only_names(leaf, turn):
            return ""
        whole = [span.cut(leaf) for span in units(leaf)] or [leaf]
        wrong = next((claim for text in whole for claim in verifying.faults(text)), None)
        return f"{place} ({leaf!r}): {wrong.reason}" if wrong else ""
    said = _is_said(leaf, [*verifying.bears.everything, turn])
    return "" if said else f"{place} ({leaf}): none of the records says it"


def _is_said(leaf: Any, turns: Sequence[Said]) -> bool:
    if isinstance(leaf, int | float | Decimal):
        return any(Decimal(str(leaf)) == number for turn in turns for number in _numbers(turn.text))
    if isinstance(leaf, date | time):
        return any(leaf in moments for turn in turns for moments in _moments(turn))
    return any(str(leaf) in turn.text for turn in turns)


def _numbers(text: str) -> Iterator[Decimal]:
    for value in find_values(text):
        if value.normal.replace(".", "", 1).lstrip("-").isdigit():
            yield Decimal(value.normal)


def _moments(turn: Said) -> Iterator[tuple[date | time, ...]]:
    """The times that a turn names, in each of the forms in which a field may hold them."""
    for found in find_times(turn.text, turn.observed_at, turn.time_zone):
        start: datetime = found.start
        yield start, start.replace(tzinfo=None), start.date(), start.time(), start.timetz()
