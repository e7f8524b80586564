"""Domains written from the schema of a service: intents become states, names and descriptions ask for them."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .datasets.sgd import Purpose, Service
from .schema_words import called, family_of, parts_of, telling, thing_of, without

NOTHING = "none"
"""The state in which no intent of the service is active."""
_THAT = "(it|that|this|one|there|them|those|these|that one|this one|some of it|for me)"
_BEFORE = ("(want|like|love|need|have|going|decided) to", "(can|could|will|would) (you|we|i)", "please", "let's")


def domain_document(service: Service) -> dict[str, Any]:
    """The domain of a service, as a domain file would have it. The data are English, and so is what asks for a step."""
    names = list(dict.fromkeys(word for it in service.purposes for word in called(it)))
    return {
        "schema_version": 1,
        "domain": snake(service.name),
        "title": _both(service.description or service.name),
        "offers": True,
        "entity": {"kind": snake(service.name), "numbered": False, "names": _each(names or [snake(service.name)])},
        "states": _states(service),
        "transitions": _distinct(step for it in service.purposes for step in _steps(it, service)) | _closing(),
        "restored": _both("As before."),
    }


def snake(name: str) -> str:
    """A name of a schema as a name of a domain file: ``FindBus`` is ``find_bus``."""
    return "_".join(parts_of(name))


def _states(service: Service) -> dict[str, Any]:
    states: dict[str, Any] = {NOTHING: {"initial": True, "closes": True, "title": _both("nothing")}}
    for purpose in service.purposes:
        states[snake(purpose.name)] = {"title": _both(purpose.name), "untouched": not purpose.transactional}
    return states


def _steps(purpose: Purpose, service: Service) -> Iterator[tuple[str, dict[str, Any]]]:
    """The steps that lead to an intent, by name."""
    name, others = snake(purpose.name), [it for it in service.purposes if it != purpose]
    looking = [snake(it.name) for it in service.purposes if not it.transactional]
    doing = [snake(it.name) for it in service.purposes if it.transactional]
    if purpose.transactional:
        yield (
            name,
            _step(purpose, "any", [*_named(purpose, others), *_own(purpose, others)], _examples(purpose, service)),
        )
        rivals = [it for it in others if family_of(it) == family_of(purpose)]
        # "Book it" says which of two that are booked by what was looked for before.
        yield (
            f"{name}_that",
            _step(purpose, _before(purpose, rivals, service) if rivals else "any", list(_alone(purpose))),
        )
        return
    # Who has something done does not look again by naming a thing ("find me a table at ..."), unless for another one.
    named = [*_named(purpose, others), *_own(purpose, others)]
    yield name, _step(purpose, [NOTHING, *looking], named, _examples(purpose, service))
    if doing:
        again = (
            f"({'|'.join(family_of(purpose).ask)}) ... (another|other|different|more) ... ({'|'.join(called(purpose))})"
        )
        yield f"{name}_again", _step(purpose, doing, [again])


def _step(
    purpose: Purpose, sources: Sequence[str] | str, triggers: Sequence[str], examples: Sequence[str] = ()
) -> dict[str, Any]:
    return {
        "title": _both(purpose.description or purpose.name),
        "from": sources,
        "to": snake(purpose.name),
        "triggers": {"en": list(triggers)},
        "examples": _each(examples),
    }


def _closing() -> dict[str, Any]:
    step = {"title": _both("nothing more"), "to": NOTHING, "examples": _each(["That is all I need."])}
    return {"close": step}


def _examples(purpose: Purpose, service: Service) -> list[str]:
    said = purpose.description or " ".join(parts_of(purpose.name)) or purpose.name
    needed = [service.slots[name].description for name in purpose.required if name in service.slots]
    wanted = f"{' '.join(parts_of(purpose.name))}: {', '.join(needed).lower()}"
    return [said, f"I want to {said[:1].lower()}{said[1:]}.", wanted]


def _named(purpose: Purpose, others: Sequence[Purpose]) -> Iterator[str]:
    """What asks for an intent by its thing; a thing that others with such a verb are about tells none of them."""
    family, words = family_of(purpose), called(purpose)
    named = without(words, [it for it in others if family_of(it) == family])
    if named:
        yield f"({'|'.join(family.ask)}) ... ({'|'.join(named)})"
    if not purpose.transactional and len(named) < len(words):
        yield from telling(named)


def _own(purpose: Purpose, others: Sequence[Purpose]) -> Iterator[str]:
    """What asks for an intent by a thing that no other of the service is about."""
    own = without(called(purpose), others)
    if own and purpose.transactional:
        yield f"(want|need|like|get|have) ... ({'|'.join(own)})"
        yield f"(2|3|4|5|6|two|three|four|five|six) ({'|'.join(own)})"
    elif own:
        yield from telling(own)


def _alone(purpose: Purpose) -> Iterator[str]:
    """What asks that something be done with what is talked about."""
    family = family_of(purpose)
    yield from (f"{alone} {_THAT}" for alone in family.alone)
    yield from (f"{before} {alone}" for before in _BEFORE for alone in family.alone)
    yield from (f"^{alone}" for alone in family.alone)
    yield from family.phrases


def _before(purpose: Purpose, rivals: Sequence[Purpose], service: Service) -> list[str]:
    """The intents after which this one is meant and none of its rivals: those whose things are most alike."""
    found = [snake(purpose.name)]
    for earlier in service.purposes:
        alike = {it.name: len(set(thing_of(it)) & set(thing_of(earlier))) for it in (*rivals, purpose)}
        if not earlier.transactional and max(alike, key=lambda name: alike[name]) == purpose.name:
            found.append(snake(earlier.name))
    return found


def _distinct(steps: Iterator[tuple[str, dict[str, Any]]]) -> dict[str, Any]:
    """The steps without a trigger that an earlier one has; one that nothing asks for is left out."""
    seen: list[tuple[str, str, set[str] | None]] = []
    found: dict[str, Any] = {}
    for name, step in steps:
        sources = None if step["from"] == "any" else set(step["from"])
        kept = [it for it in dict.fromkeys(step["triggers"]["en"]) if not _is_taken(it, sources, seen)]
        seen += [(it, name, sources) for it in kept]
        if kept or step["examples"]["en"]:
            # Nobody says its name: it stands for Chinese, which these data do not speak.
            found[name] = step | {"triggers": {"en": kept, "zh": [name]}}
    return found


def _is_taken(trigger: str, sources: set[str] | None, seen: Sequence[tuple[str, str, set[str] | None]]) -> bool:
    return any(
        trigger == other and (sources is None or theirs is None or sources & theirs) for other, _, theirs in seen
    )


def _both(text: str) -> dict[str, str]:
    return {"en": text, "zh": text}


def _each(words: Sequence[str]) -> Mapping[str, list[str]]:
    return {"en": list(words), "zh": list(words)}
