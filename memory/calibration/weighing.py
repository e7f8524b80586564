"""Weighing one passage against the question: coverage of its words, kind of value, attribution, exact items."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ..language.folding import fold
from ..language.lexicon import of_relative
from ..records import Item, Reference, Turn
from . import wording
from .addresses import address_of, meaning
from .asked import Question
from .coverage import Prepared, covers, names_covered, prepare, weight
from .fit import fits
from .labels import labelled
from .parsing import capitalised_names
from .passages import Passage, names_time
from .people import same_person
from .scene import Scene, points_back
from .validity import attribute_words, concerns, is_specific, spoken, states_attribute

ENOUGH = 0.6
"""Share of the question's weighted words that a passage must cover, with its context, to answer."""
DIRECT = 0.34
"""Share that it must cover by itself."""
_IN_TURN = 0.9
_IN_CONTEXT = 0.6
_REPLY = 0.7
_FOUND = 0.6


@dataclass(frozen=True, slots=True)
class Support:
    """One passage weighed against the question."""

    passage: Passage
    score: float
    covered: float
    direct: float
    fits: bool
    named: bool
    """Whether it is about every name in the question."""
    timed: bool = False
    """Whether it has the very words of the question's time."""
    exact: tuple[Item, ...] = ()
    missing: tuple[str, ...] = ()

    @property
    def answers(self) -> bool:
        """Whether the passage is enough of an answer by itself."""
        return self.fits and self.named and self.covered >= ENOUGH and (self.direct >= DIRECT or bool(self.exact))


@dataclass(frozen=True, slots=True)
class _Texts:
    """A passage and what explains it, ready for matching."""

    own: tuple[Prepared, ...]
    """The passage, and the attributes and entities of its items."""
    around: tuple[tuple[Prepared, float], ...]
    """Its turn, what was said before it and what it replies to, each with how far it is to be trusted."""
    implied: frozenset[str]
    """Words that the kind of its value stands for."""

    def by_itself(self, term: str) -> float:
        """How far the passage itself covers a term."""
        return max(_IN_TURN if term in self.implied else 0.0, *(covers(text, term) for text in self.own))

    def with_context(self, term: str) -> float:
        """How far passage and context cover a term."""
        return max(self.by_itself(term), *(covers(text, term) * trust for text, trust in self.around))

    def missing(self, terms: Sequence[str]) -> tuple[str, ...]:
        """The terms that passage and context do not cover."""
        return tuple(term for term in terms if self.with_context(term) < _FOUND)


def weigh(scene: Scene, passage: Passage) -> Support:
    """Weigh one passage: what it covers by itself, within its turn, and by what was said just before."""
    question, turn = scene.question, passage.turn
    exact = _exact_items(question, passage)
    suited = fits(question.expects, passage.text, question.text, turn.observed_at, turn.time_zone)
    suited = suited or (question.expects == "person" and any(states_attribute(question, item) for item in exact))
    replied = scene.answered(turn)
    suited = suited and _may_tell_age(question, passage)
    texts = _Texts(
        own=(prepare(passage.text), *_item_texts(question, passage, exact), *_titles(passage.turn), *_fields(passage)),
        around=tuple(_around(scene, passage, replied)),
        implied=wording.implied(question.expects or "") if suited else frozenset(),
    )
    named = _is_named(scene, passage, texts)
    covered, direct = _shares(question, texts)
    if not question.terms and (_asks_anyway(question, passage) or (named and _asks_by_name(question, exact))):
        covered = direct = 1.0
    if covered and (question.about_assistant or replied):
        direct = max(direct, DIRECT)  # a reply need not repeat the words of what it replies to
    support = Support(passage, 0.0, covered, direct, suited, named, names_time(question, passage))
    return replace(support, exact=exact, missing=texts.missing(question.terms))


def _may_tell_age(question: Question, passage: Passage) -> bool:
    """For a question for an age: whether the number in the passage can be one ("has two kids" tells none)."""
    if question.asks != "how_many" or "age" not in question.attributes:
        return True
    told = any(of_relative(item.attribute)[1] == "age" for item in passage.items)
    return told or bool(wording.pattern("tells_age").search(fold(passage.text)))


def _exact_items(question: Question, passage: Passage) -> tuple[Item, ...]:
    return tuple(item for item in passage.items if item.kind != "question" and concerns(question, item))


def _titles(turn: Turn) -> list[Prepared]:
    """What a document's passage stands under: headings belong to every sentence below them."""
    return [prepare(turn.title)] if isinstance(turn, Reference) else []


def _fields(passage: Passage) -> list[Prepared]:
    """What the names of the fields in a passage mean: FIELD:TOTAL_AMT says that an amount is the total."""
    return [prepare(spoken_of) for spoken_of in (meaning(passage.text),) if spoken_of]


def _item_texts(question: Question, passage: Passage, exact: Sequence[Item]) -> Iterator[Prepared]:
    yield from (attribute_words(question, item) for item in exact)
    yield from (prepare(spoken(item.entity)) for item in passage.items)


def _around(scene: Scene, passage: Passage, replied: Turn | None) -> Iterator[tuple[Prepared, float]]:
    yield prepare(passage.turn.text), _IN_TURN
    if points_back(passage.text) or passage.turn.source == "ai_generated":
        yield from ((prepare(other.text), _IN_CONTEXT) for other in scene.before(passage.turn))
    if replied is not None:
        yield prepare(replied.text), _REPLY


def _shares(question: Question, texts: _Texts) -> tuple[float, float]:
    """The weighted share of the question's words that are covered with context, and by the passage itself."""
    if not question.terms:
        return 0.0, 0.0
    with_context = {term: texts.with_context(term) for term in question.terms}
    owners = question.owners if _tells_role(question, with_context) else ()
    weights = {term: weight(term, owners) for term in question.terms}
    covered = sum(share * with_context[term] for term, share in weights.items())
    direct = sum(share * texts.by_itself(term) for term, share in weights.items())
    return covered / sum(weights.values()), direct / sum(weights.values())


def _tells_role(question: Question, shares: Mapping[str, float]) -> bool:
    """Whether more is told of a person in a role ("who runs Ann's project?") than whose: then that counts for more."""
    return question.asks != "who" or any(
        share >= _FOUND for term, share in shares.items() if term not in question.owners
    )


def _asks_by_name(question: Question, exact: Sequence[Item]) -> bool:
    return bool(exact or question.names or question.options or question.identifiers)


def _asks_anyway(question: Question, passage: Passage) -> bool:
    """Whether a question without content words asks for a turn by what it is, or points back to it."""
    of_kind = question.only_time or question.decided or question.about_questions or question.about_assistant
    return of_kind or question.just_now or (question.follow_up and passage.turn.number in question.after_turns)


def _is_named(scene: Scene, passage: Passage, texts: _Texts) -> bool:
    """Whether the passage is about every name and identifier asked about: by words, speaker or context."""
    question = scene.question
    wanted = (*question.names, *question.identifiers)
    if not (wanted or question.options):
        return not _leaves_topic(question, passage)
    context = [] if _names_others(scene, passage) else [text for text, _ in texts.around]
    known = (*texts.own, *context)
    speaker = fold(passage.turn.speaker)
    if not all(same_person(speaker, name) or names_covered(name, known) for name in wanted):
        return False
    if question.options and not any(names_covered(name, known) for name in question.options):
        return False
    return not _leaves_topic(question, passage)


def _names_others(scene: Scene, passage: Passage) -> bool:
    """Whether the passage names somebody or something of its own: then its context says nothing about whom it means."""
    signs = {f"{noun} {sign}" for noun, sign, _ in labelled(passage.text)}
    others = capitalised_names(passage.text) | scene.opening_name(passage.text) | signs
    question = scene.question
    if question.identifiers and _other_numbers(question, passage):
        return True
    asked = fold(question.text)
    return any(name not in asked and not same_person(name, fold(passage.turn.speaker)) for name in others)


def _other_numbers(question: Question, passage: Passage) -> bool:
    """Whether the passage is about an order, a contract and the like of another number than the one asked about."""
    named = address_of(passage.text).documents
    return bool(named) and named.isdisjoint(question.identifiers)


def _leaves_topic(question: Question, passage: Passage) -> bool:
    """For a follow-up: whether the passage is about another entity than the topic, and does not name the topic."""
    if question.entity is None or not is_specific(question.entity):
        return False
    topic = spoken(question.entity)
    entities = {spoken(item.entity) for item in passage.items if is_specific(item.entity)}
    if topic in fold(passage.turn.text) or topic in entities:
        return False
    return bool(entities) and not capitalised_names(passage.text) <= {topic}
