"""The composition root: from settings to everything that a graph needs, opened once and closed together."""

from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime

from ..memory.models.roles import Models
from ..memory.retrieval.embedders import open_embedder
from ..memory.store import Memory
from ..nodes.contract import Resources
from .settings import Settings


@contextmanager
def open_resources(settings: Settings) -> Iterator[Resources]:
    """Open the memory that the settings name.

    Raises:
        StoreError: the data folder cannot be used; the message says what to do.
    """
    with closing(Memory(settings.data_dir, open_embedder(settings.embeddings))) as memory:
        yield Resources(
            memory=memory,
            models=open_models(settings),
            prompts=settings.prompts,
            clock=now,
            time_zone=settings.time_zone or local_zone(),
            summary_after=settings.summary_after,
            buffer=settings.buffer,
        )


def open_models(settings: Settings) -> Models | None:
    """The models that the settings name; ``None`` where they name none."""
    if not settings.model:
        return None
    from ..memory.models.client import open_model

    opened = {
        name: open_model(name, timeout=settings.model_timeout, requests_per_second=settings.model_rate)
        for name in {settings.model, settings.rewrite_model or settings.model, settings.compress_model} - {""}
    }
    return Models(
        answer=opened[settings.model],
        rewrite=opened[settings.rewrite_model or settings.model],
        compress=opened.get(settings.compress_model),
    )


def now() -> datetime:
    """The time now, aware, in UTC."""
    return datetime.now(UTC)


def local_zone() -> str:
    """IANA name of the machine's time zone."""
    from tzlocal import get_localzone_name

    return get_localzone_name()
