"""What a turn does to the intents: values that travel through a graph's state, from the proposal to the answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Literal

from ..memory.language.folding import clean
from ..memory.records import Language, Span, Turn
from ..memory.storage.intents import Filled, StepKind, StepRow
from .domains import Text
from .guards import Holds

About = Literal["entity", "transition", "slot"]


@dataclass(frozen=True, slots=True)
class Quote:
    """The words that moved it, exactly as the turn has them."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the guard said: the condition that decided, with the sentence of the domain for it."""

    holds: Holds
    slot: str
    value: str | None
    why: Text | None = None
    """Why it is refused; or, while the value is not known, under which condition it is allowed."""
    alternatives: tuple[str, ...] = ()
    """Of a refusal, the steps that may be taken instead."""


@dataclass(frozen=True, slots=True)
class Ask:
    """What is to be asked before anything is done."""

    about: About
    candidates: tuple[str, ...] = ()
    """Entities or steps among which it cannot be told, or the slot that is missing."""
    question: Text | None = None
    """The domain's own question."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """What becomes of one wish of a turn."""

    kind: StepKind
    domain: str
    entity: str
    """``order:12345``; only ``order`` while nobody has said which; empty where it is asked."""
    transition: str = ""
    from_state: str = ""
    to_state: str = ""
    trigger: Quote | None = None
    part: Span | None = None
    """The part of the turn that belongs to it."""
    tentative: bool = False
    """Whether it was only asked about: nothing is left to do yet."""
    slots: tuple[Filled, ...] = ()
    """What the turn says of slots."""
    guard: Verdict | None = None
    asks: Ask | None = None
    steps: tuple[int, ...] = ()
    """Numbers of the rows that are taken back."""
    restored: Mapping[str, str] = field(default_factory=dict)
    """After an undo or redo: the slots as they are again."""
    whole: bool = False
    """Whether the plan as it was is restored, not only the last step taken back."""
    renames: str = ""
    """The key under which the entity was known before it was named."""
    todo: Text | None = None
    """What is left to do, in the domain's words."""
    reply: Text | None = None
    """The domain's own sentence for what happened."""
    left: int | None = None
    """Number of the todo item; known when it is settled."""
    retracted: tuple[int, ...] = ()
    """Numbers of the items that were closed by it; known when it is settled."""
    number: int | None = None
    """Number of the row; known when it is settled."""


def unrecorded(
    user_id: str, session_id: str, text: str, language: Language, observed_at: datetime, time_zone: str
) -> Turn:
    """A turn of the user's that is in no log, to be read only."""
    return Turn(
        user_id, 0, session_id, 0, "", "user", "user_input", "user", clean(text), language, observed_at, time_zone,
        observed_at, "statement",
    )  # fmt: skip


def document_of(outcome: Outcome, voids: Sequence[str], untouched: bool) -> dict[str, Any]:
    """What a row keeps of an outcome beside its columns."""
    guard, asks = outcome.guard, outcome.asks
    return {
        "entity": outcome.entity,
        "untouched": untouched,
        "voids": list(voids),
        "whole": outcome.whole,
        "part": outcome.part and list(outcome.part),
        "restored": dict(outcome.restored),
        "todo": _pair(outcome.todo),
        "reply": _pair(outcome.reply),
        "guard": guard
        and {
            "holds": guard.holds,
            "slot": guard.slot,
            "value": guard.value,
            "why": _pair(guard.why),
            "alternatives": list(guard.alternatives),
        },
        "asks": asks and {"about": asks.about, "candidates": list(asks.candidates), "question": _pair(asks.question)},
    }


def outcome_of(row: StepRow) -> Outcome:
    """What a row of the history says, as it was told when it was written."""
    document = row.document
    guard, asks = document["guard"], document["asks"]
    return Outcome(
        kind=row.kind,
        domain=row.domain,
        entity=document["entity"],
        transition=row.transition,
        from_state=row.from_state,
        to_state=row.to_state,
        trigger=None if row.start is None or row.end is None else Quote(row.start, row.end, row.quote),
        part=Span(*document["part"]) if document["part"] else None,
        tentative=row.tentative,
        slots=row.slots,
        guard=guard and Verdict(**guard | {"why": _text(guard["why"]), "alternatives": tuple(guard["alternatives"])}),
        asks=asks and Ask(asks["about"], tuple(asks["candidates"]), _text(asks["question"])),
        steps=row.undoes,
        restored=document["restored"],
        whole=document["whole"],
        todo=_text(document["todo"]),
        reply=_text(document["reply"]),
        left=row.left.get(row.number),
        retracted=row.retracted,
        number=row.number,
    )


def asking(outcome: Outcome, ask: Ask) -> Outcome:
    """The outcome while something has to be asked first."""
    return replace(outcome, kind="asked", to_state=outcome.from_state, tentative=False, asks=ask, todo=None)


def _pair(text: Text | None) -> dict[str, str] | None:
    return None if text is None else {"en": text.en, "zh": text.zh}


def _text(pair: Mapping[str, str] | None) -> Text | None:
    return None if pair is None else Text(pair["en"], pair["zh"])
