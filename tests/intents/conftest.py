"""A user who talks, a minute from turn to turn, and what holds of their intents."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from veridical.intents.domains import Domains
from veridical.intents.following import Intents, follow
from veridical.intents.loading import shipped
from veridical.intents.outcomes import Outcome
from veridical.memory.extraction.acts import classify_act
from veridical.memory.language.folding import detect_language
from veridical.memory.records import Item, NewTurn, Turn
from veridical.memory.retrieval.embedders import Embedder, open_embedder
from veridical.memory.storage.intents import IntentRow, StepRow, list_intents, steps_of
from veridical.memory.storage.item_rows import list_items
from veridical.memory.store import Memory

NOW = datetime(2026, 3, 2, 9, tzinfo=UTC)
BEFORE = 6


class Talk:
    """One memory, any users, and the engine."""

    def __init__(self, folder: Path, domains: Domains | None = None, embedder: Embedder | None = None) -> None:
        self.memory = Memory(folder, open_embedder("hashing:64"))
        self.intents = Intents(domains or shipped(), embedder)
        self.time = NOW

    def record(self, text: str, *, user: str = "ann", session: str = "s", assistant: bool = False) -> Turn:
        self.time += timedelta(minutes=1)
        language = detect_language(text)
        new = NewTurn(
            user_id=user,
            session_id=session,
            external_id=f"{self.time:%H%M%S}-{user}",
            role="assistant" if assistant else "user",
            source="ai_generated" if assistant else "user_input",
            speaker="assistant" if assistant else "user",
            text=text,
            language=language,
            observed_at=self.time,
            time_zone="UTC",
            act=classify_act(text, language),
        )
        return self.memory.record(new, now=self.time).turn

    def say(self, text: str, *, user: str = "ann", session: str = "s") -> tuple[Outcome, ...]:
        """Say something, and what it did."""
        return follow(self.intents, self.memory, self.record(text, user=user, session=session), now=self.time)

    def hear(self, text: str, *, user: str = "ann", session: str = "s") -> None:
        """The assistant says something."""
        self.record(text, user=user, session=session, assistant=True)

    def proposed(self, turn: Turn) -> tuple[Outcome, ...]:
        before = self.memory.recent(turn.user_id, turn.session_id, BEFORE, before=turn.number)
        with self.memory.database.read() as connection:
            return self.intents.propose(connection, turn, before=before)

    def intent(self, entity: str, *, user: str = "ann") -> IntentRow:
        with self.memory.database.read() as connection:
            (found,) = list_intents(connection, user, entity=entity)
        return found

    def states(self, *, user: str = "ann") -> dict[str, str]:
        with self.memory.database.read() as connection:
            return {it.entity: it.state for it in list_intents(connection, user) if it.state != it.initial}

    def rows(self, entity: str, *, user: str = "ann") -> list[StepRow]:
        number = self.intent(entity, user=user).number
        with self.memory.database.read() as connection:
            return steps_of(connection, user, [number])[number]

    def items(self, *, user: str = "ann", live: bool = True) -> list[Item]:
        with self.memory.database.read() as connection:
            return list_items(connection, user, live_only=live)[::-1]

    def todos(self, *, user: str = "ann") -> list[str]:
        """The quotations of the todos that are open."""
        return [item.quote for item in self.items(user=user) if item.kind == "todo"]


@pytest.fixture
def open_talk(tmp_path: Path) -> Iterator[Callable[..., Talk]]:
    """Opens talks, each in a folder of its own."""
    with ExitStack() as stack:

        def open_(**settings: object) -> Talk:
            talk = Talk(tmp_path / f"talk-{len(list(tmp_path.iterdir()))}", **settings)
            stack.callback(talk.memory.close)
            return talk

        yield open_


@pytest.fixture
def talk(open_talk: Callable[..., Talk]) -> Talk:
    """A talk with the shipped domains, by words alone."""
    return open_talk()
