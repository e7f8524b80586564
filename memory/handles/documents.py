"""What a document may hold that is registered or changed: what every reader of JSON, and the memory, can keep."""

import json
import math
from typing import Any

from ..errors import BadInput
from ..ingestion.files import TOO_DEEP, is_deep
from ..ingestion.utterances import LONGEST_TURN
from ..language.folding import clean
from ..storage.deltas import Document

MOST_VALUES = 2_000
"""Members of objects and lists: each value becomes a fact, all in one transaction."""
_LONGEST_KEY = 200
_LARGEST_NUMBER = 1 << 64


def checked(document: Document) -> Document:
    """The document as it can be stored: lone surrogates and NUL are replaced, as in every text.

    Raises:
        BadInput: it is nested too deeply or too large, or has a number or a key that cannot be kept.
    """
    if is_deep(document):
        message = f"The document cannot be kept, {TOO_DEEP}: register it flatter."
        raise BadInput(message)
    count = _count(document)
    if count > MOST_VALUES:
        message = f"The document has {count:,} values, more than the {MOST_VALUES:,} of one handle: register several."
        raise BadInput(message)
    kept: Document = _kept(document)
    check_length(len(json.dumps(kept, ensure_ascii=False)))
    return kept


def check_length(length: int) -> None:
    """Raise BadInput where a document is longer than a turn may be, which is made of it."""
    if length > LONGEST_TURN:
        message = (
            f"The document has {length:,} characters, more than the {LONGEST_TURN:,} of one handle: "
            "register several, or add it as a document with `veridical knowledge add`."
        )
        raise BadInput(message)


def _count(value: object) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return sum(1 + _count(one) for one in inner)


def _kept(value: Any) -> Any:
    if isinstance(value, dict):
        return {_key(key): _kept(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return list(map(_kept, value))
    if isinstance(value, str):
        return clean(value)
    endless = isinstance(value, float) and not math.isfinite(value)
    if endless or (isinstance(value, int) and abs(value) >= _LARGEST_NUMBER):
        message = "The document has a number that readers of JSON do not keep: give it as text."
        raise BadInput(message)
    return value


def _key(key: str) -> str:
    if len(key) > _LONGEST_KEY:
        message = f"The document has a key of {len(key):,} characters, more than {_LONGEST_KEY}: make it a value."
        raise BadInput(message)
    return clean(key)
