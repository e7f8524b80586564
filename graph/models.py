"""Opening the models that the settings name or the host brings, and checking the prompts that are pinned."""

from collections.abc import Mapping

from langchain_core.embeddings import Embeddings
from langchain_core.language_models import BaseChatModel

from ..memory.errors import BadInput
from ..memory.models.client import Model
from ..memory.models.roles import Models
from ..memory.retrieval.embedders import Embedder, LangChainEmbedder, open_embedder
from ..prompts.library import PromptError, load
from .settings import Settings


def open_models(settings: Settings, chat: BaseChatModel | None = None) -> Models | None:
    """The models that the settings name; ``None`` where they name none.

    Args:
        settings: name a model for each step.
        chat: takes the place of the chat model that the settings name.

    Raises:
        BadInput: a model cannot be opened as named; the message says what is missing.
    """
    if chat is None and not settings.model:
        return None
    named = {settings.rewrite_model, settings.compress_model, settings.model if chat is None else ""} - {""}
    opened = {name: _open(name, settings) for name in named}
    answer = opened[settings.model] if chat is None else _brought(chat, settings)
    return Models(answer, opened.get(settings.rewrite_model, answer), opened.get(settings.compress_model))


def open_embeddings(settings: Settings, embeddings: Embeddings | Embedder | None = None) -> Embedder:
    """The embedder that the settings name, or the one that is given.

    A LangChain embedder has the name that a setting would give it, such as ``openai:text-embedding-3-small``: the store
    remembers it, and refuses another one.

    Raises:
        BadInput: the setting names no embedder.
    """
    if isinstance(embeddings, Embeddings):
        return LangChainEmbedder(name_of(embeddings), embeddings, timeout=settings.model_timeout)
    return embeddings or open_embedder(settings.embeddings, timeout=settings.model_timeout)


def name_of(model: BaseChatModel | Embeddings) -> str:
    """A model of the host's by the name that a setting would give it; by its class where there is no such name.

    Two models of one name count as the same one.
    """
    package, kind = type(model).__module__.partition(".")[0], type(model).__name__
    provider = package.removeprefix("langchain_")
    own = provider if provider not in {package, "core", "community", "classic", "tests"} else kind
    names = (getattr(model, attribute, None) for attribute in ("model_name", "model", "model_id"))
    return ":".join([own, *[name for name in names if isinstance(name, str) and name][:1]])


def check_prompts(pinned: Mapping[str, int]) -> None:
    """Raise BadInput for a pinned prompt that does not exist, before it is needed in the middle of a turn."""
    for name, version in pinned.items():
        try:
            load(name, "en", version)
        except PromptError as error:
            message = (
                f"{error} Mend the setting prompts (VERIDICAL_PROMPTS); `veridical prompts list` shows what there is."
            )
            raise BadInput(message) from error


def _open(name: str, settings: Settings) -> Model:
    """One model, by a name that LangChain's ``init_chat_model`` understands; its own retries are off."""
    from langchain.chat_models import init_chat_model
    from langchain_core.rate_limiters import InMemoryRateLimiter
    from openai import OpenAIError

    rate = settings.model_rate
    limiter = None if rate is None else InMemoryRateLimiter(requests_per_second=rate)
    try:
        chat = init_chat_model(
            name, timeout=settings.model_timeout, max_retries=0, temperature=0.0, rate_limiter=limiter
        )
    except ImportError as error:
        package = f"langchain-{name.partition(':')[0]}"
        message = f"The model {name!r} needs a package that is not installed: pip install {package}."
        raise BadInput(message) from error
    except ValueError as error:
        message = f"The model {name!r} is not understood: name it as provider:model, such as openai:gpt-5-mini."
        raise BadInput(message) from error
    except OpenAIError as error:
        message = f"The model {name!r} has no key: set OPENAI_API_KEY (any value will do for a local server)."
        raise BadInput(message) from error
    return Model(chat, name, timeout=settings.model_timeout)


def _brought(chat: BaseChatModel, settings: Settings) -> Model:
    """The host's model; callbacks that it carries would see drafts, and stay with the host's own."""
    quiet = chat.model_copy(update={"callbacks": None}) if chat.callbacks else chat
    return Model(quiet, name_of(chat), timeout=settings.model_timeout)
