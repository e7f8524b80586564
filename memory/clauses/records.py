"""The values of executable memory: clauses, their numbers, and what of each version of a document is known."""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, NamedTuple

from ..records import Span
from .categories import term

EntityType = Literal["contract", "statute", "policy"]
Unit = Literal["clause", "paragraph", "item"]
"""What a number counts: articles, sections and their decimal parts ("5.2"); paragraphs (款) within one; lettered or
bracketed items ((a), （三）) within that."""
DatedBy = Literal["given", "commencement", "name", "adoption", "heading", "added"]
"""Where the day on which a version begins to hold was read: see ``dating.py`` for the order."""
DEEPEST = 5
"""Levels of a number that are columns; what is numbered deeper belongs to the text of its parent."""
INSERTED_AT = 1000
"""Insertions are counted per level: 5A is 1001, 5.2B is 2002 (``ClauseNumber.inserted``)."""


class ClauseNumber(NamedTuple):
    """A number such as 5, 5.2, 5A, 第十二条之一: its parts, and which insertion it is."""

    parts: tuple[int, ...]
    """5.2(a) is ``(5, 2, 1)``, 第三条第一款第（二）项 is ``(3, 1, 2)``; what precedes all headings is ``(0,)``."""
    inserted: int = 0
    """0, or level times 1000 plus the place of what was inserted behind a number: 5A and 第五条之一 are 1001."""

    @property
    def text(self) -> str:
        """The number as ids have it: ``5.2``, ``12-1`` for what was inserted behind 12."""
        level, place = divmod(self.inserted, INSERTED_AT)
        return ".".join(
            f"{part}-{place}" if place and level == index else str(part)
            for index, part in enumerate(self.parts, start=1)
        )


@dataclass(frozen=True, slots=True)
class Clause:
    """One clause of one version of a document. Its text is an exact slice of the chunk that holds it."""

    user_id: str
    number: int
    """Of the user's clauses, counted over all documents."""
    document: int
    document_name: str
    key: str
    """The readable handle of the document in all its versions: ``CONTRACT_A``, ``会计法``."""
    version: str
    """The label of the version: ``v2.1``, ``2024-06-28``."""
    entity_type: EntityType
    category: str
    """``PAYMENT``, ``LIABILITY``, …; ``GENERAL`` where it cannot be told."""
    at: ClauseNumber
    unit: Unit
    label: str
    """As it is written: 第五条, "Section 5.2", "(a)"; empty where only a heading names it."""
    heading: str
    chunk: int
    """The (positive) number of the chunk."""
    span: Span
    """In the document's text."""
    chunk_start: int
    """Where the chunk begins in the document's text."""
    text: str
    sha256: str
    """Of the text without its number and with blanks and letter case levelled: equal where nothing was changed."""
    confidence: float
    lineage: int
    """The same for one clause through all versions, whatever its number there."""
    valid_from: datetime
    valid_to: datetime | None
    recorded_at: datetime

    @property
    def clause_id(self) -> str:
        """``DOMAIN_CATEGORY_NUMBER``, for example ``CONTRACT_PAYMENT_5.2``."""
        return f"{self.entity_type.upper()}_{self.category}_{self.at.text}"

    @property
    def handle(self) -> str:
        """The document with its version as it is shown in brackets: ``CONTRACT_A_v2.1``."""
        return f"{self.key}_{self.version}"

    @property
    def prefix(self) -> str:
        """What stands before its text where it is shown: ``[CONTRACT_A_v2.1] CONTRACT_PAYMENT_5.2 (payment_term):``."""
        return f"[{self.handle}] {self.clause_id} ({term(self.category)}):"

    @property
    def span_in_chunk(self) -> Span:
        """Where the clause stands in the text of its chunk."""
        return Span(self.span.start - self.chunk_start, self.span.end - self.chunk_start)

    def holds_at(self, moment: datetime) -> bool:
        """Whether its version was in force at that time."""
        return self.valid_from <= moment and (self.valid_to is None or moment < self.valid_to)
