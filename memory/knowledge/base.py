"""The knowledge base of a data folder: documents in, chunks found, statements checked against them."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from sqlalchemy import Connection, and_, select

from ..clauses.adding import Given, add_clauses, identify, join_versions, known_type
from ..clauses.readable import prefix_of
from ..clauses.records import Clause
from ..clauses.rows import Family, clause_count, clauses_in_chunks, clauses_of, families
from ..clauses.splitting import Cut
from ..clauses.splitting import cut as cut_clauses
from ..records import Candidate, Hit, Item, Query, RecallFilter, Reference, Span, is_chunk
from ..retrieval.vectors import Progress, VectorIndex
from ..storage.database import Database
from ..storage.items import list_items
from ..storage.states import refresh_state
from ..storage.tables import chunks, documents, knowledge_conflicts
from ..storage.upserts import insert_into
from . import rows, search
from .chunking import Piece, chunk
from .cross_checking import Contradiction, contradictions, is_of_the_world, words_of
from .reading import ReadDocument
from .references import references

_COMPARED = 8
"""Chunks that one statement is set against."""
_CHECKED_ITEMS = 1000


class KnowledgeBase:
    """The documents of all users in one data folder, each user's apart."""

    def __init__(self, database: Database, vectors: VectorIndex) -> None:
        """Use an open database, and the vector index of the chunks."""
        self._database = database
        self.vectors = vectors

    def add(
        self,
        user_id: str,
        read: ReadDocument,
        *,
        valid_from: datetime | None = None,
        given: Given | None = None,
        now: datetime,
    ) -> rows.Added:
        """Record a document, unless it is known; what the user said of the same is set against it.

        It becomes searchable by its words at once, and by its meaning with the next ``embed``. A contract, a statute or
        a policy is stored clause by clause, and joined to its other versions, whatever their files are called.

        Args:
            user_id: whose.
            read: the file.
            valid_from: since when it holds; read from the file or now by default.
            given: this and more that the user says of it.
            now: when it is added.
        """
        given = replace(given or Given(), valid_from=valid_from) if valid_from else given or Given()
        read = replace(read, name=given.name) if given.name else read
        with self._database.read() as connection:
            kind = known_type(connection, user_id, read.name)
        cut = cut_clauses(read.text, read.name, kind)  # long texts take a while: nobody waits for it
        with self._database.write(user_id) as connection:
            if cut is None:
                identity, pieces = _plain(connection, user_id, read, given), chunk(read.text, read.name)
            else:
                identity, pieces = identify(connection, user_id, read, cut, given), list(cut.pieces)
            added = rows.add_document(connection, user_id, read, pieces, identity=identity, now=now)
            if not added.known:
                self._finish(connection, user_id, added, cut, now)
            elif added.document.entity_type:
                join_versions(connection, user_id, rows.settle(connection, user_id, added.document.key, now=now))
            count = clause_count(connection, user_id, added.document.number)
        return replace(added, clauses=count)

    def _finish(self, connection: Connection, user_id: str, added: rows.Added, cut: Cut | None, now: datetime) -> None:
        """What a new document brings with it: its clauses with their lineages, and what it contradicts."""
        if cut is not None:
            add_clauses(connection, added, cut)
            join_versions(connection, user_id, rows.settle(connection, user_id, added.document.key, now=now))
        said = list_items(connection, user_id, limit=_CHECKED_ITEMS)
        self.check(connection, user_id, said, now=now)
        refresh_state(connection, user_id, (), now=now)

    def embed(self, user_id: str, *, on_progress: Progress | None = None) -> int:
        """Embed the chunks that wait for it."""
        return self.vectors.apply_outbox(user_id, on_progress=on_progress)

    def documents(self, user_id: str, *, everything: bool = False) -> list[rows.Document]:
        """The user's documents that hold, or all versions."""
        with self._database.read() as connection:
            return rows.list_documents(connection, user_id, everything=everything)

    def sizes(self, user_id: str, numbers: Collection[int]) -> dict[int, int]:
        """How many chunks documents have, by the documents' numbers."""
        with self._database.read() as connection:
            return {number: len(rows.chunk_numbers(connection, user_id, [number])) for number in numbers}

    def families(self, user_id: str) -> list[Family]:
        """The user's documents of clauses, each with all its versions."""
        with self._database.read() as connection:
            return families(connection, user_id)

    def clauses(self, user_id: str, number: int) -> list[Clause]:
        """The clauses of one version, with their paragraphs and items, in the order of its text."""
        with self._database.read() as connection:
            return clauses_of(connection, user_id, number)

    def remove(self, user_id: str, given: str, *, now: datetime) -> list[rows.Document]:
        """Remove what a name (all versions), a document's id or a chunk's id names, out of every layer.

        Raises:
            NotFound: there is no such document.
        """
        with self._database.write(user_id) as connection:
            found = rows.find_documents(connection, user_id, given)
            rows.remove_documents(connection, user_id, [document.number for document in found], now=now)
            for key in sorted({document.key for document in found if document.entity_type}):
                join_versions(connection, user_id, rows.settle(connection, user_id, key, now=now))
            refresh_state(connection, user_id, (), now=now)
        return found

    def references(self, user_id: str, numbers: Collection[int]) -> dict[int, Reference]:
        """The chunks among numbers of turns (positive) and chunks (negative), by number."""
        if not any(map(is_chunk, numbers)):
            return {}
        with self._database.read() as connection:
            found = references(connection, user_id, numbers)
            clauses = clauses_in_chunks(connection, user_id, [-number for number in found])
        return found | {-chunk: replace(found[-chunk], clause=prefix_of(own[0])) for chunk, own in clauses.items()}

    def search(
        self,
        user_id: str,
        index: int,
        query: Query,
        wanted: RecallFilter,
        *,
        k: int = search.DEPTH,
        now: datetime | None = None,
    ) -> list[Hit]:
        """What the full text and the vectors of the user's chunks find for one query.

        Args:
            user_id: whose.
            index: the place of the query among all of the turn.
            query: the query.
            wanted: the filter; without a time it means what holds now.
            k: how many each channel finds.
            now: the present time; without it, the last version of each document holds.
        """
        return search.search(self._database, self.vectors, user_id, index, query, wanted, k=k, now=now)

    def rank(self, user_id: str, queries: Sequence[Query], hits: Sequence[Hit]) -> list[Candidate]:
        """One candidate per chunk that was found, best first."""
        return search.rank(self.vectors, user_id, queries, hits)

    def keep(self, user_id: str, read: ReadDocument, *, now: datetime) -> int:
        """Keep what a retriever found as one chunk, so that it can be cited; return its (positive) number."""
        pieces = [Piece(Span(0, len(read.text)), read.name)]
        with self._database.write(user_id) as connection:
            added = rows.add_document(connection, user_id, read, pieces, origin="retriever", now=now)
        return added.chunks[0]

    def check(
        self, connection: Connection, user_id: str, items: Iterable[Item], *, now: datetime
    ) -> list[Contradiction]:
        """Set statements about the world against the documents that hold, and record what they contradict."""
        worldly = [item for item in items if is_of_the_world(item)]
        if not worldly or not rows.chunk_count(connection, user_id):
            return []
        found = []
        for item in worldly:
            numbers = search.about(connection, user_id, words_of(item), k=_COMPARED)
            known = references(connection, user_id, numbers)
            found += contradictions(item, [known[number] for number in numbers if number in known])
        for one in found:
            pair = {"user_id": user_id, "item": one.item, "chunk": -one.reference.number}
            row = insert_into(connection, knowledge_conflicts).values(
                **pair, start=one.span.start, end=one.span.end, recorded_at=now
            )
            connection.execute(row.on_conflict_do_nothing())
        return found

    def contradictions(self, user_id: str, items: Collection[int]) -> list[Contradiction]:
        """What the documents that hold now say otherwise than these items."""
        if not items:
            return []
        place = and_(chunks.c.user_id == knowledge_conflicts.c.user_id, chunks.c.number == knowledge_conflicts.c.chunk)
        of = and_(documents.c.user_id == chunks.c.user_id, documents.c.number == chunks.c.document)
        statement = select(knowledge_conflicts).join(chunks, place).join(documents, of)
        own = (knowledge_conflicts.c.user_id == user_id, knowledge_conflicts.c.item.in_(items))
        statement = statement.where(*own, documents.c.closed_at.is_(None)).order_by(knowledge_conflicts.c.id)
        with self._database.read() as connection:
            found = connection.execute(statement).all()
            known = references(connection, user_id, [-row.chunk for row in found])
        return [
            Contradiction(row.item, known[-row.chunk], Span(row.start, row.end)) for row in found if -row.chunk in known
        ]


def _plain(connection: Connection, user_id: str, read: ReadDocument, given: Given) -> rows.Identity:
    """What is known of a document that is not made of clauses: its versions share its name."""
    named = (one.key for one in rows.documents_by_key(connection, user_id) if one.name == read.name)
    return rows.Identity(
        key=next(named, read.name),
        label=given.label or "",
        valid_from=given.valid_from,
        dated_by="given" if given.valid_from else "added",
        stated_to=given.valid_to,
    )
