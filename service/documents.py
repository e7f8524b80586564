"""What the service sends and takes: the field names here are a contract with clients."""

from collections.abc import Iterable
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, AwareDatetime, BaseModel, ConfigDict, Field

from ..memory.handles.documents import checked
from ..memory.handles.history import Alignment
from ..memory.handles.replica import Replica
from ..memory.language.folding import clean
from ..memory.listing import item_document, turn_document
from ..memory.records import Item, Turn

HandleName = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,63}$")]
Json = dict[str, Any]
LARGEST = (1 << 62) - 1
"""The largest number that every database takes."""
_Name = Annotated[str, Field(min_length=1, max_length=128), AfterValidator(clean)]
_Given = Annotated[Json, AfterValidator(checked)]
"""Checked before anything goes through it: what is nested too deeply cannot even be written out again."""


class _Taken(BaseModel):
    model_config = ConfigDict(extra="forbid", use_attribute_docstrings=True)


class Registration(_Taken):
    """A document that a terminal or a service registers."""

    source: _Name = Field(examples=["mobile_app"])
    """The terminal or service that it comes from."""
    type: _Name = Field(examples=["medical_report"])
    """What it is."""
    metadata: _Given = Field(default_factory=dict, examples=[{"patient_id": "p-7", "report_date": "2026-02-20"}])
    state: _Given = Field(default_factory=dict, examples=[{"glucose": {"value": 12.3, "unit": "mmol/L"}}])
    """What it says."""
    expires_at: AwareDatetime | None = None
    """Until when it is valid; for good where nothing is given."""


class Change(_Taken):
    """A change of a handle: only what changes."""

    delta: _Given = Field(examples=[{"glucose": {"value": 11.9}}])
    """A JSON merge patch of its state; `null` takes a key out."""
    version: int = Field(ge=1, le=LARGEST)
    """The version that was read before."""
    source: _Name | None = None
    """The service that changes it, where it is another than the one that registered it."""
    expires_at: AwareDatetime | None = None


class Held(_Taken):
    """What a client holds."""

    handles: dict[HandleName, Annotated[int, Field(ge=0, le=LARGEST)]] = Field(max_length=100_000)
    """The version of each handle."""


class Forgetting(_Taken):
    """What is to be forgotten for good: one kind, and its names."""

    kind: Literal["turn", "source", "session", "entity", "value", "all"]
    names: list[Annotated[str, Field(min_length=1, max_length=10_000)]] = Field(default_factory=list, max_length=100)


class Correction(_Taken):
    """What is right instead of what an item says."""

    value: Annotated[str, Field(min_length=1, max_length=10_000)] = Field(examples=["52,000 dollars"])
    time_zone: Annotated[str, Field(max_length=64)] | None = None


class Question(_Taken):
    """Something that is looked for in the memory."""

    question: Annotated[str, Field(min_length=1, max_length=10_000)] = Field(examples=["What was my blood sugar?"])
    limit: int = Field(default=10, ge=1, le=100)
    as_of: AwareDatetime | None = None
    """What held then."""
    time_zone: Annotated[str, Field(max_length=64)] | None = None


class Message(_Taken):
    """Something that is said to the agent."""

    message: Annotated[str, Field(min_length=1, max_length=200_000)] = Field(examples=["What was my blood sugar?"])
    session: Annotated[str, Field(min_length=1, max_length=512)] | None = None
    """The conversation; a new one by default."""
    message_id: Annotated[str, Field(min_length=1, max_length=512)] | None = None
    """The client's id of the message: sent again, it is the same turn."""
    language: Literal["en", "zh"] | None = None
    time_zone: Annotated[str, Field(max_length=64)] | None = None
    record: bool = True
    """Whether it becomes part of the memory."""
    forgetting: Forgetting | None = None
    """`kind` and `names` of the event `forget` that this answers: a yes forgets it for good."""


def turn_json(turn: Turn, noted: Iterable[Item] = ()) -> Json:
    """A turn with what was noted from it."""
    return turn_document(turn) | {"terminal": turn.terminal, "items": [item_document(item) for item in noted]}


def snapshot_json(replica: Replica) -> Json:
    """A snapshot: the event up to which it goes, and every valid handle."""
    return {"number": replica.number, "handles": dict(replica.handles)}


def alignment_json(alignment: Alignment) -> Json:
    """What a client is to change."""
    return {
        "full": alignment.full,
        "number": alignment.number,
        "handles": dict(alignment.handles),
        "gone": list(alignment.gone),
    }
