"""Answer: the grounded answer, verified claim by claim, and only then released."""

from dataclasses import dataclass, field

from langchain_core.messages import AIMessage, AnyMessage
from langgraph.runtime import Runtime
from typing_extensions import TypedDict

from ..intents.inquiries import Inquiry
from ..intents.outcomes import Outcome
from ..memory.calibration.questions import Question
from ..memory.models.client import Model, ModelCall
from ..memory.records import Answer, Candidate, Evidence
from ..prompts.library import Prompt
from ..prompts.reference import PromptRef
from .clauses import to_clauses
from .clock import spent
from .contract import Context, Perceived, Resources
from .drafting import Drafting
from .errands import Errands
from .floor import to_changes, to_premise, to_question, to_statement
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
        turn = state["turn"]
        saying = _Saying(
            state,
            release,
            resources,
            prompt("floor_reply", turn.language, resources),
            Errands(turn, state["inquiry"], state["settled"], resources.domains),
        )
        floor, by_model = saying.everything()
        every = [*state["calls"], *saying.calls]
        released = Answer(
            text=release.text,
            abstained=floor.abstained and not by_model,
            mode="model" if by_model else "floor",
            claims=tuple(release.claims),
            citations=tuple(release.citations.values()),
            prompts=tuple(dict.fromkeys([*state["used"], *saying.used])),
            model_calls=len(every),
            tokens=sum(call.tokens for call in every),
        )
        message = release.close(released)
    return {
        "answer": released,
        "messages": [message],
        "calls": saying.calls,
        "used": saying.used,
        "timings": timings,
    }


@dataclass(slots=True)
class _Saying:
    """What there is to say, released in order, and what it took."""

    state: AnswerInput
    release: Release
    resources: Resources
    reply: Prompt
    errands: Errands
    calls: list[ModelCall] = field(default_factory=list)
    used: list[PromptRef] = field(default_factory=list)

    def everything(self) -> tuple[Answer, bool]:
        """The floor's answer, and whether a model answered in its place."""
        self.used.append(self.reply.ref)
        first, told = self.first()
        if first is not None:
            return first, False
        if not self.state["recall"]:
            return self.said(
                to_statement(self.state["turn"], self.state["question"], self.reply, self.resources)
            ), False
        floor, by_model = self.recalled()
        if by_model:
            return floor, True
        instead = self.of_errands() if floor.abstained and not told else None
        return instead or self.said(floor), False

    def first(self) -> tuple[Answer | None, bool]:
        """What settles the turn before anything is recalled or noted, and whether errands were told of."""
        # Whatever a model, or an errand, would make of the request rests on what is not so.
        turn, recall = self.state["turn"], self.state["recall"]
        settled = to_premise(turn, self.reply, self.resources)
        if settled is None and self.errands.inquiry is None:
            settled = to_changes(turn, self.reply, self.resources)
        if settled is not None:
            self.release.say_answer(settled)
        told = self.of_errands() if self.errands.come_first(recall) else None
        return settled or (None if recall else told), told is not None

    def said(self, floor: Answer) -> Answer:
        """Release an answer of the floor."""
        self.release.say_answer(floor)
        return floor

    def of_errands(self) -> Answer | None:
        """Release what was done to errands, or is asked about them; ``None`` where there is nothing to say."""
        return self.errands.say(self.release, self.state["question"], self.reply, self.used, self.resources)

    def recalled(self) -> tuple[Answer, bool]:
        """The floor's answer from what was recalled, and whether a model's was released instead."""
        state, resources = self.state, self.resources
        turn, question = state["turn"], state["question"]
        kept, evidence = _sure(state, resources)
        clauses = to_clauses(turn, question, evidence, resources)
        if clauses is None:
            floor = to_question(turn, question, evidence, self.reply, resources)
        else:
            floor = clauses.answer
            self.used.append(clauses.ref)
        if resources.models is None or (clauses is not None and clauses.settled):
            return floor, False
        return floor, self.drafted(resources.models.answer, kept, floor)

    def drafted(self, model: Model, kept: list[Candidate], floor: Answer) -> bool:
        """Whether a model's draft was released."""
        state, question = self.state, self.state["question"]
        drafting = Drafting(state["turn"], question, self.resources, model)
        context = state["context"] if kept else []
        by_model = drafting.from_evidence(state["messages"], kept, context, floor, self.release)
        if not by_model and floor.abstained and question.general:
            by_model = drafting.from_general_knowledge(self.reply, self.release)
        self.calls += drafting.ledger.calls
        self.used += drafting.used
        return by_model


def _sure(state: AnswerInput, resources: Resources) -> tuple[list[Candidate], list[Evidence]]:
    """What may be answered from: nothing, where the memory is less sure than the settings want it to be."""
    if resources.threshold is not None and state["confidence"] < resources.threshold:
        return [], []
    return state["kept"], state["evidence"]
