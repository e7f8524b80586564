"""A question about clauses as a structured condition: which document, which version, which number, and what is wanted.

Reading it takes two steps. ``Asked`` is what the words say; ``Condition`` is what they mean among the documents that
the user has. A condition that cannot be met says why, and with which candidates.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, get_args

from .records import ClauseNumber

Wants = Literal["text", "moved", "changes", "exists", "compare", "count", "list", "versions", "topic", "scope"]
"""What a question wants of the clauses that it means; ``topic`` is what a document says about something, ``scope`` any
other question that names a document: it is answered as usual, but from no other document."""
Trouble = Literal["no_document", "which_document", "no_version", "no_clause", "nothing_about"]
"""Why a condition cannot be met: nothing is called so, several are, or there is no such version or number."""
WANTS: frozenset[str] = frozenset(get_args(Wants))


@dataclass(frozen=True, slots=True)
class AskedNumber:
    """A number as a question has it: a clause, and perhaps a paragraph or an item of it."""

    at: ClauseNumber
    """The clause; ``(-1,)`` is the last one."""
    paragraph: int | None = None
    item: int | None = None
    said: str = ""
    """As it was written: 第五条第三款, "clause 5"."""
    last: int | None = None
    """The end of a range, "articles 3 to 5": the last number of the same level."""


@dataclass(frozen=True, slots=True)
class AskedVersion:
    """Which version a question means; the one in force now where it says nothing. One of the fields is set."""

    said: str = ""
    label: str = ""
    """``2.1`` of "version 2.1"."""
    place: int | None = None
    """1 for the first, -1 for the one in force, -2 for the one before it, 2 for 第二版."""
    edition: tuple[datetime, datetime] | None = None
    """The version that began in this time: "the 2017 version"."""
    held: tuple[datetime, datetime] | None = None
    """The version in force in this time, at its end where it changed: "in 2019"."""
    since: bool = False
    """The version in force at the beginning of ``held``: "since 2019", "before 2020"."""


@dataclass(frozen=True, slots=True)
class Asked:
    """What the words of a question say of clauses, before it is known which documents there are."""

    wants: Wants
    numbers: tuple[AskedNumber, ...] = ()
    versions: tuple[AskedVersion, ...] = ()
    remaining: str = ""
    """The question with numbers and versions blanked out."""
    strong: bool = False
    """Whether its wording is about clauses even where no document is named."""
    of_versions: bool = False
    """Whether it speaks of versions or amendments."""
    follow_up: bool = False
    points_back: bool = False
    """Whether it says "it" or 该条 for the clause spoken of last."""
    both: bool = False
    """Whether it means all of the documents that could be meant ("the two contracts")."""
    rest: bool = False
    """Whether it asks for the rest of what was cut."""
    sayer: str = ""
    """Who is said to say it, where that may be a person."""


@dataclass(frozen=True, slots=True)
class Condition:
    """What a question about clauses means: resolved by columns, never by likeness."""

    wants: Wants
    keys: tuple[str, ...] = ()
    """The documents, by their readable handles (``CONTRACT_A``)."""
    documents: tuple[int, ...] = ()
    """The versions that are to be read, by the numbers of their documents, in the order of ``keys``, oldest first."""
    numbers: tuple[AskedNumber, ...] = ()
    versions: tuple[AskedVersion, ...] = ()
    category: str | None = None
    topic: tuple[str, ...] = ()
    rest: bool = False
    trouble: Trouble | None = None
    said: str = ""
    """What could not be resolved, as it was asked for."""
    candidates: tuple[str, ...] = ()
    """What there is instead: handles of documents, labels of versions, or the clauses nearest to the number."""

    @property
    def structured(self) -> bool:
        """Whether the documents of clauses alone answer, or say that they cannot: nothing else is looked for.

        A document that is not there may still have been talked about.
        """
        return self.exact and self.trouble != "no_document"

    @property
    def stands_alone(self) -> bool:
        """Whether the words that say which clauses are all that a message says: it asks for them, whatever its form."""
        return self.exact and not self.topic

    @property
    def exact(self) -> bool:
        """Whether it asks for clauses by number or by version, so that the conversations have nothing to add."""
        return self.wants not in {"topic", "scope"}
