"""The rule engine of calibration: which recalled turns may count, which are dropped, and by which rule.

Rules are pure functions, applied in order; each has a name, which the trace and ``dropped`` carry:

``identity``      another order, contract or document than the one asked about
``validity``      said, or known, only after the time asked about
``superseded``    everything that it says about the question no longer holds
``conflict``      another version of the same single value is preferred
``source``        (order only) the user's words come before the assistant's
``relevance``     beyond the number of results asked for
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from ..language.folding import fold
from ..language.times import find_times
from ..records import Candidate, Dropped, Item, RecallFilter, Turn
from . import wording
from .addresses import address_of
from .asked import Question
from .confidence import UNKNOWN, Measure, confidence
from .labels import labels, placed
from .scene import Scene
from .sufficiency import Verdict, sufficient
from .validity import concerns, corrections, is_specific, preferred

Rule = Callable[[Scene, Candidate], bool]
"""True where the candidate is to be dropped."""

_ASSISTANT_RANKS = 5
"""How many places a turn of the assistant stands behind where its score would put it."""
_PROMOTED = 3
_WHOLE = 0.9
"""A quotation of so much of a turn is all that it says."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two items that cannot both hold: the preferred one and the other, by their numbers."""

    preferred: int
    other: int


@dataclass(frozen=True, slots=True)
class Step:
    """One line of the trace: a rule and the result that it concerned."""

    rule: str
    id: str
    note: str = ""


@dataclass(frozen=True, slots=True)
class Calibration:
    """What calibration decided."""

    kept: tuple[Candidate, ...]
    dropped: tuple[Dropped, ...]
    conflicts: tuple[Conflict, ...] = ()
    enough: bool = False
    confidence: float = 0.0
    """How likely it is that the memory holds an answer."""
    hop_entities: tuple[str, ...] = ()
    """Names found that a further retrieval should look for; empty where it would not help."""
    trace: tuple[Step, ...] = field(default=())


def calibrate(
    question: Question,
    candidates: Sequence[Candidate],
    turns: Mapping[int, Turn],
    items: Mapping[int, list[Item]],
    limits: RecallFilter,
    *,
    k: int,
    measure: Measure = UNKNOWN,
) -> Calibration:
    """Apply the rules to the fused candidates.

    Args:
        question: The understood question.
        candidates: Best first, one per turn.
        turns: The candidates' turns by number, and any turns around them.
        items: Every item quoted from those turns, live or not, by turn number.
        limits: The recall's filter; its times win over the question's.
        k: How many results to keep.
        measure: What is known of the question's words and of the ranking.
    """
    scene = Scene.of(question, turns, items, limits)
    kept, dropped = _sifted(scene, candidates)
    conflicts = _conflicts(scene, kept)
    losers = {conflict.other for conflict in conflicts}
    lost = [candidate for candidate in kept if candidate.items and losers.issuperset(candidate.items)]
    dropped += [Dropped(candidate.id, candidate.turn, "conflict") for candidate in lost]
    ordered = _ordered(scene, [candidate for candidate in kept if candidate not in lost])
    dropped += [Dropped(candidate.id, candidate.turn, "relevance") for candidate in ordered[k:]]
    verdict = sufficient(scene, ordered[:k])
    return Calibration(
        kept=tuple(ordered[:k]),
        dropped=tuple(dropped),
        conflicts=tuple(conflicts),
        enough=verdict.enough,
        confidence=confidence(scene, candidates, verdict, measure),
        hop_entities=verdict.hop_entities,
        trace=_trace(dropped, conflicts, verdict),
    )


def in_their_place(candidates: Sequence[Candidate], successors: Mapping[int, int]) -> list[Candidate]:
    """The candidates with the turns that replaced others' statements, each where the replaced one stands or above."""
    placed: dict[int, Candidate] = {}
    for candidate in candidates:
        successor = successors.get(candidate.turn)
        if successor is not None:
            placed.setdefault(successor, Candidate(successor, candidate.score))
        placed.setdefault(candidate.turn, candidate)
    return list(placed.values())


def _sifted(scene: Scene, candidates: Sequence[Candidate]) -> tuple[list[Candidate], list[Dropped]]:
    """The candidates that no rule drops, with their matching items, and those that one does."""
    kept: list[Candidate] = []
    dropped: list[Dropped] = []
    for candidate in candidates:
        rule = next((name for name, applies in _RULES if applies(scene, candidate)), None)
        if rule is None:
            kept.append(_with_matches(scene, candidate))
        else:
            dropped.append(Dropped(candidate.id, candidate.turn, rule))
    return kept, dropped


def _trace(dropped: Sequence[Dropped], conflicts: Sequence[Conflict], verdict: Verdict) -> tuple[Step, ...]:
    steps = [Step(one.rule, one.id) for one in dropped]
    steps += [Step("conflict", f"f{one.other}", f"f{one.preferred} is preferred") for one in conflicts]
    return (*steps, Step("enough" if verdict.enough else "not_enough", verdict.best or "", verdict.reason))


def _is_another(scene: Scene, candidate: Candidate) -> bool:
    """Identity: the turn names orders, contracts or documents of the same sort, but not the one asked about."""
    turn = scene.turns.get(candidate.turn)
    if turn is None:
        return True
    return _other_identifier(scene, turn) or _other_label(scene, turn) or _other_place(scene, turn)


def _other_identifier(scene: Scene, turn: Turn) -> bool:
    wanted = set(scene.question.identifiers)
    if not wanted:
        return False
    named = set(address_of(turn.text).documents)
    named |= {item.entity.rpartition(":")[2] for item in scene.items.get(turn.number, ()) if ":" in item.entity}
    return bool(named) and not named & wanted


def _other_label(scene: Scene, turn: Turn) -> bool:
    wanted = labels(scene.question.text) or _last_labels(scene)
    if not wanted:
        return False
    named = labels(turn.text)
    return any(
        not letters & named[noun] and not any(f"{letter}{noun}" in fold(turn.text) for letter in letters)
        for noun, letters in wanted.items()
        if named.get(noun)
    )


def _last_labels(scene: Scene) -> dict[str, set[str]]:
    """The label that was spoken of last, in a statement or a question, where "that one just now" asks for it."""
    if not (scene.question.just_now and wording.pattern("points_at").search(fold(scene.question.text))):
        return {}
    spoken = (turn for number, turn in sorted(scene.turns.items(), reverse=True) if turn.source == "user_input")
    last = next((found for turn in spoken if (found := labels(turn.text))), {})
    return last if sum(map(len, last.values())) == 1 else {}


def _other_place(scene: Scene, turn: Turn) -> bool:
    """Whether "the second contract" is asked about, and the turn names another one, or one by its label only."""
    for noun, wanted in placed(scene.question.text).items():
        named = placed(turn.text).get(noun)
        if named is not None:
            return not named & wanted
        if labels(turn.text).get(noun):
            return True
    return False


def _is_untimely(scene: Scene, candidate: Candidate) -> bool:
    """Validity: the turn was said, or recorded, only after the time asked about and tells of nothing that held then."""
    turn, moment = scene.turns[candidate.turn], scene.moment
    if moment.recorded_as_of is not None and turn.recorded_at > moment.recorded_as_of:
        return True
    if moment.as_of is None or turn.observed_at <= moment.as_of:
        return False
    return not _tells_of(turn, moment.as_of) and not any(map(moment.holds, scene.items.get(turn.number, ())))


def _tells_of(turn: Turn, moment: datetime) -> bool:
    """Whether a turn names a time that lies around the moment ("in 2019 I worked at ...")."""
    times = find_times(turn.text, turn.observed_at, turn.time_zone)
    return any(time.start <= moment < time.end for time in times)


def _is_superseded(scene: Scene, candidate: Candidate) -> bool:
    """Supersession: it has items about the question, and none of them holds; questions about history read on."""
    if scene.question.history:
        return False
    items = scene.items.get(candidate.turn, ())
    if _says_only_what_was_replaced(scene, candidate.turn):
        return True
    about = [item for item in items if concerns(scene.question, item)]
    if scene.question.done:
        about = [item for item in about if item.closed_by != "completion"]
    return bool(about) and not any(scene.moment.holds(item) for item in about)


def _says_only_what_was_replaced(scene: Scene, turn: int) -> bool:
    """Whether a turn is one statement and later ones replaced it: it misleads whatever is asked about the present."""
    items = scene.items.get(turn, ())
    if not items or any(item.superseded_by is None or scene.moment.holds(item) for item in items):
        return False
    longest = max(item.quote_span.end - item.quote_span.start for item in items)
    return longest >= _WHOLE * len(scene.turns[turn].text.strip())


_RULES: tuple[tuple[str, Rule], ...] = (
    ("identity", _is_another),
    ("validity", _is_untimely),
    ("superseded", _is_superseded),
)


def _with_matches(scene: Scene, candidate: Candidate) -> Candidate:
    """The candidate with the items of its turn that are about the question and hold; a channel's finds come first."""
    matched = [item.number for item in scene.items.get(candidate.turn, ()) if _matches(scene, item)]
    found = [number for number in candidate.items if number in matched]
    return replace(candidate, items=tuple(dict.fromkeys((*found, *matched))))


def _matches(scene: Scene, item: Item) -> bool:
    held = scene.question.history or scene.moment.holds(item)
    return held and item.kind != "question" and concerns(scene.question, item)


def _conflicts(scene: Scene, kept: Sequence[Candidate]) -> list[Conflict]:
    """Conflict: two live versions of one single-valued attribute; which one is believed."""
    if scene.question.history:
        return []
    rivals = _rivals(scene, {number for candidate in kept for number in candidate.items})
    corrected = corrections(scene.every_item())
    best: dict[tuple[str, str], Item] = {}
    for item in rivals:
        best[_slot(item)] = preferred(best.get(_slot(item), item), item, corrected)
    pairs = ((best[_slot(item)], item) for item in rivals)
    found = {Conflict(first.number, other.number) for first, other in pairs if _differ(first, other)}
    return sorted(found, key=lambda one: (one.preferred, one.other))


def _rivals(scene: Scene, numbers: set[int]) -> list[Item]:
    """The matched items of which only one can hold for each entity and attribute."""
    matched = (item for item in scene.every_item() if item.number in numbers)
    return [item for item in matched if item.single_valued and item.polarity == "positive"]


def _slot(item: Item) -> tuple[str, str]:
    return item.entity, item.attribute


def _differ(one: Item, other: Item) -> bool:
    return (one.normal, one.unit) != (other.normal, other.unit)


def _ordered(scene: Scene, kept: Sequence[Candidate]) -> list[Candidate]:
    """By score, but the assistant's turns some places later, and live values of the very attribute first."""

    def place(entry: tuple[int, Candidate]) -> tuple[float, int]:
        rank, candidate = entry
        late = scene.turns[candidate.turn].source == "ai_generated" and not scene.question.about_assistant
        return (rank + (_ASSISTANT_RANKS + 0.5 if late else 0), rank)

    ranked = [candidate for _, candidate in sorted(enumerate(kept), key=place)]
    first = [candidate for candidate in ranked if _is_exact(scene, candidate)][:_PROMOTED]
    return first + [candidate for candidate in ranked if candidate not in first]


def _is_exact(scene: Scene, candidate: Candidate) -> bool:
    """Whether one of its items is a single value of the attribute asked about, of the very entity asked about."""
    matched = (item for item in scene.items.get(candidate.turn, ()) if item.number in candidate.items)
    return any(_is_asked_for(scene.question, item) for item in matched)


def _is_asked_for(question: Question, item: Item) -> bool:
    if not item.single_valued or item.attribute not in question.attributes:
        return False
    if is_specific(item.entity):
        return item.entity in question.names or item.entity == question.entity
    return question.subject == "user" and not question.owners
