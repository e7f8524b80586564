"""Stores of turns and their indexes, without extraction: a folder, a clock that ticks, a deterministic embedder."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path

from veridical.memory.language.folding import detect_language
from veridical.memory.records import NewTurn, Query, RecallFilter, Turn
from veridical.memory.retrieval import channels, fusion, lexical
from veridical.memory.retrieval.vectors import VectorIndex
from veridical.memory.storage.database import Database
from veridical.memory.storage.turns import append_turn

START = datetime(2024, 3, 1, 9, tzinfo=UTC)


@dataclass
class Store:
    """One data folder: what the channels need of a memory, and short ways to fill and ask it."""

    folder: Path
    database: Database
    vectors: VectorIndex
    clock: datetime = START
    said: int = field(default=0)

    def say(
        self,
        text: str,
        *,
        user: str = "ann",
        session: str = "s1",
        speaker: str = "user",
        apply: bool = False,
    ) -> Turn:
        """Record one turn with its lexical row, a minute after the one before; leave its vector to the outbox."""
        self.clock += timedelta(minutes=1)
        self.said += 1
        new = NewTurn(
            user_id=user,
            session_id=session,
            external_id=f"x{self.said}-{id(self)}",
            role="user",
            source="user_input",
            speaker=speaker,
            text=text,
            language=detect_language(text),
            observed_at=self.clock,
            time_zone="UTC",
            act="statement",
        )
        with self.database.write() as connection:
            turn, _ = append_turn(connection, new, now=self.clock)
            lexical.add_turn(connection, turn)
        if apply:
            self.vectors.apply_outbox()
        return turn

    def lexical(self, text: str, *, user: str = "ann", k: int = 50) -> list[int]:
        with self.database.read() as connection:
            return [number for number, _ in lexical.search(connection, user, text, k)]

    def dense(self, text: str, *, user: str = "ann", k: int = 50, before: int | None = None) -> list[int]:
        (hits,) = self.vectors.search(user, self.vectors.embed_queries([text]), k, before=before)
        return [number for number, _ in hits]

    def recall(self, *texts: str, user: str = "ann", wanted: RecallFilter | None = None) -> list[fusion.Candidate]:
        wanted = wanted or RecallFilter()
        queries = [Query(text) for text in texts]
        hits = [hit for index, query in enumerate(queries) for hit in channels.search(self, user, index, query, wanted)]
        return fusion.fuse(self, user, queries, hits, wanted)

    def close(self) -> None:
        self.vectors.close()
        self.database.close()
