"""`/v1/names`: what fields, steps and values are called in a language, for those who show them to people."""

from typing import Annotated, Literal

from fastapi import APIRouter, Query

from ..intents.domains import Domains
from ..memory.grounding.naming import attribute_label
from ..memory.records import Language
from .documents import Json
from .memory_routes import Has, Who

router = APIRouter(tags=["what is remembered"])
_Key = Annotated[str, Query(min_length=1, max_length=200)]


@router.get("/v1/names")
def names(
    who: Who,
    has: Has,
    key: Annotated[list[_Key], Query(max_length=100)],
    language: Literal["en", "zh"] = "en",
) -> Json:
    """What each `key` is called; where it has no name of its own, it is given back as it is.

    A key is an attribute (`budget`), a step or a slot of a domain (`orders/shipping_update`), or a slot's value
    (`orders/shipping_preference/sf`).
    """
    return {"names": {one: _name(has.domains, one, language) for one in key}}


def _name(domains: Domains, key: str, language: Language) -> str:
    domain_id, _, rest = key.partition("/")
    domain = domains.by_id.get(domain_id)
    if not rest:
        slot = next((one.slots[key] for one in domains if key in one.slots), None)
        return attribute_label(key, language) if slot is None else slot.title.read(language)
    if domain is None:
        return key
    field, _, value = rest.partition("/")
    slot = domain.slots.get(field)
    if value:
        return value if slot is None else slot.word(value, language)
    named = slot or domain.states.get(field)
    return field if named is None else named.title.read(language)
