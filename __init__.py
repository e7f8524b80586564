"""Veridical: a LangGraph chat agent with a memory that does not lie.

The repository root is this package. The code lives in its folders: `memory` keeps and finds what was said, `nodes`
holds the steps of one turn, `graph` wires them, `integrations` are the ways into other programs, `cli` is the command
line, `prompts` are versioned files. The names below are loaded when they are first asked for, so that importing
`veridical` costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from veridical.graph import build_graph
    from veridical.integrations.middleware import VeridicalMemory
    from veridical.integrations.retriever import VeridicalRetriever
    from veridical.integrations.tools import memory_tools
    from veridical.memory.store import Memory
    from veridical.nodes.contract import Context

__version__ = "0.1.0"

__all__ = [
    "Context",
    "Memory",
    "VeridicalMemory",
    "VeridicalRetriever",
    "__version__",
    "build_graph",
    "memory_tools",
]

_HOMES = {
    "Context": "veridical.nodes.contract",
    "Memory": "veridical.memory.store",
    "VeridicalMemory": "veridical.integrations.middleware",
    "VeridicalRetriever": "veridical.integrations.retriever",
    "build_graph": "veridical.graph",
    "memory_tools": "veridical.integrations.tools",
}


def __getattr__(name: str) -> object:
    """Return a public name from the module that defines it.

    Raises:
        AttributeError: The package has no public name of that kind.
    """
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)


def __dir__() -> list[str]:
    """List the public names, loaded or not."""
    return sorted(__all__)
