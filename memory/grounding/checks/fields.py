"""Names of fields in an answer: in snake_case, in backticks, or as the key before a value."""

import functools
import re
from collections.abc import Collection, Iterator

from ...language.folding import fold
from ...storage.states import MemoryState
from . import vocabulary
from .faults import Fault, against, missing


@functools.cache
def _code() -> re.Pattern[str]:
    entry = vocabulary.table()["fields"]
    return re.compile(f"{entry['snake']}|{entry['camel']}")


@functools.cache
def _keys() -> re.Pattern[str]:
    entry = vocabulary.table()["fields"]
    return re.compile(f"{entry['ticked']}|{entry['key']}")


def field_names(text: str) -> frozenset[str]:
    """The names of code that a text holds, exactly as they are written."""
    return frozenset(match.group() for match in _code().finditer(text))


def state_fields(state: MemoryState) -> frozenset[str]:
    """The names of fields in a MEMORY_STATE: keys of its anchors and attributes of its facts."""
    return frozenset((*(anchor.key for anchor in state.anchors), *(fact.attribute for fact in state.current_facts)))


def _used(text: str) -> Iterator[str]:
    for match in _code().finditer(text):
        yield match.group()
    for match in _keys().finditer(text):
        name = next(group for group in match.groups() if group).strip()
        if fold(name) not in vocabulary.words("not_keys"):
            yield name


def check_fields(text: str, known: Collection[str]) -> Fault | None:
    """Every name of code must be one of the known ones exactly, and a key must not be half of a known one.

    Args:
        text: The claim.
        known: Names of MEMORY_STATE, of the evidence and of the host's instructions.
    """
    for name in dict.fromkeys(_used(text)):
        if name in known:
            continue
        meant = next((one for one in sorted(known) if _is_part(name, one)), None)
        if meant:
            return against(f"the field is called {meant}, not {name}")
        if _code().fullmatch(name):
            return missing(f"{name} is no field of the records")
    return None


def _is_part(name: str, field: str) -> bool:
    """Whether a name is made of words of a field's name and is not the field."""
    words, parts = _parts(name), _parts(field)
    return len(parts) > 1 and bool(words) and (words <= parts or words == parts)


def _parts(name: str) -> frozenset[str]:
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", name)
    return frozenset(part for part in re.split(r"[_\W]+", fold(spaced)) if part)
