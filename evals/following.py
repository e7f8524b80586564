"""A talk followed by the machine of intents, turn by turn, and what holds after each of them."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory

from ..intents.following import Intents, follow
from ..intents.outcomes import Outcome
from ..memory.ingestion.utterances import Utterance, as_turns
from ..memory.retrieval.embedders import Embedder
from ..memory.storage.intents import StepRow, list_intents, steps_of
from ..memory.storage.item_rows import LiveItemsIn
from ..memory.store import Memory

_BEGINNING = datetime(2026, 3, 2, 9, 0, tzinfo=UTC)
_APART = timedelta(minutes=1)


@dataclass(frozen=True, slots=True)
class Holding:
    """What the machine holds of a user."""

    states: dict[str, str] = field(default_factory=dict)
    """By entity; entities with which nothing is going on are left out."""
    todos: frozenset[tuple[str, str]] = frozenset()
    """The entity, and the state that left something to do."""
    slots: dict[tuple[str, str], str] = field(default_factory=dict)


class Talk:
    """One user who talks in one session, a turn a minute."""

    def __init__(self, user_id: str, memory: Memory, intents: Intents) -> None:
        """Begin with nothing said."""
        self._user_id = user_id
        self._memory = memory
        self._intents = intents
        self._said = 0

    def hear(self, text: str, *, assistant: bool = False) -> tuple[Outcome, ...]:
        """Record what is said; what a user says may move an intent."""
        now = _BEGINNING + self._said * _APART
        self._said += 1
        speaker = "assistant" if assistant else "user"
        spoken = Utterance("talk", str(self._said), speaker, text, now, "UTC", spoken_by_assistant=assistant)
        (new,) = as_turns([spoken], self._user_id)
        turn = self._memory.record(new, now=now).turn
        return () if assistant else follow(self._intents, self._memory, turn, now=now)

    def holding(self) -> Holding:
        """What holds now."""
        return holding_of(self._memory, self._user_id)


def holding_of(memory: Memory, user_id: str) -> Holding:
    """What holds of a user: by the intents, and by the items that are really open."""
    with memory.database.read() as connection:
        rows = list_intents(connection, user_id)
        steps = steps_of(connection, user_id, [row.number for row in rows])
        open_items = {item.number for item in LiveItemsIn(connection, user_id).open("todo")}
    states = {row.entity: row.state for row in rows if row.state != row.initial}
    slots = {(row.entity, name): value for row in rows for name, value in row.slots.items()}
    todos = {(row.entity, state) for row in rows for item, state in _left(steps[row.number]) if item in open_items}
    return Holding(states, frozenset(todos), slots)


def _left(steps: Sequence[StepRow]) -> Iterator[tuple[int, str]]:
    """The todo items that steps left, each with the state that wants it; an undo restores those of earlier steps."""
    states = {step.number: step.to_state for step in steps}
    for step in steps:
        for wanting, item in step.left.items():
            yield item, states[wanting]


@contextmanager
def talking(embedder: Embedder) -> Iterator[Memory]:
    """A memory in a folder that is gone afterwards."""
    with TemporaryDirectory(prefix="veridical-eval-") as folder, Memory(Path(folder), embedder) as memory:
        yield memory
