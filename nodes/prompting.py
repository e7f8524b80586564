"""Which version of a prompt a run uses."""

from ..memory.records import Language
from ..prompts.library import Prompt, load
from .contract import Resources


def prompt(name: str, language: Language, resources: Resources) -> Prompt:
    """The prompt in the turn's language: the version that the configuration pins, or the newest."""
    return load(name, language, resources.prompts.get(name))
