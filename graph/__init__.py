"""The graph of one turn, and what is needed to build and run it."""

from ..nodes.contract import Context, Resources
from .ask import ask
from .build import build_builder, build_graph
from .checkpointer import open_checkpointer
from .display import show
from .guard import VeridicalGraph
from .recall import recall
from .resources import open_resources
from .sample import sample_state
from .settings import Settings

__all__ = [
    "Context",
    "Resources",
    "Settings",
    "VeridicalGraph",
    "ask",
    "build_builder",
    "build_graph",
    "open_checkpointer",
    "open_resources",
    "recall",
    "sample_state",
    "show",
]
