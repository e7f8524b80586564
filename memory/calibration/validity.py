"""Which items hold at the time asked about, which concern the question, and which version came before which."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from ..language.folding import fold
from ..language.lexicon import attribute_phrases, is_relative, of_relative
from ..language.tokens import content_stems
from ..records import Item
from ..storage.item_rows import holds_at
from .asked import Question
from .coverage import NEAR, Prepared, attribute_text, covers, prepare
from .parsing import is_generic

_VERSIONED = frozenset({"fact", "choice", "decision", "agreement"})
_NOBODY = frozenset({"", "user", "assistant", "general", "unknown"})


@dataclass(frozen=True, slots=True)
class Moment:
    """The time a question is asked about: valid time, recorded time, and now."""

    now: datetime
    as_of: datetime | None = None
    recorded_as_of: datetime | None = None

    def holds(self, item: Item) -> bool:
        """Whether an item held then, as far as was known then.

        Without an explicit time, what lies ahead (an appointment, a todo) counts, but not the coming value of something
        that has one value at a time.
        """
        ahead = self.as_of is None and not item.single_valued
        moment = self.as_of or (max(self.now, item.valid_from) if ahead else self.now)
        return holds_at(item, moment, self.recorded_as_of)

    def knows(self, item: Item) -> bool:
        """Whether the item was recorded by then."""
        return self.recorded_as_of is None or item.recorded_at <= self.recorded_as_of


def is_specific(entity: str) -> bool:
    """Whether an entity is somebody or something in particular, rather than the user or nothing."""
    return entity not in _NOBODY


def spoken(entity: str) -> str:
    """An entity's canonical name as one would say it: ``order:12345`` → ``12345``, ``blue_moon`` → ``blue moon``."""
    return fold(entity).replace("_", " ").rpartition(":")[2]


def related(entity: str, question: Question) -> bool:
    """Whether an item's entity is what the question is about."""
    name = spoken(entity)
    if question.entity and spoken(question.entity) == name:
        return True
    if name in fold(question.text) or any(
        name in one or one in name for one in (*question.names, *question.identifiers)
    ):
        return True
    asked = prepare(question.text)
    kind = entity.partition(":")[0] if ":" in entity and not question.identifiers else ""
    if kind and covers(asked, kind) >= NEAR:
        return True  # "my flight" is the flight that has a number
    return all(covers(asked, word) >= NEAR for word in content_stems(name)) and bool(content_stems(name))


def meant_attribute(item: Item) -> str:
    """The attribute of an item as one would ask for it: what is not liked is a dislike."""
    return "dislikes" if item.attribute == "likes" and item.polarity == "negative" else item.attribute


def matches_attribute(question: Question, item: Item) -> bool:
    """Whether the item says something of an attribute that the question names."""
    if states_attribute(question, item):
        return True
    relative, _ = of_relative(item.attribute)
    if relative:
        # "Where do I work?" is not about my sister's employer; "where does my sister work?" is.
        return _names_relative(question, relative) and _shares_term(question, item)
    if question.attributes and attribute_phrases(item.attribute):
        return False  # both are attributes that the lexicon tells apart
    return _shares_term(question, item)


def states_attribute(question: Question, item: Item) -> bool:
    """Whether the item states the very attribute asked about, of the relative that the question names if of one."""
    if {item.attribute, meant_attribute(item)} & set(question.attributes):
        return True
    relative, attribute = of_relative(meant_attribute(item))
    return bool(relative) and attribute in question.attributes and _names_relative(question, relative)


def _shares_term(question: Question, item: Item) -> bool:
    words = attribute_words(question, item)
    return any(
        covers(words, term) >= NEAR for term in question.terms if term not in question.owners and not is_generic(term)
    )


def attribute_words(question: Question, item: Item) -> Prepared:
    """The words that name what an item states; "do I like it?" is answered by a dislike as well."""
    return attribute_text(item.attribute if question.asks == "yes_no" else meant_attribute(item))


def _names_relative(question: Question, relative: str) -> bool:
    """Whether a question names the relative of whom an item tells, in whatever word (kid for son)."""
    if relative in question.attributes:
        return True
    words = attribute_text(relative)
    return any(covers(words, term) >= NEAR for term in question.terms)


def concerns(question: Question, item: Item) -> bool:
    """Whether an item is about what the question asks: the attribute, of the right entity."""
    if not matches_attribute(question, item) or is_own_instead(question, item):
        return False
    if related(item.entity, question):
        return True
    if question.names or question.entity or question.identifiers:
        return not is_specific(item.entity) or fold(item.speaker) in question.names
    if is_specific(item.entity):
        return question.subject != "user"
    return not question.owners or _names_owner(question, item)


def is_own_instead(question: Question, item: Item) -> bool:
    """Whether an item tells of the user what is asked of a relative ("where do my parents live?", "I live here.")."""
    asked = [key for key in question.attributes if is_relative(key)]
    if not asked or is_specific(item.entity) or item.attribute in asked or of_relative(item.attribute)[0]:
        return False
    if all(is_relative(key) for key in question.attributes):
        return False
    quote = prepare(item.quote)
    return not any(covers(quote, word) >= NEAR for key in asked for word in (key, *attribute_phrases(key)))


def _names_owner(question: Question, item: Item) -> bool:
    """Whether an item of nobody in particular speaks of what the question names as the owner ("my son's name")."""
    texts = (attribute_text(item.attribute), prepare(item.quote))
    return any(covers(text, owner) >= NEAR for owner in question.owners for text in texts)


def preferred(one: Item, other: Item, corrected: frozenset[int]) -> Item:
    """Of two versions of one value, the one to believe: correction, then source, then recency, then confidence."""
    return max(one, other, key=lambda item: _standing(item, corrected))


def _standing(item: Item, corrected: frozenset[int]) -> tuple[bool, int, datetime, datetime, float, int]:
    rank = {"user_input": 2, "external_knowledge": 1}.get(item.source, 0)
    return (item.number in corrected, rank, item.valid_from, item.observed_at, item.confidence, item.number)


def corrections(items: Iterable[Item]) -> frozenset[int]:
    """Numbers of the items that corrected another one."""
    return frozenset(
        item.superseded_by for item in items if item.closed_by == "correction" and item.superseded_by is not None
    )


def version_before(question: Question, items: Sequence[Item], moment: Moment) -> Item | None:
    """For a question about what was before: the version that came before the one talked about last, or the current one.

    None where there is no earlier version. What was corrected never held and is no version.
    """
    if question.version is not None:
        return next((item for item in items if item.number == question.version), None)
    chain = sorted((item for item in items if _is_version(question, item, moment)), key=_age)
    current = _talked_about(question, chain) or next((one for one in reversed(chain) if moment.holds(one)), None)
    if current is None:
        return chain[-1] if chain else None
    return next((item for item in reversed(chain) if _is_earlier(item, current) and not moment.holds(item)), None)


def neighbour(question: Question, items: Sequence[Item], named: Item, moment: Moment, *, later: bool) -> int | None:
    """The number of the version before ``named``, or after it; 0 where there is none, ``None`` if it is no version."""
    if not _is_version(question, named, moment):
        return None
    versions = (item for item in items if _is_version(question, item, moment) and _subject(item) == _subject(named))
    chain = sorted((item for item in versions if item.number == named.number or item.normal != named.normal), key=_age)
    place = next(place for place, item in enumerate(chain) if item.number == named.number)
    beside = chain[place + 1 :] if later else chain[:place][::-1]
    return next((item.number for item in beside), 0)


def _is_earlier(item: Item, current: Item) -> bool:
    """Whether an item is an earlier version of the current one."""
    return _subject(item) == _subject(current) and _age(item) < _age(current)


def _subject(item: Item) -> tuple[str, str]:
    return item.entity, item.attribute


def _is_version(question: Question, item: Item, moment: Moment) -> bool:
    """Whether an item is a version of what a question asks for, known at the moment."""
    held_once = item.kind in _VERSIONED and item.closed_by != "correction"
    return held_once and concerns(question, item) and moment.knows(item)


def _age(item: Item) -> tuple[datetime, int]:
    return item.valid_from, item.number


def _talked_about(question: Question, chain: Sequence[Item]) -> Item | None:
    if not question.follow_up:
        return None
    return next((item for item in chain if item.number in question.after_items), None)
