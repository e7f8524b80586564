"""The deterministic extractor: from a turn to proposals of memory items, quoted from what its speaker says themself.

``extract`` reads a turn (``reading``), drafts what each clause states (``facts``, ``preferences``, ``events``,
``todos``, ``questions``, ``choices``), and sets the drafts against the live items (``updates``, ``implied``,
``endings``). The patterns are tables in ``patterns/``. Precision goes before recall: the raw turn stays findable
anyway.
"""

from ..records import Proposal, Turn
from .acts import classify_act
from .agreements import find_agreement
from .choices import find_decisions, find_options
from .drafts import Draft
from .endings import find_endings
from .events import dated, find_events
from .facts import find_facts
from .implied import find_implied
from .lookups import Lookups
from .moving import find_moved
from .preferences import find_preferences
from .questions import find_questions
from .reading import USER, Reading
from .surroundings import LiveItems, Surroundings
from .todos import find_todos
from .updates import settle

__all__ = ["LiveItems", "Surroundings", "classify_act", "extract"]

_LONGEST = 20_000
"""Characters beyond which a turn is a document rather than something that somebody says."""


def extract(turn: Turn, surroundings: Surroundings) -> list[Proposal]:
    """What a turn proposes to remember, in the order of its text.

    Only people's turns propose anything: what the assistant says never becomes a fact.

    Args:
        turn: a recorded turn.
        surroundings: the turns before it and the look-ups of live items.
    """
    if turn.role != "user" or turn.source != "user_input" or len(turn.text) > _LONGEST:
        return []
    reading = Reading(turn)
    if not reading.clauses:
        return []
    lookups = Lookups(reading, surroundings)
    drafts = _drafts(reading, lookups, addressed=_is_addressed(reading, surroundings))
    implied, withdrawn = find_implied(reading, lookups, drafts)
    kept = [draft for index, draft in enumerate(drafts) if index not in withdrawn]
    settled = [proposal for draft in kept if (proposal := settle(draft, reading, lookups)) is not None]
    settled += find_moved(reading, lookups, [*settled, *implied])
    endings = find_endings(reading, lookups)
    agreement = find_agreement(turn, reading.speaker, surroundings)
    proposals = [*(it for it in (*settled, *implied) if not _repeats(it, endings)), *endings]
    if agreement is not None:
        proposals = [*(it for it in proposals if not it.quote_span.overlaps(agreement.quote_span)), agreement]
    return sorted(proposals, key=lambda proposal: (proposal.quote_span.start, proposal.value_span))


def _drafts(reading: Reading, lookups: Lookups, *, addressed: bool) -> list[Draft]:
    """Everything that the turn states, each clause of it by its surest reading."""
    drafts = _new(find_options(reading), [])
    drafts += _new(find_preferences(reading), drafts)
    todos = find_todos(reading, addressed=addressed)
    facts = [dated(draft, reading) for draft in find_facts(reading, lambda: lookups.antecedent)]
    drafts += _new(facts, [*drafts, *todos]) + todos
    drafts += find_events(reading, drafts)
    drafts += _new(find_decisions(reading), drafts)
    if addressed:
        asked = {todo.clause.sentence for todo in todos}
        drafts += [draft for draft in find_questions(reading) if draft.clause.sentence not in asked]
    return drafts


def _new(found: list[Draft], known: list[Draft]) -> list[Draft]:
    """The drafts of clauses that nothing was read from yet."""
    taken = {draft.clause.span for draft in known}
    return [draft for draft in found if draft.clause.span not in taken]


def _is_addressed(reading: Reading, surroundings: Surroundings) -> bool:
    """Whether the turn speaks to the assistant rather than to another person of an imported conversation."""
    return reading.speaker == USER or any(turn.role == "assistant" for turn in surroundings.previous)


def _repeats(proposal: Proposal, endings: list[Proposal]) -> bool:
    """Whether what a clause ends was also read as a new event or plan, or as a change."""
    ended = {target for ending in endings for target in ending.targets}
    if proposal.kind not in {"event", "todo", "decision"}:
        return not ended.isdisjoint(proposal.targets)
    return any(proposal.quote_span.overlaps(ending.quote_span) for ending in endings)
