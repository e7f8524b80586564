"""The live item that a change means, where the change does not name the attribute."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from ..language.folding import fold
from ..language.lexicon import find_attributes, phrase_stem
from ..language.tokens import content_stems
from ..language.values import find_values
from ..records import Item, Span
from .lookups import Lookups, alike, class_of, compatible, one_subject
from .patterns import pattern
from .quoting import Quoted
from .reading import Clause


@dataclass(frozen=True, slots=True)
class Change:
    """A new value, as a sentence may give it for something that is not named."""

    sentence: Clause
    new: Quoted
    old: str
    """The value that it replaces, where the sentence quotes it."""
    correcting: bool
    """Whether it puts something right, rather than telling what is new."""

    @property
    def peers(self) -> frozenset[str]:
        """The words that the new value could replace; none if it is of no class."""
        return class_of(self.new.normal)

    def fits(self, item: Item) -> bool:
        """Whether it could replace the value of an item."""
        replaceable = item.kind in {"fact", "choice"} and item.polarity == "positive"
        return replaceable and item.normal != self.new.normal and compatible(item, self.new)


def find_target(change: Change, lookups: Lookups) -> Item | None:
    """The one live item that a change means, or ``None`` where there is none or more than one.

    The surest sign decides: the old value is quoted, the attribute is named, it was just spoken of, it is of the class
    of the new value.
    """
    text = _text(change, lookups)
    quoted = _meant(filter(change.fits, _quoted(change, text, lookups)), lookups)
    named = [item for item in lookups.of_attributes(text, lookups.reading.speaker) if change.fits(item)]
    recent = [item for item in _meant(filter(change.fits, lookups.exchange), lookups) if _may_be(item, change)]
    if quoted:
        return _one_quoted(quoted, {item.number for item in (*named, *recent)})
    if change.old and not change.peers:
        # It says what was replaced, and nothing of that kind is known.
        return None
    if named:
        return one_subject(named)
    return _just_spoken_of(change, recent, lookups) or _of_class(change, lookups) or _counted(change, lookups)


def _may_be(item: Item, change: Change) -> bool:
    """Whether an item may be meant by a change that says what changed: 内胎涨到18块了 changes no rent."""
    thing = _changed_thing(change)
    if not thing or find_attributes(thing):
        return True
    quote = fold(item.quote)
    if thing.isascii():
        return bool(set(content_stems(thing)) & set(content_stems(quote)))
    return any(thing[start : start + 2] in quote for start in range(len(thing) - 1))


def _changed_thing(change: Change) -> str:
    """What a sentence says was changed, or what it says became more or less."""
    told = (pattern(change.sentence.language, name) for name in ("changed_thing", "changed_subject"))
    return next((match["thing"] for rule in told if (match := rule.search(change.sentence.text))), "")


def _counted(change: Change, lookups: Lookups) -> Item | None:
    """The event just told of whose count is put right: "We sold 31 bikes." - "Sorry, 13 bikes."."""
    what = _measured(change.new.unit, lookups.reading.folded[change.new.span.end :])
    if not change.correcting or what is None:
        return None
    told = [item for item in lookups.exchange if item.kind == "event" and lookups.is_last(item)]
    meant = [item for item in told if _counts_in(item, change.new.normal) == [what]]
    return meant[0] if len(meant) == 1 else None


def _counts_in(item: Item, otherwise: str) -> list[str | None]:
    """What the numbers of an event count, but for one that says the same already."""
    counts = [value for value in find_values(item.value) if value.normal != otherwise]
    return [_measured(value.unit, fold(item.value[value.span.end :])) for value in counts]


def _measured(unit: str | None, after: str) -> str | None:
    """What a number counts: its unit, else the word behind it."""
    noun = re.match(r"\s+([a-z]{3,})", after)
    return unit or (phrase_stem(noun[1]) if noun else None)


def _quoted(change: Change, text: str, lookups: Lookups) -> list[Item]:
    """The items whose value the change gives as the old one, or the sentence quotes with its unit.

    "Two more people are joining" quotes no deposit of two months.
    """
    if change.old:
        return lookups.quoted(change.old)
    said = {(value.normal, value.unit) for value in find_values(text)}
    return [it for it in lookups.quoted(text) if it.unit is None or (it.normal, it.unit) in said]


def _text(change: Change, lookups: Lookups) -> str:
    """The words in which to look for what is meant.

    "You said it is 900, but it is 700": what was masked as not the speaker's own still tells what is meant.
    """
    reading = lookups.reading
    masked = "\n" in reading.folded[: change.sentence.span.start]
    return fold(reading.turn.text) if masked else change.sentence.text


def _one_quoted(quoted: Sequence[Item], near: set[int]) -> Item | None:
    return (
        one_subject(quoted)
        or one_subject(item for item in quoted if item.number in near)
        or one_subject(item for item in quoted if item.single_valued)
    )


def _just_spoken_of(change: Change, recent: Sequence[Item], lookups: Lookups) -> Item | None:
    """The item of the exchange before, if the sentence leaves to it what it is about."""
    points_back = pattern(change.sentence.language, "pronominal").search(change.sentence.text)
    if not recent or not (change.peers or change.correcting or points_back) or _is_told_before(change, lookups):
        return None
    newest = [item for item in recent if item.turn == recent[0].turn]
    if change.new.value_type == "text" and not change.peers:
        # Any words could replace any others: only what was said last and has one value is meant.
        return one_subject(item for item in newest if item.single_valued and lookups.is_last(item))
    return one_subject(newest) or (newest[0] if change.correcting else None)


def _is_told_before(change: Change, lookups: Lookups) -> bool:
    """Whether the turn itself has told a number that is meant: "We need 12 chairs. Make it 14"."""
    before = lookups.reading.values_in(Span(0, change.sentence.span.start))
    return change.new.time is None and any(alike(value.kind, value.unit, change.new) for value in before)


def _of_class(change: Change, lookups: Lookups) -> Item | None:
    if not change.peers:
        return None
    known = lookups.live.with_value(sorted(change.peers))
    return one_subject(_meant((item for item in known if change.fits(item) and lookups.concerns(item)), lookups))


def _meant(items: Iterable[Item], lookups: Lookups) -> list[Item]:
    """Of several people's items those of whom the turn names, else the speaker's own."""
    found = list(items)
    named = [item for item in found if lookups.names(item)]
    own = [item for item in found if item.entity == lookups.reading.speaker]
    return named or own or [item for item in found if item.entity not in lookups.others]
