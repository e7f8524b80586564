"""What a turn asks about the errands themselves: how far one is, what was wanted before, whether something was asked.

The machine answers these from its own record. A question is one of them only where it is about an errand that the user
has: any other goes to the memory.
"""

import functools
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Literal

from sqlalchemy import Connection

from ..memory.language import resources
from ..memory.language.folding import fold
from ..memory.language.sentences import sentences
from ..memory.language.tokens import content_stems
from ..memory.records import Turn
from ..memory.storage.intents import IntentRow, StepRow, list_intents, steps_of
from .domains import Domain
from .entities import mentions_in
from .triggers import Vocabulary

InquiryKind = Literal["state", "past", "said", "todos"]
_ONE_ERRAND: tuple[InquiryKind, ...] = ("past", "state")
_KINDS: tuple[InquiryKind, ...] = ("todos", "said", *_ONE_ERRAND)
_MOST_SENTENCES = 2


@dataclass(frozen=True, slots=True)
class Inquiry:
    """A question about errands, and what of their record it is about."""

    kind: InquiryKind
    intents: tuple[int, ...] = ()
    """Numbers of the errands."""
    steps: tuple[int, ...] = ()
    """Numbers of the steps that answer it, where it asks for one."""


def inquire(connection: Connection, vocabularies: Mapping[str, Vocabulary], turn: Turn) -> Inquiry | None:
    """What a turn asks about the user's errands; ``None`` where it asks something else, or there are none.

    Args:
        connection: open for reading.
        vocabularies: the words of each domain, by its id.
        turn: what was said, recorded or not.
    """
    text = fold(turn.text).strip()
    if len(sentences(turn.text)) > _MOST_SENTENCES or not any(_search(kind, text) for kind in _KINDS):
        return None
    known = _known(connection, vocabularies, turn)
    if not known:
        return None
    if _search("todos", text):
        return _todos(connection, known)
    asked = _search("said", text)
    if asked is not None:
        return _said(connection, vocabularies, known, text, asked["what"])
    found = next(filter(None, (_of_one(kind, vocabularies, known, text) for kind in _ONE_ERRAND)), None)
    if found is not None and found.kind == "past":
        wanted = steps_of(connection, turn.user_id, found.intents)
        moved = tuple(number for number in found.intents if any(_moves(one, vocabularies) for one in wanted[number]))
        # Where errands were only looked at, what one wanted before is something else.
        return replace(found, intents=moved) if moved else None
    return found


def _moves(step: StepRow, vocabularies: Mapping[str, Vocabulary]) -> bool:
    """Whether a step does more than look."""
    state = vocabularies[step.domain].domain.states.get(step.to_state)
    return step.kind == "step" and state is not None and not state.untouched


def of_own_life(text: str) -> bool:
    """Whether a question is about who asks it, and not about a thing that is under way."""
    return _search("own_life", fold(text)) is not None


def repeated(connection: Connection, vocabularies: Mapping[str, Vocabulary], turn: Turn) -> Inquiry | None:
    """A wish for what is the state already, which moves nothing: it is answered by how far the errand is.

    Args:
        connection: open for reading.
        vocabularies: the words of each domain, by its id.
        turn: what was said; it moves nothing.
    """
    text = fold(turn.text).strip()
    steps = any(words.all_named_in(text) for words in vocabularies.values())
    if not steps or len(sentences(turn.text)) > 1 or text.endswith(("?", "？")):
        return None
    known = [row for row in _known(connection, vocabularies, turn) if row.open]
    named = _named(vocabularies, known, text)
    meant = [] if named is None else named or known[-1:]
    same = tuple(row.number for row in meant if _wanted_again(row, vocabularies[row.domain], text))
    return Inquiry("state", same) if same else None


def asks_for_value(text: str) -> bool:
    """Whether a folded text asks for a value, as no wish does: who, which, how much."""
    return _search("values", text) is not None


def _of_one(
    kind: InquiryKind, vocabularies: Mapping[str, Vocabulary], known: Sequence[IntentRow], text: str
) -> Inquiry | None:
    """A question of a kind about one errand, or those that it names."""
    match = _search(kind, text)
    if match is None:
        return None
    own = match.groupdict().get("what")
    if own is not None and not any(words.names_in(own) for words in vocabularies.values()):
        return None
    about = _about(vocabularies, known, text, f"{text[: match.start()]} {own or ''} {text[match.end() :]}")
    return Inquiry(kind, tuple(row.number for row in about)) if about else None


def _known(connection: Connection, vocabularies: Mapping[str, Vocabulary], turn: Turn) -> list[IntentRow]:
    """The user's errands in the domains that are known, the one last talked about at the end."""
    return [row for row in list_intents(connection, turn.user_id) if row.domain in vocabularies]


def _wanted_again(row: IntentRow, vocabulary: Vocabulary, text: str) -> bool:
    """Whether words name a step to the state that an errand is in, and leave something to do there."""
    steps = (vocabulary.domain.transitions[one.transition] for one in vocabulary.named_in(text))
    asked = _values(vocabulary, text)
    same = all(row.slots.get(slot) == value for slot, value in asked.items())
    return same and row.state in row.left and any(step.to == row.state for step in steps)


def _todos(connection: Connection, known: Sequence[IntentRow]) -> Inquiry | None:
    """A question for all that is to be done, where errands ever left something to do."""
    numbers = [row.number for row in known]
    left = [step for steps in steps_of(connection, known[0].user_id, numbers).values() for step in steps if step.left]
    return Inquiry("todos", tuple(numbers)) if left else None


def _said(
    connection: Connection,
    vocabularies: Mapping[str, Vocabulary],
    known: Sequence[IntentRow],
    text: str,
    what: str,
) -> Inquiry | None:
    """The latest step of the kind that a question asks about, of each errand that it names, or of the last one."""
    named = _named(vocabularies, known, text)
    if named is None:
        return None
    steps = steps_of(connection, known[0].user_id, [row.number for row in named or known])
    latest = {number: _latest(some, what, vocabularies) for number, some in steps.items()}
    found = sorted((step.number, number) for number, step in latest.items() if step is not None)
    if not found:
        return None
    steps_meant, numbers = zip(*(found if named else found[-1:]), strict=True)
    return Inquiry("said", numbers, steps_meant)


def _latest(steps: Sequence[StepRow], what: str, vocabularies: Mapping[str, Vocabulary]) -> StepRow | None:
    """The last of some steps that words mean."""
    spoken = (step for step in reversed(steps) if step.turn is not None)
    return next((step for step in spoken if _is_meant(step, what, vocabularies)), None)


def _is_meant(step: StepRow, what: str, vocabularies: Mapping[str, Vocabulary]) -> bool:
    """Whether a step is of the kind that words name, with the values that they name."""
    vocabulary = vocabularies[step.domain]
    if step.kind != "step":
        return False
    given = {one.slot: one.value for one in step.slots}
    asked = _values(vocabulary, what)
    if any(given.get(slot) != value for slot, value in asked.items()):
        return False
    named = {one.transition for one in vocabulary.named_in(what)}
    return step.transition in named or bool(asked) or _titled(step, what, vocabulary.domain)


def _values(vocabulary: Vocabulary, text: str) -> dict[str, str]:
    """The values of slots that a text names, by slot."""
    found = ((slot, pattern.search(text)) for slot, pattern in vocabulary.valued.items())
    return {slot: vocabulary.forms[slot][match.group()] for slot, match in found if match is not None}


def _titled(step: StepRow, what: str, domain: Domain) -> bool:
    """Whether words are, besides the name of the thing, those of the step's title."""
    words = set(content_stems(what)) - _stems([*domain.names["en"], *domain.names["zh"]])
    titles = domain.transitions[step.transition].title if step.transition in domain.transitions else None
    return bool(words) and titles is not None and words <= _stems([titles.en, titles.zh])


def _about(
    vocabularies: Mapping[str, Vocabulary], known: Sequence[IntentRow], text: str, rest: str
) -> Sequence[IntentRow]:
    """The errands that a question is about: those that it names, else the last one, if it is about nothing else."""
    named = _named(vocabularies, known, text)
    if named is None:
        return ()
    if named:
        return named
    domains = [row.domain for row in known if vocabularies[row.domain].names_in(text)]
    last = next((row for row in reversed(known) if not domains or row.domain in domains), known[-1])
    other = set(content_stems(rest)) - _words(vocabularies[last.domain].domain) - _pointing()
    return () if other else (last,)


def _named(vocabularies: Mapping[str, Vocabulary], known: Sequence[IntentRow], text: str) -> list[IntentRow] | None:
    """The errands that a text names; ``None`` where it names one that is not known."""
    domains = dict.fromkeys(row.domain for row in known)
    named = {(domain, one.entity) for domain in domains for one in mentions_in(vocabularies[domain], text)}
    found = [row for row in known if (row.domain, row.entity) in named]
    return None if named and not found else found


def _search(name: str, text: str) -> re.Match[str] | None:
    return next((match for pattern in _patterns(name) if (match := pattern.search(text))), None)


@functools.cache
def _patterns(name: str) -> tuple[re.Pattern[str], ...]:
    return tuple(re.compile(written) for written in resources.load("intent_questions")[name])


@functools.cache
def _pointing() -> frozenset[str]:
    return _stems(resources.words(resources.load("intent_questions")["pointing"]))


def _words(domain: Domain) -> frozenset[str]:
    """The words in which one may speak of an errand of a domain and of nothing else."""
    titles = [domain.title, *(state.title for state in domain.states.values())]
    titles += [slot.title for slot in domain.slots.values()]
    titles += [transition.title for transition in domain.transitions.values()]
    phrases = [domain.names, *chain.from_iterable(slot.values.values() for slot in domain.slots.values())]
    spoken = chain.from_iterable((*one["en"], *one["zh"]) for one in phrases)
    return _stems([*spoken, *chain.from_iterable((title.en, title.zh) for title in titles)])


def _stems(texts: Collection[str]) -> frozenset[str]:
    return frozenset(stem for text in texts for stem in content_stems(text))
