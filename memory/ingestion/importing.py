"""The import: validates a whole file before anything is written, then records it in batches.

Each batch is one transaction, and a turn's identity is (user, session, external id): an import that was interrupted is
resumed by starting it again, and one that is repeated changes nothing.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from itertools import islice
from pathlib import Path
from typing import Literal, Protocol

from ..records import Item, NewTurn, Turn
from .claude import read_claude
from .jsonl import read_jsonl
from .locomo import read_locomo
from .openai import read_openai
from .utterances import Utterance, as_turns

Format = Literal["locomo", "jsonl", "openai", "claude"]
_READERS = {"locomo": read_locomo, "jsonl": read_jsonl, "openai": read_openai, "claude": read_claude}
_BATCH = 100


@dataclass(frozen=True, slots=True)
class Selection:
    """What is imported from where, and for whom."""

    path: Path
    format: Format
    user_id: str
    conversation: str | None = None
    time_zone: str | None = None

    def utterances(self) -> Iterator[Utterance]:
        """Read the file anew.

        Raises:
            BadFile: the file is not of the stated format.
            BadInput: there is no such time zone.
        """
        reader = _READERS[self.format]
        yield from reader(self.path, conversation=self.conversation, time_zone=self.time_zone)

    def turns(self) -> Iterator[NewTurn]:
        """The utterances with words in them, as turns."""
        spoken = (utterance for utterance in self.utterances() if utterance.text.strip())
        return as_turns(spoken, self.user_id)


class Recorded(Protocol):
    """What became of one turn."""

    @property
    def turn(self) -> Turn:
        """The turn as it stands in the log."""

    @property
    def items(self) -> Sequence[Item]:
        """What was extracted from it."""

    @property
    def duplicate(self) -> bool:
        """Whether a turn of the same identity had been recorded before."""


class TurnLog(Protocol):
    """Where turns go: ``Memory`` is one."""

    def record_many(self, turns: Sequence[NewTurn], *, now: datetime) -> Sequence[Recorded]:
        """Record the turns, in order, in one transaction."""


@dataclass(frozen=True, slots=True)
class Imported:
    """What an import did."""

    read: int = 0
    """Utterances in the selection."""
    recorded: int = 0
    known: int = 0
    """Already in the log from an earlier import."""
    blank: int = 0
    """Without any text, so that nothing was there to record."""
    items: int = 0
    """Memory items extracted."""
    differing: tuple[str, ...] = ()
    """Ids (``session external_id``) whose text differs from the recorded one, which was kept."""


def survey(selection: Selection) -> Imported:
    """Read the whole selection without recording it, so that an error shows before anything is written.

    Raises:
        BadFile: the file is not of the stated format.
        BadInput: there is no such time zone.
    """
    read = blank = 0
    for utterance in selection.utterances():
        read += 1
        blank += not utterance.text.strip()
    return Imported(read=read, blank=blank)


def import_turns(
    log: TurnLog,
    selection: Selection,
    surveyed: Imported,
    *,
    now: Callable[[], datetime] = lambda: datetime.now(UTC),
    on_progress: Callable[[int], None] = lambda _: None,
) -> Imported:
    """Record a selection whose survey found no error.

    Args:
        log: where the turns go.
        selection: what is imported.
        surveyed: what ``survey`` said of it.
        now: the recorded time of a batch.
        on_progress: told how many more turns have become durable.

    Raises:
        BadFile: the file changed since the survey; what was recorded before the wrong line stays.
    """
    recorded = known = items = 0
    differing: list[str] = []
    for batch in _batches(selection.turns()):
        for new, result in zip(batch, log.record_many(batch, now=now()), strict=True):
            recorded += not result.duplicate
            known += result.duplicate
            items += 0 if result.duplicate else len(result.items)
            if result.turn.text != new.text:
                differing.append(f"{new.session_id} {new.external_id}")
        on_progress(len(batch))
    return replace(surveyed, recorded=recorded, known=known, items=items, differing=tuple(differing))


def _batches(turns: Iterator[NewTurn]) -> Iterator[list[NewTurn]]:
    while batch := list(islice(turns, _BATCH)):
        yield batch
