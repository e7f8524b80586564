"""Domains written from the schema of a service: intents become states, names and descriptions ask for them."""

import functools
import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from importlib import resources
from typing import Any

import yaml

from .datasets.sgd import Purpose, Service

NOTHING = "none"
"""The state in which no intent of the service is active."""
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_THAT = "(it|that|this|one|there|them|those|these|that one|this one|for me)"
_Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Family:
    """Verbs that ask for the same, with a thing named or without."""

    verbs: _Words
    ask: _Words
    alone: _Words = ()
    nouns: _Words = ()


def domain_document(service: Service) -> dict[str, Any]:
    """The domain of a service, as a domain file would have it. The data are English, and so is what asks for a step."""
    looking = [snake(it.name) for it in service.purposes if not it.transactional]
    transitions = {snake(it.name): _transition(it, service, looking) for it in service.purposes}
    words = list(dict.fromkeys(word for it in service.purposes for word in _object(it)))
    return {
        "schema_version": 1,
        "domain": snake(service.name),
        "title": _both(service.description or service.name),
        "offers": True,
        "entity": {"kind": snake(service.name), "numbered": False, "names": _each(words or [snake(service.name)])},
        "states": _states(service),
        "transitions": transitions | {"close": _closing()},
        "restored": _both("As before."),
    }


def snake(name: str) -> str:
    """A name of a schema as a name of a domain file: ``FindBus`` is ``find_bus``."""
    return "_".join(part.lower() for part in _PARTS.findall(name))


def _states(service: Service) -> dict[str, Any]:
    states: dict[str, Any] = {NOTHING: {"initial": True, "closes": True, "title": _both("nothing")}}
    for purpose in service.purposes:
        states[snake(purpose.name)] = {"title": _both(purpose.name), "untouched": not purpose.transactional}
    return states


def _transition(purpose: Purpose, service: Service, looking: Sequence[str]) -> dict[str, Any]:
    asked = f"I want to {purpose.description[:1].lower()}{purpose.description[1:]}."
    needed = [service.slots[name].description for name in purpose.required if name in service.slots]
    examples = [purpose.description, asked, f"{' '.join(_spoken(purpose))}: {', '.join(needed).lower()}"]
    # Who has something done does not go back to looking by naming a thing again ("find me a table at ...").
    sources = "any" if purpose.transactional else [NOTHING, *looking]
    return {
        "title": _both(purpose.description or purpose.name),
        "from": sources,
        "to": snake(purpose.name),
        "triggers": {"en": list(_triggers(purpose, _shared(purpose, service)))},
        "examples": _each(examples),
    }


def _closing() -> dict[str, Any]:
    return {"title": _both("nothing more"), "to": NOTHING, "examples": _each(["That is all I need."])}


def _triggers(purpose: Purpose, shared: Collection[str]) -> Iterable[str]:
    family = _family(_spoken(purpose)[0])
    words = _object(purpose)
    # A thing that several intents of the service are about tells none of them, unless their verbs differ.
    named = [word for word in words if word not in shared]
    if named:
        yield f"({'|'.join(family.ask)}) ... ({'|'.join(named)})"
    if len(named) < len(words):
        yield from named
    if purpose.transactional:
        yield from (f"{alone} {_THAT}" for alone in family.alone)
        yield from family.nouns


def _shared(purpose: Purpose, service: Service) -> set[str]:
    """The words for things that other intents with a verb of the same family are about, too."""
    family = _family(_spoken(purpose)[0])
    others = [it for it in service.purposes if it != purpose and _spoken(it)[0] in family.verbs]
    return {word for other in others for word in _object(other)}


def _object(purpose: Purpose) -> list[str]:
    """The words for what an intent is about: those of its name, and what people call the same."""
    known = _vocabulary()[1]
    words = _spoken(purpose)[1:] or _spoken(purpose)
    found = [form for word in words for form in (*_forms(word), *known.get(_singular(word), ()))]
    return list(dict.fromkeys(found))


def _forms(word: str) -> _Words:
    one = _singular(word)
    return (one, f"{one}s") if not one.endswith("y") else (one, f"{one[:-1]}ies")


def _singular(word: str) -> str:
    if word.endswith("ies"):
        return f"{word[:-3]}y"
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > 3 else word


def _spoken(purpose: Purpose) -> list[str]:
    return [part.lower() for part in _PARTS.findall(purpose.name)]


def _family(verb: str) -> _Family:
    known = (family for family in _vocabulary()[0] if verb in family.verbs)
    return next(known, _Family((verb,), (verb,), (verb,)))


@functools.cache
def _vocabulary() -> tuple[tuple[_Family, ...], dict[str, _Words]]:
    text = resources.files(__package__).joinpath("schema_words.yaml").read_text(encoding="utf-8")
    content: dict[str, Any] = yaml.safe_load(text)
    families = tuple(_Family(**{key: tuple(words) for key, words in it.items()}) for it in content["families"])
    return families, {word: tuple(forms) for word, forms in content["words"].items()}


def _both(text: str) -> dict[str, str]:
    return {"en": text, "zh": text}


def _each(words: Sequence[str]) -> dict[str, list[str]]:
    return {"en": list(words), "zh": list(words)}
