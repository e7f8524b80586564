"""What every node may import: the state that travels, what differs per run, and what is built once."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from operator import add
from typing import Annotated, Literal

from langchain_core.messages import AnyMessage
from langchain_core.retrievers import BaseRetriever
from langgraph.graph.message import add_messages
from pydantic import AwareDatetime, Field, PositiveInt
from typing_extensions import TypedDict

from ..intents.domains import Domains, Text
from ..intents.following import Intents
from ..intents.inquiries import Inquiry
from ..intents.loading import shipped
from ..intents.outcomes import Ask, Outcome, Quote, Verdict
from ..memory.calibration.questions import Listed, Question
from ..memory.clauses.condition import AskedNumber, AskedVersion, Condition
from ..memory.clauses.records import ClauseNumber
from ..memory.models.client import ModelCall
from ..memory.models.roles import Models
from ..memory.records import (
    Act,
    Answer,
    Candidate,
    Channel,
    Citation,
    Claim,
    Dropped,
    Evidence,
    FailedLeg,
    Language,
    Query,
    RecallFilter,
    Span,
)
from ..memory.retrieval.fusion import WEIGHTS, Weights
from ..memory.storage.intents import Filled
from ..memory.storage.summaries import NewSummary
from ..memory.store import Memory
from ..prompts.reference import PromptRef

_Moment = Annotated[AwareDatetime, Field(strict=True)]
"""A time, and no number that might be one."""

HitRow = tuple[int, Channel, int, float, int | None]
"""A ``Hit`` as it travels: a plain tuple costs a checkpoint a third of a typed one."""


@dataclass(frozen=True, slots=True)
class Context:
    """What differs from run to run. The user is required; the rest has the defaults that a terminal would want."""

    user_id: str = ""
    session_id: str | None = None
    """The conversation; the thread id of the run where there is one, else a new one."""
    terminal: str = "local"
    language: Language | None = None
    """The language to answer in; the message's own by default."""
    time_zone: str | None = None
    """IANA name; the machine's zone by default."""
    record: bool = True
    """Whether the turn becomes part of the memory. ``ask`` leaves the memory as it was."""
    limit: PositiveInt = 10
    """How many results calibration keeps (``-k``)."""
    as_of: _Moment | None = None
    """Valid time: answer from what held then."""
    recorded_as_of: _Moment | None = None
    """Recorded time: answer from what the system knew then."""


@dataclass(frozen=True, slots=True)
class Resources:
    """What is built once and shared by every run."""

    memory: Memory
    clock: Callable[[], datetime]
    """The time now, aware."""
    time_zone: str
    """IANA name of the zone to assume where the context names none."""
    models: Models | None = None
    """``None``: the floor does everything."""
    retriever: BaseRetriever | None = None
    """Takes the place of the knowledge base; ``None``: the user's own documents are searched."""
    prompts: Mapping[str, int] = field(default_factory=dict)
    """Prompts pinned to another version than their newest."""
    summary_after: int = 20
    """Turns of a session after which it is summarised without being asked."""
    buffer: int = 10
    """Turns of the session that count as recent."""
    weights: Weights = WEIGHTS
    """What counts how much in the ranking of what was found."""
    threshold: float | None = None
    """A question is declined where the confidence is lower; ``None``: the rules alone decide."""
    configuration: str = ""
    """The name of this way of answering, where several are compared; every answer says by which it was given."""
    trace_text: bool = False
    """Whether traces for LangSmith may hold what was said; they hold ids and prompt versions in any case."""
    domains: Domains = field(default_factory=shipped)
    """The errands that are followed: orders, appointments, and whatever the user's own files describe."""
    intents: Intents = field(init=False)
    """Follows them, by the rules of the domains."""

    def __post_init__(self) -> None:
        """Make what follows from the other fields."""
        object.__setattr__(self, "intents", Intents(self.domains, self.memory.embedder))


@dataclass(frozen=True, slots=True)
class Perceived:
    """The new message, understood: who said what when, in which conversation, and what was recorded from it."""

    user_id: str
    session_id: str
    text: str
    language: Language
    act: Act
    observed_at: datetime
    time_zone: str
    number: int | None = None
    """Number of the recorded turn; ``None`` when the run does not record."""
    noted: bool = False
    """Whether something besides a question was stored from it, or closed by it."""


def merge_hits(known: list[HitRow], new: list[HitRow]) -> list[HitRow]:
    """Join what the parallel retrievals found; the same find twice counts once. Order follows the queries."""
    seen = set(map(tuple, known))
    return known + [row for row in new if tuple(row) not in seen]


def merge_failed(known: list[FailedLeg], new: list[FailedLeg]) -> list[FailedLeg]:
    """Join what failed in parallel retrievals, the same once."""
    return list(dict.fromkeys([*known, *new]))


def merge_timings(known: dict[str, float], new: dict[str, float]) -> dict[str, float]:
    """Join the milliseconds that nodes spent; parallel branches count with the longest."""
    return known | {name: max(spent, known.get(name, 0.0)) for name, spent in new.items()}


STATE_TYPES: tuple[type, ...] = (
    Answer,
    Ask,
    AskedNumber,
    AskedVersion,
    Candidate,
    Citation,
    Claim,
    ClauseNumber,
    Condition,
    Dropped,
    Evidence,
    FailedLeg,
    Filled,
    Inquiry,
    Listed,
    ModelCall,
    NewSummary,
    Outcome,
    Perceived,
    PromptRef,
    Query,
    Question,
    Quote,
    RecallFilter,
    Span,
    Text,
    Verdict,
)
"""Every type of our own that the state holds, at any depth: what a checkpoint may bring back to life."""


class Input(TypedDict):
    """What a caller sends: LangChain's message convention."""

    messages: Annotated[list[AnyMessage], add_messages]


class Output(TypedDict):
    """What a caller receives."""

    messages: Annotated[list[AnyMessage], add_messages]
    """The conversation, the released answer last."""
    answer: Answer
    """The answer with its claims, verdicts and citations."""
    answer_id: str
    """Names the stored trace: ``veridical why``."""


class State(Output):
    """Everything that travels through one turn. All but the messages is reset when the next turn begins."""

    turn: Perceived
    question: Question
    recall: bool
    """Whether there is something to recall, or the turn is answered straight away."""
    proposed: list[Outcome]
    """What the turn does to the user's errands, by the floor's reading."""
    inquiry: Inquiry | None
    """What the turn asks about the errands themselves; what is asked of them is answered from their records."""
    settles: bool
    """Whether errands are to be settled: something was proposed, one is open, or a word of change was said."""
    settled: list[Outcome]
    """What the turn did to the errands; where nothing is recorded, what it would do."""
    settled_by: Literal["floor", "model"] | None
    """Whose reading that is; ``None`` where there was nothing to settle."""
    queries: list[Query]
    filter: RecallFilter
    hits: Annotated[list[HitRow], merge_hits]
    failed: Annotated[list[FailedLeg], merge_failed]
    """What of the retrieval failed, while the rest went on."""
    asked: int
    """How many of the queries have been retrieved; those beyond it are a further hop."""
    enough: bool
    confidence: float
    """How likely it is that the memory holds an answer, from 0 to 1."""
    kept: list[Candidate]
    dropped: list[Dropped]
    evidence: list[Evidence]
    """The quotations that answer; none where nothing does."""
    context: list[int]
    """Numbers of the turns, chunks and summaries that a model is shown: those that answer, and the best of the rest."""
    trigger: str | None
    """Why the session is to be summarised now, if it is."""
    summary: NewSummary | None
    calls: Annotated[list[ModelCall], add]
    """The model calls of the turn, failed ones included."""
    used: Annotated[list[PromptRef], add]
    """The prompts of the turn."""
    timings: Annotated[dict[str, float], merge_timings]
    """Milliseconds per node."""
