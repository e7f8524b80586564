"""Setting what a user says of the world against the documents: the same thing, the same attribute, another value.

What the user says of themselves is never checked: nobody knows better. Documents are read by the extractor that reads
turns, for comparison only; where it reads nothing (tables, bare lines) a single value of the same kind beside the
entity and the attribute counts.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from ..calibration.coverage import Prepared, prepare
from ..calibration.parsing import is_generic
from ..calibration.validity import is_specific, spoken
from ..extraction import Surroundings, extract
from ..language import resources
from ..language.folding import fold
from ..language.guises import dictated, posing_in
from ..language.lexicon import attribute_phrases
from ..language.sentences import sentences
from ..language.tokens import content_stems
from ..language.values import Value, find_values
from ..records import Item, Proposal, Reference, Span

_KINDS = frozenset({"fact", "choice"})
_NUMBERS = frozenset({"number", "amount", "quantity", "percent"})
_LISTED_PHRASES = 12


@dataclass(frozen=True, slots=True)
class Contradiction:
    """A statement of a user, and the value that a chunk has instead."""

    item: int
    reference: Reference
    span: Span
    """Of the value, in the chunk's text."""

    @property
    def value(self) -> str:
        """The value as the document has it."""
        return self.span.cut(self.reference.text)


def is_of_the_world(item: Item) -> bool:
    """Whether an item states something that a document could know better, rather than something of its speaker."""
    if not _is_plain(item) or item.source != "user_input":
        return False
    lexicon, quote = resources.load("knowledge"), fold(item.quote)
    if resources.compiled(lexicon, "own").search(quote):
        return False
    if is_specific(item.entity) and item.entity != fold(item.speaker):
        name = spoken(item.entity)
        before = quote[: quote.find(name)] if name in quote else ""
        return not resources.compiled(lexicon, "owned_name").search(before)
    first_person = resources.compiled(resources.load("asking"), "first_person").search(quote)
    known = bool(attribute_phrases(item.attribute)) and item.attribute not in lexicon["of_the_world"].split()
    return not (first_person or known)


def _is_plain(item: Item | Proposal) -> bool:
    return item.kind in _KINDS and item.polarity == "positive" and item.modality == "asserted"


def words_of(item: Item) -> str:
    """What a chunk about the same would contain: the entity and the names of the attribute in both languages."""
    entity = spoken(item.entity) if is_specific(item.entity) else ""
    phrases = sorted(attribute_phrases(item.attribute))[:_LISTED_PHRASES]
    return " . ".join((entity, item.attribute.replace("_", " "), *phrases))


def contradictions(item: Item, references: Iterable[Reference]) -> list[Contradiction]:
    """The chunks that say otherwise than an item; none, where any of them says the same.

    Args:
        item: a statement about the world.
        references: the chunks that may be about it, the likeliest first.
    """
    found = []
    for reference in references:
        for span, same in _values_for(item, reference):
            if same:
                return []
            found.append(Contradiction(item.number, reference, span))
            break
    return found


def _values_for(item: Item, reference: Reference) -> Iterator[tuple[Span, bool]]:
    """The values that a chunk has for what an item is about, each with whether it is the item's."""
    stated = [one for one in _statements(reference) if _is_about_same(item, one, reference)]
    if stated:
        for one in stated:
            if one.value_type == item.value_type and _comparable(item.unit, one.unit):
                yield one.value_span, one.normal == item.normal
        return
    # Records, orders and sections of prompts that are copied into a document are not what it says.
    posed = [*posing_in(reference), *dictated(reference.text)]
    for line in sentences(reference.text):
        if any(map(line.overlaps, posed)):
            continue
        value = _single_value(item, line, reference)
        if value is not None:
            yield value.span, value.normal == item.normal


def _statements(reference: Reference) -> Sequence[Proposal]:
    """What the extractor reads in a chunk, as if it had been said; nothing of it is stored."""
    said = replace(reference, role="user", source="user_input", number=1, session_id="", act="statement")
    found = extract(said, Surroundings())
    return [one for one in found if _is_plain(one)]


def _is_about_same(item: Item, stated: Proposal, reference: Reference) -> bool:
    """Whether both have a value for the same attribute of the same thing, of which there can be only one."""
    one_value = item.single_valued or stated.single_valued or item.value_type in _NUMBERS
    if item.attribute != stated.attribute or not one_value:
        return False
    # What a document says of nobody in particular is read as said of itself.
    named = is_specific(stated.entity) and stated.entity != fold(reference.speaker)
    if not is_specific(item.entity):
        return not named
    return named and spoken(item.entity) == spoken(stated.entity)


def _comparable(one: str | None, other: str | None) -> bool:
    return one is None or other is None or one == other


def _single_value(item: Item, line: Span, reference: Reference) -> Value | None:
    """The value of the item's kind in a line that names the entity and the attribute, where there is just one."""
    if item.value_type not in _NUMBERS or not _names(item, line, reference):
        return None
    found = [value for value in find_values(reference.text) if line.start <= value.span.start < line.end]
    alike = [value for value in found if value.kind in _NUMBERS and _is_of_kind(item, value)]
    return alike[0] if len(alike) == 1 else None


def _is_of_kind(item: Item, value: Value) -> bool:
    if "percent" in {item.value_type, value.kind} and item.value_type != value.kind:
        return False
    if "quantity" in {item.value_type, value.kind} and item.unit != value.unit:
        return False
    return _comparable(item.unit, value.unit)


def _names(item: Item, line: Span, reference: Reference) -> bool:
    """Whether a line, with its headings, names what an item is about: in the very words, for a synonym is a guess."""
    here = (prepare(line.cut(reference.text)), prepare(reference.title))
    specific = is_specific(item.entity)
    if specific and not _names_entity(spoken(item.entity), here, prepare(reference.text)):
        return False
    # An amount beside the name of a thing is its price, whether that is said or not.
    if specific and item.attribute == "price" and item.value_type == "amount":
        return True
    phrases = (*attribute_phrases(item.attribute), item.attribute.replace("_", " "))
    return any(all(_has(word, here) for word in content_stems(phrase) or [phrase]) for phrase in phrases)


def _names_entity(name: str, here: Sequence[Prepared], chunk: Prepared) -> bool:
    """Whether a line names a thing; "Premium" in a table of plans stands for the premium plan."""
    return all(_has(word, (*here, chunk) if is_generic(word) else here) for word in content_stems(name))


def _has(word: str, texts: Sequence[Prepared]) -> bool:
    return any(word in text.stems or (not word.isascii() and word in text.folded) for text in texts)
