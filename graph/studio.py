"""The graph as a LangGraph server takes it: opened when it is first asked for, once per process, by the settings.

``langgraph.json`` names it as ``veridical.graph.studio:graph``. The server brings its own checkpointer, and threads
with it; whose memory a run is about stands in the run's context.
"""

import asyncio
import atexit
import threading
from contextlib import ExitStack

from .build import build_graph
from .guard import VeridicalGraph
from .resources import open_resources

_opening = threading.Lock()
_opened: list[VeridicalGraph] = []


def opened() -> VeridicalGraph:
    """The graph of this process; its memory is closed when the process ends.

    Raises:
        StoreError: the data folder cannot be used; the message says what to do.
        BadInput: a setting names what does not exist.
    """
    with _opening:
        if not _opened:
            stack = ExitStack()
            _opened.append(build_graph(stack.enter_context(open_resources())))
            atexit.register(stack.close)
        return _opened[0]


async def graph() -> VeridicalGraph:
    """The graph, as the server asks for it with every run: in its event loop, where nothing may block."""
    return _opened[0] if _opened else await asyncio.to_thread(opened)
