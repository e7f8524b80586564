"""Intents and their steps: rows to values, and what holds now by the steps that were not undone."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import Connection, Row, insert, select, update

from .counters import next_number
from .intent_tables import intent_steps, intents
from .tables import items

StepKind = Literal["step", "refused", "undone", "redone", "noted", "asked"]
MOVES: frozenset[StepKind] = frozenset({"step", "undone", "redone"})
"""What can be taken back."""
Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Filled:
    """What is known of a slot: its value, and the words that say it."""

    slot: str
    value: str
    quote: str = ""
    """Exactly as the turn has it; empty where the host said it, or the domain sets it."""
    start: int = 0
    end: int = 0
    turn: int | None = None
    """Number of the turn that says it."""
    kept: bool = False
    """Whether it is knowledge of the world, which stays when a step is taken back."""


@dataclass(frozen=True, slots=True)
class StepRow:
    """One row of the history of an intent."""

    user_id: str
    number: int
    intent: int | None
    """``None`` while it is asked which entity is meant."""
    domain: str
    session_id: str
    turn: int | None
    kind: StepKind
    transition: str
    from_state: str
    to_state: str
    tentative: bool
    """Whether it was only asked about ("can I cancel?"): nothing is left to do yet."""
    start: int | None
    end: int | None
    quote: str
    """The words that made it, exactly as the turn has them."""
    slots: tuple[Filled, ...]
    left: Mapping[int, int]
    """Numbers of the todo items that it left or restored, by the number of the step that wants them."""
    retracted: tuple[int, ...]
    """Numbers of the items that it closed."""
    undoes: tuple[int, ...]
    """Numbers of the rows that it takes back."""
    document: Json
    """The rest: the guard's verdict, what was asked, the sentences of the domain."""
    recorded_at: datetime


@dataclass(frozen=True, slots=True)
class IntentRow:
    """What a user is about to get done with one entity."""

    user_id: str
    number: int
    domain: str
    entity: str
    initial: str
    defaults: Mapping[str, str]
    state: str
    slots: Mapping[str, str]
    open: bool
    left: Mapping[str, int]
    """The todo items that it left and that stand, by the state that left them."""
    session_id: str
    """The session in which it was last talked about."""
    turn: int | None
    """The turn that made the state."""
    opened_at: datetime
    updated_at: datetime


@dataclass(frozen=True, slots=True)
class Standing:
    """What holds by the rows of one intent."""

    state: str
    slots: Mapping[str, Filled] = field(default_factory=dict)
    tentative: bool = False
    turn: int | None = None
    wanted: Mapping[str, int] = field(default_factory=dict)
    """The states that left something to do, with the step that wants it."""


def undone(rows: Sequence[StepRow]) -> dict[int, int]:
    """The rows that were taken back, each with the row that did; what was taken back again does not count."""
    taken: dict[int, int] = {}
    for row in reversed(rows):
        if row.number not in taken:
            taken |= dict.fromkeys(row.undoes, row.number)
    return taken


def live_steps(rows: Sequence[StepRow]) -> list[StepRow]:
    """The steps that hold: neither refused nor taken back, in the order in which they were made, or made again."""
    gone, again = undone(rows), _made_again(rows)
    live = (row for row in rows if row.kind == "step" and row.number not in gone)
    return sorted(live, key=lambda row: again.get(row.number, row.number))


def _made_again(rows: Sequence[StepRow]) -> dict[int, int]:
    """The rows that were taken back and taken up again, each with the row that did so last."""
    return {number: row.number for row in rows if row.kind == "redone" for number in behind(row, rows)}


def behind(row: StepRow, rows: Sequence[StepRow]) -> set[int]:
    """The rows that one takes back, and those that they had taken back, to the steps."""
    undoes = {one.number: one.undoes for one in rows}
    found: set[int] = set()
    reached = list(row.undoes)
    while reached:
        found.add(reached[-1])
        reached += undoes.get(reached.pop(), ())
    return found


def standing(rows: Sequence[StepRow], *, initial: str, defaults: Mapping[str, str]) -> Standing:
    """Replay the rows of one intent, oldest first."""
    live = live_steps(rows)
    slots = {name: Filled(name, value) for name, value in defaults.items()}
    numbers = {row.number for row in live}
    for row in rows:
        # What is known of the world stays known, whatever becomes of the step in which it was said.
        slots |= {it.slot: it for it in row.slots if it.kept or row.number in numbers}
    if not live:
        return Standing(initial, slots)
    last = live[-1]
    return Standing(last.to_state, slots, last.tentative, last.turn, _wanted(live))


def _wanted(live: Iterable[StepRow]) -> dict[str, int]:
    wanted: dict[str, int] = {}
    for row in live:
        if row.tentative:
            continue
        voided = row.document.get("voids", ())
        wanted = {state: step for state, step in wanted.items() if state not in voided}
        if row.document.get("todo"):
            wanted[row.to_state] = row.number
    return wanted


def todos_by_step(rows: Sequence[StepRow]) -> dict[int, int]:
    """The latest todo item of each step that wants one."""
    return {wanting: item for row in rows for wanting, item in row.left.items()}


def list_intents(
    connection: Connection,
    user_id: str,
    *,
    domain: str | None = None,
    entity: str | None = None,
    limit: int | None = None,
) -> list[IntentRow]:
    """The user's intents, open and closed, the one last talked about at the end; at most the last ``limit``."""
    wanted = {"domain": domain, "entity": entity}
    own = [intents.c.user_id == user_id, *(intents.c[name] == it for name, it in wanted.items() if it is not None)]
    latest = select(intents).where(*own).order_by(intents.c.updated_at.desc(), intents.c.number.desc()).limit(limit)
    return [_intent(row) for row in reversed(connection.execute(latest).all())]


def find_intent(connection: Connection, user_id: str, domain: str, entity: str) -> IntentRow | None:
    """The user's intent in a domain with an entity, if there is one."""
    return next(iter(list_intents(connection, user_id, domain=domain, entity=entity)), None)


def open_intents(connection: Connection, user_id: str, *, limit: int = 20) -> list[IntentRow]:
    """The intents that something is still open in, the one last talked about at the end; at most ``limit``."""
    own = (intents.c.user_id == user_id, intents.c.open.is_(True))
    latest = select(intents).where(*own).order_by(intents.c.updated_at.desc(), intents.c.number.desc()).limit(limit)
    found = [_intent(row) for row in reversed(connection.execute(latest).all())]
    left = sorted({item for intent in found for item in intent.left.values()})
    done = select(items.c.number).where(
        items.c.user_id == user_id, items.c.number.in_(left), items.c.closed_by == "completion"
    )
    completed = set(connection.execute(done).scalars()) if left else set()
    return [it for it in found if not it.left or not set(it.left.values()) <= completed]


def steps_of(connection: Connection, user_id: str, numbers: Collection[int]) -> dict[int, list[StepRow]]:
    """The rows of those intents by the intent's number, oldest first."""
    found: dict[int, list[StepRow]] = {number: [] for number in numbers}
    own = (intent_steps.c.user_id == user_id, intent_steps.c.intent.in_(sorted(found)))
    # Sorted here: asked for the order of the numbers, SQLite reads all the user's rows in it.
    for row in sorted(connection.execute(select(intent_steps).where(*own)), key=lambda row: row.number):
        found[row.intent].append(_step(row))
    return found


def steps_of_turn(connection: Connection, user_id: str, turn: int) -> list[StepRow]:
    """What a turn moved, was refused or asked, in order."""
    own = (intent_steps.c.user_id == user_id, intent_steps.c.turn == turn)
    return [_step(row) for row in connection.execute(select(intent_steps).where(*own).order_by(intent_steps.c.number))]


def last_step(connection: Connection, user_id: str, session_id: str) -> StepRow | None:
    """The newest row of a session."""
    own = (intent_steps.c.user_id == user_id, intent_steps.c.session_id == session_id)
    latest = select(intent_steps).where(*own).order_by(intent_steps.c.number.desc()).limit(1)
    row = connection.execute(latest).first()
    return None if row is None else _step(row)


def replaced_by(connection: Connection, user_id: str, item: int) -> list[int]:
    """The numbers of the items that an item replaced."""
    own = (items.c.user_id == user_id, items.c.superseded_by == item)
    return list(connection.execute(select(items.c.number).where(*own).order_by(items.c.number)).scalars())


def add_intent(connection: Connection, user_id: str, **columns: object) -> int:
    """Insert an intent within the caller's write transaction, and return its number."""
    number = next_number(connection, user_id, "intent")
    connection.execute(insert(intents).values(user_id=user_id, number=number, **columns))
    return number


def change_intent(connection: Connection, user_id: str, number: int, **columns: object) -> None:
    """Bring the derived columns of an intent up to date within the caller's write transaction."""
    own = (intents.c.user_id == user_id, intents.c.number == number)
    connection.execute(update(intents).where(*own).values(**columns))


def add_step(connection: Connection, step: StepRow) -> None:
    """Insert a row of the history within the caller's write transaction."""
    connection.execute(insert(intent_steps).values(**step_columns(step)))


def step_columns(step: StepRow) -> dict[str, Any]:
    """A row as the table has it."""
    columns = {it.name: getattr(step, it.name) for it in fields(StepRow)}
    columns["slots"] = [{it.name: getattr(slot, it.name) for it in fields(Filled)} for slot in step.slots]
    columns["left"] = {str(wanting): item for wanting, item in step.left.items()}
    return columns | {"retracted": list(step.retracted), "undoes": list(step.undoes)}


def _intent(row: Row[Any]) -> IntentRow:
    columns = dict(row._mapping)
    columns.pop("id")
    return IntentRow(**columns)


def _step(row: Row[Any]) -> StepRow:
    columns = dict(row._mapping)
    columns.pop("id")
    columns["slots"] = tuple(Filled(**slot) for slot in columns["slots"])
    columns["left"] = {int(wanting): item for wanting, item in columns["left"].items()}
    columns |= {name: tuple(columns[name]) for name in ("retracted", "undoes")}
    return StepRow(**columns)
