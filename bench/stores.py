"""Stores of a wanted size, filled in bulk: what is measured is the use of a store, not how it came about."""

from datetime import UTC, datetime, timedelta
from itertools import islice
from pathlib import Path

from corpus import Corpus, Line
from sqlalchemy import delete, func, insert, select

from veridical.memory.records import NewTurn, Turn
from veridical.memory.retrieval import lexical, matrices
from veridical.memory.retrieval.embedders import open_embedder
from veridical.memory.storage import tables
from veridical.memory.storage.turns import ensure_user
from veridical.memory.store import Memory

USER = "bench"
START = datetime(2024, 1, 1, tzinfo=UTC)
_BATCH = 1000


def new_turn(line: Line, index: int, user: str = USER) -> NewTurn:
    """The line as somebody's turn."""
    return NewTurn(
        user_id=user,
        session_id=line.session,
        external_id=str(index),
        role="user" if line.by_user else "assistant",
        source="user_input" if line.by_user else "ai_generated",
        speaker="user" if line.by_user else "assistant",
        text=line.text,
        language="zh" if line.language == "zh" else "en",
        observed_at=START + timedelta(minutes=index),
        time_zone="UTC",
        act="statement",
    )


class Filler:
    """Fills one store step by step, so that each size continues the one before."""

    def __init__(self, folder: Path, embedder: str, **urls: str) -> None:
        """Open an empty store in ``folder``, or on the servers that the URLs name."""
        self.memory = Memory(folder, open_embedder(embedder), **urls)
        self.corpus = Corpus()
        self.size = 0
        with self.memory.database.write() as connection:
            ensure_user(connection, USER, START)
        self._lines = self.corpus.lines(10**9)

    def fill(self, size: int) -> None:
        """Add turns until there are ``size``, counting those that were said to the store in between."""
        self.size = max(self.size, self._last_number())
        while self.size < size:
            lines = list(islice(self._lines, min(_BATCH, size - self.size)))
            rows = self.memory.embedder.embed_documents([line.text for line in lines])
            with self.memory.database.write() as connection:
                for place, line in enumerate(lines):
                    turn = _turn(line, self.size + place + 1)
                    values = {
                        column.name: getattr(turn, column.name, []) for column in tables.turns.c if column.name != "id"
                    }
                    connection.execute(insert(tables.turns).values(**values | {"citations": []}))
                    lexical.add_turn(connection, turn)
                    vector = {"user_id": USER, "turn": turn.number, "embedding": matrices.encode(rows[place])}
                    connection.execute(insert(tables.vectors).values(vector))
                self.size += len(lines)
                last = {"user_id": USER, "name": "turn", "value": self.size}
                connection.execute(delete(tables.counters).where(tables.counters.c.name == "turn"))
                connection.execute(insert(tables.counters).values(last))
        self.memory.vectors.rebuild(USER)

    def _last_number(self) -> int:
        with self.memory.database.read() as connection:
            last = select(func.max(tables.turns.c.number)).where(tables.turns.c.user_id == USER)
            return connection.execute(last).scalar() or 0


def _turn(line: Line, number: int) -> Turn:
    new = new_turn(line, number)
    given = {name: getattr(new, name) for name in NewTurn.__slots__}
    return Turn(number=number, position=(number - 1) % 40, recorded_at=new.observed_at, **given)
