"""The values that travel between the parts of the memory: frozen, hashable where possible, free of behaviour.

Every time is an aware ``datetime`` in UTC. Every span is a half-open range of character offsets into a turn's text.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, NamedTuple

from ..prompts.reference import PromptRef

Language = Literal["en", "zh"]
Source = Literal["user_input", "external_knowledge", "ai_generated"]
Role = Literal["user", "assistant"]
Channel = Literal["exact", "clause", "lexical", "dense", "recent", "retriever"]
ResultKind = Literal["turn", "fact", "summary", "chunk"]
ItemKind = Literal["fact", "event", "todo", "question", "choice", "decision", "agreement"]
Act = Literal["statement", "question", "request", "correction", "greeting", "leave", "small_talk", "acknowledgement"]
ChangeKind = Literal["assert", "change", "correct", "retract", "complete"]
ClosedBy = Literal["change", "correction", "retraction", "completion"]
Polarity = Literal["positive", "negative"]


_DIGESTS = 1 << 40
_BRACKETS = str.maketrans("[]\n", "() ")


class Span(NamedTuple):
    """A half-open range ``[start, end)`` of character offsets into a text."""

    start: int
    end: int

    def cut(self, text: str) -> str:
        """The characters of ``text`` that the span covers."""
        return text[self.start : self.end]

    def overlaps(self, other: "Span") -> bool:
        """Whether the two spans share at least one character."""
        return self.start < other.end and other.start < self.end


def reference_id(number: int) -> str:
    """The citable id of what a recall found: ``t12``, ``c5`` for chunk 5 of the knowledge base, ``s2`` for summary 2.

    Where all may stand, turns carry their numbers, chunks theirs with a minus, summaries theirs far below: one integer
    names any of them.
    """
    if is_digest(number):
        return f"s{digest_number(number)}"
    return f"t{number}" if number > 0 else f"c{-number}"


def reference_number(identifier: str) -> int:
    """The number of an id of a turn, a chunk or a summary, as ``reference_id`` takes it."""
    number = int(identifier[1:])
    if identifier.startswith("s"):
        return digest_number(number)
    return -number if identifier.startswith("c") else number


def digest_number(number: int) -> int:
    """The integer that stands for a summary among turns and chunks, and back."""
    return -_DIGESTS - number


def is_digest(number: int) -> bool:
    """Whether an integer stands for a summary."""
    return number < -_DIGESTS


def is_chunk(number: int) -> bool:
    """Whether an integer stands for a chunk."""
    return -_DIGESTS < number < 0


@dataclass(frozen=True, slots=True)
class NewTurn:
    """A turn that is about to be recorded; the log gives it its number and its place."""

    user_id: str
    session_id: str
    external_id: str
    role: Role
    source: Source
    speaker: str
    text: str
    language: Language
    observed_at: datetime
    time_zone: str
    act: Act
    citations: tuple[str, ...] = ()
    terminal: str = ""
    """The terminal that it was said at."""


@dataclass(frozen=True, slots=True)
class Turn:
    """One recorded utterance, verbatim and never edited. Its identity is (user, session, external id)."""

    user_id: str
    number: int
    session_id: str
    position: int
    """Zero-based place within the session."""
    external_id: str
    role: Role
    source: Source
    speaker: str
    text: str
    language: Language
    observed_at: datetime
    """When it was said."""
    time_zone: str
    """IANA name of the zone in which its relative times are meant."""
    recorded_at: datetime
    """When the system learned of it."""
    act: Act
    citations: tuple[str, ...] = ()
    terminal: str = ""
    """The terminal that it was said at; empty where nobody said which."""

    @property
    def id(self) -> str:
        """The citable id, for example ``t12``."""
        return reference_id(self.number)

    @property
    def mark(self) -> str:
        """What an answer writes behind a quotation of it, in brackets."""
        return self.id


@dataclass(frozen=True, slots=True)
class Reference(Turn):
    """A chunk of the knowledge base as the rules read it: what a document says, under a heading.

    Its number is negative, its session the document, its speaker the document's name, and it was observed when the
    document's version began to hold. It is recorded nowhere as a turn, and yields no items.
    """

    title: str = ""
    """The document's name and the headings that it stands under."""
    version: int = 1
    clause: str = ""
    """Of a document of clauses, which one it is: ``[CONTRACT_A_v2.1] CONTRACT_PAYMENT_5.2 (payment_term)``."""

    @property
    def mark(self) -> str:
        """The chunk's id with its document and version, for example ``c5: price-list.md v2``."""
        return f"{self.id}: {self.external_id.translate(_BRACKETS)}"


@dataclass(frozen=True, slots=True)
class Digest(Turn):
    """A summary as a recall shows it: what it quotes, line by line. It is no turn, and nothing is quoted from it."""

    title: str = ""
    """What it is about."""
    entries: tuple[tuple[int, str], ...] = ()
    """The turns that it quotes, with the quotations, the weightiest first."""


class Accepted(NamedTuple):
    """What an agreement says yes to: a piece of a turn of the assistant's."""

    turn: int
    span: Span


@dataclass(frozen=True, slots=True)
class Proposal:
    """An item that an extractor proposes to store. The span check disposes: what it cannot quote is not stored."""

    kind: ItemKind
    entity: str
    """Whom or what it is about, canonical: ``user``, a speaker's name, ``apollo``, ``order:12345``."""
    attribute: str
    """Canonical attribute key (``budget``, ``favorite_color``) or, for todos and questions, their topic."""
    value: str
    """The value as quoted: a slice of the turn's text."""
    value_span: Span
    quote_span: Span
    """The clause that supports the item; covers ``value_span``."""
    normal: str
    """The value normalised for comparison: ``50000`` for 五万, an ISO date for 昨天, folded text otherwise."""
    value_type: str = "text"
    unit: str | None = None
    polarity: Polarity = "positive"
    single_valued: bool = False
    modality: Literal["asserted", "intended", "possible"] = "asserted"
    valid_from: datetime | None = None
    """When it began to hold; ``None`` means the time the turn was said."""
    due_at: datetime | None = None
    confidence: float = 1.0
    action: ChangeKind = "assert"
    targets: tuple[int, ...] = ()
    """Numbers of the live items that this one changes, corrects, retracts or completes."""
    rivals: tuple[int, ...] = ()
    """Numbers of the live items that could have been meant as well, which stay: "the budget", of two projects."""
    accepted: Accepted | None = None
    """Of an agreement, the proposal."""


@dataclass(frozen=True, slots=True)
class Item:
    """A stored memory item: a quotation with a meaning, a validity (valid time) and a history (recorded time)."""

    user_id: str
    number: int
    kind: ItemKind
    entity: str
    attribute: str
    value: str
    normal: str
    value_type: str
    unit: str | None
    polarity: Polarity
    single_valued: bool
    modality: str
    source: Source
    speaker: str
    turn: int
    """Number of the turn that it quotes."""
    value_span: Span
    quote_span: Span
    quote: str
    confidence: float
    observed_at: datetime
    recorded_at: datetime
    valid_from: datetime
    valid_to: datetime | None
    closed_at: datetime | None
    """Recorded time at which its validity was closed; ``None`` while it is live."""
    closed_by: ClosedBy | None
    superseded_by: int | None
    due_at: datetime | None
    accepted: Accepted | None = None
    """Of an agreement, the proposal that it says yes to."""

    @property
    def id(self) -> str:
        """The citable id, for example ``f3``."""
        return f"f{self.number}"

    @property
    def live(self) -> bool:
        """Whether nothing has superseded, retracted or completed it."""
        return self.closed_at is None


@dataclass(frozen=True, slots=True)
class RecallFilter:
    """What a recall is restricted to (hard) and what it prefers (soft). Empty fields restrict nothing."""

    as_of: datetime | None = None
    """Valid time: what held then."""
    recorded_as_of: datetime | None = None
    """Recorded time: what the system knew then."""
    before_turn: int | None = None
    """Only turns with a smaller number are candidates: the current turn never is."""
    speaker: str | None = None
    """Prefer the turns of this speaker."""
    time_from: datetime | None = None
    time_to: datetime | None = None
    """Prefer turns said, or events placed, in ``[time_from, time_to)``."""
    entities: tuple[str, ...] = ()
    """Prefer these entities; an identifier among them (an order number) restricts."""
    kinds: tuple[ItemKind, ...] = ()
    errand: tuple[int, ...] = ()
    """Turns that moved the errand that is talked about: preferred, and where an identifier restricts they belong to it,
    although "ship it by SF" does not say which order is meant."""
    has_decision: bool = False
    history: bool = False
    """Whether the question asks for what held before, so that superseded items count."""
    beside: tuple[str, ...] = ()
    """Who is named in one breath with the speaker ("Ana and Bo"): their turns are preferred as well."""


MATTER = "matter"
"""The origin of the query that says what a question is about and asks nothing: its vector counts beside the others."""


@dataclass(frozen=True, slots=True)
class Query:
    """One formulation of the question, in words that memories use."""

    text: str
    weight: float = 1.0
    origin: str = "question"
    """Where it comes from: ``question``, ``matter``, ``content``, ``synonyms``, ``topic``,
    ``entities``, ``hop``."""


class Hit(NamedTuple):
    """One channel's find for one query. A plain tuple, because hundreds of them travel through a graph's state."""

    turn: int
    """Number of the turn that was found, negative for a chunk."""
    channel: Channel
    query: int
    """Index of the query among the turn's queries."""
    score: float
    """The channel's own score, higher is better."""
    item: int | None = None
    """The item that the exact channel matched."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A turn after fusion: its score, the channels that found it, and the items that matched exactly."""

    turn: int
    score: float
    channels: Mapping[str, float] = field(default_factory=dict)
    items: tuple[int, ...] = ()

    @property
    def id(self) -> str:
        """``f3`` where an item matched exactly, else ``t12``, or ``c5`` for a chunk."""
        return f"f{self.items[0]}" if self.items else reference_id(self.turn)


@dataclass(frozen=True, slots=True)
class FailedLeg:
    """A part of the recall that failed while the rest went on, and why."""

    leg: str
    """``dense``: the question could not be embedded. ``embedding``: what was said could not, and waits for it."""
    reason: str


@dataclass(frozen=True, slots=True)
class Dropped:
    """A candidate that a calibration rule removed, and the rule's name."""

    id: str
    turn: int
    rule: str


@dataclass(frozen=True, slots=True)
class Evidence:
    """A quotation chosen for the answer: a span of one turn, and why it counts."""

    turn: int
    span: Span
    score: float
    items: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Citation:
    """What an answer shows beside a claim: the result's id, its turn, and the exact quotation."""

    id: str
    turn_id: str
    """Empty where something else than a turn is quoted: what a tool of an agent returned."""
    external_id: str
    quote: str
    observed_at: datetime
    speaker: str
    source: Source


@dataclass(frozen=True, slots=True)
class Claim:
    """One checkable assertion of an answer about the past."""

    text: str
    verdict: Literal["supported", "unsupported", "contradicted"]
    evidence: tuple[str, ...] = ()
    """Turn ids that support or contradict it."""
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """A released answer: every claim verified, every quotation exact."""

    text: str
    abstained: bool
    mode: Literal["floor", "model"]
    claims: tuple[Claim, ...] = ()
    citations: tuple[Citation, ...] = ()
    prompts: tuple[PromptRef, ...] = ()
    model_calls: int = 0
    tokens: int = 0
