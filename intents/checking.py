"""What a domain file of the right form may still get wrong: names of nothing, dead ends, texts in one language."""

import re
from collections import Counter
from collections.abc import Iterator
from string import Formatter

from ..memory.language.folding import fold
from .document import ConditionPart, DomainPart, PhrasesPart, SlotPart, StatePart, TextPart, TransitionPart
from .phrases import unbalanced

Place = tuple[str | int, ...]
Found = tuple[Place, str]
_LANGUAGES = ("en", "zh")
_ALWAYS = frozenset({"entity"})


def problems_of(part: DomainPart) -> Iterator[Found]:
    """Everything that is wrong, each with its place in the document."""
    yield from _states(part)
    yield from _slots(part)
    for name, transition in part.transitions.items():
        yield from _transition(part, name, transition)
    yield from _twice(part)
    yield from _unreachable(part)
    yield from _variables(("restored",), part.restored, _ALWAYS | part.slots.keys())
    yield from _one_language(("entity", "names"), part.entity.names)
    if part.entity.label is not None:
        yield from _variables(("entity", "label"), part.entity.label, frozenset({"name"}))
    for language in _LANGUAGES:
        for index, pattern in enumerate(getattr(part.entity.patterns, language)):
            yield from _regex(("entity", "patterns", language, index), pattern)


def _states(part: DomainPart) -> Iterator[Found]:
    first = [name for name, state in part.states.items() if state.initial]
    if len(first) != 1:
        yield ("states",), f"{len(first)} states are initial: mark exactly one with `initial: true`"
    if not any(state.final or state.closes for state in part.states.values()):
        yield ("states",), "no state is final: mark where a wish is complete with `final: true`"
    for name, state in part.states.items():
        yield from _state(part, ("states", name), state)


def _state(part: DomainPart, place: Place, state: StatePart) -> Iterator[Found]:
    if state.todo is not None:
        yield from _variables((*place, "todo"), state.todo, _ALWAYS | part.slots.keys())
        if not state.final:
            yield (*place, "todo"), "only a final state leaves a todo: add `final: true`, or take it away"
    for index, other in enumerate(state.voids if state.voids != "all" else ()):
        if other not in part.states:
            yield (*place, "voids", index), f"there is no state {other!r}"


def _slots(part: DomainPart) -> Iterator[Found]:
    for name, slot in part.slots.items():
        place = ("slots", name)
        if (slot.values is None) == (slot.kind is None):
            yield place, "say either which `values` it may have, or of which `kind` they are"
        if slot.kind == "text" and not (slot.patterns.en or slot.patterns.zh):
            yield place, "a slot of kind text needs `patterns` with {value}"
        if slot.initial is not None and not _is_value(slot, slot.initial):
            yield (*place, "initial"), f"{slot.initial!r} is none of its values"
        yield from _words_of(place, slot)


def _words_of(place: Place, slot: SlotPart) -> Iterator[Found]:
    """Whether both languages have words for the values, and the phrases say what is taken."""
    for value, forms in (slot.values or {}).items():
        yield from _one_language((*place, "values", value), forms)
    for language in _LANGUAGES:
        for index, phrase in enumerate(getattr(slot.patterns, language)):
            if "{value}" not in phrase:
                yield (*place, "patterns", language, index), "it lacks {value}, which marks what is taken"


def _transition(part: DomainPart, name: str, transition: TransitionPart) -> Iterator[Found]:
    place = ("transitions", name)
    if transition.to not in part.states:
        yield (*place, "to"), f"there is no state {transition.to!r}"
    for index, source in enumerate(transition.sources if transition.sources != "any" else ()):
        if source not in part.states:
            yield (*place, "from", index), f"there is no state {source!r}"
    for key in ("requires", "fills"):
        for index, slot in enumerate(getattr(transition, key)):
            if slot not in part.slots:
                yield (*place, key, index), f"there is no slot {slot!r}"
    yield from _sets(part, place, transition)
    for index, condition in enumerate(transition.guard):
        yield from _condition(part, (*place, "guard", index), condition)
    yield from _spoken(part, place, transition)


def _sets(part: DomainPart, place: Place, transition: TransitionPart) -> Iterator[Found]:
    for slot, value in transition.sets.items():
        if slot not in part.slots:
            yield (*place, "sets", slot), f"there is no slot {slot!r}"
        elif not _is_value(part.slots[slot], value):
            yield (*place, "sets", slot), f"{value!r} is none of its values"


def _spoken(part: DomainPart, place: Place, transition: TransitionPart) -> Iterator[Found]:
    """Whether both languages can ask for it, and with phrases that can be read."""
    for language, other in (_LANGUAGES, _LANGUAGES[::-1]):
        said = [*getattr(transition.triggers, language), *getattr(transition.examples, language)]
        if not said and (getattr(transition.triggers, other) or getattr(transition.examples, other)):
            yield (*place, "triggers"), f"nothing asks for it in {language!r}: add triggers or examples"
        for index, phrase in enumerate(getattr(transition.triggers, language)):
            where = (*place, "triggers", language, index)
            if unbalanced(phrase):
                yield where, f"the brackets of {phrase!r} do not match"
            for slot in re.findall(r"\{(\w*)\}", phrase):
                if slot not in part.slots:
                    yield where, f"there is no slot {slot!r}"


def _condition(part: DomainPart, place: Place, condition: ConditionPart) -> Iterator[Found]:
    if condition.slot not in part.slots:
        yield (*place, "slot"), f"there is no slot {condition.slot!r}"
        return
    yield from _compared(part.slots[condition.slot], place, condition)
    if (condition.is_in is None) == (condition.not_in is None):
        yield place, "give either `in` or `not_in`"
    if condition.unknown == "ask" and condition.question is None:
        yield place, "`unknown: ask` needs a `question`"
    known = _ALWAYS | part.slots.keys() | {"value"}
    for key in ("refusal", "question", "caveat"):
        text = getattr(condition, key)
        if text is not None:
            yield from _variables((*place, key), text, known)


def _compared(slot: SlotPart, place: Place, condition: ConditionPart) -> Iterator[Found]:
    """Whether the values that a condition compares with are values of its slot."""
    for key, values in (("in", condition.is_in), ("not_in", condition.not_in)):
        for index, value in enumerate(values or ()):
            if not _is_value(slot, value):
                yield (*place, key, index), f"{value!r} is none of the values of {condition.slot!r}"


def _twice(part: DomainPart) -> Iterator[Found]:
    """Phrases that ask for two steps from the same state: which one is meant could not be told."""
    for language in _LANGUAGES:
        phrases = [
            (fold(phrase), ("transitions", name, "triggers", language, index), _sources(part, transition))
            for name, transition in part.transitions.items()
            for index, phrase in enumerate(getattr(transition.triggers, language))
        ]
        counted = Counter((phrase, source) for phrase, _, sources in phrases for source in sources)
        for phrase, place, sources in phrases:
            if any(counted[phrase, source] > 1 for source in sources):
                yield place, f"the trigger {phrase!r} stands more than once"


def _sources(part: DomainPart, transition: TransitionPart) -> frozenset[str]:
    return frozenset(part.states if transition.sources == "any" else transition.sources)


def _unreachable(part: DomainPart) -> Iterator[Found]:
    reached: set[str] = set()
    further = {name for name, state in part.states.items() if state.initial}
    while further:
        reached |= further
        further = {it.to for it in part.transitions.values() if _leaves(it, reached)} - reached
    for name in part.states.keys() - reached if reached else ():
        yield ("states", name), "no step leads here from the initial state"


def _leaves(step: TransitionPart, states: set[str]) -> bool:
    return step.sources == "any" or bool(states & set(step.sources))


def _variables(place: Place, text: TextPart, known: frozenset[str]) -> Iterator[Found]:
    for language in _LANGUAGES:
        try:
            names = [name for _, name, _, _ in Formatter().parse(getattr(text, language)) if name is not None]
        except ValueError:
            yield (*place, language), "the braces do not match"
            continue
        for name in names:
            if name not in known:
                yield (*place, language), f"there is no {{{name}}}: use {', '.join(sorted(known))}"


def _one_language(place: Place, phrases: PhrasesPart) -> Iterator[Found]:
    for language in _LANGUAGES:
        if not getattr(phrases, language):
            yield place, f"the words in {language!r} are missing: add them"


def _regex(place: Place, pattern: str) -> Iterator[Found]:
    try:
        compiled = re.compile(pattern)
    except re.error as error:
        yield place, f"this is no regular expression ({error})"
        return
    if "id" not in compiled.groupindex:
        yield place, "it lacks the group (?P<id>…), which names the entity"


def _is_value(slot: SlotPart, value: str) -> bool:
    return slot.values is None or value in slot.values
