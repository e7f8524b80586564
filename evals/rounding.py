"""Figures as a document shows them."""

from collections.abc import Mapping
from typing import Any

_DIGITS = 4


def rounded(value: Any) -> Any:
    """The same with every fraction cut to four digits."""
    if isinstance(value, float):
        return round(value, _DIGITS)
    if isinstance(value, Mapping):
        return {name: rounded(one) for name, one in value.items()}
    return value
