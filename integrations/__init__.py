"""The memory in other people's programs: middleware and tools of agents, a retriever, a server of tools.

The names below are loaded when they are first asked for: who serves tools needs no agents.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .middleware import VeridicalMemory
    from .retriever import VeridicalRetriever
    from .tools import memory_tools

__all__ = ["VeridicalMemory", "VeridicalRetriever", "memory_tools"]

_HOMES = {"VeridicalMemory": "middleware", "VeridicalRetriever": "retriever", "memory_tools": "tools"}


def __getattr__(name: str) -> object:
    """Return a public name from the module that defines it.

    Raises:
        AttributeError: There is no public name of that kind.
    """
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f".{_HOMES[name]}", __name__), name)


def __dir__() -> list[str]:
    """List the public names, loaded or not."""
    return sorted(__all__)
