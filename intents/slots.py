"""What a turn says about the slots of a domain, quoted exactly."""

import re
from collections.abc import Collection, Iterator, Sequence

from ..memory.language.numerals import plain
from ..memory.language.times import find_times
from ..memory.language.values import find_values, normalise_number
from ..memory.records import Span, Turn
from ..memory.storage.intents import Filled
from .domains import Slot
from .force import Heard, Sentence
from .lexicon import force
from .triggers import Vocabulary

_TOWARDS = re.compile(r"(?:\b(?:to|into|by|with|via|through|for|use|instead)\s+(?:the\s+|a\s+)?|[成为用到走换发寄])$")


def said_of(vocabulary: Vocabulary, heard: Heard, names: Collection[str], within: Span | None = None) -> list[Filled]:
    """What a turn says of those slots.

    Args:
        vocabulary: of the domain.
        heard: the turn.
        names: the slots.
        within: only what stands in this part of the turn.
    """
    part = within or Span(0, len(heard.text))
    found = []
    for name in names:
        slot = vocabulary.domain.slots[name]
        places = [place for place in _places(vocabulary, slot, heard) if part.start <= place[1].start < part.end]
        if places:
            value, span = _best(places, heard.text)
            found.append(_filled(slot, value, span, heard.turn))
    return found


def knowledge_in(vocabulary: Vocabulary, heard: Heard, within: Span | None = None) -> list[Filled]:
    """What a turn states of how things are; what it asks or only supposes is left out."""
    known = [slot.id for slot in vocabulary.domain.slots.values() if slot.knowledge]
    stated = []
    for filled in said_of(vocabulary, heard, known, within):
        sentence = next((it for it in heard.sentences if it.span.start <= filled.start < it.span.end), None)
        if sentence is not None and _is_stated(sentence, Span(filled.start, filled.end), vocabulary.names):
            stated.append(filled)
    return stated


def value_of(vocabulary: Vocabulary, name: str, text: str) -> str | None:
    """The value of a slot that a text, such as the value of a fact, stands for."""
    pattern = vocabulary.valued.get(name)
    match = pattern.search(text) if pattern else None
    return vocabulary.forms[name][_known_form(vocabulary, name, match.group())] if match else None


def _places(vocabulary: Vocabulary, slot: Slot, heard: Heard) -> Iterator[tuple[str, Span]]:
    if slot.id in vocabulary.valued:
        for match in vocabulary.valued[slot.id].finditer(heard.text):
            span = Span(*match.span())
            if not _is_denied(heard, span):
                yield vocabulary.forms[slot.id][_known_form(vocabulary, slot.id, match.group())], span
        return
    for pattern in vocabulary.shaped[slot.id]:
        for match in pattern.finditer(heard.text):
            inner = Span(*match.span("value"))
            yield from _of_kind(slot, heard.turn, inner)
    if not vocabulary.shaped[slot.id]:
        yield from _of_kind(slot, heard.turn, Span(0, len(heard.text)))


def _of_kind(slot: Slot, turn: Turn, part: Span) -> Iterator[tuple[str, Span]]:
    """The values of a kind that stand in a part of the turn."""
    if slot.kind == "text":
        return iter([(part.cut(turn.text), part)])
    if slot.kind == "number" and part != Span(0, len(turn.text)):
        number = normalise_number(part.cut(turn.text))
        return iter([(part.cut(turn.text) if number is None else plain(number), part)])
    found = _moments(turn) if slot.kind == "moment" else _values(turn, slot.kind)
    return ((value, span) for value, span in found if part.start <= span.start and span.end <= part.end)


def _moments(turn: Turn) -> Iterator[tuple[str, Span]]:
    return ((it.start.isoformat(), it.span) for it in find_times(turn.text, turn.observed_at, turn.time_zone))


def _values(turn: Turn, kind: str | None) -> Iterator[tuple[str, Span]]:
    return ((it.normal, it.span) for it in find_values(turn.text) if it.kind == kind)


def _best(places: Sequence[tuple[str, Span]], text: str) -> tuple[str, Span]:
    """The value that is wanted: the one that something is changed to, else the last."""
    towards = [place for place in places if _TOWARDS.search(text[: place[1].start])]
    return (towards or places)[-1]


def _filled(slot: Slot, value: str, span: Span, turn: Turn) -> Filled:
    return Filled(slot.id, value, span.cut(turn.text), span.start, span.end, turn.number or None, kept=slot.knowledge)


def _known_form(vocabulary: Vocabulary, name: str, said: str) -> str:
    """The form as the domain has it, of one that was said with other spaces."""
    folded = " ".join(said.split())
    return (
        folded
        if folded in vocabulary.forms[name]
        else next(form for form in vocabulary.forms[name] if form.split() == folded.split())
    )


def _is_denied(heard: Heard, span: Span) -> bool:
    sentence = next((it for it in heard.sentences if it.span.start <= span.start < it.span.end), None)
    if sentence is None:
        return False
    clause = sentence.clauses[sentence.clause_at(span.start)]
    before = heard.text[clause.start : span.start]
    denied = force(sentence.language, "negated_before").search(before)
    return bool(denied and not force(sentence.language, "negated_unless").search(before))


def _is_stated(sentence: Sentence, span: Span, names: str) -> bool:
    """Whether a sentence says that it is so: it does not ask, suppose or tell of somebody else's."""
    index = sentence.clause_at(span.start)
    if sentence.questions[index]:
        return False
    before = sentence.text[: span.start - sentence.span.start]
    after = sentence.text[span.end - sentence.span.start :]
    if force(sentence.language, "owner", names=names, people=sentence.people).search(sentence.text):
        return False
    return not (
        force(sentence.language, "supposed_before").search(before)
        or force(sentence.language, "supposed_after").match(after)
    )
