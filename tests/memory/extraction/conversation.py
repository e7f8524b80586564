"""A conversation whose turns are extracted and stored as the product does it."""

import functools
import itertools
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from sqlalchemy import Connection, create_engine, select

from veridical.memory.extraction import Surroundings, extract
from veridical.memory.records import Item, ItemKind, Turn
from veridical.memory.storage import items as store
from veridical.memory.storage.tables import conflicts, metadata

# A Wednesday, 10:00 in Shanghai.
START = datetime(2024, 5, 15, 2, tzinfo=UTC)


class Conversation:
    """Says turns one after the other and knows what is remembered of them."""

    def __init__(self, connection: Connection, user_id: str) -> None:
        self.connection = connection
        self.user_id = user_id
        self.turns: list[Turn] = []

    def say(
        self,
        text: str,
        *,
        speaker: str = "",
        role: str = "user",
        at: datetime | None = None,
        citations: Sequence[str] = (),
    ) -> list[Item]:
        number = len(self.turns) + 1
        when = at or START + timedelta(minutes=number)
        turn = Turn(
            user_id=self.user_id,
            number=number,
            session_id="s",
            position=number - 1,
            external_id=f"e{number}",
            role=role,
            source="user_input" if role == "user" else "ai_generated",
            speaker=speaker or self.user_id,
            text=text,
            language="en",
            observed_at=when,
            time_zone="Asia/Shanghai",
            recorded_at=when,
            act="statement",
            citations=tuple(citations),
        )
        live = store.LiveItemsIn(self.connection, self.user_id)
        proposals = extract(turn, Surroundings(self.turns[-6:], live))
        self.turns.append(turn)
        return store.record_items(self.connection, turn, proposals, now=when)

    def answer(self, text: str, *citations: str) -> None:
        assert self.say(text, speaker="assistant", role="assistant", citations=citations) == []

    def items(self, kind: ItemKind | None = None, **filters) -> list[Item]:
        return list(reversed(store.list_items(self.connection, self.user_id, kind=kind, **filters)))

    def everything(self) -> list[Item]:
        return self.items(live_only=False)

    def values(self, attribute: str, entity: str = "user") -> list[str]:
        return [item.value for item in self.items(attribute=attribute, entity=entity) if item.polarity == "positive"]

    def conflicts(self) -> list[tuple[int, int]]:
        own = select(conflicts.c.preferred, conflicts.c.other).where(conflicts.c.user_id == self.user_id)
        return [tuple(row) for row in self.connection.execute(own)]


@functools.cache
def _connection() -> Connection:
    engine = create_engine("sqlite://")
    metadata.create_all(engine)
    return engine.connect()


_USERS = itertools.count(1)


def new_conversation() -> Conversation:
    """A conversation of somebody new: users never mix, so that all of them can share a database."""
    return Conversation(_connection(), f"u{next(_USERS)}")


def said(*texts: str) -> Conversation:
    conversation = new_conversation()
    for text in texts:
        conversation.say(text)
    return conversation
