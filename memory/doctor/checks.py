"""What a check is, and what it yields."""

from collections.abc import Callable, Iterator
from datetime import datetime
from typing import NamedTuple

from sqlalchemy import Connection, Table

PIECEMEAL = {"yield_per": 1000}
"""Options of a statement whose rows are read piece by piece, however many there are."""


class Finding(NamedTuple):
    """What is wrong with one thing."""

    user_id: str
    """Whose memory; empty for the store as a whole."""
    subject: str
    """Id of the thing concerned: ``f3``, ``t12``, a table, a file."""
    detail: str
    """One clause that says what is wrong."""


class Check(NamedTuple):
    """One check of the rows."""

    name: str
    promise: str
    """What the store is held to."""
    table: Table
    """Whose rows are looked at."""
    find: Callable[[Connection], Iterator[Finding]]
    repair: Callable[[Connection, Finding, datetime], None] | None = None
    """Makes the thing anew from what is true, in a write transaction; ``None`` where that would be inventing."""
    whole_user: bool = False
    """Whether one repair mends everything of its user that the check finds."""
