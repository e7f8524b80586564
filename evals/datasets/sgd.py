"""Schema-guided dialogues: services described by a schema, and the active intent of every turn of a user."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ...memory.errors import BadFile
from ..records import Source
from .choosing import chosen
from .json_files import Malformed, json_files, list_of, located, read_json, text_of

SCHEMA = "schema.json"
NONE = "NONE"
"""The name of no intent in the published files."""
_FORM = "SGD is schema.json, a list of services, beside files of dialogues with 'services' and 'turns'"
_USER = "USER"


@dataclass(frozen=True, slots=True)
class Slot:
    """What can be said of a service's affairs, with the values it may have where these are few."""

    name: str
    description: str
    values: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Purpose:
    """An intent of a service: what a user may want of it."""

    name: str
    description: str
    transactional: bool
    required: tuple[str, ...]
    optional: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Service:
    """A service as its schema describes it."""

    name: str
    description: str
    purposes: tuple[Purpose, ...]
    slots: Mapping[str, Slot]


@dataclass(frozen=True, slots=True)
class Exchange:
    """What a user said, what the system had said before, and then the active intent of each service spoken of."""

    before: str
    text: str
    active: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Errand:
    """A dialogue of a user with services."""

    id: str
    services: tuple[str, ...]
    exchanges: tuple[Exchange, ...]


@dataclass(frozen=True, slots=True)
class Errands:
    """The dialogues of a data set, and all services of its schema."""

    services: Mapping[str, Service]
    dialogues: tuple[Errand, ...]


def load(source: Source) -> Errands:
    """Load a folder, or one file of dialogues with the schema beside it. ``--limit`` counts dialogues.

    Raises:
        BadFile: a file is not of the form; the message names the line.
    """
    folder = source.path.parent if source.path.suffix == ".json" else source.path
    services = _services(folder / SCHEMA)
    found: list[Errand] = []
    for file in json_files(source.path, ("dialogue_id", "turns"), _FORM):
        text, content = read_json(file, _FORM)
        if not isinstance(content, list):
            message = f"{file}, line 1: {_FORM}."
            raise BadFile(message)
        for place, entry in enumerate(content):
            try:
                found.append(_errand(entry, place, services))
            except Malformed as error:
                raise located(file, text, error) from error
    return Errands(services, tuple(chosen(found, source)[: source.limit]))


def _services(file: Path) -> dict[str, Service]:
    text, content = read_json(file, _FORM)
    services: dict[str, Service] = {}
    try:
        for place, entry in enumerate(content if isinstance(content, list) else []):
            service = _service(_object(entry, (place,)), place)
            services[service.name] = service
    except Malformed as error:
        raise located(file, text, error) from error
    if not services:
        message = f"{file}, line 1: {_FORM}."
        raise BadFile(message)
    return services


def _service(entry: Mapping[str, Any], place: int) -> Service:
    slots = [_slot(_object(slot, (place,)), place) for slot in list_of(entry, "slots", (place,))]
    purposes = [_purpose(_object(intent, (place,)), place) for intent in list_of(entry, "intents", (place,))]
    return Service(
        text_of(entry, "service_name", (place,)),
        str(entry.get("description", "")),
        tuple(purposes),
        {slot.name: slot for slot in slots},
    )


def _slot(entry: Mapping[str, Any], place: int) -> Slot:
    values = list_of(entry, "possible_values", (place,))
    return Slot(text_of(entry, "name", (place,)), str(entry.get("description", "")), tuple(map(str, values)))


def _purpose(entry: Mapping[str, Any], place: int) -> Purpose:
    return Purpose(
        text_of(entry, "name", (place,)),
        str(entry.get("description", "")),
        bool(entry.get("is_transactional", False)),
        tuple(map(str, list_of(entry, "required_slots", (place,)))),
        tuple(entry.get("optional_slots") or ()),
    )


def _errand(entry: object, place: int, services: Mapping[str, Service]) -> Errand:
    dialogue = _object(entry, (place,))
    name = text_of(dialogue, "dialogue_id", (place,))
    spoken_of = tuple(map(str, list_of(dialogue, "services", (place,))))
    for unknown in set(spoken_of) - set(services):
        raise Malformed((place,), f"dialogue {name!r} speaks of {unknown!r}, which {SCHEMA} does not describe")
    exchanges: list[Exchange] = []
    before = ""
    for number, turn in enumerate(list_of(dialogue, "turns", (place,))):
        here = (place, "turns", number)
        said = _object(turn, here)
        text = text_of(said, "utterance", here)
        if said.get("speaker") != _USER:
            before = text
        elif active := _active(said, here):
            exchanges.append(Exchange(before, text, active))
    return Errand(name, spoken_of, tuple(exchanges))


def _active(turn: Mapping[str, Any], place: tuple[str | int, ...]) -> dict[str, str]:
    """The active intents by service; a frame without a state says nothing of one."""
    frames = [_object(frame, place) for frame in list_of(turn, "frames", place)]
    states = {text_of(frame, "service", place): _object(frame.get("state", {}), place) for frame in frames}
    return {service: text_of(state, "active_intent", place) for service, state in states.items() if state}


def _object(entry: object, place: tuple[str | int, ...]) -> Mapping[str, Any]:
    if not isinstance(entry, dict):
        raise Malformed(place, f"an object is needed here: {_FORM}")
    return entry
