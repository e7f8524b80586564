"""The deterministic extractor: from a turn to proposals of memory items, quoted from what its speaker says themself.

``extract`` reads a turn (``reading``), drafts what each clause states (``facts``, ``preferences``, ``events``,
``todos``, ``questions``, ``choices``), and sets the drafts against the live items (``updates``, ``implied``,
``endings``). The patterns are tables in ``patterns/``. Precision goes before recall: the raw turn stays findable
anyway.
"""

from ..records import Proposal, Turn
from .acts import classify_act
from .choices import find_decisions, find_options
from .drafts import Draft
from .endings import find_endings
from .events import dated, find_events
from .facts import find_facts
from .implied import find_implied
from .lookups import Lookups
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
    addressed = _is_addressed(reading, surroundings)
    drafts = _drafts(reading, lookups, addressed=addressed)
    implied, withdrawn = find_implied(reading, lookups, drafts)
    settled = [settle(draft, reading, lookups) for index, draft in enumerate(drafts) if index not in withdrawn]
    endings = find_endings(reading, lookups)
    ended = {target for ending in endings for target in ending.targets}
    proposals = [proposal for proposal in settled if proposal is not None and not _repeats(proposal, endings)]
    proposals += [proposal for proposal in implied if not ended & set(proposal.targets)]
    return sorted([*proposals, *endings], key=lambda proposal: (proposal.quote_span.start, proposal.value_span))


def _drafts(reading: Reading, lookups: Lookups, *, addressed: bool) -> list[Draft]:
    """Everything that the turn states, each stretch of it once, by the surest reading."""
    choices = find_options(reading)
    preferences = find_preferences(reading)
    preferring = {draft.clause.span for draft in preferences} | {draft.clause.span for draft in choices}
    found = find_facts(reading, lambda: lookups.antecedent)
    facts = [dated(draft, reading) for draft in found if draft.clause.span not in preferring]
    todos = find_todos(reading, addressed=addressed)
    taken = {draft.clause.span for draft in (*choices, *preferences, *facts, *todos)}
    facts = [draft for draft in facts if draft.clause.span not in {todo.clause.span for todo in todos}]
    events = find_events(reading, taken)
    decided = taken | {draft.clause.span for draft in events}
    decisions = [draft for draft in find_decisions(reading) if draft.clause.span not in decided]
    questions = find_questions(reading) if addressed else []
    asked = {todo.clause.sentence for todo in todos}
    questions = [draft for draft in questions if draft.clause.sentence not in asked]
    return [*choices, *preferences, *facts, *todos, *events, *decisions, *questions]


def _is_addressed(reading: Reading, surroundings: Surroundings) -> bool:
    """Whether the turn speaks to the assistant rather than to another person of an imported conversation."""
    return reading.speaker == USER or any(turn.role == "assistant" for turn in surroundings.previous)


def _repeats(proposal: Proposal, endings: list[Proposal]) -> bool:
    """Whether a clause that ends something was also read as a new event or plan."""
    return proposal.kind in {"event", "todo", "decision"} and any(
        proposal.quote_span.overlaps(ending.quote_span) for ending in endings
    )
