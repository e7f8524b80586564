"""What a forgetting reports."""

from dataclasses import asdict, dataclass
from typing import Any, NamedTuple

from ..records import Turn
from .request import What


@dataclass(frozen=True, slots=True)
class Preview:
    """What would be forgotten."""

    what: What
    chosen: tuple[Turn, ...]
    """The turns that are meant."""
    echoes: tuple[Turn, ...]
    """The assistant's turns that repeat them."""
    items: int
    """Items drawn from them."""
    documents: int = 0
    """Documents that go as well."""

    @property
    def turns(self) -> tuple[Turn, ...]:
        """All turns that would go, in order."""
        return tuple(sorted((*self.chosen, *self.echoes), key=lambda turn: turn.number))


class Scanned(NamedTuple):
    """A file, or a table of a server's database, that was read; and how many bytes of it."""

    file: str
    size: int


class Residue(NamedTuple):
    """A place in which something of a forgotten text is left."""

    file: str
    """Relative to the data folder; or a table of a server's database."""
    offset: int
    """Of its first byte; -1 for a term of a full-text index and for a row of a table."""
    form: str
    """How it is written there."""
    turn: str
    """Id of the forgotten turn that it is of."""


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What was forgotten, and what the files say of it."""

    turns: tuple[str, ...] = ()
    """Ids that name nothing any more, in order."""
    echoes: tuple[str, ...] = ()
    """Those among them that the assistant said, repeating the others."""
    items: tuple[str, ...] = ()
    restated: tuple[str, ...] = ()
    """New items, from other turns that say the same."""
    still_said: tuple[str, ...] = ()
    """Turns and documents that say something of it by themselves, and stay."""
    documents: int = 0
    summaries: int = 0
    answers: int = 0
    conflicts: int = 0
    threads: tuple[str, ...] = ()
    phrases: int = 0
    """How many pieces of the text the files were searched for."""
    scanned: tuple[Scanned, ...] = ()
    residue: tuple[Residue, ...] = ()
    problems: tuple[str, ...] = ()
    """What could not be done, one clause each."""
    beyond: tuple[str, ...] = ()
    """What cannot be searched from here, one clause each: nothing where the database is a file."""

    @property
    def clean(self) -> bool:
        """Whether everything was done and nothing was found."""
        return not self.residue and not self.problems

    def document(self) -> dict[str, Any]:
        """The report as plain JSON; it holds nothing of what was forgotten."""
        scanned = [row._asdict() for row in self.scanned]
        residue = [row._asdict() for row in self.residue]
        return {"clean": self.clean, **asdict(self), "scanned": scanned, "residue": residue}
