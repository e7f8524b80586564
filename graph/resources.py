"""The composition root: from settings to everything that a graph needs, opened once and closed together."""

from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import asdict
from datetime import UTC, datetime

from langchain_core.embeddings import Embeddings
from langchain_core.language_models import BaseChatModel
from langchain_core.retrievers import BaseRetriever

from ..intents.domains import Domains
from ..intents.loading import load_domains
from ..memory.errors import BadInput
from ..memory.retrieval.embedders import Embedder
from ..memory.retrieval.fusion import WEIGHTS, Weights
from ..memory.store import Memory
from ..nodes.contract import Resources
from .models import check_prompts, open_embeddings, open_models
from .settings import Settings
from .steady_clock import SteadyClock
from .threads import forget_again

DEFAULT_WEIGHTS = {name: weight for name, weight in asdict(WEIGHTS).items() if isinstance(weight, float)}
"""The weights that the settings may name, with their defaults."""
# What a crash or an embedder that was away left waiting; a larger backlog is for the turns to come.
_MOST_EMBEDDED = 64


@contextmanager
def open_resources(
    settings: Settings | None = None,
    *,
    model: BaseChatModel | None = None,
    embeddings: Embeddings | Embedder | None = None,
    retriever: BaseRetriever | None = None,
) -> Iterator[Resources]:
    """Open the memory that the settings name.

    Args:
        settings: where the memory is, and what goes with it; by default as the environment and the file have it.
        model: the host's chat model, in the place of the one that the settings name; its own retries had best be off.
        embeddings: the host's embeddings, in the place of those that the settings name.
        retriever: searched in the place of the user's own documents; of a vector store, ``store.as_retriever()``.

    Raises:
        StoreError: the data folder cannot be used; the message says what to do.
        BadInput: a setting names what does not exist.
    """
    settings = settings or Settings()
    check_prompts(settings.prompts)
    models = open_models(settings, model)
    domains = _domains(settings)
    with closing(open_memory(settings, open_embeddings(settings, embeddings))) as memory:
        forget_again(memory, now=now())
        memory.embed_waiting(limit=_MOST_EMBEDDED)
        yield Resources(
            memory=memory,
            models=models,
            retriever=retriever,
            prompts=settings.prompts,
            clock=SteadyClock(now, after=memory.last_recorded()),
            time_zone=settings.time_zone or local_zone(),
            summary_after=settings.summary_after,
            buffer=settings.buffer,
            weights=weights_of(settings.weights),
            threshold=settings.threshold,
            trace_text=settings.trace_text,
            domains=domains,
        )


def open_memory(settings: Settings, embedder: Embedder) -> Memory:
    """The memory where the settings say that it is.

    Raises:
        StoreError: the data folder or the database cannot be used; the message says what to do.
        BadInput: a URL cannot be understood.
    """
    urls = (settings.database_url.get_secret_value(), settings.chroma_url.get_secret_value())
    return Memory(settings.data_dir, embedder, database_url=urls[0], chroma_url=urls[1])


def _domains(settings: Settings) -> Domains:
    """The domains that are shipped, with those of the user's own files.

    Raises:
        BadInput: the folder that the settings name does not exist.
        BadFile: a file in it is wrong; the message says where.
    """
    if settings.intents is not None and not settings.intents.expanduser().is_dir():
        message = f"There is no folder {settings.intents}: the setting intents names a folder of domain files."
        raise BadInput(message)
    return load_domains((settings.intents or settings.data_dir / "intents").expanduser())


def weights_of(named: Mapping[str, float]) -> Weights:
    """The weights of the ranking, those that are named in the place of the defaults.

    Raises:
        BadInput: there is no weight of that name.
    """
    unknown = [name for name in named if name not in DEFAULT_WEIGHTS]
    if unknown:
        message = f"There is no weight {unknown[0]!r}: the setting weights takes {', '.join(DEFAULT_WEIGHTS)}."
        raise BadInput(message)
    return Weights(**{**asdict(WEIGHTS), **named})


def now() -> datetime:
    """The time now, aware, in UTC."""
    return datetime.now(UTC)


def local_zone() -> str:
    """IANA name of the machine's time zone."""
    from tzlocal import get_localzone_name

    return get_localzone_name()
