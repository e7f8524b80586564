"""How well passages support an answer: coverage of the question's words, kind of value, attribution, exact items."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from ..language.folding import fold
from ..language.lexicon import cue
from ..records import Candidate, Item, RecallFilter, Turn
from . import wording
from .coverage import Prepared, attribute_text, covers, names_covered, prepare, weight
from .fit import fits
from .parsing import capitalised_names
from .passages import Passage, disqualified, is_guess, passages, same_person
from .questions import Question
from .validity import Moment, concerns, is_specific, spoken, version_before

ENOUGH = 0.6
"""Share of the question's weighted words that a passage must cover, with its context, to answer."""
_DIRECT = 0.34
"""Share that it must cover by itself."""
_IN_TURN = 0.9
_IN_CONTEXT = 0.6
_CONTEXT_TURNS = 2
_REPLY = 0.7
_BRIDGED = 0.8


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
    exact: tuple[Item, ...] = ()
    missing: tuple[str, ...] = ()

    @property
    def answers(self) -> bool:
        """Whether the passage is enough of an answer by itself."""
        return self.fits and self.named and self.covered >= ENOUGH and (self.direct >= _DIRECT or bool(self.exact))


@dataclass(frozen=True, slots=True)
class Scene:
    """What the passages of one recall are weighed in: the question, turns, items, and the time asked about."""

    question: Question
    turns: Mapping[int, Turn]
    items: Mapping[int, Sequence[Item]]
    moment: Moment

    @classmethod
    def of(
        cls,
        question: Question,
        turns: Mapping[int, Turn],
        items: Mapping[int, Sequence[Item]],
        limits: RecallFilter | None,
    ) -> "Scene":
        """The scene of a question; the filter's times win over the question's."""
        limits = limits or RecallFilter()
        moment = Moment(question.asked_at, limits.as_of or question.as_of, limits.recorded_as_of)
        return cls(question, turns, items, moment)

    def before(self, turn: Turn) -> list[Turn]:
        """The turns that came just before in the same session and tell what a turn is about, nearest first."""
        near = self._near(turn)
        if turn.source != "ai_generated":  # what the assistant says is about what it was asked
            near = [other for other in near if other.source == turn.source and other.act != "question"]
        return near[:_CONTEXT_TURNS]

    def answered(self, turn: Turn) -> Turn | None:
        """The question of another person to which the turn replies."""
        before = next(iter(self._near(turn)), None)
        asked = (
            before is not None and before.position == turn.position - 1 and before.text.rstrip().endswith(("?", "？"))
        )
        another = before is not None and before.speaker != turn.speaker and before.source == turn.source == "user_input"
        return before if asked and another else None

    def _near(self, turn: Turn) -> list[Turn]:
        found = [
            other
            for other in self.turns.values()
            if other.session_id == turn.session_id and 0 < turn.position - other.position <= 2 * _CONTEXT_TURNS
        ]
        return sorted(found, key=lambda other: -other.position)


def judge(scene: Scene, kept: Sequence[Candidate]) -> list[Support]:
    """Every passage of the kept turns that may count as evidence, best first (ties: the later one)."""
    question = scene.question
    wanted = _wanted_version(scene)
    found = []
    for rank, candidate in enumerate(kept):
        turn = scene.turns.get(candidate.turn)
        if turn is None:
            continue
        held = scene.items.get(turn.number, ())
        for passage in passages(turn, held, scene.moment, closed_too=question.history or question.done):
            if disqualified(question, passage, scene.turns) or not _right_version(scene, passage, wanted):
                continue
            support = weigh(scene, passage)
            found.append(replace(support, score=support.score + 0.1 / (1 + rank)))
    return sorted(
        found,
        key=lambda one: (round(one.score, 2), one.passage.turn.observed_at, one.passage.turn.number),
        reverse=True,
    )


def _wanted_version(scene: Scene) -> Item | None:
    if not scene.question.history:
        return None
    return version_before(scene.question, [item for items in scene.items.values() for item in items], scene.moment)


def _right_version(scene: Scene, passage: Passage, wanted: Item | None) -> bool:
    """For a question about history: not the current value, and of the old ones the one asked for."""
    if not scene.question.history:
        return True
    about = [item for item in passage.items if item.single_valued and concerns(scene.question, item)]
    if not about:
        return wanted is None and _is_of_before(scene, passage)
    return wanted is not None and any(item.number == wanted.number for item in about)


def _is_of_before(scene: Scene, passage: Passage) -> bool:
    """Whether a passage without versions tells of the past, or was said before what was talked about last."""
    if wording.pattern("was_before").search(fold(passage.text)):
        return True
    last = [scene.turns[number] for number in scene.question.after_turns if number in scene.turns]
    return scene.question.follow_up and bool(last) and passage.turn.number < min(turn.number for turn in last)


def weigh(scene: Scene, passage: Passage) -> Support:
    """Weigh one passage: what it covers by itself, within its turn, and by what was said just before."""
    question, turn = scene.question, passage.turn
    exact = tuple(item for item in passage.items if concerns(question, item) and item.kind != "question")
    suited = fits(question.expects, passage.text, question.text, turn.observed_at, turn.time_zone)
    own = [
        prepare(passage.text),
        *(_item_text(item) for item in exact),
        *(prepare(spoken(i.entity)) for i in passage.items),
    ]
    around = [(prepare(turn.text), _IN_TURN), *((prepare(other.text), _IN_CONTEXT) for other in scene.before(turn))]
    replied = scene.answered(turn)
    if replied is not None:
        around.append((prepare(replied.text), _REPLY))
    implied = wording.implied(question.expects or "") if suited else frozenset()
    covered = direct = total = 0.0
    missing = []
    for term in question.terms:
        share = weight(term, question.owners)
        by_itself = max((covers(text, term) for text in own), default=0.0)
        by_itself = max(by_itself, _IN_TURN if term in implied else 0.0)
        with_context = max([by_itself, *(covers(text, term) * trust for text, trust in around)])
        total += share
        covered += share * with_context
        direct += share * by_itself
        if with_context < _IN_CONTEXT:
            missing.append(term)
    named = _is_named(scene, passage, own, [text for text, _ in around])
    if (question.about_assistant or replied) and covered:
        direct = max(direct, _DIRECT * total)
    if not total and ((named and bool(exact or question.names or question.options)) or _asks_anyway(question, turn)):
        covered = direct = total = 1.0
    shares = (covered / total, direct / total) if total else (0.0, 0.0)
    support = Support(passage, 0.0, *shares, suited, named, exact, tuple(missing))
    return replace(support, score=_score(question, support))


def _item_text(item: Item) -> Prepared:
    return attribute_text(item.attribute)


def _asks_anyway(question: Question, turn: Turn) -> bool:
    """Whether a question without content words asks for a turn by what it is, or points back to it."""
    of_kind = question.only_time or question.decided or question.about_questions or question.about_assistant
    return of_kind or question.just_now or (question.follow_up and turn.number in question.after_turns)


def _is_named(scene: Scene, passage: Passage, own: Sequence[Prepared], around: Sequence[Prepared]) -> bool:
    """Whether the passage is about every name and identifier asked about: by words, context or speaker."""
    question = scene.question
    speaker = fold(passage.turn.speaker)
    for name in (*question.names, *question.identifiers):
        if same_person(speaker, name) or names_covered(name, own) or names_covered(name, around):
            continue
        return False
    if question.options and not any(names_covered(name, [*own, *around]) for name in question.options):
        return False
    return not _about_other_name(question, passage)


def _about_other_name(question: Question, passage: Passage) -> bool:
    """For a follow-up: whether the passage names another entity than the topic, and not the topic."""
    if question.entity is None or not is_specific(question.entity):
        return False
    topic = spoken(question.entity)
    entities = {spoken(item.entity) for item in passage.items if is_specific(item.entity)}
    if topic in fold(passage.turn.text) or topic in entities:
        return False
    return bool(entities) and not capitalised_names(passage.text) <= {topic}


def _score(question: Question, support: Support) -> float:
    passage = support.passage
    score = support.covered + 0.2 * support.direct
    score += 0.5 if question.expects and support.fits else 0.0
    score += 0.6 if support.exact else 0.0
    score += 0.4 if support.named and question.names else 0.0
    score += 0.3 if question.subject and same_person(fold(passage.turn.speaker), question.subject) else 0.0
    score -= 0.4 if is_guess(passage) or wording.pattern("caption").search(fold(passage.text)) else 0.0
    if support.covered >= ENOUGH and not question.history and not support.exact and cue(passage.text, "change"):
        score += 0.6
    if question.decided:
        score += (
            0.4
            if cue(passage.text, "decision") or any(i.kind in {"decision", "agreement"} for i in passage.items)
            else 0.0
        )
    if question.asks == "why":
        score += 0.3 if wording.pattern("causes").search(fold(passage.text)) else 0.0
    return score


def bridge(scene: Scene, supports: Sequence[Support]) -> tuple[Support, Support] | None:
    """Two passages that answer together: the second names somebody or something that the first leads to.

    "My boss is Anna." and "Anna lives in Oslo." answer "where does my boss live?".
    """
    question = scene.question
    for target in supports[:12]:
        if not target.fits or target.direct == 0 or not target.missing:
            continue
        mentioned = _mentions(target.passage)
        for link in supports[:12]:
            text = prepare(link.passage.text)
            shared = mentioned & _mentions(link.passage)
            if link is target or not shared or any(name in fold(question.text) for name in shared):
                continue
            if all(covers(text, term) >= _BRIDGED for term in target.missing):
                return link, target
    return None


def _mentions(passage: Passage) -> frozenset[str]:
    entities = {spoken(item.entity) for item in passage.items if is_specific(item.entity)}
    values = {fold(item.value) for item in passage.items if item.kind == "fact" and len(item.value) <= 20}
    first = passage.text.split(maxsplit=1)[:1]
    opening = {fold(first[0].strip("'’s,."))} if first and first[0][:1].isupper() else set()
    return frozenset(entities | values | opening | capitalised_names(passage.text)) - {"", "i", "my", "the"}
