"""Answer: the grounded answer, verified claim by claim, and only then released."""

from dataclasses import replace
from uuid import uuid4

from langchain_core.messages import AIMessage
from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from ..memory.calibration.questions import Question
from ..memory.grounding.composer import acknowledge, compose, decline
from ..memory.records import Answer, Evidence
from ..prompts.library import Prompt, load
from .clock import spent
from .contract import Context, Perceived, Resources
from .release import release


class AnswerInput(TypedDict):
    """What the node reads."""

    turn: Perceived
    question: Question
    recall: bool
    evidence: list[Evidence]


class AnswerUpdate(TypedDict):
    """What the node writes: released text only, with its claims and citations."""

    answer: Answer
    messages: list[AIMessage]
    timings: dict[str, float]


def answer(state: AnswerInput, runtime: Runtime[Context], *, resources: Resources) -> AnswerUpdate:
    """Answer a question by its evidence, and anything else by what was noted; release nothing that is not verified."""
    with spent("answer") as timings:
        reply = load("floor_reply", state["turn"].language)
        draft = _to_question(state, reply, resources) if state["recall"] else _to_statement(state, reply, resources)
        released = replace(draft, prompts=(reply.ref,))
        message = AIMessage(released.text, id=f"answer-{uuid4().hex}")
        release(released, str(message.id), runtime)
    return {"answer": released, "messages": [message], "timings": timings}


def _to_question(state: AnswerInput, reply: Prompt, resources: Resources) -> Answer:
    numbers = [chosen.turn for chosen in state["evidence"]]
    memory, user_id = resources.memory, state["turn"].user_id
    turns, items = memory.turns(user_id, numbers), memory.items(user_id, numbers)
    return compose(state["question"], state["evidence"], turns, items, render=reply.render)


def _to_statement(state: AnswerInput, reply: Prompt, resources: Resources) -> Answer:
    turn, memory = state["turn"], resources.memory
    number = turn.number
    if number is None:
        return decline(state["question"], render=reply.render)
    recorded = memory.items(turn.user_id, [number]).get(number, [])
    said = memory.turns(turn.user_id, [number])
    closed = memory.closed_by(said[number])
    turns = said | memory.turns(turn.user_id, [item.turn for item in closed])
    return acknowledge(turn.act, turn.language, recorded, closed, turns, render=reply.render)
