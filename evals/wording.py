"""How a person would ask for a stored value, in the language in which it was said."""

import functools
from importlib import resources
from typing import Any

import yaml

from ..memory.grounding.naming import attribute_label
from ..memory.language.lexicon import FAVORITE, of_relative
from ..memory.records import Language

_OF_TIME = frozenset({"date", "time", "datetime"})


@functools.cache
def _table() -> dict[str, Any]:
    text = resources.files(__package__).joinpath("wording.yaml").read_text(encoding="utf-8")
    content: dict[str, Any] = yaml.safe_load(text)
    return content


def question(attribute: str, entity: str, language: Language, *, value_type: str = "text", denied: bool = False) -> str:
    """A question for an attribute; an empty one where no question can be put.

    Args:
        attribute: its key.
        entity: whose or of what, as people call it; empty for whoever asks.
        language: of the question.
        value_type: of the stored value.
        denied: whether a no is stored ("I don't like coriander").
    """
    attribute, entity = _of_whom(attribute, entity, language)
    form = _table()["denied"].get(attribute) if denied else _form(attribute, value_type)
    if form is None:
        return ""
    words = form[language]["other" if entity else "own"]
    return str(words.format(attribute=attribute_label(attribute, language), entity=entity))


def _of_whom(attribute: str, entity: str, language: Language) -> tuple[str, str]:
    """A relative's attribute as an attribute of the relative: ``sister_birthday`` as the birthday of "my sister"."""
    relative, own = of_relative(attribute)
    if not relative:
        return attribute, entity
    words = _table()["relative"][language]["other" if entity else "own"]
    return own, words.format(relative=attribute_label(relative, language), entity=entity)


def _form(attribute: str, value_type: str) -> Any:
    if attribute in _table()["particular"]:
        return _table()["particular"][attribute]
    if attribute.startswith(FAVORITE):
        return _table()["favorite"]
    return _table()["when" if value_type in _OF_TIME else "general"]


def unknowns(*, of_person: bool) -> list[str]:
    """Attributes that a store may well not hold."""
    return str(_table()["unknown_of_people" if of_person else "unknown_of_things"]).split()


def marks_a_person(attribute: str) -> bool:
    """Whether only people have such an attribute."""
    return attribute in str(_table()["of_people"]).split()
