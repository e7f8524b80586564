"""Domains written from the schema of a service: intents become states, names and descriptions ask for them."""

import functools
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib import resources
from itertools import takewhile
from typing import Any

import yaml

from .datasets.sgd import Purpose, Service

NOTHING = "none"
"""The state in which no intent of the service is active."""
_PARTS = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|\d+")
_THAT = "(it|that|this|one|there|them|those|these|that one|this one|some of it|for me)"
_WANT = "(want|like|love|need|have|going|decided) to"
_WOULD = "(can|could|will|would) (you|we|i)"
_Words = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class _Family:
    """Verbs that ask for the same, with a thing named or without."""

    verbs: _Words
    ask: _Words
    does: bool = True
    alone: _Words = ()
    phrases: _Words = ()


@dataclass(frozen=True, slots=True)
class _Vocabulary:
    families: tuple[_Family, ...]
    joints: frozenset[str]
    empty: frozenset[str]
    words: Mapping[str, _Words]

    def family(self, purpose: Purpose) -> _Family:
        """The family of the verb that an intent's name begins with."""
        verb = _spoken(purpose)[0]
        known = (it for it in self.families if verb in it.verbs and it.does == purpose.transactional)
        return next(known, _Family((verb,), (verb,), purpose.transactional, (verb,)))


def domain_document(service: Service) -> dict[str, Any]:
    """The domain of a service, as a domain file would have it. The data are English, and so is what asks for a step."""
    transitions = {name: step for it in service.purposes for name, step in _transitions(it, service).items()}
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


def _transitions(purpose: Purpose, service: Service) -> dict[str, Any]:
    looking = [snake(it.name) for it in service.purposes if not it.transactional]
    asked = f"I want to {purpose.description[:1].lower()}{purpose.description[1:]}."
    needed = [service.slots[name].description for name in purpose.required if name in service.slots]
    examples = [purpose.description, asked, f"{' '.join(_spoken(purpose))}: {', '.join(needed).lower()}"]
    step = {
        "title": _both(purpose.description or purpose.name),
        # Who has something done does not look again by naming a thing ("find me a table at ..."), unless for another.
        "from": "any" if purpose.transactional else [NOTHING, *looking],
        "to": snake(purpose.name),
        "triggers": {"en": list(dict.fromkeys(_triggers(purpose, service)))},
        "examples": _each(examples),
    }
    doing = [snake(it.name) for it in service.purposes if it.transactional]
    if purpose.transactional or not doing:
        return {snake(purpose.name): step}
    family = _vocabulary().family(purpose)
    again = f"({'|'.join(family.ask)}) ... (another|other|different|more) ... ({'|'.join(_object(purpose))})"
    anew = {"from": doing, "triggers": _each([again]), "examples": {}}
    return {snake(purpose.name): step, f"{snake(purpose.name)}_again": step | anew}


def _closing() -> dict[str, Any]:
    return {"title": _both("nothing more"), "to": NOTHING, "examples": _each(["That is all I need."])}


def _triggers(purpose: Purpose, service: Service) -> Iterator[str]:
    family = _vocabulary().family(purpose)
    words = _object(purpose)
    # A thing that several intents of the service are about tells none of them, unless their verbs differ.
    rivals = [it for it in service.purposes if it != purpose and _vocabulary().family(it) == family]
    named = _without(words, rivals)
    own = _without(words, [it for it in service.purposes if it != purpose])
    if named:
        yield f"({'|'.join(family.ask)}) ... ({'|'.join(named)})"
    if len(named) < len(words):
        yield from named
    if own and not purpose.transactional:
        yield from own
    if own and purpose.transactional:
        yield f"(want|need|like|get|have) ... ({'|'.join(own)})"
    if purpose.transactional:
        yield from (f"{alone} {_THAT}" for alone in family.alone)
        for before in (_WANT, _WOULD, "please", "let's"):
            yield from (f"{before} {alone}" for alone in family.alone)
        yield from (f"^{alone}" for alone in family.alone)
        yield from family.phrases


def _without(words: Sequence[str], others: Sequence[Purpose]) -> list[str]:
    taken = {word for other in others for word in _object(other)}
    return [word for word in words if word not in taken]


def _object(purpose: Purpose) -> list[str]:
    """The words for what an intent is about: those of its name, and what people call the same."""
    known = _vocabulary()
    spoken = _spoken(purpose)
    rest = list(takewhile(lambda word: word not in known.joints, spoken[1:])) or spoken
    words = [word for word in rest if word not in known.empty] or rest
    found = [form for word in words for form in (*_forms(word), *known.words.get(_singular(word), ()))]
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


@functools.cache
def _vocabulary() -> _Vocabulary:
    text = resources.files(__package__).joinpath("schema_words.yaml").read_text(encoding="utf-8")
    content: dict[str, Any] = yaml.safe_load(text)
    return _Vocabulary(
        tuple(_family(entry) for entry in content["families"]),
        frozenset(content["joints"]),
        frozenset(content["empty"]),
        {word: tuple(forms) for word, forms in content["words"].items()},
    )


def _family(entry: Mapping[str, Any]) -> _Family:
    words = {key: tuple(found) for key, found in entry.items() if key != "does"}
    return _Family(does=bool(entry["does"]), **words)


def _both(text: str) -> dict[str, str]:
    return {"en": text, "zh": text}


def _each(words: Sequence[str]) -> dict[str, list[str]]:
    return {"en": list(words), "zh": list(words)}
