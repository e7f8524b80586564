"""Opening the models that the settings name, and checking the prompts that they pin."""

from collections.abc import Mapping

from ..memory.errors import BadInput
from ..memory.models.client import Model
from ..memory.models.roles import Models
from ..prompts.library import PromptError, load
from .settings import Settings


def open_models(settings: Settings) -> Models | None:
    """The models that the settings name; ``None`` where they name none.

    Raises:
        BadInput: a model cannot be opened as named; the message says what is missing.
    """
    if not settings.model:
        return None
    rewrite = settings.rewrite_model or settings.model
    opened = {name: _open(name, settings) for name in {settings.model, rewrite, settings.compress_model} - {""}}
    return Models(opened[settings.model], opened[rewrite], opened.get(settings.compress_model))


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
