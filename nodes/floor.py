"""What the floor answers: quotations to a question, notes to a statement."""

from collections.abc import Collection, Mapping, Sequence
from types import MappingProxyType

from ..memory.calibration.questions import Question
from ..memory.changed import asks_for_changes, changes_of
from ..memory.grounding.composer import acknowledge, compose, decline
from ..memory.grounding.notes import tell_changes
from ..memory.grounding.premises import challenge, presupposes, refuting
from ..memory.grounding.quoting import Quotation
from ..memory.records import Answer, Evidence, Item, Turn
from ..memory.storage.items import list_items
from ..prompts.library import Prompt
from .contract import Perceived, Resources


def to_premise(turn: Perceived, reply: Prompt, resources: Resources) -> Answer | None:
    """Challenge a request that takes for granted what the records refute; ``None`` where they refute nothing."""
    if not presupposes(turn.text):
        return None
    memory = resources.memory
    with memory.database.read() as connection:
        known = list_items(connection, turn.user_id, kind="fact", live_only=False)
    item = refuting(turn.text, [one for one in known if one.turn != turn.number])
    if item is None:
        return None
    said = memory.turns(turn.user_id, [item.turn])[item.turn]
    return challenge(item, said, turn.language, render=reply.render)


def to_changes(turn: Perceived, reply: Prompt, resources: Resources) -> Answer | None:
    """Tell what the user changed, where that is asked; ``None`` where it is not, or nothing was changed."""
    attributes = asks_for_changes(turn.text)
    if attributes is None:
        return None
    memory = resources.memory
    with memory.database.read() as connection:
        pairs = changes_of(connection, turn.user_id, attributes)
    if not pairs:
        return None
    turns = memory.turns(turn.user_id, {item.turn for pair in pairs for item in pair})
    return tell_changes(turn.language, pairs, turns, render=reply.render)


def to_question(
    turn: Perceived,
    question: Question,
    evidence: Sequence[Evidence],
    reply: Prompt,
    resources: Resources,
    *,
    beside: Mapping[int, tuple[Turn, Sequence[Evidence]]] = MappingProxyType({}),
) -> Answer:
    """Quote the evidence, or decline where there is none; ``beside`` is evidence that is no turn of the memory."""
    numbers = [chosen.turn for chosen in evidence]
    memory = resources.memory
    turns, items = memory.turns(turn.user_id, numbers), memory.items(turn.user_id, numbers)
    turns |= {number: said for number, (said, _) in beside.items()}
    every = [*evidence, *(one for _, quoted in beside.values() for one in quoted)]
    return compose(question, every, turns, items, render=reply.render)


def noted_in(turn: Perceived, resources: Resources) -> list[Item]:
    """What was stored from a turn besides what it asks, and what it closed."""
    recorded, closed = _touched(turn, resources)
    return [*(item for item in recorded if item.kind != "question"), *closed]


def _touched(
    turn: Perceived, resources: Resources, only: Collection[int] | None = None
) -> tuple[list[Item], list[Item]]:
    """What was stored from a turn, and what it closed; of those items ``only``, if named."""
    if turn.number is None:
        return [], []
    memory = resources.memory
    recorded = memory.items(turn.user_id, [turn.number]).get(turn.number, [])
    closed = memory.closed_by(memory.turns(turn.user_id, [turn.number])[turn.number])
    if only is None:
        return recorded, closed
    return [item for item in recorded if item.number in only], [item for item in closed if item.number in only]


def to_statement(
    turn: Perceived,
    question: Question,
    reply: Prompt,
    resources: Resources,
    *,
    only: Collection[int] | None = None,
) -> Answer:
    """Say what was noted, what it replaces and what is done, or reply fittingly; of those items ``only``, if named."""
    if turn.number is None:
        return decline(question, render=reply.render)
    memory = resources.memory
    said = memory.turns(turn.user_id, [turn.number])
    recorded, closed = _touched(turn, resources, only)
    proposed = [item.accepted.turn for item in recorded if item.accepted is not None]
    turns = said | memory.turns(turn.user_id, [*(item.turn for item in closed), *proposed])
    found = memory.knowledge.contradictions(turn.user_id, [item.number for item in recorded])
    otherwise = {one.item: Quotation(one.reference, one.span) for one in reversed(found)}
    return acknowledge(turn.act, turn.language, recorded, closed, turns, otherwise=otherwise, render=reply.render)
