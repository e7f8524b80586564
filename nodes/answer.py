"""Answer: the grounded answer, verified claim by claim, and only then released."""

from typing import TypedDict
from uuid import uuid4

from langchain_core.messages import AIMessage
from langgraph.runtime import Runtime

from ..memory.calibration.questions import Question
from ..memory.grounding.composer import compose
from ..memory.records import Answer, Evidence
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
