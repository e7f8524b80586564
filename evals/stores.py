"""A dialogue told to a memory of its own, by the same way as an import goes in."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from itertools import groupby
from pathlib import Path
from tempfile import TemporaryDirectory

from pydantic import SecretStr

from ..graph.resources import open_resources
from ..graph.settings import Settings
from ..memory.ingestion.utterances import as_turns
from ..memory.retrieval.embedders import Embedder
from ..nodes.contract import Resources
from .records import Dialogue

_BEGINNING = datetime.min.replace(tzinfo=UTC)


class Telling:
    """A memory that is told a dialogue as time passes. It is a clock: it shows the time up to which it was told."""

    def __init__(self, dialogue: Dialogue, resources: Resources) -> None:
        """Begin before the first word."""
        self._dialogue = dialogue
        self._memory = resources.memory
        self._told = 0
        self._now = _BEGINNING
        self.external: dict[str, str] = {}
        """The external ids of what was told, by the ids of turns."""

    def __call__(self) -> datetime:
        """The time up to which the memory was told."""
        return self._now

    def until(self, moment: datetime) -> None:
        """Tell what was said up to ``moment``, session by session, and set the clock to it."""
        self._now = moment
        said = self._dialogue.utterances[self._told :]
        ready = next((place for place, one in enumerate(said) if one.observed_at > moment), len(said))
        if not ready:
            return
        self._told += ready
        for _, session in groupby(said[:ready], key=lambda utterance: utterance.session_id):
            spoken = [utterance for utterance in session if utterance.text.strip()]
            if spoken:
                turns = list(as_turns(spoken, self._dialogue.id))
                recorded = self._memory.record_many(turns, now=spoken[-1].observed_at)
                self.external |= {one.turn.id: one.turn.external_id for one in recorded}
        self._memory.vectors.apply_outbox(self._dialogue.id)


@contextmanager
def opened(settings: Settings, embedder: Embedder) -> Iterator[Resources]:
    """A new memory in a folder that is gone afterwards: telling it again is quicker than knowing what still holds.

    Args:
        settings: those of the run; the data folder is another.
        embedder: takes the place of the one that the settings name.
    """
    with TemporaryDirectory(prefix="veridical-eval-") as folder:
        own = {"data_dir": Path(folder), "database_url": SecretStr(""), "chroma_url": SecretStr("")}
        where = settings.model_copy(update=own)
        with open_resources(where, embeddings=embedder) as resources:
            yield resources


def listening(dialogue: Dialogue, resources: Resources) -> tuple[Resources, Telling]:
    """What a graph needs to be asked about a dialogue, and what tells the dialogue. The user is the dialogue's id."""
    telling = Telling(dialogue, resources)
    return replace(resources, clock=telling, time_zone=dialogue.time_zone), telling
