"""What the floor answers: quotations to a question, notes to a statement."""

from ..memory.calibration.questions import Question
from ..memory.grounding.composer import acknowledge, compose, decline
from ..memory.grounding.quoting import Quotation
from ..memory.records import Answer, Evidence
from ..prompts.library import Prompt
from .contract import Perceived, Resources


def to_question(
    turn: Perceived, question: Question, evidence: list[Evidence], reply: Prompt, resources: Resources
) -> Answer:
    """Quote the evidence, or decline where there is none."""
    numbers = [chosen.turn for chosen in evidence]
    memory = resources.memory
    turns, items = memory.turns(turn.user_id, numbers), memory.items(turn.user_id, numbers)
    return compose(question, evidence, turns, items, render=reply.render)


def to_statement(turn: Perceived, question: Question, reply: Prompt, resources: Resources) -> Answer:
    """Say what was noted, what it replaces and what is done, or reply fittingly."""
    if turn.number is None:
        return decline(question, render=reply.render)
    memory = resources.memory
    recorded = memory.items(turn.user_id, [turn.number]).get(turn.number, [])
    said = memory.turns(turn.user_id, [turn.number])
    closed = memory.closed_by(said[turn.number])
    turns = said | memory.turns(turn.user_id, [item.turn for item in closed])
    found = memory.knowledge.contradictions(turn.user_id, [item.number for item in recorded])
    otherwise = {one.item: Quotation(one.reference, one.span) for one in reversed(found)}
    return acknowledge(turn.act, turn.language, recorded, closed, turns, otherwise=otherwise, render=reply.render)
