"""What extraction may look at beside the turn itself: the turns just before it, and bounded look-ups of live items."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from ..records import Item, ItemKind, Turn


class LiveItems(Protocol):
    """Look-ups of one user's live items, newest first; each is bounded, none loads all of them."""

    def about(self, entity: str, attribute: str) -> Sequence[Item]:
        """Of one attribute of one entity."""

    def with_attribute(self, attribute: str) -> Sequence[Item]:
        """Of that attribute, whatever they are about."""

    def with_value(self, normals: Collection[str]) -> Sequence[Item]:
        """Whose normalised value is one of those."""

    def mentioning(self, stems: Collection[str], limit: int) -> Sequence[Item]:
        """Whose quotation contains one of the folded words."""

    def open(self, kind: ItemKind) -> Sequence[Item]:
        """Of that kind."""

    def of_turn(self, turn: int) -> Sequence[Item]:
        """Every item, live or not, that quotes the turn of that number, in the order of the text."""

    def numbered(self, number: int) -> Item | None:
        """The live item of that number."""


class NoItems:
    """The look-ups of an empty memory."""

    def about(self, entity: str, attribute: str) -> Sequence[Item]:
        """Nothing."""
        return ()

    def with_attribute(self, attribute: str) -> Sequence[Item]:
        """Nothing."""
        return ()

    def with_value(self, normals: Collection[str]) -> Sequence[Item]:
        """Nothing."""
        return ()

    def mentioning(self, stems: Collection[str], limit: int) -> Sequence[Item]:
        """Nothing."""
        return ()

    def open(self, kind: ItemKind) -> Sequence[Item]:
        """Nothing."""
        return ()

    def of_turn(self, turn: int) -> Sequence[Item]:
        """Nothing."""
        return ()

    def numbered(self, number: int) -> Item | None:
        """Nothing."""
        return None


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What stands around a turn when it is read."""

    previous: Sequence[Turn] = ()
    """At most the six last turns of the session, oldest first."""
    live: LiveItems = field(default_factory=NoItems)
