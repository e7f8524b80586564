"""One data folder opened as a memory: the turn log, the items, and the derived indexes that find them again."""

from collections.abc import Collection, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import takewhile
from pathlib import Path
from types import TracebackType
from typing import Self

from sqlalchemy import Connection

from ..prompts.reference import PromptRef
from .complaints import file_complaint
from .digests import rows as digest_rows
from .digests.base import Digests
from .errors import EmbedderFailed, StoreError, ThreadOwned, UnknownUser
from .extraction import Surroundings, extract
from .knowledge.base import KnowledgeBase
from .language.folding import clean
from .records import Item, NewTurn, Turn, reference_number
from .retrieval import lexical
from .retrieval.embedders import Embedder
from .retrieval.namespaces import CHUNKS, SUMMARIES
from .retrieval.vectors import VectorIndex
from .storage import items as item_rows
from .storage import turns as turn_rows
from .storage.answers import FAILED, annotate_answer, load_answer, save_answer, summary_outcomes
from .storage.database import FILE_NAME, Database
from .storage.states import MemoryState, load_state, refresh_state
from .storage.summaries import NewSummary, add_summary, last_summarised
from .summarizing import Attempts
from .traces import Json

_SURROUNDING_TURNS = 6
_IN_CONTEXT = 20
"""Of so many turns, the best, the neighbours are read too: they resolve what a short turn leaves unsaid."""
_REACH = 4
_OUTCOMES = 64


@dataclass(frozen=True, slots=True)
class Recorded:
    """What became of a turn: as it is in the log, the items stored from it, and whether it was there already."""

    turn: Turn
    items: tuple[Item, ...] = ()
    duplicate: bool = False


class Memory:
    """The memory in one data folder. Safe to share between threads; close it, or use it as a context manager."""

    def __init__(self, folder: Path, embedder: Embedder, *, database_url: str = "", chroma_url: str = "") -> None:
        """Open the folder, creating it for its owner only, and repair what a crash left behind.

        Args:
            folder: the data folder.
            embedder: makes the embeddings.
            database_url: of a PostgreSQL database that takes the place of the SQLite file in the folder.
            chroma_url: of a Chroma server that takes the place of the Chroma folder.

        Raises:
            BadInput: a URL cannot be understood.
            StoreError: the folder or the database cannot be used, or the memory was embedded otherwise.
        """
        _make_private(folder)
        self.folder = folder
        self.embedder = embedder
        self.on_chroma_server = bool(chroma_url)
        with ExitStack() as opened:
            # What cannot be opened as a whole leaves nothing open.
            self.database = Database(folder, database_url)
            opened.callback(self.database.close)
            self.vectors = VectorIndex(self.database, folder, embedder, chroma_url=chroma_url)
            opened.callback(self.vectors.close)
            self.knowledge = KnowledgeBase(self.database, self.vectors.beside(CHUNKS))
            self.digests = Digests(self.database, self.vectors.beside(SUMMARIES))
            self.digests.complete(now=datetime.now(UTC))
            opened.pop_all()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Release the vector index and the database."""
        self.vectors.close()
        self.database.close()

    def record(self, new: NewTurn, *, now: datetime, prompts: Sequence[PromptRef] = ()) -> Recorded:
        """Make one turn durable, with the items that the floor extracts from it, in one transaction."""
        return self.record_many([new], now=now, prompts=prompts)[0]

    def record_many(
        self, turns: Sequence[NewTurn], *, now: datetime, prompts: Sequence[PromptRef] = ()
    ) -> list[Recorded]:
        """Record turns in order in one transaction; those recorded before are returned as they are, untouched."""
        recorded = []
        with self.database.write(*{new.user_id for new in turns}) as connection:
            for new in turns:
                kept = _cleaned(new)
                turn, is_new = turn_rows.append_turn(connection, kept, now=now, prompts=prompts)
                if not is_new:
                    recorded.append(Recorded(turn, duplicate=True))
                    continue
                lexical.add_turn(connection, turn)
                previous = turn_rows.recent_turns(
                    connection, turn.user_id, _SURROUNDING_TURNS, session_id=turn.session_id, before=turn.number
                )
                live = item_rows.LiveItemsIn(connection, turn.user_id)
                proposals = extract(turn, Surroundings(previous, live))
                stored = item_rows.record_items(connection, turn, proposals, now=now)
                self.knowledge.check(connection, turn.user_id, stored, now=now)
                recorded.append(Recorded(turn, tuple(stored)))
            _refresh_states(connection, recorded, now)
        return recorded

    def record_answer(self, new: NewTurn, *, settles: int | None, prompts: Sequence[PromptRef], now: datetime) -> Turn:
        """Record the assistant's turn; the questions of the user's turn ``settles`` are no longer open."""
        with self.database.write(new.user_id) as connection:
            turn, _ = turn_rows.append_turn(connection, _cleaned(new), now=now, prompts=prompts)
            lexical.add_turn(connection, turn)
            if settles is not None:
                said = item_rows.items_of_turns(connection, new.user_id, [settles]).get(settles, ())
                asked = [item.number for item in said if item.kind == "question"]
                if asked:
                    item_rows.close_items(connection, new.user_id, asked, closed_by="completion", now=now)
                    refresh_state(connection, new.user_id, [turn], now=now)
        return turn

    def embed_waiting(self, user_id: str | None = None, *, limit: int | None = None) -> str | None:
        """Embed what waits for it, of one user or of all.

        Returns:
            Why the embedder gave no embeddings, if it did not; what waits goes on waiting.
        """
        try:
            for index in (self.vectors, self.knowledge.vectors, self.digests.vectors):
                index.apply_outbox(user_id, limit=limit)
        except EmbedderFailed as failed:
            return failed.reason
        return None

    def turns(self, user_id: str, numbers: Collection[int]) -> dict[int, Turn]:
        """The user's turns of those numbers, and the chunks and summaries that negative ones name, by number."""
        with self.database.read() as connection:
            turns = turn_rows.get_turns(connection, user_id, numbers)
        return turns | self.knowledge.references(user_id, numbers) | self.digests.read(user_id, numbers)

    def recent(self, user_id: str, session_id: str, limit: int, *, before: int | None = None) -> list[Turn]:
        """The last turns of a session, oldest first."""
        with self.database.read() as connection:
            return turn_rows.recent_turns(connection, user_id, limit, session_id=session_id, before=before)

    def last_recorded(self) -> datetime | None:
        """When the newest turn of all users was recorded; ``None`` while there is none."""
        with self.database.read() as connection:
            return turn_rows.last_recorded(connection)

    def opening(self, user_id: str, session_id: str, limit: int) -> list[Turn]:
        """The first turns of a session, in order."""
        with self.database.read() as connection:
            return turn_rows.session_turns(connection, user_id, session_id, limit=limit)

    def items(self, user_id: str, turns: Collection[int]) -> dict[int, list[Item]]:
        """The items that were stored from those turns, live or not, by turn number."""
        with self.database.read() as connection:
            return item_rows.items_of_turns(connection, user_id, turns)

    def scene(self, user_id: str, numbers: Sequence[int]) -> tuple[dict[int, Turn], dict[int, list[Item]]]:
        """Turns with the items that were stored from them, and for the first of them what surrounds them."""
        with self.database.read() as connection:
            turns = turn_rows.get_turns(connection, user_id, numbers[_IN_CONTEXT:])
            turns |= turn_rows.turns_around(connection, user_id, numbers[:_IN_CONTEXT], reach=_REACH)
            return turns, item_rows.items_of_turns(connection, user_id, turns)

    def successors(self, user_id: str, turns: Collection[int]) -> dict[int, int]:
        """The turns that say what holds instead of what others said, by the numbers of those others."""
        with self.database.read() as connection:
            return item_rows.successors(connection, user_id, turns)

    def rarities(self, user_id: str, terms: Sequence[str]) -> dict[str, float]:
        """How rare words are among the user's turns."""
        with self.database.read() as connection:
            return lexical.rarities(connection, user_id, terms)

    def closed_by(self, turn: Turn) -> list[Item]:
        """The items that a turn replaced, corrected, retracted or completed."""
        with self.database.read() as connection:
            return item_rows.closed_by(connection, turn)

    def unsummarised(self, user_id: str, session_id: str) -> list[Turn]:
        """The turns of a session that no summary covers yet, in order."""
        with self.database.read() as connection:
            covered = last_summarised(connection, user_id, session_id)
            return turn_rows.session_turns(connection, user_id, session_id, after=covered)

    def add_summary(self, user_id: str, summary: NewSummary, *, now: datetime) -> str | None:
        """Keep a summary and return its id; ``None`` when its turns are covered already."""
        with self.database.write(user_id) as connection:
            stored = add_summary(connection, user_id, summary, now=now)
            if stored is not None:
                digest_rows.derive(connection, user_id, only=int(stored[1:]), now=now)
        return stored

    def summary_attempts(self, user_id: str, session_id: str) -> Attempts:
        """How often summaries of a session failed since the last that did not, and how long ago."""
        with self.database.read() as connection:
            outcomes = summary_outcomes(connection, user_id, session_id, _OUTCOMES)
        since = takewhile(lambda outcome: not _succeeded(outcome), outcomes)
        failures = [place for place, outcome in enumerate(since) if outcome is not None]
        return Attempts(len(failures), failures[0] + 1) if failures else Attempts()

    def save_answer(
        self,
        user_id: str,
        session_id: str,
        question: str,
        document: Json,
        *,
        complained: bool = False,
        configuration: str = "",
        now: datetime,
    ) -> str:
        """Keep the trace of an answer and return its id; a turn that complained did so of the answer before it."""
        with self.database.write(user_id) as connection:
            if complained:
                turn = reference_number(document["turn_id"])
                against = file_complaint(connection, user_id, session_id, turn, now=now)
                document = document | {"complaint_against": against}
            return save_answer(
                connection, user_id, session_id, question, document, configuration=configuration, now=now
            )

    def answer(self, user_id: str, number: int | None = None) -> Json | None:
        """The trace of an answer, by default of the user's last; ``None`` when there is none."""
        with self.database.read() as connection:
            return load_answer(connection, user_id, number)

    def annotate_answer(self, user_id: str, number: int, key: str, value: str | None) -> None:
        """Add to the trace of an answer what became known after it was given."""
        with self.database.write(user_id) as connection:
            annotate_answer(connection, user_id, number, key, value)

    def state(self, user_id: str) -> MemoryState:
        """MEMORY_STATE of the user, the same in every terminal."""
        with self.database.read() as connection:
            return load_state(connection, user_id)

    def require_user(self, user_id: str) -> None:
        """Raise UnknownUser unless something was recorded for the user."""
        with self.database.read() as connection:
            if not turn_rows.user_exists(connection, user_id):
                raise UnknownUser(user_id, self.database.name if self.database.on_server else self.folder)

    def admit(self, thread_id: str, user_id: str) -> None:
        """Raise ThreadOwned if the thread belongs to somebody else; a thread of nobody admits everyone."""
        with self.database.read() as connection:
            if turn_rows.thread_owner(connection, thread_id) not in {None, user_id}:
                raise ThreadOwned(thread_id)

    def claim(self, thread_id: str, user_id: str, *, now: datetime) -> None:
        """Make the user the thread's owner; raises ThreadOwned if somebody else is."""
        with self.database.read() as connection:
            if turn_rows.thread_owner(connection, thread_id) == user_id:
                return
        with self.database.write() as connection:
            owner = turn_rows.thread_owner(connection, thread_id)
            if owner is None:
                turn_rows.claim_thread(connection, thread_id, user_id, now)
            elif owner != user_id:
                raise ThreadOwned(thread_id)


def is_store(folder: Path) -> bool:
    """Whether the folder holds a memory."""
    return (folder / FILE_NAME).is_file()


def _succeeded(outcome: str | None) -> bool:
    return outcome is not None and not outcome.startswith(FAILED)


def _refresh_states(connection: Connection, recorded: Sequence[Recorded], now: datetime) -> None:
    added: dict[str, list[Turn]] = {}
    for record in recorded:
        if not record.duplicate:
            added.setdefault(record.turn.user_id, []).append(record.turn)
    for user_id, turns in added.items():
        refresh_state(connection, user_id, turns, now=now)


def _make_private(folder: Path) -> None:
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        message = f"{folder} cannot be used as a data folder ({error.strerror}): choose another with --data."
        raise StoreError(message) from error


def _cleaned(new: NewTurn) -> NewTurn:
    text = clean(new.text)
    return new if text == new.text else replace(new, text=text)
