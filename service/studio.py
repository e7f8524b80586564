"""The service as a LangGraph server mounts it (``http.app`` in ``langgraph.json``), beside the graph and on its memory.

It lets nobody in without a token: the pages of any site can reach the port of a server on this machine.
"""

from typing import TYPE_CHECKING

from ..graph.studio import opened
from .app import create_app

if TYPE_CHECKING:
    from fastapi import FastAPI

    app: FastAPI


def __getattr__(name: str) -> "FastAPI":
    """The service, opened when the server asks for it.

    Raises:
        AttributeError: the module has nothing of that name.
    """
    if name != "app":
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return create_app(opened())
