"""MEMORY_STATE: the working memory of a user as one typed document, derived from the items and kept by version."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field
from sqlalchemy import Connection, and_, select

from ..language.guises import without_guises
from ..records import Item, ItemKind, Polarity, Turn
from .handles import Spoken, is_called, merged
from .intents import IntentRow, StepRow, live_steps, open_intents, standing, steps_of
from .items import items_of_turns, list_items
from .keys import KEY
from .mentions import last_named
from .state_events import tell_state
from .tables import chunks, conflicts, documents, items, knowledge_conflicts, states, turns
from .turns import get_turns
from .upserts import insert_into

_ANCHOR = re.compile(r"\[(?P<key>[A-Z][A-Z0-9_]*):(?P<value>[^\[\]\s]+)\]")
_MOST_ANCHORS = 40
_MOST_FACTS = 20
_MOST_OPEN = 20
_MOST_ASKED = 8
_ASKED_OF_LATE = timedelta(days=14)
"""How long a question stays open that no answer settled: who still wants to know asks again."""
_MOST_INTENTS = 10
_MOST_CONFLICTS = 10
_MOST_ADDED = 6


class _Entry(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", use_attribute_docstrings=True)


ItemId = Annotated[str, Field(pattern=r"^f[1-9][0-9]*$")]
TurnId = Annotated[str, Field(pattern=r"^t[1-9][0-9]*$")]
Key = Annotated[str, Field(pattern=KEY)]
Hedge = Literal["intended", "possible"]
_HEDGES: Mapping[str, Hedge] = {"intended": "intended", "possible": "possible"}


class Anchor(_Entry):
    """An explicit marker such as ``[DOC_ID:ABC123]`` and the turn that set it."""

    key: Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9_]*$")]
    """What the marker names, exactly as it was written."""
    value: Annotated[str, Field(pattern=r"^[^\[\]\s]+$")]
    turn_id: TurnId


class Held(_Entry):
    """A live item: what it says, since when it holds, and the turn that it quotes."""

    id: ItemId
    entity: str
    """Whom or what it is about: ``user``, a name, ``order:12345``."""
    attribute: Annotated[str, Field(pattern=KEY)]
    """The name of the field, in snake_case; answers use it exactly."""
    value: str
    """As it was said."""
    polarity: Polarity
    hedge: Hedge | None = None
    """Where it was not said to be so: that it is only meant to be, or only possible."""
    since: datetime
    turn_id: TurnId


class SpokenDocument(_Entry):
    """A document that the user named or gave, whatever it was called, and what it is in the knowledge base."""

    handle: Annotated[str, Field(pattern=r"^[^\s\[\]]+$")]
    """``AK-204`` of ``[DOC_ID:AK-204]``, ``contract:a``, ``lease.pdf``; ``pdf:#2`` for one without a name."""
    kind: str
    names: tuple[str, ...]
    """As it was called."""
    document: str | None
    """Its readable handle in the knowledge base (``CONTRACT_A``), where it was added."""
    turn_id: TurnId
    """The turn that named it first: the order of the list."""
    last_turn_id: TurnId


class Agreement(_Entry):
    """What the assistant proposed and the user said yes to, in the words of both."""

    id: ItemId
    proposal: str
    proposal_turn_id: TurnId
    text: str
    """The user's yes."""
    since: datetime
    turn_id: TurnId


class Todo(_Entry):
    """Something the user still has to do."""

    id: ItemId
    text: str
    due_at: datetime | None
    turn_id: TurnId


class OpenQuestion(_Entry):
    """Something the user asked that no answer has settled."""

    id: ItemId
    text: str
    turn_id: TurnId


class Intent(_Entry):
    """What the user is about to get done with one order, appointment or contract, and the step that it is at."""

    domain: Key
    entity: str
    """What it is about: ``order:12345``."""
    state: Key
    tentative: bool
    """Whether the step was only asked about, so that nothing is to be done yet."""
    slots: dict[Key, str]
    """What is known of it and wanted for it, the field names in snake_case."""
    since: datetime
    turn_id: TurnId | None
    """The turn that made the state; none where it was as it is before anything was said."""
    todo_ids: tuple[ItemId, ...]
    """What it left to do, as far as that is still open."""


class Conflict(_Entry):
    """Two items that cannot both hold, and the rule that preferred one; or an item and a chunk that says otherwise."""

    preferred: ItemId
    other: Annotated[str, Field(pattern=r"^[fc][1-9][0-9]*$")]
    rule: str


class MemoryState(_Entry):
    """The working memory of a user. Its JSON is the same, byte for byte, in every terminal."""

    schema_version: int = 1
    version: int = 0
    """Grows by one with every change."""
    last_updated: datetime | None = None
    topic: str | None = None
    """The entity last talked about: what "it" means."""
    anchors: tuple[Anchor, ...] = ()
    documents: tuple[SpokenDocument, ...] = ()
    """In the order of their first mention."""
    current_facts: tuple[Held, ...] = ()
    agreements: tuple[Agreement, ...] = ()
    open_todos: tuple[Todo, ...] = ()
    open_questions: tuple[OpenQuestion, ...] = ()
    intents: tuple[Intent, ...] = ()
    """The one talked about last at the end."""
    conflicts: tuple[Conflict, ...] = ()


def state_schema() -> dict[str, Any]:
    """The JSON schema of MEMORY_STATE, as it is published in ``docs/memory_state.schema.json``."""
    dialect = {"$schema": "https://json-schema.org/draft/2020-12/schema"}
    return dialect | MemoryState.model_json_schema(mode="serialization")


def load_state(connection: Connection, user_id: str) -> MemoryState:
    """The user's MEMORY_STATE; an empty one before the first turn."""
    document = connection.execute(select(states.c.document).where(states.c.user_id == user_id)).scalar()
    return MemoryState() if document is None else MemoryState.model_validate(document)


def refresh_state(
    connection: Connection, user_id: str, added: Sequence[Turn], *, terminal: str = "", now: datetime
) -> MemoryState:
    """Bring the document in line with the items, after the turns ``added``; a changed one gets the next version.

    Who changed it is the terminal of the last turn, or where none was added the one that is named.
    """
    before = load_state(connection, user_id)
    facts = _live(connection, user_id, ("fact", "event", "decision"), _MOST_FACTS)
    todos = _live(connection, user_id, ("todo",), _MOST_OPEN)
    after = MemoryState(
        version=before.version,
        last_updated=before.last_updated,
        topic=_topic(connection, user_id, added) or (before.topic if added else None) or _subject(facts),
        anchors=_merged(before.anchors, added),
        documents=_documents(connection, user_id, before.documents, added),
        current_facts=tuple(_held(item) for item in facts),
        agreements=_agreements(connection, user_id),
        open_todos=tuple(_todo(item) for item in todos),
        open_questions=_questions(connection, user_id, added[-1].observed_at if added else now),
        intents=_intents(connection, user_id, {item.number for item in todos}),
        conflicts=_conflicts(connection, user_id),
    )
    if after == before:
        return before
    after = after.model_copy(update={"version": before.version + 1, "last_updated": now})
    document = after.model_dump(mode="json")
    row = {"version": after.version, "document": document, "updated_at": now}
    statement = insert_into(connection, states).values(user_id=user_id, **row)
    connection.execute(statement.on_conflict_do_update(index_elements=[states.c.user_id], set_=row))
    by = added[-1].terminal if added else terminal
    tell_state(connection, user_id, before.model_dump(mode="json"), document, terminal=by, now=now)
    return after


def anchors_in(turn: Turn) -> Iterator[Anchor]:
    """The explicit markers in a turn's text, in order."""
    for match in _ANCHOR.finditer(without_guises(turn.text)):
        yield Anchor(key=match["key"], value=match["value"], turn_id=turn.id)


def _merged(known: Iterable[Anchor], added: Sequence[Turn]) -> tuple[Anchor, ...]:
    found = {(anchor.key, anchor.value): anchor for anchor in known}
    for turn in added:
        if turn.source == "user_input":
            for anchor in anchors_in(turn):
                # An anchor named again moves to the end: the latest document is the one that is meant.
                found.pop((anchor.key, anchor.value), None)
                found[anchor.key, anchor.value] = anchor
    return tuple(found.values())[-_MOST_ANCHORS:]


def _documents(
    connection: Connection, user_id: str, known: Sequence[SpokenDocument], added: Sequence[Turn]
) -> tuple[SpokenDocument, ...]:
    """The documents spoken of, with what they are in the knowledge base now."""
    spoken = merged([as_spoken(one) for one in known], added)
    if not spoken:
        return ()
    kept = select(documents.c.key, documents.c.title, documents.c.name)
    rows = connection.execute(kept.where(documents.c.user_id == user_id, documents.c.closed_at.is_(None))).all()
    added_as = [(row.key or row.name, (row.title, row.name)) for row in rows]
    return tuple(
        SpokenDocument(
            handle=one.handle,
            kind=one.kind,
            names=one.names,
            document=next((key for key, titles in added_as if is_called(one, titles)), None),
            turn_id=one.turn_id,
            last_turn_id=one.last_turn_id,
        )
        for one in spoken
    )


def as_spoken(one: SpokenDocument) -> Spoken:
    """A document of the state as the reading of mentions takes it."""
    return Spoken(one.handle, one.kind, one.names, one.turn_id, one.last_turn_id)


def documents_left(connection: Connection, user_id: str) -> tuple[SpokenDocument, ...]:
    """The documents that the turns of the log speak of, read anew."""
    own = (turns.c.user_id == user_id, turns.c.source == "user_input")
    numbers = connection.execute(select(turns.c.number).where(*own).order_by(turns.c.number)).scalars().all()
    found = get_turns(connection, user_id, numbers)
    return _documents(connection, user_id, (), [found[number] for number in numbers if number in found])


def _live(connection: Connection, user_id: str, kinds: tuple[ItemKind, ...], limit: int) -> list[Item]:
    found = [item for kind in kinds for item in list_items(connection, user_id, kind=kind, limit=limit)]
    return sorted(found, key=lambda item: item.number)[-limit:]


def _topic(connection: Connection, user_id: str, added: Sequence[Turn]) -> str | None:
    """What the turns that were added last talk about."""
    last = added[-_MOST_ADDED:]
    return last_named(connection, user_id, last, items_of_turns(connection, user_id, [turn.number for turn in last]))


def _subject(facts: Sequence[Item]) -> str | None:
    return next((item.entity for item in reversed(facts) if item.entity != "user"), None)


def _held(item: Item) -> Held:
    return Held(
        id=item.id,
        entity=item.entity,
        attribute=item.attribute,
        value=item.value,
        polarity=item.polarity,
        hedge=_HEDGES.get(item.modality),
        since=item.valid_from,
        turn_id=f"t{item.turn}",
    )


def _agreements(connection: Connection, user_id: str) -> tuple[Agreement, ...]:
    found = [item for item in _live(connection, user_id, ("agreement",), _MOST_OPEN) if item.accepted is not None]
    said = get_turns(connection, user_id, {item.accepted.turn for item in found if item.accepted is not None})
    return tuple(
        Agreement(
            id=item.id,
            proposal=item.accepted.span.cut(said[item.accepted.turn].text),
            proposal_turn_id=f"t{item.accepted.turn}",
            text=item.quote,
            since=item.valid_from,
            turn_id=f"t{item.turn}",
        )
        for item in found
        if item.accepted is not None and item.accepted.turn in said
    )


def _todo(item: Item) -> Todo:
    return Todo(id=item.id, text=item.quote, due_at=item.due_at, turn_id=f"t{item.turn}")


def _questions(connection: Connection, user_id: str, at: datetime) -> tuple[OpenQuestion, ...]:
    """The last few questions of late that nothing settled, each once."""
    asked = [
        item
        for item in _live(connection, user_id, ("question",), _MOST_OPEN)
        if at - item.observed_at <= _ASKED_OF_LATE
    ]
    once = {item.normal: item for item in asked}
    return tuple(_question(item) for item in sorted(once.values(), key=lambda item: item.number)[-_MOST_ASKED:])


def _question(item: Item) -> OpenQuestion:
    return OpenQuestion(id=item.id, text=item.quote, turn_id=f"t{item.turn}")


def _intents(connection: Connection, user_id: str, todos: Collection[int]) -> tuple[Intent, ...]:
    found = open_intents(connection, user_id, limit=_MOST_INTENTS)
    steps = steps_of(connection, user_id, [one.number for one in found]) if found else {}
    return tuple(_intent(one, steps[one.number], todos) for one in found)


def _intent(row: IntentRow, steps: Sequence[StepRow], todos: Collection[int]) -> Intent:
    holds = standing(steps, initial=row.initial, defaults=row.defaults)
    made = [step.recorded_at for step in live_steps(steps)]
    left = {number for step in steps for number in step.left.values()}
    return Intent(
        domain=row.domain,
        entity=row.entity,
        state=row.state,
        tentative=holds.tentative,
        slots=dict(sorted(row.slots.items())),
        since=made[-1] if made else row.opened_at,
        turn_id=None if holds.turn is None else f"t{holds.turn}",
        todo_ids=tuple(f"f{number}" for number in sorted(left.intersection(todos))),
    )


def _conflicts(connection: Connection, user_id: str) -> tuple[Conflict, ...]:
    rows = connection.execute(
        select(conflicts).where(conflicts.c.user_id == user_id).order_by(conflicts.c.id.desc()).limit(_MOST_CONFLICTS)
    )
    found = [Conflict(preferred=f"f{row.preferred}", other=f"f{row.other}", rule=row.rule) for row in rows]
    return (*_contradicted(connection, user_id), *found)[:_MOST_CONFLICTS]


def _contradicted(connection: Connection, user_id: str) -> list[Conflict]:
    """What the user says of the world and a document that holds says otherwise; the user's word stays the fact."""
    own = knowledge_conflicts.c.user_id == user_id
    item = and_(own, items.c.user_id == user_id, items.c.number == knowledge_conflicts.c.item)
    chunk = and_(chunks.c.user_id == user_id, chunks.c.number == knowledge_conflicts.c.chunk)
    document = and_(documents.c.user_id == user_id, documents.c.number == chunks.c.document)
    statement = select(knowledge_conflicts.c.item, knowledge_conflicts.c.chunk).join(items, item).join(chunks, chunk)
    statement = statement.join(documents, document).where(items.c.closed_at.is_(None), documents.c.closed_at.is_(None))
    rows = connection.execute(statement.order_by(knowledge_conflicts.c.id.desc()).limit(_MOST_CONFLICTS))
    return [Conflict(preferred=f"f{row.item}", other=f"c{row.chunk}", rule="knowledge") for row in rows]
