"""What the lexical channel needs of a database's full text, whichever database it is."""

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]


class Match(NamedTuple):
    """Texts that hold a phrase: one term or several, separated by spaces."""

    phrase: str
    company: tuple[str, ...] = ()
    """Phrases of which at least one is to occur as well, where any are given."""


class FullText(Protocol):
    """The indexed texts of one user in one namespace. What is written belongs to the open transaction."""

    name: str
    """Tells it from every other one."""

    def exists(self) -> bool:
        """Whether there may be anything in it."""

    def create(self) -> None:
        """Make it, if it is not there."""

    def insert(self, number: int, body: str) -> None:
        """Add a text in its indexed form."""

    def delete(self, numbers: Collection[int]) -> int:
        """Remove texts; how many there were."""

    def tidy(self) -> None:
        """Drop what the index itself keeps of removed texts."""

    def drop(self) -> None:
        """Remove everything."""

    def count(self) -> int:
        """How many texts there are."""

    def last(self) -> int:
        """The highest number; 0 where there is none."""

    def numbers(self) -> Sequence[int]:
        """The numbers of all texts."""

    def bodies(self, numbers: Collection[int] | None = None) -> Iterator[tuple[int, str]]:
        """Texts in their indexed form, all or those of given numbers."""

    def newest(self, match: Match, before: int | None, most: int) -> Numbers:
        """The texts that match, newest first, at most so many; with a number below ``before``, where one is given."""

    def matching(self, match: Match, most: int) -> int:
        """How many texts match; counted up to ``most``."""

    def terms(self) -> set[str]:
        """Every term that the index itself lists, whether a text still holds it or not."""
