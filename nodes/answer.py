"""Answer: the grounded answer, verified claim by claim, and only then released."""

from langchain_core.messages import AIMessage, AnyMessage
from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from ..intents.inquiries import Inquiry
from ..intents.outcomes import Outcome
from ..memory.calibration.questions import Question
from ..memory.models.client import ModelCall
from ..memory.records import Answer, Candidate, Evidence
from ..prompts.library import Prompt
from ..prompts.reference import PromptRef
from .clauses import to_clauses
from .clock import spent
from .contract import Context, Perceived, Resources
from .drafting import Drafting
from .errands import Errands
from .floor import to_premise, to_question, to_statement
from .prompting import prompt
from .release import Release


class AnswerInput(TypedDict):
    """What the node reads."""

    messages: list[AnyMessage]
    turn: Perceived
    question: Question
    recall: bool
    inquiry: Inquiry | None
    settled: list[Outcome]
    kept: list[Candidate]
    confidence: float
    evidence: list[Evidence]
    context: list[int]
    calls: list[ModelCall]
    used: list[PromptRef]


class AnswerUpdate(TypedDict):
    """What the node writes: released text only, with its claims and citations."""

    answer: Answer
    messages: list[AIMessage]
    calls: list[ModelCall]
    used: list[PromptRef]
    timings: dict[str, float]


def answer(state: AnswerInput, runtime: Runtime[Context], *, resources: Resources) -> AnswerUpdate:
    """Answer a question from its evidence, and anything else by what was noted; release only what is verified."""
    with spent("answer") as timings:
        release = Release(runtime)
        turn, question = state["turn"], state["question"]
        reply = prompt("floor_reply", turn.language, resources)
        calls: list[ModelCall] = []
        used = [reply.ref]
        by_model = False
        # Whatever a model, or an errand, would make of the request rests on what is not so.
        challenged = to_premise(turn, reply, resources)
        if challenged is not None:
            release.say_answer(challenged)
        errands = Errands(turn, state["inquiry"], state["settled"], resources.domains)
        told = errands.say(release, question, reply, used, resources) if errands.come_first(state["recall"]) else None
        said = challenged or (None if state["recall"] else told)
        if said is not None:
            floor = said
        elif not state["recall"]:
            floor = to_statement(turn, question, reply, resources)
        else:
            floor, by_model = _recalled(state, reply, calls, used, release, resources)
            if told is None and floor.abstained and not by_model:
                told = errands.say(release, question, reply, used, resources)
                floor = told or floor
        if not by_model and floor not in (challenged, told):
            release.say_answer(floor)
        every = [*state["calls"], *calls]
        released = Answer(
            text=release.text,
            abstained=floor.abstained and not by_model,
            mode="model" if by_model else "floor",
            claims=tuple(release.claims),
            citations=tuple(release.citations.values()),
            prompts=tuple(dict.fromkeys([*state["used"], *used])),
            model_calls=len(every),
            tokens=sum(call.tokens for call in every),
        )
        message = release.close(released)
    return {"answer": released, "messages": [message], "calls": calls, "used": used, "timings": timings}


def _recalled(
    state: AnswerInput,
    reply: Prompt,
    calls: list[ModelCall],
    used: list[PromptRef],
    release: Release,
    resources: Resources,
) -> tuple[Answer, bool]:
    """The floor's answer from what was recalled, and whether a model answered instead; its calls are added."""
    turn, question = state["turn"], state["question"]
    kept, evidence = _sure(state, resources)
    clauses = to_clauses(turn, question, evidence, resources)
    floor = to_question(turn, question, evidence, reply, resources) if clauses is None else clauses.answer
    used += [] if clauses is None else [clauses.ref]
    if resources.models is None or (clauses is not None and clauses.settled):
        return floor, False
    drafting = Drafting(turn, question, resources, resources.models.answer)
    by_model = drafting.from_evidence(state["messages"], kept, state["context"] if kept else [], floor, release)
    if not by_model and floor.abstained and question.general:
        by_model = drafting.from_general_knowledge(reply, release)
    calls += drafting.ledger.calls
    used += drafting.used
    return floor, by_model


def _sure(state: AnswerInput, resources: Resources) -> tuple[list[Candidate], list[Evidence]]:
    """What may be answered from: nothing, where the memory is less sure than the settings want it to be."""
    if resources.threshold is not None and state["confidence"] < resources.threshold:
        return [], []
    return state["kept"], state["evidence"]
